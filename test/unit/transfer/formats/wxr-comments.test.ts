import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inputFile } from '../../../../src/transfer/formats/open.js';
import { openWxr } from '../../../../src/transfer/formats/wxr/read.js';
import { wxrChunks } from '../../../../src/transfer/formats/wxr/write.js';
import type { SourceItem } from '../../../../src/transfer/source.js';
import type { Comment } from '../../../../src/wordpress/model.js';
import { storedPost } from '../../../support/posts.js';

/** Comments in WordPress exports. */

const folder = mkdtempSync(path.join(tmpdir(), 'understudy-wxr-comments-'));
afterAll(() => rmSync(folder, { recursive: true }));

const COMMENT: Comment = {
  _id: 4,
  post: 20,
  parent: 0,
  author: 0,
  authorName: 'Gus & Co',
  authorEmail: 'gus@example.org',
  authorUrl: 'https://gus.example/',
  authorIp: '192.0.2.1',
  agent: 'Browser',
  date: '2026-06-01 12:00:00',
  dateGmt: '2026-06-01 10:00:00',
  content: 'A <b>comment</b> ]]> with its end',
  approved: '1',
  type: 'comment',
};

const USER = { _id: 7, login: 'anna', email: '', displayName: 'Anna', nicename: 'anna', url: '', role: 'author', applicationPasswords: [] };

const ITEMS: SourceItem[] = [
  { kind: 'options', options: { blogname: 'Here', blogdescription: '' } },
  { kind: 'user', user: USER },
  { kind: 'comment', comment: COMMENT },
  { kind: 'comment', comment: { ...COMMENT, _id: 6, parent: 4, author: 7, agent: '', approved: 'trash', previous: '0', type: 'pingback' } },
  { kind: 'comment', comment: { ...COMMENT, _id: 8, content: '', type: 'note', noteStatus: 'resolved' } },
  { kind: 'comment', comment: { ...COMMENT, _id: 9, post: 0 } },
  { kind: 'post', post: storedPost(20, { type: 'post', author: 7, title: 'Hello', slug: 'hello' }) },
  { kind: 'post', post: storedPost(21, { type: 'page', author: 7, title: 'About', slug: 'about' }) },
];

async function read(text: string, strict = false): Promise<{ comments: Comment[]; problems: string[] }> {
  const file = path.join(folder, 'site.xml');
  writeFileSync(file, text);
  const problems: string[] = [];
  const comments: Comment[] = [];
  const source = await openWxr(inputFile(file), { now: null, zone: 'UTC', strict });
  for await (const item of source.items((problem) => problems.push(problem))) if (item.kind === 'comment') comments.push(item.comment);
  return { comments, problems };
}

async function written(firstId: number | null = null): Promise<{ text: string; warnings: string[] }> {
  const source = {
    name: 'test',
    siteUrl: 'http://here.example',
    clock: null,
    keepsIds: true,
    async *items() {
      yield* ITEMS;
    },
  };
  let text = '';
  const warnings: string[] = [];
  for await (const chunk of wxrChunks(source, (line) => warnings.push(line), firstId)) text += chunk;
  return { text, warnings };
}

test('comments round-trip with their posts, without those on none', async () => {
  const { text, warnings } = await written();
  expect(warnings).toContain('WordPress export: left out comment that is not on a post of the export (1)');
  const { comments, problems } = await read(text);
  expect(problems).toEqual([]);
  expect(comments).toEqual(ITEMS.flatMap((item) => (item.kind === 'comment' && item.comment.post > 0 ? [item.comment] : [])));
});

test('they stay with a post whose id changes', async () => {
  const { comments } = await read((await written(1000)).text);
  expect(comments.map(({ _id, post }) => [_id, post])).toEqual([
    [4, 1000],
    [6, 1000],
    [8, 1000],
  ]);
});

test('statuses by name, meta of plugins and wrong values', async () => {
  const { text } = await written();
  const changed = text
    .replace('<wp:comment_approved><![CDATA[1]]>', '<wp:comment_approved><![CDATA[hold]]>')
    .replace(
      '<wp:comment_type>',
      '<wp:commentmeta><wp:meta_key>rating</wp:meta_key><wp:meta_value>5</wp:meta_value></wp:commentmeta><wp:comment_type>',
    )
    .replace('<wp:comment_user_id>7<', '<wp:comment_user_id>99<');
  const { comments, problems } = await read(changed);
  expect(problems).toEqual([]);
  expect(comments).toMatchObject([{ approved: '0' }, { author: 0, previous: '0' }, { type: 'note' }]);
  // One without an id gets one after the last, and replies to it are comments.
  const without = await read(text.replace('<wp:comment_id>4<', '<wp:comment_id>x<'));
  expect(without.comments.map(({ _id, parent }) => [_id, parent])).toEqual([
    [9, 0],
    [6, 0],
    [8, 0],
  ]);
  expect((await read(text.replace('<![CDATA[2026-06-01 12:00:00]]>', 'soon'), true)).problems).toEqual([
    'comment 4: invalid date "soon". Use a date such as 2026-08-01 19:30:00',
  ]);
});
