import { isInRange, type VersionRange } from './quirks/version.js';
import { namesOf } from '../base/values/records.js';

/**
 * A difference between a site and its documented interface, or between releases of a plugin. Code refers to it by name; profile and version
 * switch it on or off.
 */
export interface Quirk extends Partial<VersionRange> {
  /** `interface`: the site rejects, ignores or misinterprets what is documented; `hole`: missing access control; `transport`: a missing feature of HTTP. */
  kind: 'interface' | 'hole' | 'transport';
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

/** What switches quirks on and off. */
export interface QuirkChoice {
  readonly profile: Profile;
  /** Quirks to switch on or off, overriding the profile and the version. */
  readonly changes: Partial<Record<QuirkName, boolean>>;
  /** Release of the plugin. */
  readonly version: string;
}

/** The quirks that are on, and what they result from. */
export interface Quirks extends ReadonlySet<QuirkName>, QuirkChoice {
  /** The same profile and changes with another release of the plugin; the newest if there is none by that name. */
  at(version: string): Quirks;
}

const isOn = ({ kind, until, since }: Quirk, { profile, version }: QuirkChoice): boolean =>
  until === undefined ? profile === 'tec' : isInRange(version, { since, until }) && !(kind === 'hole' && profile === 'standard');

/** The names of the rows of a table that are on. */
export const quirksOn = (rows: Record<QuirkName, Quirk>, choice: QuirkChoice): QuirkName[] =>
  namesOf(rows).filter((name) => choice.changes[name] ?? isOn(rows[name], choice));
