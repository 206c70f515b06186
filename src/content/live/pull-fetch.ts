import { DatasetError } from '../problems.js';
import { answerProblem, routeUrl, type Answer, type LiveSite, type Query, type SiteClient } from './site-client.js';
import type { AnswerFile } from './answer-file.js';
import type { Event, EventTerm, Image, Organizer, Term, Venue } from '../../types.js';

/** What is kept of an answer. */
interface Kept<T> {
  status: number;
  json: T;
}

export type Linked = Venue | Organizer;

/** A post of the core API (WP: `wp/v2`), as far as it is asked for. */
export interface CorePost {
  id: number;
  slug?: string;
  password?: string;
  date?: string;
  date_gmt?: string;
  modified?: string;
  modified_gmt?: string;
  author?: number;
  title?: { rendered?: string; raw?: string };
  content?: { raw?: string };
  excerpt?: { raw?: string };
  meta?: Record<string, unknown>;
}

/** An entry of the media library. */
export interface CoreMedium extends CorePost {
  alt_text?: string;
  caption?: { rendered?: string; raw?: string };
  description?: { rendered?: string; raw?: string };
  mime_type?: string;
  post?: number | null;
  media_details?: { image_meta?: Record<string, unknown> };
}

/** The index of a namespace (WP), as far as it is looked at. */
interface NamespaceIndex {
  routes?: Record<string, { endpoints?: { methods?: string[]; args?: Record<string, { default?: unknown }> }[] }>;
}

export interface CoreUser {
  id: number;
  name?: string;
  url?: string;
  slug?: string;
  description?: string;
}

/** Kinds of posts: their route and key in the calendar API, and their type in the core API. */
export const KINDS = {
  venues: { type: 'tribe_venue', noun: 'venue' },
  organizers: { type: 'tribe_organizer', noun: 'organizer' },
  events: { type: 'tribe_events', noun: 'event' },
} as const;
export type PostKind = keyof typeof KINDS;

export const PAGE = 50;
const CORE_PAGE = 100;
/** Requests for single items that are under way together. */
const AT_ONCE = 4;

// Lists of events have a window of dates of their own when none is given. The database of WordPress knows the years from 1000 to 9999, and
// a day is left on either side for the zone of the site.
const ALL_DATES = { start_date: '1000-01-02', end_date: '9999-12-30' };

/** Further items, such as a venue that is not in the list of venues: it is shown with its event. */
export interface Aside {
  kind: 'venues' | 'organizers';
  item: Linked;
}

/** What is known once everything has been fetched, as far as it concerns more than one item. */
export interface Summary {
  /** Ids of the posts of each kind, in the order of the lists. */
  ids: Record<PostKind, Set<number>>;
  asides: Map<number, Aside>;
  images: Map<number, Image>;
  authors: Set<number>;
  /** Facts of terms that only events show. */
  eventTerms: Map<number, EventTerm>;
  /** Published events that have each term. */
  termUse: Map<number, number>;
  /** Items whose contents a password keeps from us. */
  withheld: Set<number>;
  /** Events that are in no list of the calendar, such as hidden ones, but are shown one by one. */
  unlisted: Set<number>;
  /** Events behind a password, with what other lists say of them. */
  behind: Map<number, BehindPassword>;
}

/** What the lists tell of an event whose own contents are kept back: they filter by it. */
export interface BehindPassword {
  venues: number[];
  organizers: number[];
  categories: number[];
  tags: number[];
  featured: boolean;
}

export interface FetchOptions {
  signedIn: boolean;
  /** Single items are asked for only when they were changed at this UTC time, `YYYY-MM-DD HH:MM:SS`, or later; null: all. */
  since: string | null;
  tell: (line: string) => void;
  progress: (what: string, done: number, total?: number) => void;
}

/** Behind a password the name of a venue or organizer is an empty list (TEC), and the flags of an event are null. */
export const isWithheld = (item: Event | Linked): boolean =>
  'all_day' in item ? item.all_day === null : Array.isArray('venue' in item ? item.venue : (item as Organizer).organizer);

const imagesIn = (item: { image?: Image | false }): Image[] => (item.image ? [item.image] : []);

export const venuesIn = ({ venue }: Event): Venue[] => (Array.isArray(venue) ? venue : [venue]);

/** Asks a site for everything that it shows, through answers that are kept: what was asked before is not asked again. */
export class Fetcher {
  constructor(
    readonly client: SiteClient,
    readonly live: LiveSite,
    readonly answers: AnswerFile,
    private readonly options: FetchOptions,
  ) {}

  /** The answer to a GET, from before or from the site. */
  async get<T>(route: string, query: Query = {}): Promise<Kept<T>> {
    const key = routeUrl('', route, query);
    const known = await this.answers.read<Kept<T>>(key);
    if (known) return known;
    const answer = await this.client.fetch(routeUrl(this.live.root, route, query));
    const kept = { status: answer.status, json: answer.json as T };
    // A refusal in HTML may be over by the time that the work goes on.
    if (answer.json === undefined) throw this.fault(answer);
    await this.answers.add(key, kept);
    return kept;
  }

