import type { Stub } from '../sdk/types/qa.js';

/**
 * The option with the stubs of a site. Not of WordPress, but part of the content, so that resets, snapshots, sandboxes and exports have it. A
 * text, since MongoDB does not take all names of members.
 */
export const STUBS_OPTION = 'stub_rules';

/** The stubs of a stored text. Nobody but this writes it, so that anything else has none. */
export function storedStubs(text: unknown): Stub[] {
  if (typeof text !== 'string' || text === '') return [];
  try {
    const stubs: unknown = JSON.parse(text);
    return Array.isArray(stubs) ? (stubs as Stub[]) : [];
  } catch {
    return [];
  }
}

/** The option for stubs; no option for none. */
export const stubsOption = (stubs: readonly Stub[]): Record<string, unknown> =>
  stubs.length === 0 ? {} : { [STUBS_OPTION]: JSON.stringify(stubs) };

/** The options of two sources: later ones override earlier ones, but for stubs, which are added. */
export const withOptions = (earlier: Record<string, unknown>, later: Record<string, unknown>): Record<string, unknown> => ({
  ...earlier,
  ...later,
  ...stubsOption([...storedStubs(earlier[STUBS_OPTION]), ...storedStubs(later[STUBS_OPTION])]),
});

/** The REST route of a stub's path: below `/wp-json`, or with a version, as namespaces have one. */
const routeOf = (path: string): string | undefined =>
  /^\/wp-json(\/[^/?]+\/[^?]+?)\/?$/.exec(path)?.[1] ?? /^(\/[^/?*]+\/v\d[^/?*]*\/[^?]+?)\/?$/.exec(path)?.[1];

/** The methods that stubs respond to, by REST route, for the indexes of routes. */
export function stubRoutes(stubs: readonly Pick<Stub, 'match'>[]): Record<string, string[]> {
  const routes: Record<string, string[]> = {};
  for (const { match: { path = '', method = 'GET' } = {} } of stubs) {
    const route = routeOf(path);
    if (route === undefined) continue;
    const methods = [method].flat().map((name) => name.toUpperCase());
    routes[route] = [...new Set([...(routes[route] ?? []), ...methods])];
  }
  return routes;
}
