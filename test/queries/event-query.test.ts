import { EVENT_FILTERS, planEvents } from '../../src/plugins/the-events-calendar/calendar-v1/lists/event-filters.js';
import { matchStage, pagePipeline } from '../../src/wordpress/query/query.js';
import type { PostQuery, Stage } from '../../src/wordpress/query/post-query.js';
import { listContext, WORLD, type PlanOptions } from '../support/plan.js';
import { startTestServer } from '../support/server.js';
import { DEFAULT, FROM, LISTED, PUBLISHED, TO, TYPE, conditionsOf, date, unordered } from './conditions.js';
import { registry } from '../support/registry.js';

const WINDOW: Stage[] = [
  { 'occurrence.start': { $gte: FROM.value } },
  { 'occurrence.end': { $lte: TO.value } },
  { 'occurrence.start': { $lte: TO.value } },
];

const withoutUndefined = (query: PostQuery): unknown => JSON.parse(JSON.stringify(query));

const everyone = ['publish', 'future', 'draft', 'pending', 'private'];

/** Parameters, their changes to the query, and conditions that they add to `$match` or replace in it. */
type Row = [string, Partial<PostQuery>, Stage[], PlanOptions?];

const FILTER_ROWS: Row[] = [
  ['', {}, []],
  ['page=1', {}, []],
  ['page=3', { offset: 20 }, []],
  ['page=%2B2.0', { offset: 10 }, []],
  ['per_page=5', { limit: 5 }, []],
  ['per_page=1000', { limit: 50 }, []],
  ['page=4&per_page=99', { limit: 50, offset: 150 }, []],
  ['page=2147483648', { offset: 21474836470 }, []],
  ['categories=2', { terms: [{ taxonomy: 'tribe_events_cat', ids: [2, 3, 4] }] }, [{ 'terms.tribe_events_cat': { $in: [2, 3, 4] } }]],
  ['categories=4', { terms: [{ taxonomy: 'tribe_events_cat', ids: [4] }] }, [{ 'terms.tribe_events_cat': 4 }]],
  ['categories=rock,6', { terms: [{ taxonomy: 'tribe_events_cat', ids: [3, 6, 4] }] }, [{ 'terms.tribe_events_cat': { $in: [3, 6, 4] } }]],
  [
    'categories[]=4&categories[]=6',
    { terms: [{ taxonomy: 'tribe_events_cat', ids: [4, 6] }] },
    [{ 'terms.tribe_events_cat': { $in: [4, 6] } }],
  ],
  ['categories=Never%20Used', { terms: [{ taxonomy: 'tribe_events_cat', ids: [8] }] }, [{ 'terms.tribe_events_cat': 8 }]],
  ['categories=Indie%20Rock', { terms: [{ taxonomy: 'tribe_events_cat', ids: [] }] }, [{ 'terms.tribe_events_cat': { $in: [] } }]],
  ['tags=12', { terms: [{ taxonomy: 'post_tag', ids: [12] }] }, [{ 'terms.post_tag': 12 }]],
  ['tags=sold-out', { terms: [{ taxonomy: 'post_tag', ids: [19] }] }, [{ 'terms.post_tag': 19 }]],
  ['tags=12,13', { terms: [{ taxonomy: 'post_tag', ids: [12] }] }, [{ 'terms.post_tag': 12 }]],
  [
    'categories=4&tags=12',
    {
      terms: [
        { taxonomy: 'tribe_events_cat', ids: [4] },
        { taxonomy: 'post_tag', ids: [12] },
      ],
    },
    [{ 'terms.tribe_events_cat': 4 }, { 'terms.post_tag': 12 }],
  ],
  ['venue=10', { venues: [10] }, [{ venues: { $in: [10] } }]],
  ['venue=10,13,10', { venues: [10, 13] }, [{ venues: { $in: [10, 13] } }]],
  ['venue[]=18&venue[]=21', { venues: [18, 21] }, [{ venues: { $in: [18, 21] } }]],
  ['venue=20', { venues: [20] }, [{ venues: { $in: [20] } }]],
  ['organizer=22', { organizers: [22] }, [{ organizers: { $in: [22] } }]],
  ['organizer=22,30', { organizers: [22, 30] }, [{ organizers: { $in: [22, 30] } }]],
  ['featured=true', { featured: true }, [{ featured: true }]],
  ['featured=0', { featured: false }, [{ featured: false }]],
  ['post_parent=82', { parent: 82 }, [{ parent: 82 }]],
  ['status=publish', {}, []],
  ['ticketed=false', {}, []],
  ['geoloc=true&geoloc_lat=41.8&geoloc_lng=-87.6', {}, []],
  ['geoloc_lat=41.8', {}, []],
  [
    'search=yoga',
    { search: { words: ['yoga'], without: [], inOneField: false }, withoutPassword: true },
    [{ search: { $regex: 'yoga' } }, { password: '' }],
  ],
  [
    'search=early+bird+-yoga',
    { search: { words: ['early', 'bird'], without: ['yoga'], inOneField: false }, withoutPassword: true },
    [{ search: { $regex: 'early' } }, { search: { $regex: 'bird' } }, { search: { $not: { $regex: 'yoga' } } }, { password: '' }],
  ],
  [
    'search=%22early+bird%22',
    { search: { words: ['early bird'], without: [], inOneField: false }, withoutPassword: true },
    [{ search: { $regex: 'early bird' } }, { password: '' }],
  ],
  [
    'search=.*(a%2B)%5B$%5E%7C%3F%7B1%7D',
    { search: { words: ['.*(a', ')[$^|?{1}'], without: [], inOneField: false }, withoutPassword: true },
    [{ search: { $regex: '\\.\\*\\(a' } }, { search: { $regex: '\\)\\[\\$\\^\\|\\?\\{1\\}' } }, { password: '' }],
  ],
];

