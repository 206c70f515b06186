import { inputFile, openFile } from '../../../../src/transfer/formats/open.js';
import { restricted } from '../../../../src/transfer/restrict.js';
import type { Comment } from '../../../../src/wordpress/model.js';
import { itemsOf, written as exported } from './files.js';
import { NOW, problemsOf, read, written } from './read.js';

/** Comments in hand-written datasets. */

const FILE = {
  site: {
    timezone: 'Europe/Berlin',
    comment_moderation: false,
    comment_previously_approved: false,
    require_name_email: true,
    comment_max_links: 0,
    moderation_keys: ['casino'],
    disallowed_keys: ['pills', 'more pills'],
  },
  clock: '2026-06-15T12:00:00Z',
  users: [{ id: 3, login: 'anna', email: 'anna@example.org', name: 'Anna', url: 'https://anna.example/', role: 'administrator' }],
  media: [],
  venues: [{ id: 12, name: 'Hall' }],
  events: [
    { id: 10, title: 'Fair', start: '2026-07-01 10:00', end: '11:00', comments: [{ id: 5, content: 'Looking forward', author: 'anna' }] },
  ],
  posts: [
    {
      id: 11,
      title: 'Hello',
      date: '2026-06-01 09:00',
      comments: [
        {
          id: 7,
          content: 'First',
          author_name: 'Gus',
          author_email: 'gus@example.org',
          author_url: 'https://gus.example/',
          date: '-1d 10:00',
        },
        { id: 8, content: 'Reply', parent: 7, author: 'anna', author_name: 'The author', author_url: '', status: 'hold' },
        {
          id: 9,
          content: 'Buy',
          status: 'spam',
          status_before: 'hold',
          author_ip: '192.0.2.1',
          author_user_agent: 'Bot',
          type: 'pingback',
        },
        { id: 14, content: 'Shorten this', type: 'note', author: 'anna' },
        { id: 15, content: '', type: 'note', parent: 14, note_status: 'resolved' },
      ],
    },
  ],
  comments: [
    { id: 1, content: 'On a venue', post: 'hall' },
    { id: 2, content: 'Again', post: 12, date: '2026-10-25T00:30:00Z' },
    { id: 4, content: 'On nothing' },
  ],
};

const byId = (comments: Comment[] = []): Comment[] => comments.toSorted((a, b) => a._id - b._id);

test('comments are on the entry of their post, or name it', async () => {
  const { comments } = await read(FILE);
  expect(byId(comments)).toMatchObject([
    { _id: 1, post: 12, authorName: '', approved: '1', type: 'comment', date: '2026-06-15 14:00:00', dateGmt: '2026-06-15 12:00:00' },
    { _id: 2, post: 12, dateGmt: '2026-10-25 00:30:00', date: '2026-10-25 02:30:00' },
    { _id: 4, post: 0 },
    { _id: 5, post: 10, author: 3, authorName: 'Anna', authorEmail: 'anna@example.org', authorUrl: 'https://anna.example/' },
    { _id: 7, post: 11, author: 0, authorName: 'Gus', authorUrl: 'https://gus.example/', date: '2026-06-14 10:00:00' },
    { _id: 8, parent: 7, author: 3, authorName: 'The author', authorUrl: '', approved: '0' },
    { _id: 9, approved: 'spam', previous: '0', authorIp: '192.0.2.1', agent: 'Bot', type: 'pingback' },
    { _id: 14, type: 'note', author: 3 },
    { _id: 15, type: 'note', parent: 14, noteStatus: 'resolved', content: '' },
  ]);
});

test.each(['json', 'yaml'])('every field survives an export as %s', async (format) => {
  const source = await openFile(inputFile(await written(FILE)), { now: NOW });
  const commentsOf = async (from: typeof source): Promise<Comment[]> =>
    byId((await itemsOf(from)).flatMap((item) => (item.kind === 'comment' ? [item.comment] : [])));
  const optionsOf = async (from: typeof source): Promise<unknown> => (await itemsOf(from)).find(({ kind }) => kind === 'options');
  const { file, warnings, counts } = await exported(source, format, `comments.${format}`);
  expect(await commentsOf(await openFile(inputFile(file), { now: NOW }))).toEqual(await commentsOf(source));
  expect(warnings).toEqual([]);
  expect(await optionsOf(await openFile(inputFile(file), { now: NOW }))).toEqual(await optionsOf(source));
  expect(counts).toMatchObject({ comment: 3 });
  expect((await commentsOf(restricted(source, ['posts']))).map(({ _id }) => _id)).toEqual([7, 8, 9, 14, 15]);
});

test('what a comment refers to has to be there', async () => {
  const comments = [
    { id: 1, content: 'x', post: 'nowhere' },
    { id: 2, content: 'x', parent: 9 },
    { id: 2, content: 'x', author: 'nobody', date: 'soon' },
    { post: 7 },
  ];
  const problems = await problemsOf({ posts: [{ title: 'Hello', comments: [{ contents: 'x' }] }], comments });
  const expected: unknown[] = [
    'posts[0].comments[0].contents: unknown field. Did you mean "content"?',
    'comments[3].content: is missing',
    'comments[0].post: there is no post with the slug "nowhere"',
    'comments[3].post: there is no post with the id 7',
    'comments[2].id: 2 is already the id of comments[1]',
    'comments[1].parent: there is no other comment with the id 9',
    'comments[2].author: there is no user with the login "nobody"',
    expect.stringContaining('comments[2].date: invalid date "soon".'),
  ];
  expect(problems).toEqual(expect.arrayContaining(expected));
  expect(problems).toHaveLength(expected.length);
});
