import { isInRange, compareVersions, type VersionRange } from './quirks/version.js';
import { namesOf } from '../base/values/records.js';

/** Product with releases that a site can behave like: WordPress, or a plugin. */
export interface Product {
  /** `wordpress`, or the name of a plugin's folder. */
  name: string;
  /** Name as people write it. */
  title: string;
  /** The releases that were recorded, newest first. */
  releases: readonly [newest: string, ...older: string[]];
  /** The release that a text means. @returns null if nothing is known of it */
  findRelease: (text: string) => string | null;
}

/** The release of each product that a site behaves like, by name of the product. */
export type Releases = Readonly<Record<string, string>>;

export const RELEASE_FORM = /^\d{1,4}(\.\d{1,4}){1,3}$/;

const lineOf = (release: string): string => release.split('.').slice(0, 2).join('.');

/** WordPress. A line such as 7.1 means its recorded release, and other releases of a line behave like that one. */
export const WORDPRESS: Product = {
  name: 'wordpress',
  title: 'WordPress',
  releases: ['7.1.4', '7.0.4', '6.9.7', '6.8.12'],
  findRelease: (text) => {
    const recorded = RELEASE_FORM.test(text) && WORDPRESS.releases.find((release) => lineOf(release) === lineOf(text));
    if (!recorded) return null;
    return text === lineOf(text) ? recorded : text;
  },
};

/** A warning about a release that is newer than the recorded one of its line, which it behaves like; undefined for others. */
export function newerThanRecorded(release: string): string | undefined {
  const recorded = WORDPRESS.releases.find((each) => lineOf(each) === lineOf(release));
  return recorded !== undefined && compareVersions(release, recorded) > 0
    ? `No release ${release} of WordPress is known. The site behaves like ${recorded}`
    : undefined;
}

/** The lines of WordPress that are known, such as 7.1, newest first. */
export const WORDPRESS_LINES: readonly string[] = WORDPRESS.releases.map(lineOf);

/** The newest release before a release or in it. @returns the oldest one if all are newer */
export const nearestRelease = ({ releases }: Product, release: string): string =>
  releases.find((each) => compareVersions(each, release) <= 0) ?? releases[releases.length - 1];

/** Without the products whose release is not given. */
export const givenReleases = (releases: Readonly<Record<string, string | undefined>>): Releases =>
  Object.fromEntries(Object.entries(releases).flatMap(([name, release]) => (release === undefined ? [] : [[name, release]])));

/** Releases as people write them, such as `wordpress 7.1.4, the-events-calendar 6.17.2`. */
export const releasesText = (releases: Releases): string =>
  Object.entries(releases)
    .map((entry) => entry.join(' '))
    .join(', ');

/** Not of WordPress: the option that stores the names of the plugins of the site, besides the ones that every site has. */
export const PLUGINS_OPTION = 'understudy_plugins';

/** Not of WordPress: the option that stores the release of a product. */
export const releaseOption = (product: string): string => `release:${product}`;

/** The releases in the rows of the options table. */
export const storedReleases = (stored: Readonly<Record<string, unknown>>): Releases =>
  Object.fromEntries(
    Object.entries(stored)
      .filter(([name, value]) => name.startsWith(releaseOption('')) && typeof value === 'string' && value !== '')
      .map(([name, value]) => [name.slice(releaseOption('').length), String(value)]),
  );

export const unknownRelease = (text: unknown, { name, title, releases }: Product): string => {
  const [newest, oldest] = [releases[0], releases[releases.length - 1]];
  const known =
    name === WORDPRESS.name
      ? `one of ${WORDPRESS_LINES.join(', ')}`
      : `a release from ${oldest} to ${newest}, such as ${releases[1] ?? newest}`;
  return `unknown version ${JSON.stringify(text)} of ${title}. Use ${known}`;
};

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
