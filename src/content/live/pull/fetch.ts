import { LINKED, type LinkedKind } from '../../../tec/linked.js';
import type { Event, Term } from '../../../types.js';
import { DatasetError } from '../../problems.js';
import type { SiteClient } from '../client/client.js';
import type { LiveSite } from '../client/find.js';
import { answerProblem, type Answer } from '../client/problems.js';
import { routeUrl, type Query } from '../client/route.js';
import type { AnswerFile } from './answer-file.js';
import type { Linked } from '../items.js';
import { TYPES, type CoreMedium, type CorePost, type CoreUser, type PostKind, type Summary } from './summary.js';

/** What is kept of an answer. */
interface Kept<T> {
  status: number;
  json: T;
}

/** The index of a namespace (WP), as far as it is looked at. */
interface NamespaceIndex {
  routes?: Record<string, { endpoints?: { methods?: string[]; args?: Record<string, { default?: unknown }> }[] }>;
}

const PAGE = 50;
const CORE_PAGE = 100;

// Lists of events have a window of dates of their own when none is given. The database of WordPress knows the years from 1000 to 9999, and
// a day is left on either side for the zone of the site.
export const ALL_DATES = { start_date: '1000-01-02', end_date: '9999-12-30' };

export interface FetchOptions {
  signedIn: boolean;
  /** Single items are asked for only when they were changed at this UTC time, `YYYY-MM-DD HH:MM:SS`, or later; null: all. */
  since: string | null;
  notify: (line: string) => void;
  progress: (what: string, done: number, total?: number) => void;
}

/** Asks a site for everything that it shows, through answers that are kept: what was asked before is not asked again. */
export class Fetcher {
  constructor(
    readonly client: SiteClient,
    readonly live: LiveSite,
    readonly answers: AnswerFile,
    readonly options: FetchOptions,
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

  linked(kind: LinkedKind): AsyncGenerator<Linked> {
    const { column } = LINKED[kind];
    return this.list<Linked>(column, this.listQuery(column), `${column[0].toUpperCase()}${column.slice(1)}`);
  }

  /** The answer of a single item, or undefined when there is none or it was not asked for. */
  async single<T>(kind: PostKind, id: number): Promise<T | undefined> {
    const kept = await this.answers.read<Kept<T>>(routeUrl('', this.calendar(`${kind}/${id}`), this.singleQuery()));
    return kept?.status === 200 ? kept.json : undefined;
  }

  private singleQuery(): Query {
    return this.options.signedIn ? { context: 'edit' } : {};
  }

  /** Asks for a single item. */
  fetchSingle<T>(kind: PostKind, id: number): Promise<Kept<T>> {
    return this.get<T>(this.calendar(`${kind}/${id}`), this.singleQuery());
  }

  /** Ids of the first page of a list of the calendar. */
  async idsOf(key: string, query: Query): Promise<number[]> {
    const { json } = await this.get<Record<string, { id: number }[] | undefined>>(this.calendar(key), { ...query, per_page: PAGE });
    return (json[key] ?? []).map(({ id }) => id);
  }

  /** `wp/v2` shows more than the calendar does. What it rejects is left out. */
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
    return this.coreList<CorePost>(TYPES[kind], this.coreQuery());
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
}
