import fc from 'fast-check';
import { insertPost, deletePost, trashPost, updatePost, asData, type PostData } from '../../src/wordpress/posts/post-save.js';
import type { Term } from '../../src/wordpress/model.js';
import { selectTerms, termCountPipeline, termMatches, termPipeline, type TermQuery } from '../../src/wordpress/query/term-query.js';
import { deleteTerm, insertTerm, updateTerm, recountTerms, wrongCounts, readCounts } from '../../src/wordpress/terms/term-save.js';
import { deriveTerm } from '../../src/wordpress/terms/terms.js';
import { startTestServer } from '../support/server.js';
import { WORLD } from '../support/plan.js';
import { EFFORT } from '../support/effort.js';

const server = startTestServer({ dataset: WORLD });

const name = fc.constantFrom('Jazz', 'jazz', 'Jäzz', 'Free jazz', '', '\u{1F600}', '\uFFFD', 'Zoo', 'a.b', 'zz');
const term = fc.record({
  name,
  taxonomy: fc.constantFrom('post_tag', 'tribe_events_cat'),
  description: name,
  parent: fc.nat(3),
  termGroup: fc.nat(1),
  count: fc.nat(2),
});

const query: fc.Arbitrary<TermQuery> = fc.record(
  {
    taxonomy: fc.constantFrom<TermQuery['taxonomy']>('post_tag', 'tribe_events_cat', ['post_tag', 'tribe_events_cat'], 'category'),
    search: fc.constantFrom('jazz', 'a.b', '', 'j', '\n', '(', 'nothing'),
    include: fc.array(fc.nat(40), { maxLength: 8 }),
    exclude: fc.array(fc.nat(40), { maxLength: 8 }),
    slug: fc.constantFrom('s-3', 's-4', ''),
    slugs: fc.array(fc.constantFrom('s-3', 's-4', 's-9'), { maxLength: 3 }),
    parent: fc.nat(3),
    hideEmpty: fc.constantFrom('used' as const, 'branch' as const),
    orderBy: fc.constantFrom<TermQuery['orderBy']>('name', 'slug', 'id', 'count', 'description', 'group', 'include', 'slugs', 'parent'),
    descending: fc.boolean(),
    limit: fc.integer({ min: 1, max: 50 }),
    offset: fc.nat(5),
  },
  { requiredKeys: ['taxonomy', 'orderBy', 'descending', 'limit', 'offset'] },
);

/** Excludes orders by non-unique columns, which have no tiebreaker. */
const isClear = ({ orderBy, include, slugs, taxonomy }: TermQuery): boolean =>
  !(orderBy === 'include' && !include) && !(orderBy === 'slugs' && !slugs) && !(orderBy === 'slug' && Array.isArray(taxonomy));

test('terms are found in memory as the database finds them', async () => {
  const { store } = server().site;
  await store.terms.deleteMany({});
  const [given] = fc.sample(fc.array(term, { minLength: 40, maxLength: 40 }), { numRuns: 1, seed: 3 });
  const terms: Term[] = given.map((fields, i) => deriveTerm({ _id: i + 1, termTaxonomyId: i + 1, slug: `s-${i + 1}`, ...fields }));
  await store.insert('terms', terms);
  await fc.assert(
    fc.asyncProperty(query.filter(isClear), async (each) => {
      const all = [...((await store.allTerms())?.values() ?? [])];
      expect(all).toHaveLength(40);
      const expected = await store.aggregate<Term>('terms', termPipeline(each));
      expect(selectTerms(all, each).map(({ _id }) => _id)).toEqual(expected.map(({ _id }) => _id));
      const [counted] = await store.aggregate<{ total: number }>('terms', termCountPipeline(each));
      expect(all.filter(termMatches(each))).toHaveLength(counted?.total ?? 0);
    }),
    { numRuns: 300 },
  );
});

/** Writes to the posts and terms of a site. */
type Action =
  | { do: 'insert'; status: string; terms: number[] }
  | { do: 'update'; at: number; status: string; terms: number[] }
  | { do: 'trash' | 'delete' | 'recount' | 'remove term'; at: number }
  | { do: 'move term'; at: number; to: number };

const status = fc.constantFrom('publish', 'publish', 'draft', 'private');
const picked = fc.uniqueArray(fc.nat(7), { maxLength: 3 });
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('insert' as const), status, terms: picked }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('update' as const), at: fc.nat(20), status, terms: picked }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('trash' as const, 'delete' as const), at: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('recount' as const, 'remove term' as const), at: fc.nat(7) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('move term' as const), at: fc.nat(7), to: fc.nat(7) }) },
);

const dataOf = (wanted: string, terms: number[]): PostData => ({
  ...{ status: wanted, author: 1, title: 'Counted', content: '', excerpt: '', date: null, menuOrder: 0, password: '', meta: [] },
  terms: { tribe_events_cat: terms },
});

test(
  'whatever is written concurrently, the counts of terms are those of their posts',
  async () => {
    const { site } = server();
    const { store } = site;
    const perform = async (each: Action, categories: Term[], posts: number[]): Promise<unknown> => {
      const at = posts[('at' in each ? each.at : 0) % Math.max(1, posts.length)] ?? 0;
      const category = categories[('at' in each ? each.at : 0) % categories.length];
      if (each.do === 'insert')
        return insertPost(
          site,
          'tribe_events',
          dataOf(
            each.status,
            each.terms.map((i) => categories[i]._id),
          ),
        );
      if (each.do === 'update') {
        const terms = { tribe_events_cat: each.terms.map((i) => categories[i]._id) };
        return updatePost(site, at, 'keep', (current) => ({ ...asData(current), status: each.status, terms }));
      }
      if (each.do === 'trash') return trashPost(site, at, null);
      if (each.do === 'delete') return deletePost(site, at);
      if (each.do === 'recount') return recountTerms(store, [category._id]);
      if (each.do === 'remove term') return deleteTerm(site, category);
      const parent = categories['to' in each ? each.to : 0]._id;
      return updateTerm(site, category, { parent: parent === category._id ? 0 : parent }).catch(() => null);
    };
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 25 }), async (actions) => {
        await store.posts.deleteMany({});
        await store.terms.deleteMany({});
        const categories: Term[] = [];
        for (let i = 0; i < 8; i += 1)
          categories.push(await insertTerm(site, 'tribe_events_cat', { name: `Category ${i}`, parent: categories[i >> 1]?._id ?? 0 }));
        const posts: number[] = [];
        for (let i = 0; i < 4; i += 1) posts.push((await insertPost(site, 'tribe_events', dataOf('publish', [categories[i]._id])))._id);
        await Promise.all(actions.map((each) => perform(each, categories, posts)));
        expect(await wrongCounts(store, await readCounts(store), null)).toEqual([]);
        expect([...((await store.allTerms())?.values() ?? [])]).toEqual(await store.terms.find({}).sort({ _id: 1 }).toArray());
      }),
      { numRuns: 12 * EFFORT },
    );
  },
  60_000 * EFFORT,
);
