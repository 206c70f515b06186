import { createHash, randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { offsetSpanAt, type Zones } from '../base/php/timezone.js';
import { mysqlDate, parseMysqlDate, secondsToWall, wallToSeconds } from '../base/php/date.js';
import { knownRelease, newestZones, withoutOlderNames, zonesOf } from '../base/php/zone-data.js';
import { findLanguage, type Language } from '../base/locales/index.js';
import type { Clock } from './clock.js';
import { memoized } from './formatting/memo.js';
import { DEFAULT_MEDIA_OPTIONS, type MediaOptions } from './media/fetch.js';
import { readOptions, type Options } from './options.js';
import { WORDPRESS, type QuirkName, type Quirks, type Releases } from './quirks.js';
import type { Store } from './store.js';
import type { Registry } from './types/registry.js';
import { SignInGuards } from './users/sign-in-guard.js';
import { utc } from './utc.js';
import { utcToSite, wallAt, zoneOf } from './timezones.js';

const DAY = 86_400;

/** Stands for the name of any sandbox in what is rendered once for all of them. No content has it, and no name is longer. */
const ANY_NAME = `any${randomBytes(30).toString('hex')}`;

/** A site as all sandboxes have it in common. */
interface Shared {
  site: Site;
  /** The text in its URL that stands for the name, and the name. */
  any: Buffer;
  name: Buffer;
}

const hostAndPath = memoized((url) => {
  const { hostname, pathname } = new URL(url);
  return `${hostname}${pathname.replace(/\/$/, '')}`;
});

/** Choices for a site at startup. */
export interface Chosen {
  /** Radius of geographic searches for venues, in meters. */
  geoRadius: number;
  /** The guards against guessing passwords. */
  guards: SignInGuards;
  /** Null: the language of the settings. */
  language: Language | null;
  /** Limits for downloads of images. */
  media: MediaOptions;
  /** Settings instead of those of content that is loaded, by the names that datasets have for them. */
  settings: Readonly<Record<string, unknown>>;
  /** The zone data: a release, or a folder of zone files. Null: the release of the settings. */
  zones: string | null;
}

/** Settings of a site, at startup and in its database. */
interface Settings {
  options: Options;
  rows: string;
  quirks: Quirks;
  /** Set at startup or by a test; the rest is as in the options. */
  releases: Releases;
  /** Releases and settings from which the current quirks were computed. */
  wanted: { releases: Releases; switchedOn: readonly QuirkName[] } | null;
  zones: Zones;
  /** The name of the options that were read last (`State.nameOf`). */
  name: string;
  /** Readings of the options: the one that began last, how many have begun, and the number of the one that was applied last. */
  reading: { name: string; done: Promise<void> } | null;
  begun: number;
  applied: number;
  chosen: Chosen;
}

/** A site: its store, clock, settings, and URL. */
export class Site {
  /**
   * @param url base URL of all links, without trailing slash
   * @param uploadFolder folder of the media library's files
   * @param quirks the quirks for the newest releases
   */
  constructor(
    readonly store: Store,
    readonly clock: Clock,
    quirks: Quirks,
    readonly url: string,
    private readonly uploadFolder: string | { readonly path: string },
    chosen: Partial<Chosen> = {},
    private readonly settings: Settings = {
      options: readOptions({}, store.registry.optionReaders),
      rows: '',
      quirks,
      releases: {},
      wanted: null,
      zones: newestZones(),
      name: '',
      reading: null,
      begun: 0,
      applied: 0,
      chosen: {
        geoRadius: 25 * 1609.344,
        guards: new SignInGuards('tec'),
        language: null,
        media: DEFAULT_MEDIA_OPTIONS,
        settings: {},
        zones: null,
        ...chosen,
      },
    },
    /** The URL that stored texts have, if links follow the URL of the request. Texts of requests have it, too, when they are handled. */
    readonly storedUrl = url,
  ) {}

  /** Registry: the post types of its plugins, and what belongs to them. */
  get registry(): Registry {
    return this.store.registry;
  }

  get chosen(): Chosen {
    return this.settings.chosen;
  }

  get quirks(): Quirks {
    return this.settings.quirks;
  }

  /** The releases that were set at startup or by a test. The others are as in the options. */
  get chosenReleases(): Releases {
    return this.settings.releases;
  }

  set chosenReleases(releases: Releases) {
    this.settings.releases = releases;
    this.applySettings();
  }

  /** The release of WordPress that the site behaves like, as WordPress writes it: the first one of a line has two numbers. */
  get wordpressRelease(): string {
    return this.quirks.releases[WORDPRESS.name].replace(/^(\d+\.\d+)\.0$/, '$1');
  }

  /** The time zones that the site knows. */
  get zones(): Zones {
    return this.settings.zones;
  }

  /** The same with all names, also if the machine of the site has no older ones: for content that is loaded. */
  get allZones(): Zones {
    return zonesOf(this.chosen.zones ?? knownRelease(this.options.zoneRelease));
  }

  /** The zone data that was set at startup or for a sandbox: a release, or a folder of zone files. Null: as in the settings. */
  get chosenZones(): string | null {
    return this.settings.chosen.zones;
  }

  set chosenZones(name: string | null) {
    this.settings.chosen.zones = name;
    this.applySettings();
  }

  /** Options may change the releases and the zone data. Responses depend on these values, besides content, time and URL. */
  private applySettings(): void {
    const releases = { ...this.options.releases, ...this.settings.releases };
    const { registry } = this;
    const switchedOn = registry.postTypes.flatMap(({ takesComments: each }) => (each?.when(this.options) ? [each.quirk] : []));
    const wanted = { releases, switchedOn };
    if (!isDeepStrictEqual(wanted, this.settings.wanted)) {
      this.settings.quirks = this.quirks.at(releases, switchedOn);
      this.settings.wanted = wanted;
    }
    const { quirks } = this;
    const { geoRadius, language } = this.chosen;
    const zones = this.allZones;
    this.settings.zones = quirks.has('older-zone-names-are-missing') ? withoutOlderNames(zones) : zones;
    const all = [this.settings.rows, zones.identity, registry.plugins, quirks.profile, quirks.releases, [...quirks], geoRadius, language];
    this.store.state.settings = createHash('sha1').update(JSON.stringify(all)).digest('base64');
  }

  get options(): Options {
    return this.settings.options;
  }

  /** The language set at startup, else the language in the settings, else English. */
  get language(): Language {
    return this.chosen.language ?? findLanguage(this.options.locale) ?? 'en';
  }

  /** Folder of the media library's files. In a sandbox, reading this puts them there. */
  get uploads(): string {
    return typeof this.uploadFolder === 'string' ? this.uploadFolder : this.uploadFolder.path;
  }

  /** The same site under another base URL, without trailing slash. @param name of the sandbox, if it is at the end of the URL */
  at(url: string, storedUrl = url, name = this.sandbox): Site {
    const site = new Site(this.store, this.clock, this.quirks, url, this.uploadFolder, this.chosen, this.settings, storedUrl);
    site.sandbox = name;
    return site;
  }

  /** The name of the sandbox at the end of the URL; `''`: none. */
  private sandbox = '';
  private sharedSite: Shared | null = null;

  /** The site with a URL that is the same for all sandboxes, whose names differ in nothing else; null: no sandbox is named in the URL. */
  get shared(): Shared | null {
    const { sandbox, url, storedUrl } = this;
    if (sandbox === '' || !url.endsWith(`/${sandbox}`)) return null;
    if (this.sharedSite) return this.sharedSite;
    const shared = url.slice(0, -sandbox.length) + ANY_NAME;
    const site = this.at(shared, storedUrl === url ? shared : storedUrl, '');
    site.namedUrl = url;
    this.sharedSite = { site, any: Buffer.from(ANY_NAME), name: Buffer.from(sandbox) };
    return this.sharedSite;
  }

  /** Its URL with the name, if it is shared. */
  private namedUrl = '';

  /** The base URLs by which a request may mean this site. */
  get ownUrls(): readonly string[] {
    return [this.url, this.storedUrl, ...(this.namedUrl === '' ? [] : [this.namedUrl])];
  }

  /** Settles when all caches of the site are as current as the database was at the time of the call; undefined if they are. */
  current(): Promise<void> | undefined {
    // Another server may have changed the settings.
    return this.store.current()?.then(() => (this.settings.name === this.store.state.generationOf('options') ? undefined : this.reload()));
  }

  /** Reloads the settings from the database. Calls that want the same share a reading. */
  reload(): Promise<void> {
    const { settings } = this;
    const name = this.store.state.generationOf('options');
    if (settings.reading?.name !== name) {
      settings.begun += 1;
      settings.reading = { name, done: this.read(name, settings.begun) };
    }
    return settings.reading.done;
  }

  private async read(name: string, number: number): Promise<void> {
    const { settings } = this;
    try {
      const rows = await this.store.allOptions();
      // One that began later is newer.
      if (number < settings.applied) return;
      settings.applied = number;
      this.store.registerDeclared(rows);
      settings.options = readOptions(Object.fromEntries(rows.map(({ _id, value }) => [_id, value])), this.registry.optionReaders);
      settings.rows = JSON.stringify(rows);
      this.applySettings();
      settings.name = name;
    } finally {
      if (settings.reading?.name === name) settings.reading = null;
    }
  }

  /** The URL of a path below the REST root; `/` is the root. */
  restUrl(path: string): string {
    return `${this.url}${this.options.rewrite.rest(path)}`;
  }

  /** The URL of the files of WordPress, such as `/wp-login.php`. */
  get coreUrl(): string {
    return `${this.url}${this.options.coreFolder}`;
  }

  get uploadsUrl(): string {
    return `${this.coreUrl}${this.options.uploadFolder}`;
  }

  /** TEC: host and path of the site before `?id=`, without scheme and port. */
  get globalIdBase(): string {
    return hostAndPath(this.url);
  }

  /** The current time in UTC, `YYYY-MM-DD HH:MM:SS`. */
  get nowUtc(): string {
    return utc(this.clock.now()).format('YYYY-MM-DD HH:mm:ss');
  }

  /** The current day in the site's time zone, `YYYY-MM-DD`. */
  get today(): string {
    const zone = zoneOf(this.zones, this.options.timezone);
    const seconds = Math.floor(this.clock.peek() / 1000);
    const { offset, from, until } = offsetSpanAt(zone, seconds);
    const day = DAY * Math.floor((seconds + offset) / DAY);
    this.clock.noteSpan(1000 * Math.max(from, day - offset), 1000 * Math.min(until, day + DAY - offset));
    return wallAt(seconds, zone).slice(0, 10);
  }

  /** Whether a local time, `YYYY-MM-DD HH:MM:SS`, is before the current one. */
  isOver(local: string): boolean {
    const wall = parseMysqlDate(local);
    // A date that does not exist compares as text only.
    if (!wall || mysqlDate(secondsToWall(wallToSeconds(wall))) !== local) return local < this.nowLocal;
    const seconds = Math.floor(this.clock.peek() / 1000);
    const { offset, from, until } = offsetSpanAt(zoneOf(this.zones, this.options.timezone), seconds);
    const after = wallToSeconds(wall) - offset + 1;
    const isOver = seconds >= after;
    this.clock.noteSpan(1000 * (isOver ? Math.max(from, after) : from), 1000 * (isOver ? until : Math.min(until, after)));
    return isOver;
  }

  /** The current time in the site's time zone, `YYYY-MM-DD HH:MM:SS`. */
  get nowLocal(): string {
    return utcToSite(this.zones, this.nowUtc, this.options.timezone);
  }
}
