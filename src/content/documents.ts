import { Clock } from '../wp/clock.js';
import { saveTermName } from '../wp/formatting/sanitize.js';
import { sanitizeTitle, truncateSlug } from '../wp/formatting/slug.js';
import { ATTACHMENT, EVENT, EVENT_CATEGORY, ORGANIZER, TAG, VENUE, isDraftLike, ZERO_DATE } from '../wp/model.js';
import type { MetaRow, Post, Term, User } from '../wp/model.js';
import { equalityKey } from '../wp/posts.js';
import { deriveTerm } from '../wp/terms.js';
import { abbreviation, epochOf, toUtc, zoneOf } from '../wp/timezones.js';
import { publicationDates } from './dates.js';
import type { Currency } from './prices.js';
import { DatasetError } from './problems.js';
import type { DatasetItem, DatasetSource, Place } from './source.js';

/**
 * Documents for formats that only know what a calendar shows (CSV, iCalendar): they have no ids, slugs or rows of meta, and name venues,
 * organizers and terms instead of pointing at them.
 */

const UTC = zoneOf('UTC');

/** When an event takes place: wall times `YYYY-MM-DD HH:MM:SS` of a zone. */
export interface WallTimes {
  start: string;
  end: string;
  timezone: string;
  allDay: boolean;
}

export interface EventFacts extends WallTimes {
  title: string;
  content?: string;
  excerpt?: string;
  status?: string;
  /** Epoch seconds of the publication and of the last change; the present where they are not known. */
  published?: number;
  modified?: number;
  venue?: number;
  organizers?: readonly number[];
  categories?: readonly number[];
  tags?: readonly number[];
  website?: string;
  cost?: string;
  currency?: Currency;
  hidden?: boolean;
  featured?: boolean;
  sticky?: boolean;
  showMap?: boolean;
  showMapLink?: boolean;
  canceled?: boolean;
  /** What the slug is made of, when not of the title. */
  slug?: string;
}

export interface VenueFacts {
  title: string;
  content?: string;
  address?: string;
  city?: string;
  country?: string;
  /** State or province: which of the two it is depends on the country (TEC). */
  stateProvince?: string;
  zip?: string;
  phone?: string;
  website?: string;
  lat?: string;
  lng?: string;
}

export interface OrganizerFacts {
  title: string;
  content?: string;
  phone?: string;
  email?: string;
  website?: string;
}

/** Rows of a key, none for what is not given or empty. */
const row = (key: string, ...values: (string | number | undefined)[]): MetaRow[] =>
  values.filter((value) => value !== undefined && value !== '').map((value) => ({ key, value: String(value) }));

/** TEC: flags of maps are always there, `1` or empty. */
const mapFlag = (key: string, shown = true): MetaRow => ({ key, value: shown ? '1' : '' });

/** The rows of meta that say when an event takes place. */
export function timeRows({ start, end, timezone, allDay }: WallTimes): MetaRow[] {
  const [startUtc, endUtc] = [toUtc(start, timezone), toUtc(end, timezone)];
  return [
    ...(allDay ? row('_EventAllDay', 'yes') : []),
    ...row('_EventStartDate', start),
    ...row('_EventEndDate', end),
    ...row('_EventStartDateUTC', startUtc),
    ...row('_EventEndDateUTC', endUtc),
    ...row('_EventDuration', Math.max(0, (epochOf(endUtc, UTC) ?? 0) - (epochOf(startUtc, UTC) ?? 0))),
    ...row('_EventTimezone', timezone),
    ...row('_EventTimezoneAbbr', abbreviation(timezone, start)),
  ];
}

/** TEC: the state counts for venues in the United States, or without a country; the province elsewhere. */
const isState = (country: string | undefined): boolean => ['', 'us', 'usa', 'united states'].includes((country ?? '').toLowerCase());

/** Makes documents of facts, with ids that tell the documents of one source apart. */
export class Documents {
  private postId = 0;
  private termId = 0;
  private readonly slugs = new Set<string>();
  private readonly known = new Map<string, number>();
  private readonly now: number;

