import { CONTENTS, loadContents, type LoadedContent } from '../../plugins/register.js';
import type { DatasetSource, SourceItem } from '../source.js';
import type { GenerateOptions, CostKind } from './options.js';
import { CITIES, ZONES, COUNTRIES, type City, type Country } from './places.js';
import { CATEGORY_WORDS, TAG_WORDS, ENDINGS, ORGANIZER_WORDS, wordsFor, type EventKind } from './words.js';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  EVENT_FIELDS,
  EVENT_ORIGIN,
  OWN_ORIGIN,
  ORGANIZER_FIELDS,
  LINKED,
  VENUE_FIELDS,
  regionField,
} from '../../plugins/the-events-calendar/model/event.js';
import { ATTACHMENT, TAG, type MetaRow, type Post, type Term, type User } from '../../wordpress/model.js';
import { EVENT, EVENT_CATEGORY, ORGANIZER, VENUE } from '../../plugins/the-events-calendar/model/index.js';
import { CALENDAR_OPTION } from '../../plugins/the-events-calendar/model/options.js';
import { fieldRows, withFieldDefaults, type FieldValues } from '../fields.js';
import type { Made } from './content.js';
import { kindOf, lengthOf, priceOf, periodOf, timesOf, eventTitle, type EventPeriod } from './event.js';
import { makePicture } from './image.js';
import { Random, Weighted } from './random.js';
import { Slugs, clockOf, dayText, twoDigits } from './tools.js';
import { sanitizeTitle } from '../../wordpress/formatting/sanitize.js';
import { PLUGINS_OPTION } from '../../wordpress/quirks.js';
import { PRIVATE } from '../../base/system/private-folder.js';

const PICTURE = { width: 960, height: 640 };

const row = (key: string, value: string | number): MetaRow => ({ key, value: String(value) });

const digits = (random: Random, pattern: string): string => pattern.replace(/%d/g, () => String(random.whole(1, 9)));

interface Place {
  city: City;
  country: Country;
  venues: number[];
  organizers: number[];
}

const AUTHORS: readonly [string, string, string][] = [
  ['editor', 'Mira Sørensen', 'editor'],
  ['anna', 'Anna Weiß', 'author'],
  ['jules', 'Jules Lefèvre', 'author'],
];

/** Generates the items, in the order of their ids. */
class Maker {
  private readonly siteZone: string;
  private readonly slugs = { [EVENT]: new Slugs(), [VENUE]: new Slugs(), [ORGANIZER]: new Slugs() };
  private readonly categoryIds = new Map(CATEGORY_WORDS.map(({ slug }, index) => [slug, index + 1]));
  private readonly tagIds = new Map(TAG_WORDS.map(({ slug }, index) => [slug, CATEGORY_WORDS.length + index + 1]));
  private readonly places = new Map<string, Place[]>();
  private readonly zones: Weighted<string>;
  private readonly costs: Weighted<CostKind>;
  private readonly span: EventPeriod;
  private nextPost = 1;
  private readonly made: Made;
  private readonly images: number[] = [];

  /** @param contents the content of plugins that is generated, too */
  constructor(
    private readonly options: GenerateOptions,
    private readonly contents: readonly LoadedContent[],
  ) {
    this.siteZone = options.zones[0][0];
    this.made = {
      seed: options.seed,
      nextId: () => this.nextPost,
      post: (random, type, title) => this.post(random, type, title, `${sanitizeTitle(title)}-${this.nextPost}`, []),
    };
    this.zones = new Weighted(options.zones);
    this.costs = new Weighted(options.cost);
    this.span = periodOf(options);
  }

  /** Each item has its own random generator, so that generating more events does not change the first ones. */
  private random(thing: string | number): Random {
    return new Random(`${this.options.seed}\n${thing}`);
  }

