import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { inputFile, openFile } from '../../src/transfer/formats/open.js';
import type { Dataset } from '../../src/sdk/types/dataset.js';
import type { Comment } from '../../src/wordpress/model.js';
import { runCli } from '../support/cli.js';
import { startTestServer } from '../support/server.js';

/** Comments of a live site. */

const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-pull-comments-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const DATASET: Dataset = {
  users: [{ id: 1, login: 'anna', name: 'Anna', url: 'https://anna.example/', role: 'administrator', application_password: 'anna pass' }],
  events: [
    {
      id: 5,
      title: 'Fair',
      start: '+1d 10:00',
      end: '11:00',
      comments: [
        {
          id: 2,
          author_name: 'Gus',
          author_email: 'gus@example.org',
          date: '2026-06-01 10:00',
          content: "It's on -- see https://example.org/\n\nBye",
        },
        { id: 3, parent: 2, author: 'anna', date: '2026-06-02 10:00', content: 'Yes' },
        { id: 4, status: 'hold', date: '2026-06-03 10:00', content: 'Not yet' },
      ],
    },
  ],
  posts: [{ id: 9, title: 'Blog', comments: [{ id: 7, content: 'Copied, as its post is' }] }],
};

const server = startTestServer({ dataset: DATASET });

async function pulled(...options: string[]): Promise<Comment[]> {
  const file = path.join(folder, `copy${options.length}.ndjson`);
  const data = path.join(folder, `data${options.length}`);
  const run = await runCli(['pull', server().url, '-o', file, '--data', data, '--rate', '1000', ...options], {
    COPY_PASSWORD: 'anna pass',
  });
  expect(run).toMatchObject({ code: 0 });
  const comments: Comment[] = [];
  const source = await openFile(inputFile(file), { now: null });
  for await (const item of source.items(() => undefined)) if (item.kind === 'comment') comments.push(item.comment);
  return comments;
}

test('those on events and posts are copied, with the text that renders to the shown one', async () => {
  const comments = await pulled();
  expect(comments).toMatchObject([
    { _id: 2, post: 5, author: 0, authorName: 'Gus', authorEmail: '', approved: '1', date: '2026-06-01 10:00:00' },
    { _id: 3, post: 5, parent: 2, author: 1, authorName: 'Anna', content: 'Yes' },
    { _id: 7, post: 9 },
  ]);
});

test('a moderator copies those that wait, and all fields', async () => {
  const comments = await pulled('--login', 'anna', '--password-env', 'COPY_PASSWORD');
  expect(comments).toMatchObject([
    { _id: 2, authorEmail: 'gus@example.org', content: "It's on -- see https://example.org/\n\nBye" },
    { _id: 3 },
    { _id: 4, approved: '0' },
    { _id: 7 },
  ]);
});

test('check compares them', async () => {
  const check = (...options: string[]) => runCli(['check', server().url, '--rate', '1000', ...options]);
  const same = await check('--only', 'comments');
  expect(same).toMatchObject({ code: 0, stdout: expect.stringContaining('1 of 1 responses matches.') });
  const other: Dataset = JSON.parse(JSON.stringify(DATASET).replace('"Yes"', '"No"')) as Dataset;
  const file = path.join(folder, 'other.json');
  writeFileSync(file, JSON.stringify(other));
  const { code, stdout } = await check('--only', 'comments', '--dataset', file);
  expect(code).toBe(1);
  expect(stdout).toContain('/1/content/rendered: site "<p>Yes</p>\\n", server "<p>No</p>\\n"');
});