  /**
   * @param now ms since 1970, when what has no date was published; null: the present
   * @param zone zone of the site
   */
  constructor(
    now: number | null,
    private readonly zone: string,
  ) {
    this.now = new Clock(now).seconds();
  }

  event(facts: EventFacts): Post {
    const { website, cost, currency = {}, categories = [], tags = [] } = facts;
    const meta = [
      ...row('_EventOrigin', 'events-calendar'),
      mapFlag('_EventShowMapLink', facts.showMapLink),
      mapFlag('_EventShowMap', facts.showMap),
      ...row('_EventVenueID', facts.venue),
      ...row('_EventOrganizerID', ...(facts.organizers ?? [])),
      ...timeRows(facts),
      ...row('_EventCurrencySymbol', currency.symbol),
      ...row('_EventCurrencyCode', currency.code),
      ...row('_EventCurrencyPosition', currency.position),
      ...row('_EventCost', cost),
      ...row('_EventURL', website),
      ...(facts.hidden ? row('_EventHideFromUpcoming', 'yes') : []),
      ...(facts.featured ? row('_tribe_featured', '1') : []),
      ...(facts.canceled ? row('_tribe_events_status', 'canceled') : []),
    ];
    const terms = {
      ...(categories.length > 0 ? { [EVENT_CATEGORY]: [...categories] } : {}),
      ...(tags.length > 0 ? { [TAG]: [...tags] } : {}),
    };
    return { ...this.post(EVENT, facts), menuOrder: facts.sticky ? -1 : 0, meta, terms };
  }

  venue(facts: VenueFacts): Post {
    const { stateProvince, country } = facts;
    const meta = [
      ...row('_VenueOrigin', 'events-calendar'),
      ...['_EventShowMapLink', '_EventShowMap', '_VenueShowMapLink', '_VenueShowMap'].map((key) => mapFlag(key)),
      ...row('_VenueAddress', facts.address),
      ...row('_VenueCity', facts.city),
      ...row('_VenueCountry', country),
      ...row(isState(country) ? '_VenueState' : '_VenueProvince', stateProvince),
      ...row('_VenueZip', facts.zip),
      ...row('_VenuePhone', facts.phone),
      ...row('_VenueURL', facts.website),
      ...row('_VenueLat', facts.lat),
      ...row('_VenueLng', facts.lng),
      { key: '_VenueStateProvince', value: stateProvince ?? '' },
    ];
    return { ...this.post(VENUE, facts), meta };
  }

  organizer(facts: OrganizerFacts): Post {
    const meta = [
      ...row('_OrganizerOrigin', 'events-calendar'),
      ...row('_OrganizerPhone', facts.phone),
      ...row('_OrganizerWebsite', facts.website),
      ...row('_OrganizerEmail', facts.email),
    ];
    return { ...this.post(ORGANIZER, facts), meta };
  }

  /**
   * The id of something that is named, and the item that makes it when it is named for the first time.
   * @param identity tells things of one kind apart
   */
  private named(identity: string, make: () => DatasetItem): { id: number; items: DatasetItem[] } {
    const id = this.known.get(identity);
    if (id !== undefined) return { id, items: [] };
    const item = make();
    const made = item.kind === 'post' ? item.post._id : item.kind === 'term' ? item.term._id : 0;
    this.known.set(identity, made);
    return { id: made, items: [item] };
  }

  namedVenue(facts: VenueFacts, at?: Place) {
    const identity = JSON.stringify([VENUE, equalityKey(facts.title), { ...facts, title: '' }]);
    return this.named(identity, () => ({ kind: 'post', post: this.venue(facts), reuse: true, at }));
  }

  namedOrganizer(facts: OrganizerFacts, at?: Place) {
    const identity = JSON.stringify([ORGANIZER, equalityKey(facts.title), { ...facts, title: '' }]);
    return this.named(identity, () => ({ kind: 'post', post: this.organizer(facts), reuse: true, at }));
  }