  *items(pictures: string | null): Generator<SourceItem> {
    const home = CITIES.find(({ zone }) => zone === this.siteZone) ?? CITIES[0];
    const { symbol, code, position } = COUNTRIES[home.country].currency;
    const calendar = { defaultCurrencySymbol: symbol, defaultCurrencyCode: code, reverseCurrencyPosition: position === 'postfix' };
    yield {
      kind: 'options',
      options: {
        blogname: 'Made-up calendar',
        blogdescription: `What is on in ${home.name} and elsewhere`,
        timezone_string: this.siteZone,
        [CALENDAR_OPTION]: calendar,
        ...(this.contents.length > 0 ? { [PLUGINS_OPTION]: this.contents.map(({ plugin }) => plugin.name) } : {}),
      },
    };
    for (const user of this.users()) yield { kind: 'user', user };
    for (const term of this.terms()) yield { kind: 'term', term };
    for (let i = 0; i < this.options.images; i += 1) yield* this.picture(i, pictures);
    for (const [zone] of this.options.zones) {
      const places: Place[] = [];
      for (const city of CITIES.filter((each) => each.zone === zone)) {
        const place: Place = { city, country: COUNTRIES[city.country], venues: [], organizers: [] };
        for (let i = 0; i < this.options.venues; i += 1) yield this.noted(this.venue(place, i), place.venues);
        for (let i = 0; i < this.options.organizers; i += 1) yield this.noted(this.organizer(place, i), place.organizers);
        places.push(place);
      }
      this.places.set(zone, places);
    }
    for (let i = 0; i < this.options.events; i += 1) {
      const event = this.event(i);
      yield { kind: 'post', post: event };
      for (const content of this.contents) yield* this.ofPlugin(content, i, event);
    }
  }

  private noted(post: Post, ids: number[]): SourceItem {
    ids.push(post._id);
    return { kind: 'post', post };
  }

  private users(): User[] {
    return AUTHORS.map(([login, displayName, role], index) => ({
      _id: index + 1,
      login,
      email: `${login}@example.org`,
      displayName,
      nicename: login,
      url: '',
      role,
      applicationPasswords: [],
    }));
  }

  private terms(): Term[] {
    const term = (id: number, taxonomy: string, name: string, slug: string, description: string, parent: number): Term => ({
      _id: id,
      taxonomy,
      name,
      slug,
      description,
      parent,
      termGroup: 0,
      termTaxonomyId: id,
      count: 0,
      branchCount: 0,
      nameKey: '',
      search: '',
    });
    return [
      ...CATEGORY_WORDS.map(({ slug, name, parent = '', description }, index) =>
        term(index + 1, EVENT_CATEGORY, name, slug, description, this.categoryIds.get(parent) ?? 0),
      ),
      ...TAG_WORDS.map(({ slug, name }, index) => term(CATEGORY_WORDS.length + index + 1, TAG, name, slug, '', 0)),
    ];
  }

  /** The columns that all posts share. The publication date is in the four months before the first day. */
  private post(random: Random, type: string, title: string, slug: string, meta: MetaRow[]): Post {
    const day = dayText(this.span.firstDay - random.whole(1, 120));
    const date = `${day} ${twoDigits(random.whole(7, 19))}:${twoDigits(random.whole(0, 59))}:${twoDigits(random.whole(0, 59))}`;
    const dateGmt = clockOf(this.siteZone).toUtc(date);
    return {
      _id: this.nextPost++,
      type,
      status: 'publish',
      author: random.whole(1, AUTHORS.length),
      title,
      content: '',
      excerpt: '',
      slug,
      password: '',
      parent: 0,
      menuOrder: 0,
      date,
      dateGmt,
      modified: date,
      modifiedGmt: dateGmt,
      meta,
      terms: {},
    };
  }

