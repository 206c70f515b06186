import type { Difference } from './compare.js';
import type { CheckRequest } from './requests.js';

/** A request whose responses differ. */
export interface CheckFinding {
  request: string;
  group: string;
  differences: Difference[];
}

/** How many requests to a route have the same responses. */
export interface RouteCount {
  /** With placeholders for ids and names: `GET wp/v2/posts/{id}`. */
  route: string;
  requests: number;
  same: number;
}

export interface CheckReport {
  url: string;
  against: string | null;
  /** Time zone data of the server that was compared with; null: unknown. */
  zones: string | null;
  requests: number;
  /** Number of requests without differences. */
  same: number;
  /** The same for each route. */
  routes: RouteCount[];
  /** Number of requests that were skipped because the clocks of the sites differ. */
  skipped: number;
  findings: CheckFinding[];
  /** Numbers of the values in recorded responses. */
  fields?: { all: number; missing: number; other: number };
}

/** The route of a request, without its query. */
export function routeOf(request: string): string {
  return request
    .replace(/\?.*$/, '')
    .replace(/\/\d+(?=\/|$)/g, '/{id}')
    .replace(/\/by-slug\/[^/]+$/, '/by-slug/{slug}')
    .replace(/\/(types|taxonomies)\/[^/]+$/, '/$1/{name}');
}

export const nameOf = ({ method, namespace, route }: CheckRequest): string =>
  `${method} ${namespace === undefined || namespace === '' ? '' : `${namespace}/`}${route}`.trimEnd();

/** Counts requests by route. @param findings the ones that differ, by their index */
export function routeCounts(requests: readonly CheckRequest[], findings: ReadonlyMap<number, unknown>): RouteCount[] {
  const counts = new Map<string, RouteCount>();
  for (const [index, request] of requests.entries()) {
    const route = routeOf(nameOf(request));
    const count = counts.get(route) ?? { route, requests: 0, same: 0 };
    counts.set(route, { ...count, requests: count.requests + 1, same: count.same + (findings.has(index) ? 0 : 1) });
  }
  return [...counts.values()];
}

const shown = (value: unknown): string => {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 117)}…` : text;
};

/** Kind of a difference: the list, and the place in an item of it. */
const kindOf = (request: string, { at }: Difference): string => {
  const list = routeOf(request).replace(/\/(?:\{id\}|by-slug\/\{slug\}|\{name\})$/, '');
  return `${list} ${at.replace(/^(?:\/\w+)?\/\d+(?=\/)/, '').replace(/\/\d+(?=\/|$)/g, '/*')}`;
};

const isNew = (kinds: Set<string>, kind: string): boolean => !kinds.has(kind) && Boolean(kinds.add(kind));

/** The routes with differences, and how many have none. */
function routeLines(routes: readonly RouteCount[]): string[] {
  const different = routes.filter(({ requests, same }) => same < requests);
  if (different.length === 0) return [];
  const width = Math.max(...different.map(({ route }) => route.length));
  const equal = routes.length - different.length;
  return [
    'Equal responses by route:',
    ...different.map(({ route, requests, same }) => `  ${route.padEnd(width)}  ${same} of ${requests}`),
    ...(equal === 0 ? [] : [`  all of ${equal} other ${equal === 1 ? 'route' : 'routes'}`]),
  ];
}

/**
 * Formats a report as lines of text: the first difference of each kind, and the routes with differences.
 * @param most maximum number of differences per request
 */
export function reportLines({ findings, requests, same, skipped, routes, against, zones, fields }: CheckReport, most = 5): string[] {
  const [site, server] = against === null ? ['expected', 'got'] : ['site', 'server'];
  const kinds = new Set<string>();
  let more = 0;
  const lines = findings.flatMap(({ request, differences }) => {
    const fresh = differences.filter((difference) => isNew(kinds, kindOf(request, difference)));
    if (fresh.length === 0) {
      more += 1;
      return [];
    }
    return [
      request,
      ...fresh
        .slice(0, most)
        .map(
          ({ at, expected, actual, zoneData }) =>
            `  ${at === '' ? 'the body' : at}: ${site} ${shown(expected)}, ${server} ${shown(actual)}${zoneData ? ' (zone data)' : ''}`,
        ),
      ...(differences.length > Math.min(most, fresh.length) ? [`  … and ${differences.length - Math.min(most, fresh.length)} more`] : []),
    ];
  });
  const left = skipped === 0 ? '' : `, ${skipped} skipped`;
  const verb = same === 1 ? 'matches' : 'match';
  const affected = findings.filter(({ differences }) => differences.some(({ zoneData }) => zoneData)).length;
  const data =
    zones === null
      ? []
      : [
          `Time zone data of the server: ${zones}.${affected === 0 ? '' : ` The site has other data: ${affected} ${affected === 1 ? 'response' : 'responses'} with events an hour apart in UTC.`}`,
        ];
  return [
    ...lines,
    ...(more === 0 ? [] : [`${more} further ${more === 1 ? 'response differs' : 'responses differ'} in the same ways.`]),
    ...routeLines(routes),
    ...data,
    `${same} of ${requests} responses ${verb}${against === null ? ' the published API' : ''}${left}.`,
    ...(fields
      ? [
          `${fields.all - fields.missing - fields.other} of ${fields.all} values match. ${fields.missing} are missing, and ${fields.other} differ.`,
        ]
      : []),
  ];
}
