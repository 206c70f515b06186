import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import type { Dataset } from '../../../src/sdk/types/dataset.js';
import { DATASET } from './blog-posts.js';
import { runCli } from '../../support/cli.js';

/** Blog posts and pages in datasets. */

const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-blog-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, text: string): string => {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
};

test('are written by the command line in JSON and YAML', async () => {
  const file = write('blog.json', JSON.stringify(DATASET));
  const data = path.join(folder, 'data');
  expect(await runCli(['seed', file, '--data', data])).toMatchObject({ code: 0 });
  const target = path.join(folder, 'copy.yaml');
  const { stderr } = await runCli(['export', target, '--data', data, '--only', 'posts,pages,post_categories,tags']);
  expect(stderr).toContain('3 posts, 2 pages');
  const copy = parse(readFileSync(target, 'utf8')) as Dataset;
  expect([copy.posts?.length, copy.pages, copy.post_categories, copy.events]).toEqual([
    3,
    DATASET.pages,
    DATASET.post_categories,
    undefined,
  ]);
  expect(await runCli(['validate', target])).toMatchObject({ code: 0 });
}, 60_000);
