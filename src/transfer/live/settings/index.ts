import { withoutUndefined } from '../../../base/values/records.js';
import { SETTING_ROWS } from '../../../wordpress/wp-v2/settings/settings-routes.js';
import { settingsIn, withSettings, type Settings } from '../../settings/settings.js';
import type { Rows } from '../../settings/kinds.js';
import { SETTINGS } from '../../settings/table.js';
import type { SiteClient } from '../client/client.js';
import type { LiveSite } from '../client/find.js';
import { Asked } from './asked.js';
import { SIGNS } from './signs.js';

/** The settings of a live site, as far as it shows them. */
export interface LiveSettings {
  /** The rows of its options table. */
  rows: Rows;
  /** The same by the names of `site.settings`. */
  settings: Settings;
  /** Names of settings that it does not show. */
  unseen: string[];
}

/** The rows that its index shows. */
function indexRows({ home, root, folder, front, timezone, gmtOffset }: LiveSite): Rows {
  const [, prefix] = root.includes('?') ? [] : (/^(?:\/index\.php)?\/(.+?)\/?$/.exec(root.slice(home.length)) ?? []);
  return {
    ...front,
    ...(timezone === '' ? { timezone_string: '', gmt_offset: gmtOffset } : { timezone_string: timezone }),
    siteurl: folder,
    ...withoutUndefined({ rest_url_prefix: prefix }),
  };
}

/** The rows that `wp/v2/settings` shows to administrators. */
async function storedRows(site: Asked): Promise<Rows> {
  const shown = (await site.object('wp/v2/settings')) ?? {};
  return Object.fromEntries(
    SETTING_ROWS.flatMap(({ name, option }) => {
      const value = name === 'language' && shown[name] === 'en_US' ? '' : shown[name];
      return value === undefined || value === null || option === 'siteurl' ? [] : [[option, value] as const];
    }),
  );
}

/** Whether a value is the one of a new site. */
export const isUsual = (name: string, value: unknown): boolean =>
  value === null || JSON.stringify(value) === JSON.stringify(SETTINGS.get(name)?.usual);

/**
 * Finds out the settings of a live site.
 * @throws DatasetError if it cannot be reached
 */
export async function readSettings(client: SiteClient, live: LiveSite): Promise<LiveSettings> {
  const site = new Asked(client, live);
  const rows = { ...indexRows(live), ...(await storedRows(site)) };
  const stated = settingsIn(rows);
  const found: Record<string, unknown> = {};
  for (const [name, sign] of Object.entries(SIGNS)) if (!(name in stated)) found[name] = await sign(site);
  const settings = withoutUndefined({ ...found, ...stated });
  return {
    rows: withSettings(
      Object.fromEntries(Object.entries(found).filter(([name, value]) => value !== undefined && !isUsual(name, value))),
      rows,
    ),
    settings,
    unseen: [...SETTINGS.keys()].filter((name) => !(name in settings)),
  };
}
