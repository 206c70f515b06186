import { LINKED, type LinkedKind } from '../../../plugins/the-events-calendar/model/event.js';
import type { Event, Term } from '../../../sdk/types/responses.js';
import { DatasetError } from '../../source.js';
import { SiteClient, routeUrl, type Query, responseProblem, type SiteResponse } from '../client/client.js';
import type { LiveSite } from '../client/find.js';
import type { Responses } from './response-file.js';
import type { LinkedOnSite } from '../items.js';
import { TYPES, type CoreComment, type CoreMedium, type CorePost, type CoreUser, type PostKind, type Summary } from './summary.js';

interface SavedResponse<T> {
  status: number;
  json: T;
  /** WP: how many pages a list has. */
  pages?: number;
}

/** WP: the index of a namespace, reduced to what is used. */
interface NamespaceIndex {
  routes?: Record<string, { endpoints?: { methods?: string[]; args?: Record<string, { default?: unknown }> }[] }>;
}

export const PAGE = 50;
export const CORE_PAGE = 100;

// Without dates, lists of events have a default date range. MySQL dates cover the years 1000 to 9999; one day on each side is left for the
// time zone of the site.
export const ALL_DATES = { start_date: '1000-01-02', end_date: '9999-12-30' };

export interface FetchOptions {
  signedIn: boolean;
  /** Requests single items only if they changed at or after this time, UTC `YYYY-MM-DD HH:MM:SS`; null: all. */
  since: string | null;
  notify: (line: string) => void;
  progress: (what: string, done: number, total?: number) => void;
}

/** Fetches the content of a site. Responses are saved, so no request is sent twice. */
export class Fetcher {
  /** The same without a login. */
  private readonly visitor: SiteClient;

  constructor(
    readonly client: SiteClient,
    readonly live: LiveSite,
    readonly responses: Responses,
    readonly options: FetchOptions,
  ) {
    const { credentials: _, ...anonymous } = client.options;
    this.visitor = new SiteClient(anonymous, client.origin);
  }

  /** The response to a GET request, saved or from the site. */
  async get<T>(route: string, query: Query = {}, headers: Readonly<Record<string, string>> = {}): Promise<SavedResponse<T>> {
    const key = routeUrl('', route, query);
    const known = await this.responses.read<SavedResponse<T>>(key);
    if (known) return known;
    const response = await this.client.fetch(routeUrl(this.live.root, route, query), { headers });
    const pages = response.headers['x-wp-totalpages'];
    const saved = { status: response.status, json: response.json as T, ...(pages === undefined ? {} : { pages: Number(pages) }) };
    // An error page in HTML may be temporary, so it is not saved.
    if (response.json === undefined) throw this.errorOf(response);
    await this.responses.add(key, saved);
    return saved;
  }

  /** The same for a visitor, or with another method. */
  async ask<T>(
    route: string,
    query: Query,
    { method = 'GET', isVisitor = false }: { method?: string; isVisitor?: boolean },
  ): Promise<SavedResponse<T>> {
    const key = `${isVisitor ? 'visitor ' : ''}${method} ${routeUrl('', route, query)}`;
    const known = await this.responses.read<SavedResponse<T>>(key);
    if (known) return known;
    const client = isVisitor ? this.visitor : this.client;
    const { status, json } = await client.fetch(routeUrl(this.live.root, route, query), { method });
    // JSON has no undefined.
    const saved = { status: json === undefined ? 0 : status, json: (json ?? null) as T };
    await this.responses.add(key, saved);
    return saved;
  }

  private errorOf(response: SiteResponse): DatasetError {
    return new DatasetError(response.url, [responseProblem(response)]);
  }