  private *picture(index: number, folder: string | null): Generator<SourceItem> {
    const random = this.random(`picture ${index}`);
    const name = `picture-${index + 1}`;
    const file = `${this.options.from.slice(0, 4)}/01/${name}.png`;
    const post = this.post(random, ATTACHMENT, `Picture ${index + 1}`, name, [row('_wp_attachment_image_alt', 'Discs over a horizon')]);
    this.images.push(post._id);
    yield { kind: 'post', post: { ...post, status: 'inherit', mimeType: 'image/png', file, image: null } };
    if (folder !== null)
      yield {
        kind: 'file',
        file: { source: path.join(folder, file), target: file, image: { mimeType: 'image/png', ...PICTURE, orientation: 0 } },
      };
  }

  /** Draws the pictures into a folder. */
  async draw(folder: string): Promise<void> {
    const below = path.join(folder, this.options.from.slice(0, 4), '01');
    await mkdir(below, PRIVATE);
    for (let i = 0; i < this.options.images; i += 1) {
      const bytes = await makePicture(this.random(`drawing ${i}`), PICTURE.width, PICTURE.height);
      await writeFile(path.join(below, `picture-${i + 1}.png`), bytes);
    }
  }

  private venue({ city, country }: Place, index: number): Post {
    const random = this.random(`venue ${city.name} ${index}`);
    const street = random.pick(country.streets);
    const pattern = country.venues[index % country.venues.length];
    const again = Math.floor(index / country.venues.length);
    const name = pattern.replace('%c', city.name).replace('%s', street) + (again === 0 ? '' : ` ${again + 1}`);
    const slug = this.slugs[VENUE].free(name, `venue-${this.nextPost}`);
    const near = (degrees: number): string => (degrees + random.whole(-4000, 4000) / 100_000).toFixed(5);
    const values = {
      address: digits(random, country.address.replace('%s', street).replace('%n', String(random.whole(1, 180)))),
      city: city.name,
      country: country.name,
      [regionField(country.name)]: city.region,
      zip: city.zip,
      phone: digits(random, country.phone),
      website: random.chance(0.6) ? `https://venue-${this.nextPost}.example.org` : '',
      geo_lat: near(city.lat),
      geo_lng: near(city.lng),
    };
    const meta = [row(LINKED.venue.origin, OWN_ORIGIN), ...fieldRows(VENUE_FIELDS, withFieldDefaults(VENUE_FIELDS, values))];
    const post = this.post(random, VENUE, name, slug, meta);
    return { ...post, content: random.some(ENDINGS.slice(0, 7), 2).join('\n\n') };
  }

  private organizer({ city }: Place, index: number): Post {
    const random = this.random(`organizer ${city.name} ${index}`);
    const names = wordsFor(city.country, ORGANIZER_WORDS);
    const start = random.whole(0, names.length - 1);
    const name = names[(start + index) % names.length].replace('%c', city.name);
    const slug = this.slugs[ORGANIZER].free(name, `organizer-${this.nextPost}`);
    const values = {
      phone: digits(random, COUNTRIES[city.country].phone),
      website: `https://organizer-${this.nextPost}.example.org`,
      email: `hello@organizer-${this.nextPost}.example.org`,
    };
    const meta = [row(LINKED.organizer.origin, OWN_ORIGIN), ...fieldRows(ORGANIZER_FIELDS, values)];
    return this.post(random, ORGANIZER, name, slug, meta);
  }

