import { quirksOn, type QuirkChoice, type Profile, type QuirkName, type Quirk, type Quirks } from '../../../wordpress/quirks.js';
import { WORDPRESS_QUIRKS } from '../../../wordpress/quirks/rows.js';
import { namesOf } from '../../../base/values/records.js';
import { PLUGIN_QUIRKS } from './rows.js';
import { isKnownVersion, LATEST_VERSION } from './version.js';
import { VERSION_QUIRKS } from './version-rows.js';

declare module '../../../wordpress/quirks.js' {
  interface QuirkNames extends Record<keyof typeof PLUGIN_QUIRKS | keyof typeof VERSION_QUIRKS, true> {}
}

/**
 * The quirks by name. Quirks of all releases are on under profile `tec`: the server behaves exactly like the recorded plugin; they are off
 * under `standard`: the documented interface, without holes. Quirks of older releases are on if the version is in their range, but
 * `standard` keeps holes closed in every version.
 */
export const QUIRKS = { ...PLUGIN_QUIRKS, ...WORDPRESS_QUIRKS, ...VERSION_QUIRKS } as const satisfies Record<QuirkName, Quirk>;

export const QUIRK_NAMES = namesOf(QUIRKS);

/** The quirks of older releases only. */
export const VERSION_QUIRK_NAMES = namesOf(VERSION_QUIRKS);

/**
 * The quirks that are on under a profile and a release of the plugin.
 * @param changes quirks to switch on or off
 * @param release the newest if there is none by that name
 */
export function quirksOf(profile: Profile, changes: QuirkChoice['changes'] = {}, release: string = LATEST_VERSION): Quirks {
  const choice = { profile, changes, version: isKnownVersion(release) ? release : LATEST_VERSION };
  return Object.assign(new Set(quirksOn(QUIRKS, choice)), { ...choice, at: (other: string) => quirksOf(profile, changes, other) });
}
