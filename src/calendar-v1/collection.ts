import { addQueryArgs } from '../wp/links.js';
import { RestError } from '../rest/error.js';
import { RestResponse } from '../rest/response.js';
import type { Json } from '../rest/route.js';

/** TEC: more items than this are never on one page, whatever is asked for. */
export const MOST_PER_PAGE = 50;

export interface ListPage {
  key: string;
  items: Json[];
  page: number;
  perPage: number;
  total: number;
  restUrl: string;
}

const totalPages = ({ total, perPage }: Pick<ListPage, 'total' | 'perPage'>): number => Math.ceil(total / perPage);

function pageLinks(list: ListPage): Record<string, Json> {
  const { page, restUrl } = list;
  const withoutPage = addQueryArgs(restUrl, { page: false });
  return {
    ...(page < totalPages(list) ? { next_rest_url: addQueryArgs(withoutPage, { page: page + 1 }) } : {}),
    ...(page > 1 && page <= totalPages(list) + 1
      ? { previous_rest_url: page === 2 ? withoutPage : addQueryArgs(withoutPage, { page: page - 1 }) }
      : {}),
  };
}

export const withTotals = (body: Json, total: number, pages: number): RestResponse =>
  new RestResponse(body, 200, { 'X-TEC-Total': total, 'X-TEC-TotalPages': pages });

/**
 * The answer of a list of events, venues or organizers.
 * @throws RestError 404 for a page other than the first that holds nothing (TEC)
 */
export function listResponse(list: ListPage, notFound: { code: string; message: string }): RestResponse {
  if (list.items.length === 0 && list.page > 1) throw new RestError(notFound.code, notFound.message, 404);
  const body = { [list.key]: list.items, rest_url: list.restUrl, ...pageLinks(list), total: list.total, total_pages: totalPages(list) };
  return withTotals(body, list.total, totalPages(list));
}