const rowsWithStatus: Row[] = [
  ['', { statuses: everyone }, [{ status: { $in: everyone } }], { as: 'admin' }],
  ['', { statuses: everyone }, [{ status: { $in: everyone } }], { as: 'contributor' }],
  ['', {}, [PUBLISHED], { as: 'subscriber' }],
  ['status=draft', { statuses: ['draft'] }, [{ status: 'draft' }], { as: 'editor' }],
  ['status=draft,pending,draft', { statuses: ['draft', 'pending'] }, [{ status: { $in: ['draft', 'pending'] } }], { as: 'author' }],
  ['status[]=trash', { statuses: ['trash'] }, [{ status: 'trash' }], { as: 'admin' }],
  [
    'search=yoga',
    { statuses: everyone, search: { words: ['yoga'], without: [], inOneField: false } },
    [{ status: { $in: everyone } }, { search: { $regex: 'yoga' } }],
    { as: 'admin' },
  ],
];

const DATE_ROWS: [string, Partial<PostQuery>][] = [
  ['start_date=2026-07-01', { dates: [date('start', '$gte', '2026-07-01 00:00:00'), TO] }],
  ['start_date=2026-07-01T23:30:00', { dates: [date('start', '$gte', '2026-07-01 00:00:00'), TO] }],
  ['end_date=2026-07-01', { dates: [FROM, date('end', '$lte', '2026-07-01 23:59:59')] }],
  ['starts_before=2026-07-01', { dates: [date('start', '$lt', '2026-07-01 23:59:59')] }],
  ['starts_after=2026-07-01', { dates: [date('start', '$gt', '2026-07-01 23:59:59')] }],
  ['ends_before=2026-07-01', { dates: [date('end', '$lt', '2026-07-01 23:59:59')] }],
  ['ends_after=2026-07-01', { dates: [date('end', '$gt', '2026-07-01 23:59:59')] }],
  [
    'starts_after=2026-07-01&starts_before=2026-08-01',
    { dates: [date('start', '$lt', '2026-08-01 23:59:59'), date('start', '$gt', '2026-07-01 23:59:59')] },
  ],
  [
    'starts_after=2026-07-01&end_date=2026-08-01',
    { dates: [date('start', '$gt', '2026-07-01 23:59:59'), date('end', '$lte', '2026-08-01 23:59:59')] },
  ],
  ['starts_after=2026-07-01&start_date=2026-08-01', { dates: [date('start', '$gt', '2026-07-01 23:59:59')] }],
  ['ends_before=2026-07-01&end_date=2026-08-01', { dates: [date('end', '$lt', '2026-07-01 23:59:59')] }],
  [
    'start_date=2026-07-01T12:00:00&strict_dates=true',
    { dates: [date('start', '$gte', '2026-07-01 08:00:00'), date('end', '$lte', '2028-06-15 08:00:00')] },
  ],
  ['start_date=@1782864000', { dates: [date('start', '$gte', '2026-07-01 00:00:00'), TO] }],
  ['start_date=%2B2+days', { dates: [date('start', '$gte', '2026-06-17 00:00:00'), TO] }],
  [
    'include=36,35&start_date=2030-01-01',
    {
      ids: [36, 35],
      sort: { by: 'date', descending: false },
      dates: [date('start', '$gte', '2026-06-14 19:59:00'), date('end', '$lte', '2028-06-15 12:00:00')],
    },
  ],
];

