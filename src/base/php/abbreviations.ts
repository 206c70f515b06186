/**
 * The zone abbreviations of PHP 8.2, measured: `NAME=seconds east of UTC`, with `*` for daylight saving time. If several regions use
 * an abbreviation, the offset is PHP's choice (`IST` is Israel, `BST` Britain, `CST` North America).
 */
const TABLE = `
A=3600 ACDT*=37800 ACST=34200 ADDT*=-7200 ADT*=-10800 AEDT*=39600 AEST=36000 AHDT*=-32400 AHST=-36000 AKDT*=-28800
AKST=-32400 AMT=-13840 APT*=-10800 AST=-14400 AWDT*=32400 AWST=28800 AWT*=-10800 B=7200 BDST*=7200 BDT*=-36000
BMT=-14309 BST*=3600 C=10800 CAST=34200 CAT=7200 CDDT*=-14400 CDT*=-18000 CEMT*=10800 CEST*=7200 CET=3600 CHST=36000
CMT=-15408 CPT*=-18000 CST=-21600 CWT*=-18000 D=14400 DMT=-1521 E=18000 EAT=10800 EDDT*=-10800 EDT*=-14400 EEST*=10800
EET=7200 EMT=-26248 EPT*=-14400 EST=-18000 EWT*=-14400 F=21600 FFMT=-14660 FMT=-4056 G=25200 GDT*=39600 GMT=0 GST=36000
H=28800 HDT*=-34200 HKST*=32400 HKT=28800 HMT=-19776 HPT*=-34200 HST=-36000 HWT*=-34200 I=32400 IDDT*=14400 IDT*=10800
IMT=25025 IST=7200 JDT*=36000 JMT=8440 JST=32400 K=36000 KDT*=36000 KMT=5736 KST=30600 L=39600 LST*=9394 M=43200
MDDT*=-18000 MDST*=16279 MDT*=-21600 MEST*=7200 MET=3600 MMT=9017 MPT*=-21600 MSD*=14400 MSK=10800 MST=-25200
MWT*=-21600 N=-3600 NDDT*=-5400 NDT*=-9052 NPT*=-9000 NST=-12600 NWT*=-9000 NZDT*=46800 NZMT=41400 NZST=43200 O=-7200
P=-10800 PDDT*=-21600 PDT*=-25200 PKST*=21600 PKT=18000 PLMT=25590 PMT=-13236 PPMT=-17340 PPT*=-25200 PST=-28800
PWT*=-25200 Q=-14400 QMT=-18840 R=-18000 RMT=5794 S=-21600 SAST=7200 SDMT=-16800 SJMT=-20173 SMT=-13884 SST=-39600
T=-25200 TBMT=10751 TMT=12344 U=-28800 UCT=0 UTC=0 V=-32400 W=-36000 WAST*=7200 WAT=3600 WEMT*=7200 WEST*=3600 WET=0
WIB=25200 WIT=32400 WITA=28800 WMT=5040 X=-39600 Y=-43200 YDDT*=-25200 YDT*=-28800 YPT*=-28800 YST=-32400 YWT*=-28800
Z=0
`;

/** A zone abbreviation: seconds east of UTC, and whether it names a daylight saving time. */
export interface Abbreviation {
  readonly name: string;
  readonly offset: number;
  readonly dst: boolean;
}

const parseEntry = (entry: string): [string, Abbreviation] => {
  const [key = '', offset] = entry.split('=');
  const name = key.replace('*', '');
  return [name, { name, offset: Number(offset), dst: key !== name }];
};

const ABBREVIATIONS = new Map(TABLE.trim().split(/\s+/).map(parseEntry));

/** Finds an abbreviation, ignoring case; null if PHP does not know it. */
export const findAbbreviation = (name: string): Abbreviation | null => ABBREVIATIONS.get(name.toUpperCase()) ?? null;
