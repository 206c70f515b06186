import type { Declarations } from '../types/declared.js';
import { type Endpoint, type Method, type Namespace, RestError } from './route.js';

/** The namespace of a path below the REST root: its first segments, up to a version. */
const namespaceOf = (path: string): string => /^\/([^/]+(?:\/v\d[^/]*)?)/.exec(path)?.[1] ?? '';

/** Paths without characters of regular expressions, except for wildcards and dots (WP writes these as they are). */
const PLAIN = /^\/[\w*./~%@:,;=!&'-]+$/;

/** A path with wildcards as a pattern (WP: with named groups). */
function patternOf(path: string): string {
  let count = 0;
  return path.replace(/\*+/g, (stars) => `(?P<part${(count += 1)}>${stars.length > 1 ? '.+' : '[^/]+'})`);
}

/** A stub responds before its route does. Without one, that is after its last response, there is no such route. */
const endpointOf = (method: string): Endpoint => ({
  methods: [method as Method],
  permission: 'public',
  args: {},
  handler: () => {
    throw new RestError('rest_no_route', 'No route was found matching the URL and request method.', 404);
  },
});

/** The namespaces of routes whose responses are stubs, so that both indexes list them. @param others namespaces that have routes already */
export function stubNamespaces({ routes = {} }: Declarations, others: readonly string[]): Namespace[] {
  const plain = Object.entries(routes).filter(([path]) => PLAIN.test(path));
  const names = [...new Set(plain.map(([path]) => namespaceOf(path)))].filter((name) => name !== '' && !others.includes(name));
  return names.map((name) => ({
    name,
    routes: plain
      .filter(([path]) => namespaceOf(path) === name && path !== `/${name}`)
      .map(([path, methods]) => ({ path: patternOf(path), endpoints: methods.map(endpointOf) })),
  }));
}
