import { planTermList } from '../../src/plugins/the-events-calendar/calendar-v1/lists/term-filters.js';
import { CATEGORY_RESOURCE, TAG_RESOURCE } from '../../src/plugins/the-events-calendar/calendar-v1/terms.js';
import { withParams } from '../../src/wordpress/rest/params.js';
import type { Stage } from '../../src/wordpress/query/post-query.js';
import { termCountPipeline, termMatchStage, termPipeline, type TermQuery } from '../../src/wordpress/query/term-query.js';
import { listContext, WORLD } from '../support/plan.js';
import { startTestServer } from '../support/server.js';

const server = startTestServer({ dataset: WORLD });

const planOf = async (resource: typeof TAG_RESOURCE, params: string) =>
  withParams(resource.filters, (call) => planTermList(resource, call))(await listContext(server().site, resource.filters, params));

const plain = (query: TermQuery): unknown => JSON.parse(JSON.stringify(query));

const BASE: TermQuery = { taxonomy: 'post_tag', orderBy: 'name', descending: false, limit: 10, offset: 0 };

/** Parameters, their changes to the query except for the default of `hide_empty`, and the conditions that they add to `$match`. */
const ROWS: [string, Partial<TermQuery>, Stage[]][] = [
  ['', {}, []],
  ['page=3&per_page=4', { limit: 4, offset: 8 }, []],
  ['per_page=100', { limit: 50 }, []],
  ['search=Free', { search: 'free' }, [{ search: { $regex: 'free' } }]],
  ['search=a.*b', { search: 'a.*b' }, [{ search: { $regex: 'a\\.\\*b' } }]],
  ['include=12,11', { include: [12, 11] }, [{ _id: { $in: [12, 11] } }]],
  ['include[]=12', { include: [12] }, [{ _id: { $in: [12] } }]],
  ['exclude=12', { exclude: [12] }, [{ _id: { $nin: [12] } }]],
  ['exclude=12&include=11', { include: [11] }, [{ _id: { $in: [11] } }]],
  ['include=sold-out', { include: [] }, [{ _id: { $in: [] } }]],
  ['exclude=sold-out,12', { exclude: [12] }, [{ _id: { $nin: [12] } }]],
  ['slug=Free%20Entry', { slug: 'free-entry' }, [{ slug: 'free-entry' }]],
  ['slug=$gt', { slug: 'gt' }, [{ slug: 'gt' }]],
  ['order=asc', {}, []],
  ['order=ASC', {}, []],
  ['order=desc', { descending: true }, []],
  ['order=x', { descending: true }, []],
  ['orderby=slug', { orderBy: 'slug' }, []],
  ['orderby=id', { orderBy: 'id' }, []],
  ['orderby=term_id', { orderBy: 'id' }, []],
  ['orderby=count', { orderBy: 'count' }, []],
  ['orderby=description', { orderBy: 'description' }, []],
  ['orderby=term_group', { orderBy: 'group' }, []],
  ['orderby=parent', { orderBy: 'parent' }, []],
  ['orderby=include&include=12,11', { orderBy: 'include', include: [12, 11] }, [{ _id: { $in: [12, 11] } }]],
  ['orderby=include', {}, []],
  ['orderby=include&include=sold-out', { orderBy: 'include', include: [] }, [{ _id: { $in: [] } }]],
  ['orderby=constructor', {}, []],
  ['orderby=$natural', {}, []],
  ['parent=5', {}, []],
];

test.each(ROWS)('tags?%s', async (params, changes, added) => {
  const { rows, total } = await planOf(TAG_RESOURCE, params);
  expect(plain(rows)).toEqual({ ...BASE, hideEmpty: 'branch', ...changes });
  expect(plain(total)).toEqual({ ...BASE, hideEmpty: 'used', ...changes });
  const conditions = (termMatchStage(rows)['$and'] as Stage[]).filter((condition) => !('branchCount' in condition));
  expect(conditions).toEqual([{ taxonomy: 'post_tag' }, ...added]);
});

