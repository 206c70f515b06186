import type { QuirkName, Quirks } from '../quirks.js';
import { routePattern, type CallContext, type Namespace, type Route } from './route.js';

/** A route ready to be matched, with the namespace under which it is mounted. */
export interface MountedRoute {
  namespace: string;
  route: Route;
  pattern: RegExp;
  /** The prefix of all matching paths, in lower case. */
  start: string;
  /** The quirks under which it does not exist. */
  absentUnder: readonly QuirkName[];
}

/** The literal prefix of a route, in lower case. The rest contains characters of regular expressions, such as the dot of a version (WP). */
const literalStart = (path: string): string => /^(?:[\w/-](?![?*+{]))*/.exec(path)![0].toLowerCase();

/** The routing table, from which both indexes and OPTIONS are generated. */
export function mountRoutes(namespaces: Namespace[]): MountedRoute[] {
  return namespaces.flatMap(({ name, routes, absentUnder, existsFor }) =>
    routes.map((route) => ({
      namespace: name,
      route: existsFor ? { existsFor, ...route } : route,
      pattern: routePattern(route.path),
      start: literalStart(route.path),
      absentUnder: [absentUnder, route.absentUnder].flat().filter((quirk) => quirk !== undefined),
    })),
  );
}

const exists = ({ absentUnder, route: { only } }: MountedRoute, quirks: Quirks): boolean =>
  !absentUnder.some((quirk) => quirks.has(quirk)) && (only === undefined || quirks.has(only));

export const routesUnder = (quirks: Quirks, table: MountedRoute[]): MountedRoute[] => table.filter((mounted) => exists(mounted, quirks));

export const routesFor = (call: CallContext, table: MountedRoute[]): MountedRoute[] =>
  routesUnder(call.site.quirks, table).filter(({ route }) => !route.existsFor || route.existsFor(call));

/** A route that matches a path, and the captures of its pattern. */
export interface RouteMatch {
  mounted: MountedRoute;
  path: Record<string, string>;
}

// WP: trailing slashes are not part of a route.
const withoutTrailingSlashes = (path: string): string => path.replace(/(?<!\/)\/+$/, '') || '/';

/**
 * The first route whose pattern matches a path below the REST root. @param quirks absent: searches all routes, whether they currently exist
 * or not @param call absent: also finds routes that exist for some requests only
 */
export function findRoute(table: MountedRoute[], path: string, quirks?: Quirks, call?: CallContext): RouteMatch | null {
  const wanted = withoutTrailingSlashes(path);
  const lower = wanted.toLowerCase();
  for (const mounted of table) {
    const found = lower.startsWith(mounted.start) ? mounted.pattern.exec(wanted) : null;
    if (!found || (quirks && !exists(mounted, quirks))) continue;
    if (!call || !mounted.route.existsFor || mounted.route.existsFor(call)) return { mounted, path: { ...found.groups } };
  }
  return null;
}
