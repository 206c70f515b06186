export type Query = Readonly<Record<string, string | number>>;

export const withoutSlash = (url: string): string => url.replace(/\/+$/, '');

/** The URL of a route. WP: without pretty permalinks, the root ends in `?rest_route=`. */
export function routeUrl(root: string, route: string, query: Query = {}): string {
  const parameters = Object.entries(query).map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  const base = `${withoutSlash(root)}/${route.replace(/^\/+/, '')}`;
  if (parameters.length === 0) return base;
  return `${base}${base.includes('?') ? '&' : '?'}${parameters.join('&')}`;
}
