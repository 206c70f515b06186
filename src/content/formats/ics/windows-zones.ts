import { WINDOWS_TO_IANA_MAP } from 'windows-iana';

/** CLDR, which `windows-iana` is made from, keeps the first name that a zone had, and two zones have new rules since its last release. */
const RENAMED: Readonly<Record<string, string>> = {
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Europe/Kiev': 'Europe/Helsinki',
  // 2022 and 2024: these cities have left the Windows zones that are listed for them.
  'America/Chihuahua': 'America/Mazatlan',
  'Asia/Almaty': 'Asia/Bishkek',
};

/** The territory of a zone as a whole, rather than in one country. */
const WORLD = '001';

/** Regions by the names that Outlook and Exchange write into calendars, in lower case. */
export const WINDOWS_ZONES: ReadonlyMap<string, string> = new Map(
  WINDOWS_TO_IANA_MAP.filter(({ territory, iana: [region] }) => territory === WORLD && !region.startsWith('Etc/')).map(
    ({ windowsName, iana: [region] }) => [windowsName.toLowerCase(), RENAMED[region] ?? region],
  ),
);
