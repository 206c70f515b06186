export type Query = Readonly<Record<string, string | number>>;

export const withoutSlash = (url: string): string => url.replace(/\/+$/, '');

/** A URL with a further query. WP: without pretty permalinks, routes have one already. */
export const withQuery = (url: string, query: string | undefined): string =>
  query === undefined || query === '' ? url : `${url}${url.includes('?') ? '&' : '?'}${query}`;

/** The URL of a route. WP: without pretty permalinks, the root ends in `?rest_route=`. */
export function routeUrl(root: string, route: string, query: Query = {}): string {
  const parameters = Object.entries(query).map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  return withQuery(`${withoutSlash(root)}/${route.replace(/^\/+/, '')}`, parameters.join('&'));
}
