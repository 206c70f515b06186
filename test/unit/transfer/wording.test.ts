import { compareResponses, Normalizer } from '../../../src/transfer/live/check/compare.js';
import type { LiveSite } from '../../../src/transfer/live/client/find.js';
import type { SiteResponse } from '../../../src/transfer/live/client/client.js';

/* The wording of descriptions of an API is each author's own, and compared on demand only. Descriptions of content always are. */

const site = (home: string): Normalizer =>
  new Normalizer({ home, aliases: [], root: `${home}/wp-json/`, namespace: 'tribe/events/v1' } as unknown as LiveSite);
const normalizers = { expected: site('https://example.org'), actual: site('http://127.0.0.1:8080') };
const response = (json: object): SiteResponse => ({ status: 200, headers: {}, text: '', json }) as unknown as SiteResponse;

const differences = (one: object, other: object, words?: boolean): string[] =>
  compareResponses(response(one), response(other), normalizers, null, words).map(({ at }) => at);

const options = (description: unknown) => ({
  endpoints: [{ methods: ['GET'], args: { search: { type: 'string', description }, description: { type: 'string' } } }],
  schema: { properties: { id: { description } } },
});
const index = (description: unknown) => ({ name: 'Site', description, routes: { '/': { endpoints: [{ args: { a: { description } } }] } } });
const doc = (description: unknown) => ({ swagger: '2.0', paths: { '/events': { get: { summary: description, description } } } });

test.each<[string, object, object, string[]]>([
  ['OPTIONS', options('Text to find'), options('Words to look for'), []],
  ['a document', doc('Returns events'), doc('Lists events'), []],
  ['the tagline in an index', index('One'), index('Another'), ['/description']],
  [
    'a description that one of them has not',
    options('Text'),
    options(undefined),
    ['/endpoints/0/args/search/description', '/schema/properties/id/description'],
  ],
  ['the description of an event', { id: 1, description: 'One' }, { id: 1, description: 'Other' }, ['/description']],
  ['of events', { events: [{ description: 'One' }] }, { events: [{ description: 'Other' }] }, ['/events/0/description']],
])('%s', (_, one, other, expected) => {
  expect(differences(one, other, false)).toEqual(expected);
});

test('with --words, all wording is compared', () => {
  expect(differences(options('Text'), options('Words'), true)).toEqual([
    '/endpoints/0/args/search/description',
    '/schema/properties/id/description',
  ]);
  expect(differences(doc('Returns events'), doc('Lists events'), true)).toHaveLength(2);
});
