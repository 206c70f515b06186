import { findLanguage, type Language } from '../locales/language.js';
import type { Clock } from './clock.js';
import { DEFAULT_MEDIA_OPTIONS, type MediaOptions } from './media/fetch.js';
import { readOptions, type Options } from './options.js';
import type { Quirks } from './quirks.js';
import type { Store } from './store.js';
import { utc } from './utc.js';
import { utcToSite } from './timezones.js';

/** Everything that a request can ask about: the store, the clock, the settings, and where the site lives. */
export class Site {
  private readonly settings: { options: Options } = { options: readOptions({}) };

  /** How far around a point venues are looked for, metres. */
  geoRadius = 25 * 1609.344;

  /** The language that was asked for when the server started; null leaves it to the settings. */
  chosenLanguage: Language | null = null;

  /**
   * @param url address of the site without trailing slash: what every link starts with
   * @param uploads folder that holds the files of the media library
   * @param media limits on images that are fetched from elsewhere
   */
  constructor(
    readonly store: Store,
    readonly clock: Clock,
    readonly quirks: Quirks,
    readonly url: string,
    readonly uploads: string,
    public media: MediaOptions = DEFAULT_MEDIA_OPTIONS,
  ) {}

  get options(): Options {
    return this.settings.options;
  }

  set options(options: Options) {
    this.settings.options = options;
    // What was made with other settings is stale.
    this.store.cache.invalidate();
  }

  /** The language of the site: the one that was asked for, else that of its settings, else English. */
  get language(): Language {
    return this.chosenLanguage ?? findLanguage(this.options.locale) ?? 'en';
  }

  /** The same site, known under another address (without trailing slash): what every link starts with. */
  at(url: string): Site {
    return Object.create(this, { url: { value: url, enumerable: true } }) as Site;
  }

  /** Reads the settings anew, as after a change of the database behind the site's back. */
  async reload(): Promise<void> {
    const rows = await this.store.options.find({}).toArray();
    this.options = readOptions(Object.fromEntries(rows.map(({ _id, value }) => [_id, value])));
  }

  /** Address of a path below the REST root; `/` is the root itself. */
  restUrl(path: string): string {
    return `${this.url}/wp-json${path}`;
  }

  get uploadsUrl(): string {
    return `${this.url}/wp-content/uploads`;
  }

  /** WP: host and path of the site as TEC puts it before `?id=`: no scheme, no port. */
  get globalIdBase(): string {
    const { hostname, pathname } = new URL(this.url);
    return `${hostname}${pathname.replace(/\/$/, '')}`;
  }

  /** Now as UTC text, `YYYY-MM-DD HH:MM:SS`. */
  get nowUtc(): string {
    return utc(this.clock.now()).format('YYYY-MM-DD HH:mm:ss');
  }

  /** Now on the site's own clock. */
  get nowLocal(): string {
    return utcToSite(this.nowUtc, this.options.timezone);
  }
}
