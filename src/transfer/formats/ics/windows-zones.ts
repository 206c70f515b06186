import { WINDOWS_TO_IANA_MAP } from 'windows-iana';
import { lookup } from '../../../base/values/records.js';
import ZONES from './windows-zones.json' with { type: 'json' };

/** Corrections of `windows-iana`: CLDR, its source, uses the oldest name of a zone, and the rules of two zones have changed since. */
const RENAMED: Readonly<Record<string, string>> = ZONES.renamed;

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
export const DISPLAYED: Readonly<Record<string, string>> = lookup(ZONES.displayed);
