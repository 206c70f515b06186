import { createHash } from 'node:crypto';
import { findLanguage, type Language } from '../locales/language.js';
import type { Clock } from './clock.js';
import { remembering } from './formatting/memo.js';
import { DEFAULT_MEDIA_OPTIONS, type MediaOptions } from './media/fetch.js';
import { readOptions, type Options } from './options.js';
import type { Quirks } from './quirks.js';
import type { Store } from './store.js';
import { SignInGuards } from './users/sign-in-guard.js';
import { utc } from './utc.js';
import { utcToSite } from './timezones.js';

const hostAndPath = remembering((url) => {
  const { hostname, pathname } = new URL(url);
  return `${hostname}${pathname.replace(/\/$/, '')}`;
});

/** What is chosen for a site at startup. */
export interface Chosen {
  /** Radius of geographic searches for venues, in meters. */
  geoRadius: number;
  /** The guards against guessing passwords. */
  guards: SignInGuards;
  /** Null: the language of the settings. */
  language: Language | null;
  /** Limits for downloads of images. */
  media: MediaOptions;
}

/** What a site is set to, at startup and in its database. */
interface Settings {
  options: Options;
  rows: string;
  quirks: Quirks;
  version: string | null;
  name: string;
  chosen: Chosen;
}

/** A site: its store, clock, settings, and URL. */
export class Site {
  /**
   * @param url base URL of all links, without trailing slash
   * @param uploads folder of the media library's files
   * @param quirks the quirks for the default version of the plugin
   */
  constructor(
    readonly store: Store,
    readonly clock: Clock,
    quirks: Quirks,
    readonly url: string,
    readonly uploads: string,
    chosen: Partial<Chosen> = {},
    private readonly settings: Settings = {
      options: readOptions({}),
      rows: '',
      quirks,
      version: null,
      name: '',
      chosen: { geoRadius: 25 * 1609.344, guards: new SignInGuards('tec'), language: null, media: DEFAULT_MEDIA_OPTIONS, ...chosen },
    },
  ) {}

  get chosen(): Chosen {
    return this.settings.chosen;
  }

  get quirks(): Quirks {
    return this.settings.quirks;
  }

  /** The version of the plugin that was set at startup or by a test; null: that of the settings. */
  get chosenVersion(): string | null {
    return this.settings.version;
  }

  set chosenVersion(version: string | null) {
    if (version === this.settings.version) return;
    this.settings.version = version;
    this.applySettings();
  }

  /** Settings may change the version of the plugin. Responses depend on these values, besides content, time and URL. */
  private applySettings(): void {
    const version = this.settings.version ?? this.options.pluginVersion;
    if (version !== this.quirks.version) this.settings.quirks = this.quirks.at(version);
    const { quirks } = this;
    const { geoRadius, language } = this.chosen;
    const all = [this.settings.rows, quirks.profile, quirks.version, [...quirks], geoRadius, language];
    this.store.state.settings = createHash('sha1').update(JSON.stringify(all)).digest('base64');
  }

  get options(): Options {
    return this.settings.options;
  }

  /** The language set at startup, else that of the settings, else English. */
  get language(): Language {
    return this.chosen.language ?? findLanguage(this.options.locale) ?? 'en';
  }

  /** The same site under another base URL, without trailing slash. */
  at(url: string): Site {
    return new Site(this.store, this.clock, this.quirks, url, this.uploads, this.chosen, this.settings);
  }

  /** Settles when all caches of the site are as current as the database was at the time of the call; undefined if they are. */
  current(): Promise<void> | undefined {
    return this.store.current()?.then(() => {
      // Another server may have changed the settings.
      if (this.settings.name !== this.store.state.nameOf('options')) return this.reload();
      return undefined;
    });
  }

  /** Reloads the settings from the database. */
  async reload(): Promise<void> {
    this.settings.name = this.store.state.nameOf('options');
    const rows = await this.store.allOptions();
    this.settings.options = readOptions(Object.fromEntries(rows.map(({ _id, value }) => [_id, value])));
    this.settings.rows = JSON.stringify(rows);
    this.applySettings();
  }

  /** The URL of a path below the REST root; `/` is the root. */
  restUrl(path: string): string {
    return `${this.url}/wp-json${path}`;
  }

  get uploadsUrl(): string {
    return `${this.url}/wp-content/uploads`;
  }

  /** TEC: host and path of the site before `?id=`, without scheme and port. */
  get globalIdBase(): string {
    return hostAndPath(this.url);
  }

  /** The current time in UTC, `YYYY-MM-DD HH:MM:SS`. */
  get nowUtc(): string {
    return utc(this.clock.now()).format('YYYY-MM-DD HH:mm:ss');
  }

  /** The current time in the site's time zone, `YYYY-MM-DD HH:MM:SS`. */
  get nowLocal(): string {
    return utcToSite(this.nowUtc, this.options.timezone);
  }
}
