import type { Zones } from '../../base/php/timezone.js';
import { isRecord, lookup, membersOf, withoutUndefined, mostFrequent } from '../../base/values/records.js';
import { imageTypeOfName } from '../../wordpress/media/types.js';
import { sanitizeTitle } from '../../wordpress/formatting/sanitize.js';
import { abbreviation, isTimezoneOrEmpty, siteToUtc, toLocal, toUtc, utcToSite, wallAt, zoneOf } from '../../wordpress/timezones.js';
import { EVENT_FIELDS, LINKED } from '../../plugins/the-events-calendar/model/event.js';
import { readDatasetDate } from '../dates.js';
import { EVENTS, nameOf, shownText, type Entry, type Item } from './collection.js';
import kinds from './kinds.json' with { type: 'json' };
import type { Recordings } from './read.js';

const DEFAULTS: Readonly<Record<string, Item>> = lookup(kinds.defaults);

/** A date as WordPress stores it. */
const STORED = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;
const DAY = /^\d{4}-\d\d-\d\d$/;

/** The size of images whose size no response has, in pixels. */
const SIZE = { width: 1200, height: 675 };

/** TEC: when events begin that somebody creates without a time. */
const MORNING = '08:00:00';
const HOUR = 3600;

/** The fields of an event by its meta, which `wp/v2` shows. */
const fieldsOfMeta = (meta: Readonly<Record<string, unknown>>): Item =>
  Object.fromEntries(
    Object.entries(EVENT_FIELDS).flatMap(([name, { key }]): [string, unknown][] => {
      const value = meta[key];
      if (Object.hasOwn(LINKED, name))
        return [
          [
            name,
            [value]
              .flat()
              .filter(Boolean)
              .map((id) => ({ id })),
          ],
        ];
      return typeof value === 'boolean' || (typeof value === 'string' && value !== '') ? [[name, value]] : [];
    }),
  );

/** WP: members with the ids of terms, the start of their classes, and the calendar's lists of them. */
const CLASSES = [
  ['tribe_events_cat', 'tribe_events_cat-', 'tribe/events/v1/categories'],
  ['tags', 'tag-', 'tribe/events/v1/tags'],
] as const;

export interface CompletionBase {
  /** Time that has dates which are missing, in seconds since 1970 UTC. */
  now: number;
  zones: Zones;
  /** Time zone of dates without one, if the responses do not tell it. */
  zone: string;
}

/**
 * Completes items that show less than a site would, as fixtures that people write: with what follows from the rest, else with the defaults of
 * WordPress and the plugin.
 */
export class Completion {
  /** Members that were made up, by list, with the numbers of items. */
  readonly made = new Map<string, Map<string, number>>();
  /** Time zone of the site. */
  readonly zone: string;
  private readonly done = new Map<Entry, Item | null>();
  /** The periods of which all events are known that the calendar lists. */
  private readonly periods: readonly (readonly [from: string, to: string])[];
  private readonly listed = new Set<Entry>();
  private readonly slugs = new Set<string>();
  private readonly images = new Map<string, number>();

  constructor(
    private readonly recordings: Recordings,
    private readonly base: CompletionBase,
    private readonly warn: (line: string) => void,
  ) {
    const { collection, answers } = recordings;
    const index = membersOf(answers.get('GET '));
    for (const entry of collection.of(EVENTS)) this.listed.add(entry);
    this.periods = recordings.periods.filter(({ total }) => total === this.listed.size).map(({ from, to }) => [from, to]);
    const zonesIn = (route: string, read: (item: Item) => unknown): string | undefined =>
      mostFrequent([...collection.of(route)].map(({ item }) => read(item)).filter((zone) => this.isZone(zone)));
    this.zone = this.isZone(index?.['timezone_string'])
      ? index['timezone_string']
      : (zonesIn('tec/v1/events', ({ dates }) => membersOf(membersOf(dates)?.['start_site'])?.['timezone']) ??
        zonesIn(EVENTS, ({ timezone }) => timezone) ??
        base.zone);
    collection.translate((entry) => this.translated(entry));
    this.addTerms();
    for (const entry of collection.number()) this.note(entry.route, 'id');
    for (const { route, item } of collection.entries) this.slugs.add(`${route} ${shownText(item['slug'])}`);
  }

  /** Adds the terms that only the classes of events name: the name of a class has a slug. */
  private addTerms(): void {
    const { collection } = this.recordings;
    for (const { route, item, file } of [...collection.entries]) {
      if (!/\/(?:tribe_events|events)$/.test(route)) continue;
      for (const [member, prefix, list] of CLASSES) {
        const [ids, classes] = [item[member], item['class_list']].map((value) => (Array.isArray(value) ? (value as unknown[]) : []));
        const slugs = classes.map(String).filter((name) => name.startsWith(prefix));
        // Several are in another order than their ids.
        if (ids.length !== 1 || slugs.length !== 1 || collection.withId(list, ids[0])) continue;
        const slug = slugs[0].slice(prefix.length);
        collection.add(list, { id: ids[0], slug, name: slug }, file);
        this.note(list, 'name');
      }
    }
  }

