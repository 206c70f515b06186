import { routePattern, type Namespace, type Route } from './route.js';

/** A route ready to be matched, with the namespace under which it is mounted. */
export interface MountedRoute {
  namespace: string;
  route: Route;
  pattern: RegExp;
}

/** The table that is dispatched on; both indexes and OPTIONS are read from it too. */
export function mountRoutes(namespaces: Namespace[]): MountedRoute[] {
  return namespaces.flatMap(({ name, routes }) => routes.map((route) => ({ namespace: name, route, pattern: routePattern(route.path) })));
}

/** A route that matches a path, and the captures of its pattern. */
export interface Match {
  mounted: MountedRoute;
  path: Record<string, string>;
}

// WP: any number of trailing slashes is no part of a route.
const withoutTrailingSlashes = (path: string): string => path.replace(/(?<!\/)\/+$/, '') || '/';

/** The first route whose pattern a path below the REST root fits. */
export function findRoute(table: MountedRoute[], path: string): Match | null {
  const wanted = withoutTrailingSlashes(path);
  for (const mounted of table) {
    const found = mounted.pattern.exec(wanted);
    if (found) return { mounted, path: { ...found.groups } };
  }
  return null;
}
