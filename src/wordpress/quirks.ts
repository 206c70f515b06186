import { isInRange, type VersionRange } from './quirks/version.js';
import { namesOf } from '../base/values/records.js';
import type { Releases } from './releases.js';

/**
 * A difference between a site and its documented interface, or between releases of WordPress or a plugin. Code refers to it by name; profile and version
 * switch it on or off.
 */
export interface Quirk extends Partial<VersionRange> {
  /** `interface`: the site rejects, ignores or misinterprets what is documented; `hole`: missing access control; `transport`: a missing feature of HTTP;
   * `situation`: of the machine of a site, off unless it is switched on. */
  kind: 'interface' | 'hole' | 'transport' | 'situation';
  /** The documented, expected or newest behavior. */
  off: string;
  /** The behavior of the site, while the quirk is on. */
  on: string;
}

/** The names of the quirks. Each table of rows adds its names (`declare module`). @public */
export interface QuirkNames {}

export type QuirkName = keyof QuirkNames;

export const PROFILES = ['standard', 'tec'] as const;
export type Profile = (typeof PROFILES)[number];

/** Choices that switch quirks on and off. */
export interface QuirkChoice {
  readonly profile: Profile;
  /** Quirks to switch on or off, overriding the profile and the version. */
  readonly changes: Partial<Record<QuirkName, boolean>>;
  /** The release of WordPress and of each plugin. */
  readonly releases: Releases;
}

/** The quirks that are on, and what they result from. */
export interface Quirks extends ReadonlySet<QuirkName>, QuirkChoice {
  /**
   * The same profile and changes with other releases. The newest one applies where none is named, or nothing is known of it.
   * @param switchedOn quirks that settings of the site switch on
   */
  at(releases: Releases, switchedOn?: readonly QuirkName[]): Quirks;
}

/** A row, and the name of what differs: `wordpress`, or a plugin. */
export type OwnedQuirk = Quirk & { of: string };

function isOn({ kind, until, since, of }: OwnedQuirk, { profile, releases }: QuirkChoice): boolean {
  if (until === undefined) return profile === 'tec' && kind !== 'situation';
  return of in releases && isInRange(releases[of], { since, until }) && !(kind === 'hole' && profile === 'standard');
}

/** The names of the rows of a table that are on. */
export const quirksOn = (rows: Record<QuirkName, OwnedQuirk>, choice: QuirkChoice): QuirkName[] =>
  namesOf(rows).filter((name) => choice.changes[name] ?? isOn(rows[name], choice));