  private isZone(zone: unknown): zone is string {
    return typeof zone === 'string' && zone !== '' && isTimezoneOrEmpty(this.base.zones, zone);
  }

  private note(route: string, member: string): void {
    const kind = route.replace(/^.*\//, '');
    const counts = this.made.get(kind) ?? new Map<string, number>();
    this.made.set(kind, counts.set(member, (counts.get(member) ?? 0) + 1));
  }

  /** The items of a list, as a site shows them. */
  list(route: string): Item[] {
    return [...this.recordings.collection.of(route)].map((entry) => this.complete(entry)).filter((item) => item !== null);
  }

  private complete(entry: Entry): Item | null {
    const known = this.done.get(entry);
    if (known !== undefined) return known;
    const item = this.completed(entry);
    this.done.set(entry, item);
    return item;
  }

  private completed(entry: Entry): Item | null {
    const { route, item } = entry;
    const { [route]: defaults = {} } = DEFAULTS;
    // Texts, except that the names of items with a password are lists.
    const isText = (name: string, value: unknown): boolean =>
      typeof defaults[name] === 'string' && !(Array.isArray(value) && (name === 'venue' || name === 'organizer'));
    const texts = Object.entries(item).map(([name, value]) => [name, isText(name, value) ? shownText(value) || defaults[name] : value]);
    const whole: Item = { ...defaults, ...withoutUndefined(Object.fromEntries(texts)), id: entry.id };
    if (route.startsWith('tribe/events/')) return route === EVENTS ? this.event(whole, entry) : this.ofCalendar(whole, entry);
    return route.startsWith('wp/v2/') ? this.ofCore(whole, entry) : whole;
  }

  /** A slug that no other item of the list has. */
  private slugOf(whole: Item, { route, item, id }: Entry): string {
    if (typeof item['slug'] === 'string') return item['slug'];
    this.note(route, 'slug');
    const path = shownText(item['url'] ?? item['link']).replace(/^https?:\/\/[^/]+/, '');
    // Events of a series have their day behind it.
    const [, last = ''] = /\/([^/?#]+?)(?:\/\d{4}-\d\d-\d\d)?\/?$/.exec(path) ?? [];
    const base = sanitizeTitle(last) || sanitizeTitle(nameOf(whole)) || String(id);
    const free = [base, ...Array.from({ length: 1000 }, (_, index) => `${base}-${index + 2}`)].find(
      (slug) => !this.slugs.has(`${route} ${slug}`),
    );
    const slug = free ?? `${base}-${id}`;
    this.slugs.add(`${route} ${slug}`);
    return slug;
  }

  /** A date as it is stored; null: it is none. */
  private wall(value: unknown, zone: string): string | null {
    if (isRecord(value)) {
      const { year, month, day, hour = '00', minutes = '00', seconds = '00' } = value;
      return this.wall(`${String(year)}-${String(month)}-${String(day)} ${String(hour)}:${String(minutes)}:${String(seconds)}`, zone);
    }
    if (typeof value !== 'string') return null;
    if (STORED.test(value)) return value;
    const { now, zones } = this.base;
    const date = readDatasetDate(value.replace(/\.\d+(?=Z|[+-]|$)/, ''), { now, zone, zones });
    return date && wallAt(date.epoch, zoneOf(zones, zone));
  }

  /** The dates of a post. @param suffix of the members in UTC */
  private dates(whole: Item, { route }: Entry, suffix: 'utc' | 'gmt'): Item {
    const { zones, now } = this.base;
    const made: Item = {};
    let [local, utc]: (string | null)[] = [null, null];
    for (const name of ['date', 'modified']) {
      const [own, ownUtc] = [this.wall(whole[name], this.zone), this.wall(whole[`${name}_${suffix}`], 'UTC')];
      if (name === 'date' && own === null && ownUtc === null && this.wall(whole['modified'], this.zone) === null) this.note(route, 'date');
      local = own ?? (ownUtc === null ? null : utcToSite(zones, ownUtc, this.zone)) ?? local;
      local ??= this.wall(whole['modified'], this.zone) ?? wallAt(now, zoneOf(zones, this.zone));
      utc = ownUtc ?? siteToUtc(zones, local, this.zone);
      Object.assign(made, { [name]: local, [`${name}_${suffix}`]: utc });
    }
    return made;
  }

  private ofCore(whole: Item, entry: Entry): Item {
    const isPost = typeof whole['type'] === 'string' && !/\/(?:users|comments)$/.test(entry.route);
    const rendered = ['title', 'content', 'excerpt'].filter((name) => typeof whole[name] === 'string');
    const texts = Object.fromEntries(rendered.map((name) => [name, { rendered: whole[name] }]));
    if (!isPost && !('taxonomy' in whole)) return { ...whole, ...texts };
    const dates = isPost ? this.dates(whole, entry, 'gmt') : {};
    const file =
      entry.route === 'wp/v2/media'
        ? { source_url: '', media_details: SIZE, mime_type: imageTypeOfName(shownText(whole['source_url'])), ...whole }
        : whole;
    const iso = Object.fromEntries(Object.entries(dates).map(([name, date]) => [name, String(date).replace(' ', 'T')]));
    return { ...file, ...texts, ...iso, slug: this.slugOf(whole, entry) };
  }

  private ofCalendar(whole: Item, entry: Entry): Item {
    const slug = this.slugOf(whole, entry);
    const [, kind] = /\/(\w+?)s$/.exec(entry.route) ?? [];
    if ('taxonomy' in whole)
      return { url: this.link(`events/${kind.replace('categorie', 'category')}/${slug}/`), ...whole, name: nameOf(whole) || slug, slug };
    const name = Array.isArray(whole[kind]) ? whole[kind] : nameOf(whole);
    return { url: this.link(`${kind}/${slug}/`), ...whole, ...this.dates(whole, entry, 'utc'), [kind]: name, slug, ...this.image(whole) };
  }

  private link(path: string): string {
    return `${this.recordings.home}/${path}`;
  }

  /** The image of an item, which may be known by its address alone. */
  private image({ image }: Item): Item {
    const { collection } = this.recordings;
    if (!isRecord(image) || typeof image['url'] !== 'string' || !URL.canParse(image['url'], this.link(''))) return { image: false };
    const given = new URL(image['url'], this.link(''));
    // The library takes files by their extension.
    if (!imageTypeOfName(given.pathname)) given.pathname = `${given.pathname.replace(/\/$/, '')}.jpg`;
    const url = given.href;
    // People who write fixtures leave addresses of sizes out.
    const sizes = Object.entries(membersOf(image['sizes']) ?? {}).filter(([, size]) => URL.canParse(shownText(membersOf(size)?.['url'])));
    const shown = { ...SIZE, ...image, url, sizes: Object.fromEntries(sizes) };
    if (typeof image['id'] === 'number') return { image: shown };
    const medium = [...collection.of('wp/v2/media')].find(({ item }) => item['source_url'] === url);
    const id = medium?.id ?? this.images.get(url) ?? (collection.highest += 1);
    this.images.set(url, id);
    return { image: { ...shown, id } };
  }

  private event(whole: Item, entry: Entry): Item | null {
    const slug = this.slugOf(whole, entry);
    const url = this.link(`event/${slug}/`);
    const times = this.times(whole, entry);
    if (!times) return null;
    const linked = (['venue', 'organizer', 'categories', 'tags'] as const).map((name) => [name, this.linked(whole, name)]);
    return {
      url,
      ...whole,
      website: typeof whole['website'] === 'string' ? whole['website'] : shownText(whole['url']) || url,
      ...this.dates(whole, entry, 'utc'),
      ...times,
      ...this.price(whole),
      title: shownText(whole['title']) || nameOf(whole),
      slug,
      ...Object.fromEntries(linked),
      ...this.image(whole),
    };
  }

  private linked(event: Item, name: 'venue' | 'organizer' | 'categories' | 'tags'): Item[] {
    const { collection } = this.recordings;
    const items = event[name];
    return (Array.isArray(items) ? (items as Item[]) : []).flatMap((item): Item[] => {
      const entry = collection.entryOf(item) ?? collection.withId(kinds.lists[name], item['id']);
      if (!entry) this.warn(`event ${JSON.stringify(nameOf(event))}: ${name} ${String(item['id'])} is in no response`);
      const shown = entry ? this.complete(entry) : null;
      return shown ? [shown] : [];
    });
  }

  /** The times of an event; null: it has none, and is of another plugin. */
  private times(whole: Item, entry: Entry): Item | null {
    const { route, item } = entry;
    // TEC: a password withholds them.
    if (item['all_day'] === null) return {};
    const { zones, now } = this.base;
    const named = whole['timezone'];
    const timezone = this.isZone(named) ? named : this.zone;
    if (timezone !== named) this.note(route, 'timezone');
    const at = (name: string): string | null => {
      const local = this.wall(whole[name], timezone) ?? this.wall(whole[`${name}_details`], timezone);
      const utc = this.wall(whole[`utc_${name}`], 'UTC') ?? this.wall(whole[`utc_${name}_details`], 'UTC');
      return local ?? (utc === null ? null : toLocal(zones, utc, timezone));
    };
    let start = at('start_date');
    if (start === null) {
      const other = Object.keys(whole).find((name) => /start|time|^dates?_|_date$/i.test(name) && !/^(?:date_utc|timezone)/.test(name));
      if (other !== undefined) {
        const why =
          other === 'start_date' ? 'its start_date is not a date' : `it has no start_date, but ${other}. Is it of another plugin?`;
        this.warn(`event ${JSON.stringify(nameOf(whole))}: left out: ${why}`);
        return null;
      }
      this.note(route, 'start_date');
      start = `${wallAt(now, zoneOf(zones, timezone)).slice(0, 10)} ${MORNING}`;
    }
    const isAllDay =
      whole['all_day'] === undefined ? typeof whole['start_date'] === 'string' && DAY.test(whole['start_date']) : Boolean(whole['all_day']);
    let end = at('end_date');
    if (end === null) {
      this.note(route, 'end_date');
      const seconds = Number(whole['duration']) || HOUR;
      const later = Date.parse(`${start.replace(' ', 'T')}Z`) / 1000 + seconds;
      end = wallAt(later, zoneOf(zones, 'UTC'));
    }
    if (isAllDay && !('all_day' in item && STORED.test(String(item['end_date']))))
      [start, end] = [`${start.slice(0, 10)} 00:00:00`, `${end.slice(0, 10)} 23:59:59`];
    // WP: its lists have hidden events too.
    const isHidden = !this.listed.has(entry) && this.periods.some(([from, to]) => from <= start && start <= to);
    return {
      ...(isHidden ? { hide_from_listings: true } : {}),
      all_day: isAllDay,
      start_date: start,
      end_date: end,
      utc_start_date: this.wall(whole['utc_start_date'], 'UTC') ?? toUtc(zones, start, timezone),
      utc_end_date: this.wall(whole['utc_end_date'], 'UTC') ?? toUtc(zones, end, timezone),
      timezone,
      timezone_abbr: shownText(whole['timezone_abbr']) || abbreviation(zones, timezone, start),
    };
  }

  private price(whole: Item): Item {
    // Event Tickets: the sign of its own currency is a reference to a character, and no member of the event.
    const cost = shownText(whole['cost']);
    const text = cost.replaceAll('&#x24;', '$');
    const { values, ...given } = membersOf(whole['cost_details']) ?? {};
    const [, before, , after] = /^([^\d.,]*)([\d.,]+)([^\d.,]*)$/.exec(text) ?? [];
    const symbol = text === cost ? (before ?? '') + (after ?? '') : '';
    return {
      cost,
      cost_details: {
        currency_symbol: symbol,
        currency_code: '',
        currency_position: symbol === '' ? '' : before === '' ? 'postfix' : 'prefix',
        ...given,
        values: Array.isArray(values) ? values.map(String) : /^free$/i.test(cost) ? ['0'] : (text.match(/\d+(?:[.,]\d+)?/g) ?? []),
      },
    };
  }

  /** An item of `wp/v2` or `tec/v1` as the calendar shows it, as far as it is shown there. */
  private translated({ id, item, route }: Entry): Item {
    const [, kind] = /(venue|organizer)/.exec(route) ?? [];
    const { collection } = this.recordings;
    const text = (name: string): string | undefined => (name in item ? shownText(item[name]).trim() : undefined);
    const dated = (name: string): string | undefined => text(name)?.replace('T', ' ');
    const refs = (name: string): Item[] | undefined => {
      const ids = item[name];
      return Array.isArray(ids) ? ids.map((each) => (isRecord(each) ? { id: each['id'] } : { id: each as unknown })) : undefined;
    };
    const medium = collection.withId('wp/v2/media', item['featured_media'])?.item;
    const shared = {
      id,
      slug: text('slug'),
      url: text('link'),
      description: text('content') ?? text('description'),
      parent: item['parent'],
    };
    if (/cat$|tags$/.test(route))
      return withoutUndefined({ ...shared, name: text('name'), taxonomy: item['taxonomy'], count: item['count'] });
    const linked = kind ? {} : { venue: refs('venues'), organizer: refs('organizers') };
    const terms = kind ? {} : { categories: refs('tribe_events_cat'), tags: refs('tags') };
    return withoutUndefined({
      ...Object.fromEntries(Object.entries(item).filter(([name]) => kinds.shared.includes(name))),
      ...(kind ? {} : fieldsOfMeta(membersOf(item['meta']) ?? {})),
      ...shared,
      parent: undefined,
      status: text('status'),
      author: text('author'),
      [kind ?? 'title']: text('title'),
      excerpt: text('excerpt'),
      ...{ date: dated('date'), date_utc: dated('date_gmt'), modified: dated('modified'), modified_utc: dated('modified_gmt') },
      ...(medium ? { image: { id: item['featured_media'], url: medium['source_url'] } } : {}),
      ...linked,
      ...terms,
    });
  }
}