const plan = async (site: ReturnType<typeof server>['site'], query: string, options: PlanOptions = {}): Promise<PostQuery> =>
  (await planEvents(await listContext(site, EVENT_FILTERS, query, options))).query;

const server = startTestServer({ dataset: WORLD });

test('each list of terms is resolved once per request', async () => {
  const { cache } = server().site.store;
  const remember = cache.remember.bind(cache);
  const resolved: string[] = [];
  cache.remember = (name, compute) => {
    if (name.startsWith('resolve ')) resolved.push(name);
    return remember(name, compute);
  };
  try {
    const { terms } = await plan(server().site, 'categories=rock,6&tags=12');
    expect(terms).toEqual([
      { taxonomy: 'tribe_events_cat', ids: [3, 6, 4] },
      { taxonomy: 'post_tag', ids: [12] },
    ]);
  } finally {
    cache.remember = remember;
  }
  expect(resolved).toEqual(['resolve tribe_events_cat ["rock","6"]', 'resolve post_tag ["12"]']);
});

describe('parameters to query to conditions', () => {
  test.each(FILTER_ROWS)('%s', async (params, changes, added) => {
    const query = await plan(server().site, params);
    expect(withoutUndefined(query)).toEqual({ ...DEFAULT, ...changes });
    expect(conditionsOf(query)).toEqual(unordered([TYPE, LISTED, PUBLISHED, ...WINDOW, ...added]));
  });

  test.each(rowsWithStatus)('%s of %s', async (params, changes, [status, ...added], options) => {
    const query = await plan(server().site, params, options);
    expect(withoutUndefined(query)).toEqual({ ...DEFAULT, ...changes });
    expect(conditionsOf(query)).toEqual(unordered([TYPE, LISTED, status, ...WINDOW, ...added]));
  });

  test.each(DATE_ROWS)('%s', async (params, changes) => {
    expect(withoutUndefined(await plan(server().site, params))).toEqual({ ...DEFAULT, ...changes });
  });

  test('a slug that is a number is found before an id', async () => {
    expect((await plan(server().site, 'tags=12')).terms).toEqual([{ taxonomy: 'post_tag', ids: [12] }]);
    await expect(plan(server().site, 'tags=2026')).rejects.toMatchObject({ code: 'rest_invalid_param' });
  });

  test('with other date parameters the default window uses only the query string', async () => {
    const { dates } = await plan(server().site, 'starts_before=2026-08-01', { json: { start_date: '2026-07-01' } });
    expect(dates).toEqual([date('start', '$lt', '2026-08-01 23:59:59')]);
  });

  test('all parameters together: each condition appears once', async () => {
    const query = await plan(
      server().site,
      'categories=4&tags=12&venue=10&organizer=22&featured=1&post_parent=82&search=x9&per_page=2&page=2',
    );
    expect(conditionsOf(query)).toEqual(
      unordered([
        TYPE,
        LISTED,
        PUBLISHED,
        ...WINDOW,
        { 'terms.tribe_events_cat': 4 },
        { 'terms.post_tag': 12 },
        { venues: { $in: [10] } },
        { organizers: { $in: [22] } },
        { featured: true },
        { parent: 82 },
        { search: { $regex: 'x9' } },
        { password: '' },
      ]),
    );
    expect(pagePipeline(query, registry.queries)).toEqual([
      { $match: matchStage(query, registry.queries) },
      { $sort: { 'occurrence.start': 1, date: 1, _id: 1 } },
      { $skip: 2 },
      { $limit: 2 },
      { $project: { search: 0, titleKey: 0 } },
    ]);
  });
});

