import type { Zones } from '../base/php/timezone.js';
import { EVENT_FIELDS, EVENT_ORIGIN, OWN_ORIGIN, LINKED, regionField } from '../plugins/the-events-calendar/model/event.js';
import type { LinkedKind } from '../plugins/the-events-calendar/model/event.js';
import { Clock } from '../wordpress/clock.js';
import { saveTermName, sanitizeTitle, truncateSlug } from '../wordpress/formatting/sanitize.js';
import { TAG, isDraftLike, ZERO_DATE, type MetaRow, type Post, type Term } from '../wordpress/model.js';
import { EVENT, EVENT_CATEGORY } from '../plugins/the-events-calendar/model/index.js';
import { equalityKey } from '../wordpress/posts/posts.js';
import { deriveTerm } from '../wordpress/terms/terms.js';
import { publicationDates } from './dates.js';
import { fieldRows, timeValues, withFieldDefaults, type FieldValues, type WallTimes } from './fields.js';
import type { SourceItem, SourcePlace } from './source.js';

/** Builds documents for CSV and iCalendar. These formats have no ids, slugs or meta, and refer to venues, organizers and terms by name. */

/** A venue or organizer; `values` are keyed by the fields of its table. */
export interface LinkedFacts {
  title: string;
  content?: string;
  values?: FieldValues;
}

export interface EventFacts extends LinkedFacts {
  times: WallTimes;
  excerpt?: string;
  status?: string;
  /** Epoch seconds of publication and last modification. Default: now. */
  published?: number;
  modified?: number;
  categories?: readonly number[];
  tags?: readonly number[];
  sticky?: boolean;
  /** Base of the slug. Default: the title. */
  slug?: string;
}

const originRow = (key: string): MetaRow => ({ key, value: OWN_ORIGIN });

/** Stores the region of a venue as state or province, which the formats do not distinguish. */
const withRegion = (values: FieldValues): FieldValues =>
  typeof values.stateprovince === 'string' ? { ...values, [regionField(String(values.country ?? ''))]: values.stateprovince } : values;

/** Builds the documents of one source. Their ids are unique within the source. */
export class DocumentBuilder {
  private postId = 0;
  private termId = 0;
  private readonly slugs = new Set<string>();
  /** The last suffix of each slug that several documents want: all lower ones are taken. */
  private readonly suffixes = new Map<string, number>();
  private readonly known = new Map<string, number>();
  private readonly now: number;

  /**
   * @param now publication date of documents without one, ms since 1970 UTC; null: the current time
   * @param zone time zone of the site
   * @param zones the zones that it knows
   */
  constructor(
    now: number | null,
    readonly zone: string,
    readonly zones: Zones,
  ) {
    this.now = new Clock(now).seconds();
  }

  event({ times, values = {}, categories = [], tags = [], sticky, ...facts }: EventFacts): Post {
    const meta = [
      originRow(EVENT_ORIGIN),
      ...fieldRows(EVENT_FIELDS, withFieldDefaults(EVENT_FIELDS, { ...values, ...timeValues(times, this.zones) })),
    ];
    const terms = {
      ...(categories.length > 0 ? { [EVENT_CATEGORY]: [...categories] } : {}),
      ...(tags.length > 0 ? { [TAG]: [...tags] } : {}),
    };
    return { ...this.post(EVENT, facts), menuOrder: sticky ? -1 : 0, meta, terms };
  }

  linked(kind: LinkedKind, { values = {}, ...facts }: LinkedFacts): Post {
    const { type, fields, origin } = LINKED[kind];
    return { ...this.post(type, facts), meta: [originRow(origin), ...fieldRows(fields, withFieldDefaults(fields, withRegion(values)))] };
  }

  /**
   * The id of a document that is referred to by name, and on the first reference the item that creates it.
   * @param identity key of the document
   */
  private named(identity: string, make: () => SourceItem): { id: number; items: SourceItem[] } {
    const id = this.known.get(identity);
    if (id !== undefined) return { id, items: [] };
    const item = make();
    const made = item.kind === 'post' ? item.post._id : item.kind === 'term' ? item.term._id : 0;
    this.known.set(identity, made);
    return { id: made, items: [item] };
  }

  namedLinked(kind: LinkedKind, facts: LinkedFacts, at?: SourcePlace) {
    const identity = JSON.stringify([kind, equalityKey(facts.title), { ...facts, title: '' }]);
    return this.named(identity, () => ({ kind: 'post', post: this.linked(kind, facts), reuse: true, at }));
  }

  /** @returns null if the name is empty once sanitized */
  namedTerm(taxonomy: string, name: string, at?: SourcePlace): { id: number; items: SourceItem[] } | null {
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
    const key = `${kind} ${wanted}`;
    let suffix = this.suffixes.get(key) ?? 1;
    let slug = suffix === 1 ? wanted : truncateSlug(wanted, `-${suffix}`);
    while (this.slugs.has(`${kind} ${slug}`)) slug = truncateSlug(wanted, `-${(suffix += 1)}`);
    if (suffix > 1) this.suffixes.set(key, suffix);
    this.slugs.add(`${kind} ${slug}`);
    return slug;
  }

  private post(type: string, facts: Omit<EventFacts, 'times'>): Post {
    const id = ++this.postId;
    const { title, content = '', excerpt = '', status = 'publish', published = this.now, modified = published } = facts;
    const { date, dateGmt } = publicationDates(published, this);
    const changed = publicationDates(modified, this);
    return {
      _id: id,
      type,
      status,
      // The formats name no author. Every site has a user 1.
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
