import { CORE } from '../../../wordpress/rest/rest-fields/shown.js';
import { foldForSearch } from '../../../wordpress/formatting/accents.js';
import { TEC_NAMESPACE } from '../../../plugins/the-events-calendar/tec-v1/routes.js';
import { isRecord } from '../../../base/values/records.js';
import type { CheckRequest } from './requests.js';

/* MySQL may return rows that are equal by what a list is sorted by in any order, also on other pages. */

type Item = Record<string, unknown> & { id: number };

/** Sort order of a list. */
export interface ListOrder {
  /** Key of the items in the body; undefined: the body is the list. */
  key: string | undefined;
  page: number;
  /** Items with the same text may come in any order. */
  sortText: (item: Item) => string;
  /** The route of an item; undefined if it is unknown. */
  routeOf: (id: number) => string | undefined;
}

/** A post as search results do not show it: its publication date, and the collection that it is in. */
interface KnownPost {
  date: string;
  base: string;
}
export type KnownPosts = ReadonlyMap<number, KnownPost>;

function sortText(item: Item, path: string, asked: URLSearchParams, posts: KnownPosts): string {
  const by = asked.get('orderby') ?? 'name';
  if (by !== 'name') return JSON.stringify(item[by] ?? item.id);
  const title = typeof item['title'] === 'string' ? foldForSearch(item['title']) : '';
  if (path === 'search') {
    if (asked.get('type') === 'term') return title;
    // WP: results with the word in their title come first.
    const word = foldForSearch(asked.get('search') ?? '');
    return `${posts.get(item.id)?.date ?? item.id} ${title.includes(word)}`;
  }
  // TEC: events that are requested by id are in the order of publication.
  const date = (asked.has('include') ? undefined : item['start_date']) ?? item['date'];
  return typeof date === 'string' ? date : foldForSearch(JSON.stringify(item['name'] ?? item.id));
}

/** The sort order of the response to a request; null if it is no list, or if that is unknown. */
export function orderOf({ group, method, namespace, route }: CheckRequest, posts: KnownPosts): ListOrder | null {
  const [path, query = ''] = route.split('?');
  const isKnown = namespace === undefined || namespace === CORE || namespace === TEC_NAMESPACE;
  if (method !== 'GET' || group === 'tickets' || !isKnown || path.includes('/')) return null;
  const asked = new URLSearchParams(query);
  return {
    key: namespace === undefined ? path : undefined,
    page: Number(asked.get('page') ?? 1),
    sortText: (item) => sortText(item, path, asked, posts),
    routeOf: (id) => {
      const base = path === 'search' ? posts.get(id)?.base : path;
      return base && `${base}/${id}`;
    },
  };
}

const isItem = (value: unknown): value is Item => isRecord(value) && typeof value['id'] === 'number';

/** The items of a body; null if it is no list of items. */
function itemsOf(body: unknown, key: string | undefined): Item[] | null {
  const items = key !== undefined && isRecord(body) ? body[key] : body;
  return Array.isArray(items) && items.every(isItem) ? items : null;
}

/** The ids of items in the same place, which may be on other pages. */
interface Moved {
  /** A JSON pointer into the body. */
  at: string;
  expected: number;
  actual: number | undefined;
}

/**
 * Brings equal items of a list into the order of another list. Nothing changes if the lists are not sorted in the same way.
 * @param pages number of pages of the list
 */
export function inSameOrder(
  expected: unknown,
  actual: unknown,
  { key, page, sortText: textOf }: Omit<ListOrder, 'routeOf'>,
  pages: number,
) {
  const [one, other] = [itemsOf(expected, key), itemsOf(actual, key)];
  const texts = one?.map(textOf) ?? [];
  if (!one || !other || one.length !== other.length || other.some((item, index) => textOf(item) !== texts[index]))
    return { expected, actual, moved: [] };
  const [before, after]: [unknown[], unknown[]] = [[...one], []];
  const moved: Moved[] = [];
  for (let from = 0, until = 0; from < one.length; from = until) {
    while (until < one.length && texts[until] === texts[from]) until += 1;
    const isCut = (from === 0 && page > 1) || (until === one.length && page < pages);
    const ids = new Set(one.slice(from, until).map(({ id }) => id));
    const known = new Map(other.slice(from, until).map((item) => [item.id, item]));
    const rest = other.slice(from, until).filter(({ id }) => !ids.has(id));
    for (let at = from; at < until; at += 1) {
      const item = known.get(one[at].id) ?? rest.shift();
      after.push(item);
      if (!isCut || item?.id === one[at].id) continue;
      moved.push({ at: `${key === undefined ? '' : `/${key}`}/${at}/id`, expected: one[at].id, actual: item?.id });
      before[at] = after[at] = null;
    }
  }
  const withItems = (body: unknown, items: unknown[]): unknown => (key !== undefined && isRecord(body) ? { ...body, [key]: items } : items);
  return { expected: withItems(expected, before), actual: withItems(actual, after), moved };
}
