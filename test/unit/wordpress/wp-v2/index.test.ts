import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { routeIndexEntry } from '../../../../src/wordpress/rest/discovery.js';
import { RestRequest } from '../../../../src/wordpress/rest/request.js';
import { routePattern, type CallContext, type Json, RestError } from '../../../../src/wordpress/rest/route.js';
import { mountRoutes, routesUnder } from '../../../../src/wordpress/rest/table.js';
import { taxonomyFor } from '../../../../src/wordpress/rest/posts/post-types.js';
import { routesOf } from '../../../../src/wordpress/wp-v2/terms/term-handlers.js';
import { wpV2 } from '../../../../src/wordpress/wp-v2/index.js';
import { quirksOf } from '../../../../src/plugins/quirks.js';
import { registry } from '../../../support/registry.js';
import { RECORDED_WITH } from '../../../conformance/wordpress.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const RECORDING = path.join(here, '../../../conformance/cases/namespace-index.json');
const ROOT = 'http://127.0.0.1:8100/wp-json';

interface Step {
  request: { path: string };
  response: { body: { routes: Record<string, Json> } };
}

const { steps } = JSON.parse(readFileSync(RECORDING, 'utf8')) as { steps: Step[] };
const step = steps.find(({ request }) => request.path.endsWith('?namespace=wp/v2'));
if (!step) throw new Error('The recording holds no index of wp/v2.');

// The framework adds the route of the index itself.
const recorded = Object.entries(step.response.body.routes).filter(([name]) => name !== '/wp/v2');
const namespace = wpV2(registry);
const quirks = quirksOf('tec', {}, { wordpress: RECORDED_WITH });
const routes = routesUnder(quirks, mountRoutes([namespace])).map(({ route }) => route);
const site = { restUrl: (route: string) => `${ROOT}${route}`, quirks } as CallContext['site'];

/** The recording, with `{{prose}}` as a matcher for any nonempty text. */
function pattern(value: Json): unknown {
  if (value === '{{prose}}') return expect.stringMatching(/\S/);
  if (Array.isArray(value)) return value.map(pattern);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, pattern(child)]));
}

const entry = (route: string): Json => {
  const declared = routes.find((each) => each.path === route);
  if (!declared) throw new Error(`${route} is not declared.`);
  return routeIndexEntry({ namespace: namespace.name, route: declared }, site);
};

test('the routes are those of WordPress, in its order', () => {
  expect(routes.map((route) => route.path)).toEqual(recorded.map(([route]) => route));
});

test.each(recorded)('%s', (route, expected) => {
  expect(entry(route)).toStrictEqual(pattern(expected));
});

test.each(recorded)('the arguments of %s are in the order of WordPress', (route, expected) => {
  const orders = (value: Json): string[][] =>
    (value as { endpoints: { args: Record<string, Json> }[] }).endpoints.map(({ args }) => Object.keys(args));
  expect(orders(entry(route))).toEqual(orders(expected));
});

test.each([
  ['/wp/v2/users/me', '/wp/v2/users/me'],
  ['/wp/v2/users/3', '/wp/v2/users/(?P<id>[\\d]+)'],
  ['/wp/v2/templates/lookup', '/wp/v2/templates/lookup'],
  ['/wp/v2/templates/twentytwentyfive//home', '/wp/v2/templates/(?P<id>([^\\/:<>\\*\\?"\\|]+(?:\\/[^\\/:<>\\*\\?"\\|]+)?)[\\/\\w%-]+)'],
  [
    '/wp/v2/global-styles/themes/twentytwentyfive',
    '/wp/v2/global-styles/themes/(?P<stylesheet>[^\\/:<>\\*\\?"\\|]+(?:\\/[^\\/:<>\\*\\?"\\|]+)?)',
  ],
  ['/wp/v2/tribe_events/12/revisions/13', '/wp/v2/tribe_events/(?P<parent>[\\d]+)/revisions/(?P<id>[\\d]+)'],
])('%s is handled by %s', (url, route) => {
  expect(routes.find((each) => routePattern(each.path).test(url))?.path).toBe(route);
});

const CALL = {
  request: new RestRequest('GET', '', {}, { json: null, form: {}, query: {}, path: {}, defaults: {} }),
  site: { quirks: new Set() },
} as unknown as CallContext;

test('an endpoint that is declared only responds with 501', () => {
  const unanswered = routes.find((each) => each.path === '/wp/v2/widgets');
  expect.assertions(2);
  try {
    void unanswered?.endpoints[0].handler(CALL);
  } catch (error) {
    expect(error).toBeInstanceOf(RestError);
    expect((error as RestError).body()).toMatchObject({ code: 'understudy_not_built', data: { status: 501 } });
  }
});

test('an action handles only its own endpoint', () => {
  const said: string[] = [];
  const action = { permission: () => true, handler: () => said.push('action') as never };
  const [collection, item] = routesOf(taxonomyFor('post_tag', registry), { create: action, read: action });
  const endpoints = [...collection.endpoints, ...item.endpoints];
  expect(endpoints.map(({ permission }) => permission === action.permission)).toEqual([false, true, true, false, false]);
  for (const { handler } of endpoints.slice(1, 3)) void handler(CALL);
  expect(said).toEqual(['action', 'action']);
});
