import { reportLines, routeCounts, routeOf, type CheckReport } from '../../../src/transfer/live/check/report.js';
import type { CheckRequest } from '../../../src/transfer/live/check/requests.js';

const get = (route: string, namespace = 'wp/v2'): CheckRequest => ({ group: 'core', method: 'GET', route, namespace, status: 200 });

const requests = [get('posts?per_page=100'), get('posts/7'), get('posts/8'), get('types/post'), get('', '')];
const names = ['GET wp/v2/posts?per_page=100', 'GET wp/v2/posts/7', 'GET wp/v2/posts/8'];
const differences = [
  [{ at: '/3/acf/doors', expected: '18:30', actual: '19:00' }],
  [{ at: '/acf/doors', expected: '18:30', actual: '19:00' }],
  [
    { at: '/acf/doors', expected: '18:30', actual: '19:00' },
    { at: '/tags/0', expected: 4, actual: undefined },
  ],
];

const report = (count: number): CheckReport => ({
  ...{ url: 'https://example.org', against: 'http://127.0.0.1:8080', zones: null, skipped: 0 },
  requests: requests.length,
  same: requests.length - count,
  routes: routeCounts(requests, new Map(differences.slice(0, count).map((each, index) => [index, each]))),
  findings: differences.slice(0, count).map((each, index) => ({ request: names[index], group: 'core', differences: each })),
});

test('routes have placeholders for ids, slugs and names', () => {
  const all = ['GET wp/v2/posts/7?context=edit', 'GET events/by-slug/gala', 'GET wp/v2/types/recipe', 'OPTIONS wp/v2/posts', 'GET tec/v1'];
  expect(all.map(routeOf)).toEqual([
    ...['GET wp/v2/posts/{id}', 'GET events/by-slug/{slug}', 'GET wp/v2/types/{name}', 'OPTIONS wp/v2/posts', 'GET tec/v1'],
  ]);
});

test('the first difference of each kind is shown, and equal responses are counted by route', () => {
  expect(reportLines(report(3))).toEqual([
    'GET wp/v2/posts?per_page=100',
    '  /3/acf/doors: site "18:30", server "19:00"',
    'GET wp/v2/posts/8',
    '  /tags/0: site 4, server nothing',
    '  … and 1 more',
    '1 further response differs in the same ways.',
    'Equal responses by route:',
    '  GET wp/v2/posts       0 of 1',
    '  GET wp/v2/posts/{id}  0 of 2',
    '  all of 2 other routes',
    '2 of 5 responses match.',
  ]);
  expect(reportLines(report(0))).toEqual(['5 of 5 responses match.']);
});