  private fault(answer: Answer): DatasetError {
    return new DatasetError(answer.url, [answerProblem(answer)]);
  }

  private async need<T>(route: string, query: Query): Promise<T> {
    const { status, json } = await this.get<T>(route, query);
    if (status === 200) return json;
    const url = routeUrl(this.live.root, route, query);
    throw new DatasetError(url, [answerProblem({ status, json, headers: {}, text: '', url })]);
  }

  private calendar(route: string): string {
    return `${this.live.namespace}/${route}`;
  }

  private listQuery(kind: PostKind): Query {
    return {
      ...(this.options.signedIn ? { context: 'edit', status: 'publish,future,draft,pending,private' } : {}),
      ...(kind === 'events' ? ALL_DATES : {}),
    };
  }

  /** All items of a list, page by page; those that moved to a later page meanwhile once only. */
  private async *list<T extends { id: number }>(key: string, query: Query, what: string): AsyncGenerator<T> {
    const seen = new Set<number>();
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const answer = await this.get<Record<string, unknown>>(this.calendar(key), { ...query, per_page: PAGE, page });
      // The list has become shorter in the meantime.
      if (answer.status === 404 && page > 1) return;
      const body =
        answer.status === 200
          ? answer.json
          : await this.need<Record<string, unknown>>(this.calendar(key), { ...query, per_page: PAGE, page });
      pages = Number(body['total_pages'] ?? 0);
      for (const item of Object.values((body[key] ?? []) as T[])) {
        if (seen.has(item.id)) continue;
        seen.add(item.id);
        yield item;
      }
      this.options.progress(what, seen.size, Number(body['total'] ?? 0));
    }
  }

  terms(taxonomy: 'categories' | 'tags'): AsyncGenerator<Term> {
    return this.list<Term>(taxonomy, { hide_empty: 0 }, taxonomy === 'categories' ? 'Categories' : 'Tags');
  }

  events(): AsyncGenerator<Event> {
    return this.list<Event>('events', this.listQuery('events'), 'Events');
  }

  async *unlisted({ unlisted }: Summary): AsyncGenerator<Event> {
    for (const id of unlisted) {
      const event = await this.single<Event>('events', id);
      if (event) yield event;
    }
  }

  linked(kind: 'venues' | 'organizers'): AsyncGenerator<Linked> {
    return this.list<Linked>(kind, this.listQuery(kind), kind === 'venues' ? 'Venues' : 'Organizers');
  }

  /** The answer of a single item, or undefined when there is none or it was not asked for. */
  async single<T>(kind: PostKind, id: number): Promise<T | undefined> {
    const kept = await this.answers.read<Kept<T>>(routeUrl('', this.calendar(`${kind}/${id}`), this.singleQuery()));
    return kept?.status === 200 ? kept.json : undefined;
  }

  private singleQuery(): Query {
    return this.options.signedIn ? { context: 'edit' } : {};
  }

  /** `wp/v2` tells more than the calendar does; whatever it refuses is done without. */
  private async core<T>(route: string, query: Query): Promise<T | undefined> {
    if (!this.live.hasCore) return undefined;
    const { status, json } = await this.get<T>(`wp/v2/${route}`, query);
    return status === 200 ? json : undefined;
  }

  private async *coreList<T>(route: string, query: Query): AsyncGenerator<T> {
    for (let page = 1; ; page += 1) {
      const items = await this.core<T[]>(route, { ...query, per_page: CORE_PAGE, page });
      if (!Array.isArray(items)) return;
      yield* items;
      if (items.length < CORE_PAGE) return;
    }
  }

  private coreQuery(): Query {
    return this.options.signedIn
      ? { context: 'edit', status: 'publish,future,draft,pending,private', _fields: 'id,password,title,content,excerpt,meta' }
      : { _fields: 'id,title,meta' };
  }

  corePosts(kind: PostKind): AsyncGenerator<CorePost> {
    return this.coreList<CorePost>(KINDS[kind].type, this.coreQuery());
  }

  users(): AsyncGenerator<CoreUser> {
    return this.coreList<CoreUser>('users', { _fields: 'id,name,url,slug,description' });
  }

  async *media(ids: readonly number[]): AsyncGenerator<CoreMedium> {
    for (let start = 0; start < ids.length; start += CORE_PAGE) {
      const include = ids.slice(start, start + CORE_PAGE).join(',');
      yield* (await this.core<CoreMedium[]>('media', { include, per_page: CORE_PAGE })) ?? [];
    }
  }

  /** How many items are on a page when nothing is asked for, as the site has it: a number or a text; undefined when it does not say. */
  async perPage(): Promise<unknown> {
    const route = `/${this.live.namespace}/events`;
    const { json } = await this.get<NamespaceIndex>(this.live.namespace);
    return json.routes?.[route]?.endpoints?.find(({ methods }) => methods?.includes('GET'))?.args?.['per_page']?.default;
  }

  /** The answer to a list without any parameter: its `rest_url` tells the settings of the site. */
  plainList(): Promise<{ rest_url?: string }> {
    return this.need<{ rest_url?: string }>(this.calendar('events'), {});
  }

  /**
   * Fetches everything once.
   * @throws DatasetError when the site refuses
   */
  async all(): Promise<Summary> {
    const summary: Summary = {
      ids: { venues: new Set(), organizers: new Set(), events: new Set() },
      asides: new Map(),
      images: new Map(),
      authors: new Set(),
      eventTerms: new Map(),
      termUse: new Map(),
      withheld: new Set(),
      unlisted: new Set(),
      behind: new Map(),
    };
    await this.plainList();
    for (const taxonomy of ['categories', 'tags'] as const) for await (const _ of this.terms(taxonomy));
    const details: [PostKind, number][] = [];
    for (const kind of ['venues', 'organizers'] as const) {
      for await (const item of this.linked(kind)) {
        this.note(summary, kind, item);
        const hasText = Boolean(item.description) || Boolean(item.excerpt);
        if (hasText && this.isWanted(item, summary)) details.push([kind, item.id]);
      }
    }
    for await (const event of this.events()) {
      this.noteEvent(summary, event);
      if (isWithheld(event)) await this.lookBehind(summary, event);
      if (this.isWanted(event, summary)) details.push(['events', event.id]);
    }
    await this.fetchSingles(details);
    await this.fetchCore(summary);
    return summary;
  }

  private isWanted(item: Event | Linked, { withheld }: Summary): boolean {
    const { since } = this.options;
    return !withheld.has(item.id) && (since === null || item.modified_utc >= since);
  }

  private note(summary: Summary, kind: PostKind, item: Event | Linked): void {
    summary.ids[kind].add(item.id);
    if (isWithheld(item)) summary.withheld.add(item.id);
    if (item.author !== undefined) summary.authors.add(Number(item.author));
    for (const image of imagesIn(item)) summary.images.set(image.id, image);
  }

  private noteEvent(summary: Summary, event: Event): void {
    this.note(summary, 'events', event);
    for (const [kind, items] of [
      ['venues', venuesIn(event)],
      ['organizers', event.organizer],
    ] as const) {
      for (const item of items as Linked[]) {
        if (summary.ids[kind].has(item.id)) continue;
        summary.asides.set(item.id, { kind, item });
        this.note(summary, kind, item);
      }
    }
    for (const term of [...event.categories, ...event.tags]) {
      summary.eventTerms.set(term.id, term);
      if (event.status === 'publish') summary.termUse.set(term.id, (summary.termUse.get(term.id) ?? 0) + 1);
    }
  }

  private async lookBehind(summary: Summary, { id, start_date, status }: Event): Promise<void> {
    const ids = async (key: string, query: Query): Promise<number[]> => {
      const { json } = await this.get<Record<string, { id: number }[] | undefined>>(this.calendar(key), { ...query, per_page: PAGE });
      return (json[key] ?? []).map((item) => item.id);
    };
    const day = start_date?.slice(0, 10) ?? ALL_DATES.start_date;
    const featured = await ids('events', { start_date: day, end_date: ALL_DATES.end_date, starts_before: day, featured: 'true' });
    const found: BehindPassword = {
      venues: await ids('venues', { event: id }),
      organizers: await ids('organizers', { event: id }),
      categories: await ids('categories', { event: id }),
      tags: await ids('tags', { event: id }),
      featured: featured.includes(id),
    };
    summary.behind.set(id, found);
    if (status !== 'publish') return;
    for (const term of [...found.categories, ...found.tags]) summary.termUse.set(term, (summary.termUse.get(term) ?? 0) + 1);
  }

  private async fetchSingles(wanted: readonly [PostKind, number][]): Promise<void> {
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < wanted.length) {
        const [kind, id] = wanted[next++];
        await this.get(this.calendar(`${kind}/${id}`), this.singleQuery());
        this.options.progress('Details', next, wanted.length);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }

  /** The core API lists events that the calendar does not. */
  private async findUnlisted(summary: Summary): Promise<void> {
    for await (const { id } of this.corePosts('events')) {
      if (summary.ids.events.has(id)) continue;
      const { status, json } = await this.get<Event>(this.calendar(`events/${id}`), this.singleQuery());
      if (status !== 200) continue;
      summary.unlisted.add(id);
      this.noteEvent(summary, json);
    }
  }

  private async fetchCore(summary: Summary): Promise<void> {
    if (!this.live.hasCore) return;
    const { images } = summary;
    for await (const _ of this.users());
    for (const kind of ['venues', 'organizers'] as const) for await (const _ of this.corePosts(kind));
    await this.findUnlisted(summary);
    for await (const _ of this.media([...images.keys()]));
  }
}
