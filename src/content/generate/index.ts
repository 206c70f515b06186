import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ATTACHMENT, TAG, type MetaRow, type Post, type Term, type User } from '../../wp/model.js';
import { EVENT, EVENT_CATEGORY, ORGANIZER, VENUE } from '../../tec/index.js';
import { CALENDAR_OPTION } from '../../wp/options.js';
import { Slugs, clockOf, dayNumber, dayText, epochMs } from './tools.js';
import { makePicture } from './image.js';
import type { CostKind, GenerateOptions } from './options.js';
import { CITIES, COUNTRIES, ZONES, type City, type Country } from './places.js';
import { ADJECTIVES, CATEGORIES, ENDINGS, KINDS, ORGANIZERS, PEOPLE, TAGS, type Kind } from './words.js';
import { Random, Weighted } from './random.js';
import type { DatasetItem, DatasetSource } from '../source.js';

export { COSTS, GENERATE_DEFAULTS, type CostKind, type GenerateOptions } from './options.js';

const PICTURE = { width: 960, height: 640 };

const twoDigits = (value: number): string => String(value).padStart(2, '0');
const row = (key: string, value: string | number): MetaRow => ({ key, value: String(value) });

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

/** Makes the items of one set of options, in the order of their ids. */
class Maker {
  private readonly siteZone: string;
  private readonly slugs = { [EVENT]: new Slugs(), [VENUE]: new Slugs(), [ORGANIZER]: new Slugs() };
  private readonly categoryIds = new Map(CATEGORIES.map(({ slug }, index) => [slug, index + 1]));
  private readonly tagIds = new Map(TAGS.map(({ slug }, index) => [slug, CATEGORIES.length + index + 1]));
  private readonly places = new Map<string, Place[]>();
  private readonly zones: Weighted<string>;
  private readonly costs: Weighted<CostKind>;
  private readonly firstDay: number;
  private readonly days: number;
  private nextPost = 1;
  private readonly images: number[] = [];

  constructor(private readonly options: GenerateOptions) {
    this.siteZone = options.zones[0][0];
    this.zones = new Weighted(options.zones);
    this.costs = new Weighted(options.cost);
    this.firstDay = dayNumber(options.from);
    this.days = dayNumber(options.to) - this.firstDay + 1;
  }

  /** Every thing has a chance of its own, so that more events leave the first ones as they are. */
  private random(thing: string | number): Random {
    return new Random(`${this.options.seed}\n${thing}`);
  }

  *items(pictures: string | null): Generator<DatasetItem> {
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
    for (let i = 0; i < this.options.events; i += 1) yield { kind: 'post', post: this.event(i) };
  }