  private async getOrThrow<T>(route: string, query: Query): Promise<T> {
    const { status, json } = await this.get<T>(route, query);
    if (status === 200) return json;
    const url = routeUrl(this.live.root, route, query);
    throw new DatasetError(url, [responseProblem({ status, json, headers: {}, text: '', url })]);
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

  /** Yields all items of a list. Items that move to a later page in the meantime are yielded only once. */
  private async *list<T extends { id: number }>(key: string, query: Query, what: string): AsyncGenerator<T> {
    const seen = new Set<number>();
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const response = await this.get<Record<string, unknown>>(this.calendar(key), { ...query, per_page: PAGE, page });
      // The list has become shorter in the meantime.
      if (response.status === 404 && page > 1) return;
      const body =
        response.status === 200
          ? response.json
          : await this.getOrThrow<Record<string, unknown>>(this.calendar(key), { ...query, per_page: PAGE, page });
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

  linked(kind: LinkedKind): AsyncGenerator<LinkedOnSite> {
    const { column } = LINKED[kind];
    return this.list<LinkedOnSite>(column, this.listQuery(column), `${column[0].toUpperCase()}${column.slice(1)}`);
  }

  /** The saved response of a single item; undefined if it was not requested or has an error status. */
  async single<T>(kind: PostKind, id: number): Promise<T | undefined> {
    const saved = await this.responses.read<SavedResponse<T>>(routeUrl('', this.calendar(`${kind}/${id}`), this.singleQuery()));
    return saved?.status === 200 ? saved.json : undefined;
  }

  private singleQuery(): Query {
    return this.options.signedIn ? { context: 'edit' } : {};
  }

  /** Requests a single item. */
  fetchSingle<T>(kind: PostKind, id: number): Promise<SavedResponse<T>> {
    return this.get<T>(this.calendar(`${kind}/${id}`), this.singleQuery());
  }

  /** The ids on the first page of a list. */
  async idsOf(key: string, query: Query): Promise<number[]> {
    const { json } = await this.get<Record<string, { id: number }[] | undefined>>(this.calendar(key), { ...query, per_page: PAGE });
    return (json[key] ?? []).map(({ id }) => id);
  }

  /** Requests `wp/v2`, which shows more than the calendar API. Errors are ignored. */
  private async core<T>(route: string, query: Query): Promise<T | undefined> {
    if (!this.live.hasCore) return undefined;
    const { status, json } = await this.get<T>(`wp/v2/${route}`, query);
    return status === 200 ? json : undefined;
  }

  /** Yields all items of a list of `wp/v2`. */
  async *coreList<T>(route: string, query: Query): AsyncGenerator<T> {
    for (let page = 1; ; page += 1) {
      const items = await this.core<T[]>(route, { ...query, per_page: CORE_PAGE, page });
      if (!Array.isArray(items)) return;
      yield* items;
      if (items.length < CORE_PAGE) return;
    }
  }

  private coreQuery(): Query {
    return this.options.signedIn
      ? { context: 'edit', status: 'publish,future,draft,pending,private', orderby: 'id', order: 'asc' }
      : { orderby: 'id', order: 'asc' };
  }

  corePosts(kind: PostKind): AsyncGenerator<CorePost> {
    return this.coreList<CorePost>(TYPES[kind], this.coreQuery());
  }

  users(): AsyncGenerator<CoreUser> {
    return this.coreList<CoreUser>('users', {});
  }

  /** The roles of users by id, which users who manage them see; others see their own. */
  async roles(): Promise<Map<number, string>> {
    const found = new Map<number, string>();
    const query = { context: 'edit' };
    if (!this.options.signedIn) return found;
    for await (const { id, roles = [] } of this.coreList<CoreUser>('users', query)) found.set(id, roles[0]);
    const me = found.size === 0 ? await this.core<CoreUser>('users/me', query) : undefined;
    return me ? found.set(me.id, me.roles?.[0] ?? '') : found;
  }

  /** The comments of the site, with those that wait for a moderator if the login may see them. */
  async *comments(): AsyncGenerator<CoreComment> {
    const order = { orderby: 'id', order: 'asc' };
    const all = { ...order, context: 'edit', status: 'all', type: 'all' };
    const moderates = this.options.signedIn && (await this.core<CoreComment[]>('comments', { ...all, per_page: 1 })) !== undefined;
    yield* this.coreList<CoreComment>('comments', moderates ? all : order);
  }

  async *media(ids: readonly number[]): AsyncGenerator<CoreMedium> {
    for (let start = 0; start < ids.length; start += CORE_PAGE) {
      const include = ids.slice(start, start + CORE_PAGE).join(',');
      yield* (await this.core<CoreMedium[]>('media', { include, per_page: CORE_PAGE })) ?? [];
    }
  }

  /** The default of `per_page`, a number or a string; undefined if the site does not declare it. */
  async perPage(): Promise<unknown> {
    const route = `/${this.live.namespace}/events`;
    const { json } = await this.get<NamespaceIndex>(this.live.namespace);
    return json.routes?.[route]?.endpoints?.find(({ methods }) => methods?.includes('GET'))?.args?.['per_page']?.default;
  }

  /** Requests a list without parameters. @throws DatasetError when the site rejects it */
  async plainList(): Promise<void> {
    await this.getOrThrow(this.calendar('events'), {});
  }
}