  /** Nothing when the name has no text that a term could have. */
  namedTerm(taxonomy: string, name: string, at?: Place): { id: number; items: DatasetItem[] } | null {
    const stored = saveTermName(name);
    if (stored === '') return null;
    return this.named(JSON.stringify([taxonomy, equalityKey(stored)]), () => ({
      kind: 'term',
      term: this.term(taxonomy, stored),
      reuse: true,
      at,
    }));
  }

  private term(taxonomy: string, name: string): Term {
    const id = ++this.termId;
    const slug = this.slug(taxonomy, sanitizeTitle(name) || String(id));
    return deriveTerm({ _id: id, taxonomy, name, slug, description: '', parent: 0, termGroup: 0, termTaxonomyId: id, count: 0 });
  }

  private slug(kind: string, wanted: string): string {
    let slug = wanted;
    for (let suffix = 2; this.slugs.has(`${kind} ${slug}`); suffix += 1) slug = truncateSlug(wanted, `-${suffix}`);
    this.slugs.add(`${kind} ${slug}`);
    return slug;
  }

  private post(type: string, facts: { title: string; content?: string } & Partial<EventFacts>): Post {
    const id = ++this.postId;
    const { title, content = '', excerpt = '', status = 'publish', published = this.now, modified = published } = facts;
    const { date, dateGmt } = publicationDates(published, this.zone);
    const changed = publicationDates(modified, this.zone);
    return {
      _id: id,
      type,
      status,
      // Who imports it: nobody is named in these formats. On every site there is a user 1.
      author: 1,
      title,
      content,
      excerpt,
      slug: this.slug(type, sanitizeTitle(facts.slug ?? title) || String(id)),
      password: '',
      parent: 0,
      menuOrder: 0,
      date,
      dateGmt: isDraftLike(status) ? ZERO_DATE : dateGmt,
      modified: changed.date,
      modifiedGmt: changed.dateGmt,
      meta: [],
      terms: {},
    };
  }
}

/** Faults of a source that is being written out end the writing: a file that lacks something would not be noticed. */
export const failing =
  (source: DatasetSource) =>
  (problem: string, at?: Place): never => {
    throw new DatasetError(at?.file ?? source.name, [[at?.line && `line ${at.line}`, at?.path, problem].filter(Boolean).join(': ')]);
  };

/** What posts point at. */
export interface Index {
  users: Map<number, User>;
  terms: Map<number, Term>;
  /** Venues, organizers and attachments. */
  posts: Map<number, Post>;
}

const POINTED_AT = [VENUE, ORGANIZER, ATTACHMENT];

/** Goes over a source once and keeps what its posts point at: names are written where documents have ids. */
export async function indexOf(source: DatasetSource): Promise<Index> {
  const index: Index = { users: new Map(), terms: new Map(), posts: new Map() };
  for await (const item of source.items(failing(source))) {
    if (item.kind === 'user') index.users.set(item.user._id, item.user);
    if (item.kind === 'term') index.terms.set(item.term._id, item.term);
    if (item.kind === 'post' && POINTED_AT.includes(item.post.type)) index.posts.set(item.post._id, { ...item.post, content: '' });
  }
  return index;
}

/** The text that a term's stored name, which is HTML, was made of. */
export function termText({ name }: Pick<Term, 'name'>): string {
  const text = name.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
  return saveTermName(text) === name ? text : name;
}

/** Counts what a format leaves out, and tells it in the end. */
export class LeftOut {
  private readonly counts = new Map<string, number>();

  add(why: string): void {
    this.counts.set(why, (this.counts.get(why) ?? 0) + 1);
  }

  /** @param format such as `iCalendar` */
  tell(format: string, tell: ((line: string) => void) | undefined): void {
    for (const [why, count] of this.counts) tell?.(`${format}: left out ${count} × ${why}`);
  }
}
