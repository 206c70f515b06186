import { WINDOWS_TO_IANA_MAP } from 'windows-iana';
import { lookup } from '../../../base/values/records.js';

/** Corrections of `windows-iana`: CLDR, its source, uses the oldest name of a zone, and the rules of two zones have changed since. */
const RENAMED: Readonly<Record<string, string>> = {
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Europe/Kiev': 'Europe/Helsinki',
  // These cities changed their time zone in 2022 and 2024 and no longer match their Windows zone.
  'America/Chihuahua': 'America/Mazatlan',
  'Asia/Almaty': 'Asia/Bishkek',
};

/** CLDR territory code of the default mapping. */
const WORLD = '001';

/** Names of earlier releases of Windows, which CLDR does not have. */
const OLDER: readonly (readonly [string, string])[] = [
  ['armenian standard time', 'Asia/Yerevan'],
  ['kamchatka standard time', 'Asia/Kamchatka'],
  ['mexico standard time', 'America/Mexico_City'],
  ['mexico standard time 2', 'America/Mazatlan'],
  ['mid-atlantic standard time', 'Etc/GMT+2'],
];

/** IANA zones by Windows zone name in lower case, as Outlook and Exchange write them. */
export const WINDOWS_ZONES: ReadonlyMap<string, string> = new Map([
  ...WINDOWS_TO_IANA_MAP.filter(({ territory }) => territory === WORLD).map(
    ({ windowsName, iana: [region] }) => [windowsName.toLowerCase(), RENAMED[region] ?? region] as const,
  ),
  ...OLDER,
]);

/** Regions whose zones have cities: not offsets. */
export const REGIONS: readonly string[] = [...WINDOWS_ZONES.values()].filter((region) => !region.startsWith('Etc/'));

/** Windows: display names, in lower case, that neither have a city of the zone data nor are the start of a zone's name, and their zones.
 * Several have commas between them: the offset decides. */
export const DISPLAYED: Readonly<Record<string, string>> = lookup({
  alaska: 'alaskan',
  arizona: 'us mountain',
  astana: 'central asia,qyzylorda',
  'baja california': 'pacific standard time (mexico)',
  brasilia: 'e. south america',
  'cabo verde is.': 'cape verde',
  'cape verde is.': 'cape verde',
  chetumal: 'eastern standard time (mexico)',
  chokurdakh: 'russia time zone 10',
  hawaii: 'hawaiian',
  'indiana (east)': 'us eastern',
  "nuku'alofa": 'tonga',
  'petropavlovsk-kamchatsky': 'russia time zone 11',
  'port louis': 'mauritius',
  'saint pierre and miquelon': 'saint pierre',
  salvador: 'bahia',
  saskatchewan: 'canada central',
  'solomon is.': 'central pacific',
  'sri jayawardenepura': 'sri lanka',
  'west central africa': 'w. central africa',
});