  private noted(post: Post, ids: number[]): DatasetItem {
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
      ...CATEGORIES.map(({ slug, name, parent = '', description }, index) =>
        term(index + 1, EVENT_CATEGORY, name, slug, description, this.categoryIds.get(parent) ?? 0),
      ),
      ...TAGS.map(({ slug, name }, index) => term(CATEGORIES.length + index + 1, TAG, name, slug, '', 0)),
    ];
  }

  /** A post with what all of them have; it was published within the four months before the first day. */
  private post(random: Random, type: string, title: string, slug: string, meta: MetaRow[]): Post {
    const day = dayText(this.firstDay - random.whole(1, 120));
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

  private *picture(index: number, folder: string | null): Generator<DatasetItem> {
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
    await mkdir(below, { recursive: true });
    for (let i = 0; i < this.options.images; i += 1) {
      const bytes = await makePicture(this.random(`drawing ${i}`), PICTURE.width, PICTURE.height);
      await writeFile(path.join(below, `picture-${i + 1}.png`), bytes);
    }
  }

  private digits(random: Random, pattern: string): string {
    return pattern.replace(/%d/g, () => String(random.whole(1, 9)));
  }

  private venue({ city, country }: Place, index: number): Post {
    const random = this.random(`venue ${city.name} ${index}`);
    const street = random.pick(country.streets);
    const pattern = country.venues[index % country.venues.length];
    const again = Math.floor(index / country.venues.length);
    const name = pattern.replace('%c', city.name).replace('%s', street) + (again === 0 ? '' : ` ${again + 1}`);
    const slug = this.slugs[VENUE].free(name, `venue-${this.nextPost}`);
    const near = (degrees: number): string => (degrees + random.whole(-4000, 4000) / 100_000).toFixed(5);
    const meta = [
      row('_VenueOrigin', 'events-calendar'),
      ...['_EventShowMapLink', '_EventShowMap', '_VenueShowMapLink', '_VenueShowMap'].map((key) => row(key, '1')),
      row('_VenueAddress', this.digits(random, country.address.replace('%s', street).replace('%n', String(random.whole(1, 180))))),
      row('_VenueCity', city.name),
      row('_VenueCountry', country.name),
      ...(city.region === '' ? [] : [row(country.name === 'United States' ? '_VenueState' : '_VenueProvince', city.region)]),
      row('_VenueZip', city.zip),
      row('_VenuePhone', this.digits(random, country.phone)),
      ...(random.chance(0.6) ? [row('_VenueURL', `https://venue-${this.nextPost}.example.org`)] : []),
      row('_VenueLat', near(city.lat)),
      row('_VenueLng', near(city.lng)),
      row('_VenueStateProvince', city.region),
    ];
    const post = this.post(random, VENUE, name, slug, meta);
    return { ...post, content: random.some(ENDINGS.slice(0, 7), 2).join('\n\n') };
  }

  private organizer({ city }: Place, index: number): Post {
    const random = this.random(`organizer ${city.name} ${index}`);
    const start = random.whole(0, ORGANIZERS.length - 1);
    const name = ORGANIZERS[(start + index) % ORGANIZERS.length].replace('%c', city.name);
    const slug = this.slugs[ORGANIZER].free(name, `organizer-${this.nextPost}`);
    const meta = [
      row('_OrganizerOrigin', 'events-calendar'),
      row('_OrganizerPhone', this.digits(random, COUNTRIES[city.country].phone)),
      row('_OrganizerWebsite', `https://organizer-${this.nextPost}.example.org`),
      row('_OrganizerEmail', `hello@organizer-${this.nextPost}.example.org`),
    ];
    return this.post(random, ORGANIZER, name, slug, meta);
  }

  private event(index: number): Post {
    const random = this.random(index);
    const zone = this.zones.draw(random);
    const place = random.pick(this.places.get(zone) ?? []);
    const kind = random.pick(KINDS);
    const title = titleOf(random, kind, place.city);
    const slug = this.slugs[EVENT].free(title, `event-${this.nextPost}`);
    const image = this.images.length > 0 && random.chance(0.7) ? [row('_thumbnail_id', random.pick(this.images))] : [];
    const meta = [
      row('_EventOrigin', 'events-calendar'),
      row('_EventShowMapLink', '1'),
      row('_EventShowMap', '1'),
      ...(place.venues.length > 0 && random.chance(0.95) ? [row('_EventVenueID', random.pick(place.venues))] : []),
      ...random.some(place.organizers, random.chance(0.15) ? 2 : 1).map((id) => row('_EventOrganizerID', id)),
      ...image,
      ...this.times(random, kind, zone),
      ...this.price(random, kind, place.country),
      ...(random.chance(0.2) ? [row('_EventURL', `https://tickets.example.org/${this.nextPost}?from=calendar&lang=en`)] : []),
      ...(random.chance(this.options.hidden) ? [row('_EventHideFromUpcoming', 'yes')] : []),
      ...(random.chance(this.options.featured) ? [row('_tribe_featured', '1')] : []),
    ];
    const post = this.post(random, EVENT, title, slug, meta);
    const isDraft = random.chance(this.options.drafts);
    return {
      ...post,
      ...(isDraft ? { status: 'draft', dateGmt: '0000-00-00 00:00:00' } : {}),
      content: [random.some(kind.sentences, random.whole(1, 3)).join(' '), random.pick(ENDINGS)].join('\n\n'),
      excerpt: random.chance(0.3) ? random.pick(kind.sentences) : '',
      terms: this.termsOf(random, kind),
    };
  }

  private termsOf(random: Random, kind: Kind): Record<string, number[]> {
    const ids = (known: Map<string, number>, slugs: readonly string[]): number[] => slugs.flatMap((slug) => known.get(slug) ?? []);
    const tags = ids(this.tagIds, random.some(kind.tags, random.whole(0, kind.tags.length)));
    return { [EVENT_CATEGORY]: ids(this.categoryIds, kind.categories), ...(tags.length > 0 ? { [TAG]: tags } : {}) };
  }

  /** Weekends are drawn more often than other days. */
  private day(random: Random): number {
    const draw = (): number => this.firstDay + random.whole(0, this.days - 1);
    const first = draw();
    const weekday = (first + 4) % 7;
    return weekday === 0 || weekday >= 5 || random.chance(0.6) ? first : draw();
  }

  private times(random: Random, kind: Kind, zone: string): MetaRow[] {
    const day = this.day(random);
    const allDay = random.chance(this.options.allDay);
    const more = random.chance(this.options.multiDay) ? random.whole(1, 4) : 0;
    const hour = random.pick(kind.hours);
    const minute = random.chance(0.3) ? 30 : 0;
    const last = hour * 60 + minute + random.pick(kind.minutes);
    const start = `${dayText(day)} ${allDay ? '00:00:00' : `${twoDigits(hour)}:${twoDigits(minute)}:00`}`;
    const endDay = dayText(day + more + (allDay ? 0 : Math.floor(last / 1440)));
    const end = `${endDay} ${allDay ? '23:59:59' : `${twoDigits(Math.floor(last / 60) % 24)}:${twoDigits(last % 60)}:00`}`;
    const clock = clockOf(zone);
    const [startUtc, endUtc] = [clock.toUtc(start), clock.toUtc(end)];
    return [
      ...(allDay ? [row('_EventAllDay', 'yes')] : []),
      row('_EventStartDate', start),
      row('_EventEndDate', end),
      row('_EventStartDateUTC', startUtc),
      row('_EventEndDateUTC', endUtc),
      row('_EventDuration', (epochMs(endUtc) - epochMs(startUtc)) / 1000),
      row('_EventTimezone', zone),
      row('_EventTimezoneAbbr', clock.abbreviation(start)),
    ];
  }

  private price(random: Random, kind: Kind, { currency }: Country): MetaRow[] {
    const how = this.costs.draw(random);
    const step = currency.ticket >= 100 ? 50 : 1;
    const amount = Math.max(step, Math.round((currency.ticket * (0.5 + kind.price) * (50 + random.whole(0, 100))) / 100 / step) * step);
    const money = [
      row('_EventCurrencySymbol', currency.symbol),
      row('_EventCurrencyCode', currency.code),
      row('_EventCurrencyPosition', currency.position),
    ];
    if (how === 'none') return [];
    if (how === 'free') return [row('_EventCost', '0')];
    if (how === 'donation') return [row('_EventCost', 'Donation')];
    if (how === 'fixed') return [...money, row('_EventCost', amount)];
    return [...money, row('_EventCost', amount), row('_EventCost', amount + step * random.whole(2, 12))];
  }
}

