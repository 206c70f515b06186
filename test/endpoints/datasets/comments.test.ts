import type { SourceItem } from '../../../src/transfer/source.js';
import { checkConsistency } from '../../../src/wordpress/check.js';
import type { Comment } from '../../../src/wordpress/model.js';
import { load, place, post, sourceOf, store, user } from './loading.js';

/* Comments are loaded with their posts. */

const comment = (_id: number, on: number, rest: Partial<Comment> = {}): SourceItem => ({
  kind: 'comment',
  at: { line: 100 + _id },
  comment: {
    _id,
    post: on,
    parent: 0,
    author: 0,
    authorName: 'Gus Guest',
    authorEmail: 'gus@example.org',
    authorUrl: '',
    authorIp: '',
    agent: '',
    date: '2026-06-01 10:00:00',
    dateGmt: '2026-06-01 10:00:00',
    content: `Comment ${_id}`,
    approved: '1',
    type: 'comment',
    ...rest,
  },
});

const stored = (): Promise<Comment[]> => store.comments.find({}).sort({ _id: 1 }).toArray();

const ANNA = user(7, 'anna', 'administrator');

test('a second file keeps its comments, whose ids and references change with those of what they are on', async () => {
  const first = sourceOf([ANNA, post(10, 'post', 'first'), comment(1, 10)]);
  const second = sourceOf([user(7, 'ben'), post(10, 'post', 'second'), comment(1, 10), comment(2, 10, { parent: 1, author: 7 })], {
    siteUrl: 'http://elsewhere.example',
  });
  await load([first, second], 'replace');
  const other = await store.posts.findOne({ slug: 'second' });
  const ben = await store.users.findOne({ login: 'ben' });
  expect(await stored()).toMatchObject([
    { _id: 1, post: 10 },
    { _id: 2, post: other?._id, parent: 3, author: ben?._id },
    { _id: 3, post: other?._id, parent: 0 },
  ]);
  expect(await store.sequences.next('comments')).toBe(4);
});

test('files that are added bring their comments along, with links to this site', async () => {
  await load(sourceOf([ANNA, post(10, 'post', 'first'), comment(1, 10)]), 'replace');
  const content = 'See http://there.example/x';
  await load(sourceOf([ANNA, post(10, 'post', 'added'), comment(1, 10, { author: 7, content })]), 'add');
  const added = await store.posts.findOne({ slug: 'added' });
  expect(await stored()).toMatchObject([
    { _id: 1, post: 10, author: 0 },
    { _id: 2, post: added?._id, author: 7, content: 'See http://here.example/x' },
  ]);
  expect(await checkConsistency(store, place.uploads)).toEqual([]);
});

test('a comment on nothing that the file contains is a problem, as is a repeated id', async () => {
  await load(sourceOf([ANNA]), 'replace');
  await expect(load(sourceOf([comment(1, 99)]), 'add')).rejects.toThrow('there is no post with the id 99 to comment on');
  const twice = [post(5, 'post', 'p'), comment(1, 5), comment(1, 5)];
  await expect(load(sourceOf(twice), 'add')).rejects.toThrow('there is another comment with the id 1');
  await expect(load(sourceOf(twice), 'replace')).rejects.toThrow('there is another comment with the id 1');
});

test('the sequence of comments is raised to the highest id', async () => {
  await load(sourceOf([ANNA, post(10, 'post', 'first'), comment(40, 10)]), 'replace');
  await store.db.collection<{ _id: string }>('counters').updateOne({ _id: 'comments' }, { $set: { value: 2 } });
  store.sequences.forget();
  expect(await checkConsistency(store, place.uploads)).toEqual(['The sequence of comments was behind the highest id: raised it to 40.']);
  expect(await store.sequences.next('comments')).toBe(41);
});
