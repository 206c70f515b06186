import { withoutSlash, type SiteClient } from '../client/client.js';
import type { LiveSite } from '../client/find.js';

/** TEC: calendar files name the release in their product id: `-//Site - ECPv6.15.16//NONSGML v1.0//EN`. */
const PRODUCT = /^PRODID:.* - ECPv(\d+(?:\.\d+){1,3})\b/m;

/**
 * The release of The Events Calendar that a site states in its calendar files. Null: it has none, or they name another product.
 * @throws DatasetError if the site cannot be reached
 */
export async function statedVersion(client: SiteClient, { home }: Pick<LiveSite, 'home'>): Promise<string | null> {
  const base = withoutSlash(home);
  for (const url of [`${base}/events/?ical=1`, `${base}/?post_type=tribe_events&ical=1`]) {
    const { text } = await client.fetch(url);
    const [, version] = PRODUCT.exec(text) ?? [];
    if (version !== undefined) return version;
  }
  return null;
}

/** WP: feeds name the release as well: `<generator>https://wordpress.org/?v=7.1.4</generator>`. */
const FEED_GENERATOR = /<generator>https:\/\/wordpress\.org\/\?v=(\d+(?:\.\d+){1,2})/;

/**
 * The release of WordPress that a site states in its pages or its feed. Null: in neither.
 * @throws DatasetError if the site cannot be reached
 */
export async function statedWordPress(
  client: SiteClient,
  { home, generator }: Pick<LiveSite, 'home' | 'generator'>,
): Promise<string | null> {
  if (generator !== null) return generator;
  const { text } = await client.fetch(`${withoutSlash(home)}/?feed=rss2`);
  return FEED_GENERATOR.exec(text)?.[1] ?? null;
}
