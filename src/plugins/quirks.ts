import { quirksOn, type OwnedQuirk, type Profile, type Quirk, type QuirkChoice, type QuirkName, type Quirks } from '../wordpress/quirks.js';
import { WORDPRESS_QUIRKS } from '../wordpress/quirks/index.js';
import { unknownRelease, WORDPRESS, type Product, type Releases } from '../wordpress/quirks.js';
import { lookup, namesOf } from '../base/values/records.js';
import { PLUGINS } from './index.js';

/** Products with releases, by name: WordPress and the plugins. */
export const PRODUCTS: Readonly<Record<string, Product>> = lookup(
  Object.fromEntries([WORDPRESS, ...PLUGINS].map((product) => [product.name, product])),
);

const NEWEST: Releases = Object.fromEntries(Object.values(PRODUCTS).map(({ name, releases }) => [name, releases[0]]));

const owned = (of: string, table: Partial<Record<QuirkName, Quirk>>): [string, OwnedQuirk][] =>
  Object.entries<Quirk>(table).map(([name, quirk]) => [name, { ...quirk, of }]);
const rows = [...PLUGINS.flatMap(({ name, quirks }) => owned(name, quirks)), ...owned(WORDPRESS.name, WORDPRESS_QUIRKS)];
const isOfOlder = ([, { until }]: (typeof rows)[number]): boolean => until !== undefined;

/**
 * The quirks by name, first the ones of all releases. These are on under profile `tec`: the server behaves exactly like the recorded site;
 * they are off under `standard`: the documented interface, without holes. Quirks of older releases are on if the release of WordPress, or of
 * their plugin, is in their range, but `standard` keeps holes closed in every release.
 */
export const QUIRKS = Object.fromEntries(rows.toSorted((a, b) => Number(isOfOlder(a)) - Number(isOfOlder(b)))) as Readonly<
  Record<QuirkName, OwnedQuirk>
>;

export const QUIRK_NAMES = namesOf(QUIRKS);

/** The known ones of some releases, in full. */
function knownReleases(releases: Releases): Releases {
  const found = Object.entries(releases).map(([name, text]) => [name, PRODUCTS[name]?.findRelease(text)]);
  return Object.fromEntries(found.filter(([, release]) => release));
}

/**
 * The quirks that are on under a profile and releases.
 * @param changes quirks to switch on or off
 * @param releases by name of the product; the newest one where none is named, or nothing is known of it
 * @param switchedOn quirks that settings of the site switch on, unless they are among the changes
 */
export function quirksOf(
  profile: Profile,
  changes: QuirkChoice['changes'] = {},
  releases: Releases = {},
  switchedOn: readonly QuirkName[] = [],
): Quirks {
  const choice = { profile, changes, releases: { ...NEWEST, ...knownReleases(releases) } };
  const all = { ...Object.fromEntries(switchedOn.map((name) => [name, true])), ...changes };
  const at: Quirks['at'] = (others, more) => quirksOf(profile, changes, others, more);
  return Object.assign(new Set(quirksOn(QUIRKS, { ...choice, changes: all })), { ...choice, at });
}

/** Problem with the name of a release. @returns null if it is known */
export const releaseProblem = (product: string, text: unknown): string | null =>
  typeof text === 'string' && PRODUCTS[product].findRelease(text) !== null ? null : unknownRelease(text, PRODUCTS[product]);