test.each<[string, Partial<TermQuery>, Partial<TermQuery>]>([
  ['hide_empty=0', {}, {}],
  ['hide_empty=false', {}, {}],
  ['hide_empty=true', { hideEmpty: 'branch' }, { hideEmpty: 'used' }],
  ['event=37', { include: [11, 14] }, { include: [11, 14], hideEmpty: 'used' }],
  ['post=37', { include: [11, 14] }, { include: [11, 14], hideEmpty: 'used' }],
  ['event=37&post=36', { include: [11, 14] }, { include: [11, 14], hideEmpty: 'used' }],
  ['event=46', { include: [] }, { include: [], hideEmpty: 'used' }],
  ['event=37&include=14,12', { include: [14] }, { include: [14], hideEmpty: 'used' }],
])('tags?%s: rows and total', async (params, rows, total) => {
  const found = await planOf(TAG_RESOURCE, params);
  expect(plain(found.rows)).toEqual({ ...BASE, ...rows });
  expect(plain(found.total)).toEqual({ ...BASE, ...total });
});

test('categories filter by parent', async () => {
  const { rows } = await planOf(CATEGORY_RESOURCE, 'parent=2');
  expect(plain(rows)).toEqual({ ...BASE, taxonomy: 'tribe_events_cat', parent: 2, hideEmpty: 'branch' });
  expect(termMatchStage(rows)).toEqual({ $and: [{ taxonomy: 'tribe_events_cat' }, { parent: 2 }, { branchCount: { $gt: 0 } }] });
});

test.each([
  'search[$regex]=.',
  'slug[$ne]=x',
  'slug=',
  'orderby[]=name',
  'order[$gt]=',
  'include[0][$gt]=1',
  'include=9999',
  'exclude[$gt]=x',
  'post[$gt]=0',
  'event=12',
  'hide_empty[$ne]=1',
  'page[$gt]=0',
])('tags?%s is rejected', async (params) => {
  await expect(planOf(TAG_RESOURCE, params)).rejects.toMatchObject({ code: 'rest_invalid_param', status: 400 });
});

test.each(['parent[$gt]=0', 'parent=x', 'parent=9999'])('categories?%s is rejected', async (params) => {
  await expect(planOf(CATEGORY_RESOURCE, params)).rejects.toMatchObject({ code: 'rest_invalid_param', status: 400 });
});

describe('query to stages', () => {
  test.each<[Partial<TermQuery>, Stage]>([
    [{}, { taxonomy: 'post_tag' }],
    [{ include: [] }, { $and: [{ taxonomy: 'post_tag' }, { _id: { $in: [] } }] }],
    [{ exclude: [1], parent: 0 }, { $and: [{ taxonomy: 'post_tag' }, { _id: { $nin: [1] } }, { parent: 0 }] }],
    [{ slug: '' }, { $and: [{ taxonomy: 'post_tag' }, { slug: '' }] }],
    [{ hideEmpty: 'used' }, { $and: [{ taxonomy: 'post_tag' }, { count: { $gt: 0 } }] }],
    [
      { hideEmpty: 'branch', search: '(' },
      { $and: [{ taxonomy: 'post_tag' }, { branchCount: { $gt: 0 } }, { search: { $regex: '\\(' } }] },
    ],
  ])('%j', (changes, stage) => {
    expect(termMatchStage({ ...BASE, ...changes })).toEqual(stage);
    expect(termCountPipeline({ ...BASE, ...changes })).toEqual([{ $match: stage }, { $count: 'total' }]);
  });

  test.each<[TermQuery['orderBy'], boolean, Stage]>([
    ['name', false, { nameKey: 1, _id: 1 }],
    ['name', true, { nameKey: -1, _id: 1 }],
    ['slug', false, { slug: 1 }],
    ['id', false, { _id: 1 }],
    ['id', true, { _id: -1 }],
    ['count', true, { count: -1, _id: 1 }],
    ['description', false, { description: 1, _id: 1 }],
    ['group', false, { termGroup: 1, _id: 1 }],
    ['parent', false, { parent: 1, _id: 1 }],
  ])('by %s, descending %p', (orderBy, descending, sort) => {
    expect(termPipeline({ ...BASE, orderBy, descending, offset: 5 })).toEqual([
      { $match: { taxonomy: 'post_tag' } },
      { $sort: sort },
      { $skip: 5 },
      { $limit: 10 },
    ]);
  });

  test('by the order of ids', () => {
    expect(termPipeline({ ...BASE, orderBy: 'include', include: [9, 7] })).toEqual([
      { $match: { $and: [{ taxonomy: 'post_tag' }, { _id: { $in: [9, 7] } }] } },
      { $set: { position: { $indexOfArray: [[9, 7], '$_id'] } } },
      { $sort: { position: 1, _id: 1 } },
      { $limit: 10 },
    ]);
  });
});
