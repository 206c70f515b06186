import { quirksOn, type Profile, type Quirk, type QuirkChoice, type QuirkName, type Quirks } from '../wordpress/quirks.js';
import { WORDPRESS_QUIRKS } from '../wordpress/quirks/rows.js';
import { namesOf } from '../base/values/records.js';
import { PLUGINS } from './index.js';
import { isKnownVersion, LATEST_VERSION } from './the-events-calendar/quirks/version.js';

const rows = [...PLUGINS.map(({ quirks }) => quirks), WORDPRESS_QUIRKS].flatMap((table) => Object.entries<Quirk>(table));
const isOfOlder = ([, { until }]: (typeof rows)[number]): boolean => until !== undefined;

/**
 * The quirks by name, first the ones of all releases. These are on under profile `tec`: the server behaves exactly like the recorded plugin;
 * they are off under `standard`: the documented interface, without holes. Quirks of older releases are on if the version is in their range,
 * but `standard` keeps holes closed in every version.
 */
export const QUIRKS = Object.fromEntries(rows.toSorted((a, b) => Number(isOfOlder(a)) - Number(isOfOlder(b)))) as Readonly<
  Record<QuirkName, Quirk>
>;

export const QUIRK_NAMES = namesOf(QUIRKS);

/**
 * The quirks that are on under a profile and a release of The Events Calendar.
 * @param changes quirks to switch on or off
 * @param release the newest if there is none by that name
 */
export function quirksOf(profile: Profile, changes: QuirkChoice['changes'] = {}, release: string = LATEST_VERSION): Quirks {
  const choice = { profile, changes, version: isKnownVersion(release) ? release : LATEST_VERSION };
  return Object.assign(new Set(quirksOn(QUIRKS, choice)), { ...choice, at: (other: string) => quirksOf(profile, changes, other) });
}
