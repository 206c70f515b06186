import type { Query } from '../../client/client.js';
import { TEC_V1 } from '../../../../plugins/the-events-calendar/model/index.js';
import { ACKNOWLEDGED } from '../../../../plugins/the-events-calendar/tec-v1/routes.js';
import { CORE_PAGE, type Fetcher } from '../fetch.js';
import type { CoreItem } from './item.js';

/** WP: the statuses of posts that users may see who may edit them. */
const ALL_STATUSES = 'publish,future,draft,pending,private';

const ORDER = { orderby: 'id', order: 'asc' } as const;

/** The ways to ask for a list, the one that shows most first. */
function queriesFor(signedIn: boolean, kind: ListKind): Query[] {
  const order = kind === 'other' ? {} : ORDER;
  if (!signedIn) return [order];
  const all = kind === 'posts' ? { context: 'edit', status: ALL_STATUSES } : { context: 'edit' };
  return [{ ...all, ...order }, { context: 'edit', ...order }, order];
}

export type ListKind = 'posts' | 'objects' | 'other';

/** A list of a site: how it was requested, and why the site shows none. */
export interface CoreList {
  query: Query | null;
  status: number;
}

const isItem = (value: unknown): value is CoreItem => typeof (value as CoreItem | null)?.id === 'number';

/** Finds out how a list can be read. */
export async function findList(fetcher: Fetcher, route: string, kind: ListKind): Promise<CoreList> {
  let status = 404;
  for (const query of queriesFor(fetcher.options.signedIn, kind)) {
    const response = await fetcher.get<unknown>(route, { ...query, per_page: CORE_PAGE, page: 1 });
    if (response.status === 200 && Array.isArray(response.json) && response.json.every(isItem)) return { query, status: 200 };
    status = response.status;
  }
  return { query: null, status };
}

/** Yields the items of a list. Items that move to a later page in the meantime are yielded only once. */
export async function* itemsOf(fetcher: Fetcher, route: string, { query }: CoreList): AsyncGenerator<CoreItem> {
  const seen = new Set<number>();
  for (let page = 1; query !== null; page += 1) {
    const { status, json } = await fetcher.get<unknown>(route, { ...query, per_page: CORE_PAGE, page });
    if (status !== 200 || !Array.isArray(json)) return;
    for (const item of json.filter(isItem)) {
      if (seen.has(item.id)) continue;
      seen.add(item.id);
      yield item;
    }
    fetcher.options.progress(route.replace(/^wp\/v2\//, ''), seen.size);
    if (json.length < CORE_PAGE) return;
  }
}

/** Some items of a list: its first page. */
export async function someOf(fetcher: Fetcher, route: string, { query }: Pick<CoreList, 'query'>): Promise<CoreItem[]> {
  if (query === null) return [];
  const { json } = await fetcher.get<unknown>(route, { ...query, per_page: CORE_PAGE, page: 1 });
  return Array.isArray(json) ? json.filter(isItem) : [];
}

/** TEC: without a date, the list has upcoming events only. */
const ALL_DATES = { start_date: '1000-01-02' };

/** Yields the pages of a list of `tec/v1`; none if the site does not show it. */
export async function* plainPages(fetcher: Fetcher, route: string): AsyncGenerator<[page: number, items: CoreItem[]]> {
  for (let page = 1, last = 1; page <= last; page += 1) {
    const query = { per_page: CORE_PAGE, page, ...(route === 'events' ? ALL_DATES : {}) };
    const { status, json, pages = 1 } = await fetcher.get<unknown>(`${TEC_V1}/${route}`, query, ACKNOWLEDGED);
    if (status !== 200 || !Array.isArray(json)) return;
    yield [page, json.filter(isItem)];
    last = pages;
  }
}

export async function* plainItems(fetcher: Fetcher, route: string): AsyncGenerator<CoreItem> {
  for await (const [, items] of plainPages(fetcher, route)) yield* items;
}
