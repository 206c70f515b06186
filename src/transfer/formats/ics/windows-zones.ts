import { WINDOWS_TO_IANA_MAP } from 'windows-iana';

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

/** IANA zones by Windows zone name in lower case, as Outlook and Exchange write them. */
export const WINDOWS_ZONES: ReadonlyMap<string, string> = new Map(
  WINDOWS_TO_IANA_MAP.filter(({ territory, iana: [region] }) => territory === WORLD && !region.startsWith('Etc/')).map(
    ({ windowsName, iana: [region] }) => [windowsName.toLowerCase(), RENAMED[region] ?? region],
  ),
);
