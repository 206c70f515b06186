import { addQueryArgs } from '../../../wordpress/posts/links.js';
import { offsetOf } from '../../../wordpress/rest/lists.js';
import { phpJsonBytes } from '../../../base/php/json.js';
import { RestResponse, WrittenJson, type Json, RestError } from '../../../wordpress/rest/route.js';

/** TEC: the largest page size. */
export const MOST_PER_PAGE = 50;

interface CollectionPage {
  key: string;
  items: readonly object[];
  page: number;
  perPage: number;
  total: number;
  restUrl: string;
}

const totalPages = ({ total, perPage }: Pick<CollectionPage, 'total' | 'perPage'>): number => Math.ceil(total / perPage);

const LARGEST_PAGE = 2 ** 63;

/** The pages beside a page. PHP: the one after the largest integer is a float; a double cannot hold the one before it. */
export const pagesBeside = (page: number): { next: number | string; previous: number | string } =>
  page === LARGEST_PAGE ? { next: '9.2233720368548E+18', previous: '9223372036854775806' } : { next: page + 1, previous: page - 1 };

function pageLinks({ page, perPage, total, restUrl }: CollectionPage): Record<string, Json> {
  const withoutPage = addQueryArgs(restUrl, { page: false });
  const { next, previous } = pagesBeside(page);
  const hasItems = (other: number): boolean => offsetOf(other, perPage) < total;
  return {
    ...(hasItems(page + 1) ? { next_rest_url: addQueryArgs(withoutPage, { page: next }) } : {}),
    ...(page > 1 && hasItems(page - 1)
      ? { previous_rest_url: page === 2 ? withoutPage : addQueryArgs(withoutPage, { page: previous }) }
      : {}),
  };
}

export const withTotals = (body: Json | WrittenJson, total: number, pages: number): RestResponse =>
  new RestResponse(body, 200, { 'X-TEC-Total': total, 'X-TEC-TotalPages': pages });

/**
 * The response of a list of events, venues or organizers.
 * @throws RestError 404 for an empty page other than the first (TEC)
 */
export function collectionResponse(list: CollectionPage, notFound: { code: string; message: string }): RestResponse {
  if (list.items.length === 0 && list.page > 1) throw new RestError(notFound.code, notFound.message, 404);
  const { key, items, total } = list;
  // PHP: bytes of the request that are not UTF-8 become question marks in JSON.
  const restUrl = list.restUrl.replaceAll('\ufffd', '?');
  const json = phpJsonBytes({ [key]: items, rest_url: restUrl, ...pageLinks({ ...list, restUrl }), total, total_pages: totalPages(list) });
  return withTotals(new WrittenJson(json), total, totalPages(list));
}
