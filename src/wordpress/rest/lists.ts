import { absint } from '../../base/php/cast.js';
import { rawurlencode, urlencode, type QueryValue } from '../../base/php/query-string.js';
import { addQueryArgs } from '../posts/links.js';
import { RestResponse, type CallContext, type Json } from './route.js';

/** The requested part of a list. `skips`: whether it was requested by offset. */
export interface PageWanted {
  page: number;
  perPage: number;
  offset: number;
  skips: boolean;
}

/**
 * Where a page starts. PHP: a product beyond the largest integer is a float, and wraps around when the query casts it: the largest page
 * number may lead to the first page again.
 */
export const offsetOf = (page: number, perPage: number): number => Math.min(absint((page - 1) * perPage), Number.MAX_SAFE_INTEGER);

/** Page and size of a list. WP: an offset overrides the page, and its sign is ignored. */
export function pagingOf({
  page,
  per_page: perPage,
  offset = 0,
}: {
  page: number;
  per_page: number;
  offset?: number | undefined;
}): PageWanted {
  const skips = offset !== 0;
  const start = skips ? Math.abs(offset) : (page - 1) * perPage;
  return { page, perPage, offset: Math.min(start, Number.MAX_SAFE_INTEGER), skips };
}

/** An unencoded query, for URLs that are built without encoding (TEC). */
function asIs(value: Json): QueryValue {
  if (Array.isArray(value)) return value.map(asIs);
  if (value !== null && typeof value === 'object') return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, asIs(item)]));
  return typeof value === 'number' ? String(value) : (value ?? '');
}

/** The encoded values of a query. PHP: false is an empty string. */
function encoded(value: Json): QueryValue {
  if (Array.isArray(value)) return value.map(encoded);
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, encoded(item)]));
  if (typeof value === 'boolean') return value ? '1' : '';
  return value === null ? '' : urlencode(String(value));
}

/** Characters that are invalid in headers, but not in names of parameters. */
const UNSPEAKABLE = /[^ -~]+/gu;

/** The URL of a page of a list: its route with the effective query, with lists item by item (WP). */
function pageUrl({ request, site }: CallContext, path: string, page: number, isUnencoded: boolean): string {
  const query = (isUnencoded ? asIs : encoded)(request.sources.query) as Record<string, QueryValue>;
  return addQueryArgs(addQueryArgs(site.restUrl(path), query), { page }).replace(UNSPEAKABLE, rawurlencode);
}

export interface Page {
  items: Json[];
  total: number;
  pages: number;
  page: number;
  /** TEC: the link to the next page comes first, and the query is not encoded: `+` means a space, `&` starts another parameter. */
  byPlugin?: boolean;
  /** The previous page is linked even if it does not exist (WP: searches). */
  isLoose?: boolean;
}

/** A list with its totals and the links to the neighboring pages. @param path of the collection, below the REST root */
export function listResponse(
  context: CallContext,
  path: string,
  { items, total, pages, page, byPlugin = false, isLoose }: Page,
): RestResponse {
  const response = new RestResponse(items, 200, { 'X-WP-Total': total, 'X-WP-TotalPages': pages });
  const links = [
    ...(page > 1 ? [`<${pageUrl(context, path, isLoose ? page - 1 : Math.min(page - 1, pages), byPlugin)}>; rel="prev"`] : []),
    ...(page < pages ? [`<${pageUrl(context, path, page + 1, byPlugin)}>; rel="next"`] : []),
  ];
  return links.length > 0 ? response.header('Link', (byPlugin ? links.toReversed() : links).join(', ')) : response;
}
