import { linkedFilters, planLinked } from '../../src/plugins/the-events-calendar/calendar-v1/lists/linked-filters.js';
import { matchStage, pagePipeline } from '../../src/wordpress/query/query.js';
import type { PostQuery } from '../../src/wordpress/query/post-query.js';
import { listContext, WORLD, type PlanOptions } from '../support/plan.js';
import { startTestServer } from '../support/server.js';
import type { ListPlan } from '../../src/plugins/the-events-calendar/calendar-v1/resource.js';
import type { Site } from '../../src/wordpress/site.js';
import { registry } from '../support/registry.js';

const server = startTestServer({ dataset: WORLD });

type Link = 'venues' | 'organizers';

const planOf = async (site: Site, link: Link, params: string, options: PlanOptions = {}): Promise<ListPlan> =>
  planLinked(link)(await listContext(site, linkedFilters(link), params, options));

const plain = (query: PostQuery): unknown => JSON.parse(JSON.stringify(query));

const DEFAULT: Record<Link, PostQuery> = {
  venues: { type: 'tribe_venue', statuses: ['publish'], sort: 'newest', limit: 10, offset: 0 },
  organizers: { type: 'tribe_organizer', statuses: ['publish'], sort: 'newest', limit: 10, offset: 0 },
};

const everyone = ['publish', 'future', 'draft', 'pending', 'private'];

const sorted = (query: PostQuery): PostQuery => ({
  ...query,
  ...(query.ids ? { ids: query.ids.toSorted((a, b) => a - b) } : {}),
});

const VENUES_WITH_EVENTS = [10, 11, 12, 13, 14, 15, 17, 19, 21];
const ORGANIZERS_WITH_EVENTS = [22, 23, 24, 25, 27, 29];
const VENUES_WITHOUT_EVENTS = [16, 18, 20];
const ORGANIZERS_WITHOUT_EVENTS = [26, 28, 30];

test.each<[Link, string, Partial<PostQuery>, PlanOptions?]>([
  ['venues', '', {}],
  ['organizers', '', {}],
  ['venues', 'page=3&per_page=4', { limit: 4, offset: 8 }],
  ['organizers', 'per_page=500', { limit: 50 }],
  ['venues', 'event=35', { ids: [15] }],
  ['organizers', 'event=35', { ids: [22, 23, 24] }],
  ['venues', 'has_events=true', { ids: VENUES_WITH_EVENTS }],
  ['venues', 'has_events=yes', { ids: VENUES_WITH_EVENTS }],
  ['venues', 'has_events=false', { ids: VENUES_WITHOUT_EVENTS }],
  ['venues', 'has_events=0', { ids: VENUES_WITHOUT_EVENTS }],
  ['venues', 'has_events=', { ids: VENUES_WITHOUT_EVENTS }],
  ['organizers', 'has_events=1', { ids: ORGANIZERS_WITH_EVENTS }],
  ['organizers', 'has_events=0', { ids: ORGANIZERS_WITHOUT_EVENTS }],
  ['organizers', 'has_events=1&event=35', { ids: [22, 23, 24] }],
  ['venues', 'only_with_upcoming=false', {}],
  ['venues', 'only_with_upcoming=0', {}],
  ['venues', 'status=publish', {}],
  ['venues', '', { statuses: everyone }, { as: 'contributor' }],
  ['venues', 'status=draft', { statuses: ['draft'] }, { as: 'editor' }],
  ['organizers', 'status=draft,publish', { statuses: ['draft', 'publish'] }, { as: 'admin' }],
  ['venues', 'search=hall', { search: { words: ['hall'], without: [], inOneField: true } }],
  ['venues', 'search=town+hall', { search: { words: ['town', 'hall'], without: [], inOneField: true } }],
  ['organizers', 'search=Guild', { search: { words: ['guild'], without: [], inOneField: true } }],
  ['venues', 'foo=bar&orderby=title', {}],
])('%s?%s', async (link, params, changes, options: PlanOptions = {}) => {
  const { query, nothing } = await planOf(server().site, link, params, options);
  expect(nothing).toBeUndefined();
  expect(plain(sorted(query))).toEqual({ ...DEFAULT[link], ...changes });
});

describe('lists that must be empty are not queried', () => {
  test.each<[Link, string]>([
    ['venues', 'event=46'],
    ['organizers', 'event=36'],
    ['organizers', 'has_events=0&event=35'],
    ['venues', 'search=zzz'],
    ['venues', 'search=.*'],
    ['venues', 'search=%5E'],
  ])('%s?%s', async (link, params) => {
    expect((await planOf(server().site, link, params)).nothing).toBe(true);
  });

  test('a search that finds nothing counts the posts that match the other filters', async () => {
    const { totalOf } = await planOf(server().site, 'venues', 'search=zzz&event=35');
    expect(totalOf && plain(totalOf)).toEqual({ ...DEFAULT.venues, ids: [15] });
  });
});

test('only_with_upcoming finds posts linked to the first page of upcoming events', async () => {
  const { query } = await planOf(server().site, 'venues', 'only_with_upcoming=true');
  expect(sorted(query).ids).toEqual([10, 11, 12, 14]);
});

test('filters that yield ids are intersected', async () => {
  expect((await planOf(server().site, 'venues', 'only_with_upcoming=1&event=39')).query.ids).toEqual([10]);
  expect((await planOf(server().site, 'venues', 'only_with_upcoming=1&event=35')).nothing).toBe(true);
});

test('the stages of a narrowed, searched page', async () => {
  const { query } = await planOf(server().site, 'venues', 'event=35&search=lincoln+park&page=2&per_page=3');
  expect(pagePipeline(query, registry.queries)).toEqual([
    {
      $match: {
        $and: [
          { date: { $gte: '' } },
          { type: 'tribe_venue' },
          { status: 'publish' },
          { _id: { $in: [15] } },
          { search: { $regex: '^(?=.*lincoln)(?=.*park)', $options: 's' } },
        ],
      },
    },
    { $sort: { date: -1, _id: -1 } },
    { $skip: 3 },
    { $limit: 3 },
    { $project: { search: 0, titleKey: 0 } },
  ]);
});

test.each([
  'event[$gt]=0',
  'event=0',
  'event=10',
  'event=35,36',
  'search[$regex]=.',
  'status[$ne]=draft',
  'status=draft',
  'page=0',
  'per_page[$gt]=1',
  'search=',
])('%s is rejected', async (params) => {
  await expect(planOf(server().site, 'venues', params)).rejects.toMatchObject({ code: 'rest_invalid_param', status: 400 });
});

test.each(['status[$ne]=publish', 'has_events[$ne]=1', 'only_with_upcoming[$gt]=', '$where=1', 'type=post'])(
  '%s adds no operator',
  async (params) => {
    const { query } = await planOf(server().site, 'venues', params);
    expect(JSON.stringify(matchStage(query, registry.queries))).not.toMatch(/\$(?!and|in|nin|gte\b)/);
  },
);