describe('values never become operators', () => {
  test.each([
    'page[$gt]=0',
    'per_page[$gt]=1',
    'start_date[$gt]=2026-01-01',
    'end_date[$ne]=x',
    'starts_before[$gt]=1',
    'search[$regex]=.*',
    'search[]=x',
    'categories[$in][]=2',
    'categories[0][$gt]=1',
    'tags[0][$ne]=1',
    'venue[0][$gt]=1',
    'venue[$gt]=x',
    'organizer[$where]=sleep(9)',
    'featured[$ne]=1',
    'status[0][$ne]=publish',
    'include[0][$gt]=1',
    'include[$gt]=x',
    'post_parent[$gt]=0',
    'ticketed[$ne]=1',
  ])('%s is rejected', async (params) => {
    await expect(plan(server().site, params)).rejects.toMatchObject({ code: 'rest_invalid_param', status: 400 });
  });

  test.each([
    'status[$ne]=publish',
    'geoloc_lat[$gt]=1',
    '$where=1',
    '$or[]=x',
    'occurrence.start=1',
    'type=post',
    'hidden=true',
    'author[$gt]=0',
    '__proto__[statuses][]=draft',
  ])('%s changes nothing', async (params) => {
    expect(withoutUndefined(await plan(server().site, params))).toEqual(DEFAULT);
  });

  /** Every object of a pipeline that compares a column. */
  const operators = (value: unknown): string[] => {
    if (value === null || typeof value !== 'object') return [];
    return Object.entries(value).flatMap(([key, inner]) => [...(key.startsWith('$') ? [key] : []), ...operators(inner)]);
  };

  test.each(['search=$gt', 'search=%7B%22$ne%22:1%7D', 'search=$where:1', 'categories=music,2'])('%s adds no operator', async (params) => {
    const query = await plan(server().site, params);
    expect(new Set(operators(pagePipeline(query, registry.queries)))).toEqual(
      new Set(['$match', '$and', '$gte', '$lte', '$sort', '$limit', '$project', ...(params.startsWith('search') ? ['$regex'] : ['$in'])]),
    );
  });

  test('every regular-expression character of a search is escaped', () => {
    const search = { words: ['\\^$.*+?()[]{}|-/'], without: ['.*'], inOneField: false };
    expect(conditionsOf({ ...DEFAULT, search }).filter((condition) => 'search' in condition)).toEqual([
      { search: { $not: { $regex: '\\.\\*' } } },
      { search: { $regex: '\\\\\\^\\$\\.\\*\\+\\?\\(\\)\\[\\]\\{\\}\\|-/' } },
    ]);
  });
});

describe('under the standard profile', () => {
  const standard = startTestServer({ dataset: WORLD, profile: 'standard' });

  test.each<[string, Partial<PostQuery>]>([
    ['tags=12,13', { terms: [{ taxonomy: 'post_tag', ids: [12, 13] }] }],
    ['categories=Indie%20Rock', { terms: [{ taxonomy: 'tribe_events_cat', ids: [4] }] }],
    ['include=36,35&start_date=2030-01-01', { ids: [36, 35], sort: { by: 'date', descending: false }, dates: [] }],
    ['ticketed=true', { ticketed: true }],
    ['geoloc=true', { venues: expect.any(Array) as number[] }],
    [
      'starts_after=2026-07-01&start_date=2026-08-01',
      { dates: [date('start', '$gt', '2026-07-01 23:59:59'), date('start', '$gte', '2026-08-01 00:00:00')] },
    ],
  ])('%s', async (params, changes) => {
    expect(withoutUndefined(await plan(standard().site, params))).toEqual({ ...DEFAULT, ...changes });
  });

  test.each([
    ['contributor', 4],
    ['author', 3],
    ['editor', undefined],
    ['admin', undefined],
  ])('lists show %s only readable events', async (as, readableBy) => {
    expect((await plan(standard().site, '', { as })).readableBy).toBe(readableBy);
  });
});