function titleOf(random: Random, kind: Kind, { name }: City): string {
  return random
    .pick(kind.titles)
    .replace('%a', () => random.pick(ADJECTIVES))
    .replace('%p', () => random.pick(PEOPLE))
    .replace('%t', () => random.pick(kind.themes))
    .replace('%c', name);
}

/** Zones of the options that no town of the table is in. */
export const unknownZones = ({ zones }: Pick<GenerateOptions, 'zones'>): string[] =>
  zones.map(([zone]) => zone).filter((zone) => !ZONES.includes(zone));

/**
 * Made-up content as a source. It depends on nothing but the options: neither on the clock nor on the machine.
 * @param pictures folder that the pictures are drawn into when the items are asked for; null leaves their files out
 */
export function generate(options: GenerateOptions, pictures: string | null): DatasetSource {
  const { events, venues, organizers, images, zones, seed } = options;
  const towns = CITIES.filter(({ zone }) => zones.some(([name]) => name === zone)).length;
  const posts = events + towns * (venues + organizers) + images;
  const terms = CATEGORIES.length + TAGS.length;
  let drawn: Promise<void> | undefined;
  return {
    name: `made-up content of seed ${seed}`,
    siteUrl: '',
    clock: null,
    keepsIds: false,
    nextIds: { posts: posts + 1, terms: terms + 1 },
    count: 1 + AUTHORS.length + terms + posts + (pictures === null ? 0 : images),
    async *items() {
      const maker = new Maker(options);
      if (pictures !== null) await (drawn ??= maker.draw(pictures));
      yield* maker.items(pictures);
    },
  };
}