  private event(index: number): Post {
    const random = this.random(index);
    const zone = this.zones.draw(random);
    const place = random.pick(this.places.get(zone) ?? []);
    const length = lengthOf(random, this.span);
    const kind = kindOf(random, length);
    const titleFor = eventTitle(random, kind, place.city, length);
    const image = this.images.length > 0 && random.chance(0.7) ? [row('_thumbnail_id', random.pick(this.images))] : [];
    const values = {
      venue: place.venues.length > 0 && random.chance(0.95) ? [random.pick(place.venues)] : [],
      organizer: random.some(place.organizers, random.chance(0.15) ? 2 : 1),
      ...timesOf(random, kind, zone, this.span, length),
      ...priceOf(random, kind, place.country, this.costs),
      website: random.chance(0.2) ? `https://tickets.example.org/${this.nextPost}?from=calendar&lang=en` : '',
      hide_from_listings: random.chance(this.options.hidden),
      featured: random.chance(this.options.featured),
    };
    const title = titleFor(String((values as FieldValues).start_date));
    const slug = this.slugs[EVENT].free(title, `event-${this.nextPost}`);
    const meta = [row(EVENT_ORIGIN, OWN_ORIGIN), ...image, ...fieldRows(EVENT_FIELDS, withFieldDefaults(EVENT_FIELDS, values))];
    const post = this.post(random, EVENT, title, slug, meta);
    const isDraft = random.chance(this.options.drafts);
    return {
      ...post,
      ...(isDraft ? { status: 'draft', dateGmt: '0000-00-00 00:00:00' } : {}),
      content: [random.some(kind.sentences, random.whole(1, 3)).join(' '), random.pick(ENDINGS)].join('\n\n'),
      excerpt: random.chance(0.3) ? random.pick(kind.sentences) : '',
      terms: this.termsOf(random, kind, place.city),
    };
  }

  private *ofPlugin({ name, generate: generateOf }: LoadedContent, index: number, event: Post): Generator<SourceItem> {
    const random = this.random(`${name} ${index}`);
    if (!random.chance(this.options.shares[name] ?? 0)) return;
    for (const post of generateOf?.(random, event, this.made) ?? []) yield { kind: 'post', post };
  }

  private termsOf(random: Random, kind: EventKind, { country }: City): Record<string, number[]> {
    const ids = (known: Map<string, number>, slugs: readonly string[]): number[] => slugs.flatMap((slug) => known.get(slug) ?? []);
    const tags = ids(this.tagIds, random.some(wordsFor(country, kind.tags), random.whole(0, kind.tags.length)));
    return { [EVENT_CATEGORY]: ids(this.categoryIds, kind.categories), ...(tags.length > 0 ? { [TAG]: tags } : {}) };
  }
}

export { COSTS, GENERATE_DEFAULTS, type CostKind, type GenerateOptions } from './options.js';

/** The time zones in the options for which there is no town. */
export const unknownZones = ({ zones }: Pick<GenerateOptions, 'zones'>): string[] =>
  zones.map(([zone]) => zone).filter((zone) => !ZONES.includes(zone));

/**
 * Generates content. It depends only on the options, not on the clock or the machine.
 * @param pictures folder to draw the pictures into when the items are read; null: no picture files
 */
export function generate(options: GenerateOptions, pictures: string | null): DatasetSource {
  const { events, venues, organizers, images, zones, seed } = options;
  const contents = CONTENTS.filter(({ name }) => (options.shares[name] ?? 0) > 0).map(({ name }) => name);
  const plugins = CONTENTS.flatMap(({ name, plugin }) => (contents.includes(name) ? [plugin.name] : []));
  const towns = CITIES.filter(({ zone }) => zones.some(([name]) => name === zone)).length;
  const posts = events + towns * (venues + organizers) + images;
  const terms = CATEGORY_WORDS.length + TAG_WORDS.length;
  let drawn: Promise<void> | undefined;
  return {
    name: `generated content with seed ${seed}`,
    siteUrl: '',
    clock: null,
    keepsIds: false,
    ...(plugins.length > 0 ? { plugins } : {}),
    nextIds: { posts: posts + 1, terms: terms + 1 },
    count: 1 + AUTHORS.length + terms + posts + (pictures === null ? 0 : images),
    async *items() {
      const maker = new Maker(
        options,
        (await loadContents()).filter(({ name }) => contents.includes(name)),
      );
      if (pictures !== null) await (drawn ??= maker.draw(pictures));
      yield* maker.items(pictures);
    },
  };
}
