import { countPipeline, matchStage, pagePipeline } from '../../src/wordpress/query/query.js';
import type { PostOrder, PostQuery, Stage } from '../../src/wordpress/query/post-query.js';
import type { DateClause } from '../../src/plugins/the-events-calendar/model/query.js';
import { LISTED, PUBLISHED, conditionsOf, date, unordered } from './conditions.js';
import { registry } from '../support/registry.js';

describe('query to stages', () => {
  const bare: PostQuery = { type: 'tribe_venue', statuses: ['publish'], sort: 'start', limit: 3, offset: 0 };

  test.each<[Partial<PostQuery>, { $and: Stage[] }]>([
    [{}, { $and: [{ type: 'tribe_venue' }, { status: 'publish' }] }],
    [{ sort: 'newest' }, { $and: [{ date: { $gte: '' } }, { type: 'tribe_venue' }, { status: 'publish' }] }],
    [{ sort: { by: 'title', descending: false } }, { $and: [{ titleKey: { $gte: '' } }, { type: 'tribe_venue' }, { status: 'publish' }] }],
    [{ statuses: ['draft', 'private'] }, { $and: [{ type: 'tribe_venue' }, { status: { $in: ['draft', 'private'] } }] }],
    [{ ids: [3, 1] }, { $and: [{ type: 'tribe_venue' }, { status: 'publish' }, { _id: { $in: [3, 1] } }] }],
    [{ ids: [] }, { $and: [{ type: 'tribe_venue' }, { status: 'publish' }, { _id: { $in: [] } }] }],
    [{ excludeIds: [3] }, { $and: [{ type: 'tribe_venue' }, { status: 'publish' }, { _id: { $nin: [3] } }] }],
    [
      { listed: true, sort: 'start' },
      { $and: [{ type: 'tribe_venue' }, { hidden: false }, { status: 'publish' }, { 'occurrence.start': { $gt: '' } }] },
    ],
    [
      { listed: true, sort: 'startUtc' },
      { $and: [{ type: 'tribe_venue' }, { hidden: false }, { status: 'publish' }, { 'occurrence.startUtc': { $gt: '' } }] },
    ],
    [
      { dates: [{ column: 'endUtc', operator: '$gt', value: 'x' }] },
      {
        $and: [{ type: 'tribe_venue' }, { status: 'publish' }, { 'occurrence.endUtc': { $gt: 'x' } }],
      },
    ],
    [{ terms: [{ taxonomy: 't', ids: [] }] }, { $and: [{ type: 'tribe_venue' }, { status: 'publish' }, { 'terms.t': { $in: [] } }] }],
    [{ featured: false }, { $and: [{ type: 'tribe_venue' }, { status: 'publish' }, { featured: false }] }],
    [{ parent: 0 }, { $and: [{ type: 'tribe_venue' }, { status: 'publish' }, { parent: 0 }] }],
    [{ ticketed: false }, { $and: [{ type: 'tribe_venue' }, { status: 'publish' }, { ticketed: false }] }],
    [{ readableBy: 3 }, { $and: [{ type: 'tribe_venue' }, { status: 'publish' }, { $or: [{ status: 'publish' }, { author: 3 }] }] }],
    [
      { search: { words: ['a.', 'b'], without: [], inOneField: true } },
      { $and: [{ type: 'tribe_venue' }, { status: 'publish' }, { search: { $regex: '^(?=.*a\\.)(?=.*b)', $options: 's' } }] },
    ],
  ])('%j', (changes, { $and }) => {
    expect(conditionsOf({ ...bare, ...changes })).toEqual(unordered($and));
  });

  test.each<[DateClause[], Stage[]]>([
    [[], [{ 'occurrence.start': { $gt: '' } }]],
    [[date('start', '$gte', 'a')], [{ 'occurrence.start': { $gte: 'a' } }]],
    [[date('start', '$lt', 'b')], [{ 'occurrence.start': { $lt: 'b' } }]],
    [[date('end', '$gt', 'c')], [{ 'occurrence.end': { $gt: 'c' } }, { 'occurrence.start': { $gt: '' } }]],
    [
      [date('end', '$lte', 'd')],
      [{ 'occurrence.end': { $lte: 'd' } }, { 'occurrence.start': { $lte: 'd' } }, { 'occurrence.start': { $gt: '' } }],
    ],
    [
      [date('start', '$gte', 'a'), date('end', '$lte', 'd')],
      [{ 'occurrence.start': { $gte: 'a' } }, { 'occurrence.end': { $lte: 'd' } }, { 'occurrence.start': { $lte: 'd' } }],
    ],
    [
      [{ column: 'endUtc', operator: '$lt', value: 'e' }],
      [{ 'occurrence.endUtc': { $lt: 'e' } }, { 'occurrence.startUtc': { $lt: 'e' } }, { 'occurrence.start': { $gt: '' } }],
    ],
  ])('dates %j', (dates, expected) => {
    const always = [{ type: 'tribe_venue' }, PUBLISHED, LISTED];
    expect(conditionsOf({ ...bare, dates, listed: true, sort: 'start' })).toEqual(unordered([...always, ...expected]));
  });

  test.each<[Exclude<PostQuery['sort'], PostOrder>, Stage]>([
    ['newest', { date: -1, _id: -1 }],
    ['start', { 'occurrence.start': 1, date: 1, _id: 1 }],
    ['startUtc', { 'occurrence.startUtc': 1, date: 1, _id: 1 }],
  ])('sorted by %s', (sort, stage) => {
    expect(registry.queries.sortStage(sort)).toEqual(stage);
    expect(Object.keys(registry.queries.sortStage(sort))).toEqual(Object.keys(stage));
  });

  test('a first page skips nothing; a count has neither order nor page', () => {
    expect(pagePipeline(bare, registry.queries).map((stage) => Object.keys(stage)[0])).toEqual(['$match', '$sort', '$limit', '$project']);
    expect(pagePipeline({ ...bare, offset: 6 }, registry.queries).map((stage) => Object.keys(stage)[0])).toEqual([
      '$match',
      '$sort',
      '$skip',
      '$limit',
      '$project',
    ]);
    expect(countPipeline({ ...bare, offset: 6 }, registry.queries)).toEqual([
      { $match: matchStage(bare, registry.queries) },
      { $count: 'total' },
    ]);
  });
});
