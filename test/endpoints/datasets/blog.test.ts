import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openFile, inputFile } from '../../../src/transfer/formats/open.js';
import { datasetOf } from '../../../src/transfer/formats/dataset/write.js';
import { runCli } from '../../support/cli.js';
import { DATASET } from './blog-posts.js';
import { startTestServer } from '../../support/server.js';

/** Blog posts and pages in datasets. */

const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-blog-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, text: string): string => {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
};

/** Exports a dataset as it was read. */
async function exported(file: string): Promise<unknown> {
  const warnings: string[] = [];
  const source = await openFile(inputFile(file), { now: null });
  const value = await datasetOf(source, { file: null, warn: (line) => void warnings.push(line), wrote: undefined });
  expect(warnings).toEqual([]);
  return JSON.parse(JSON.stringify(value));
}

test('are the same after an import and an export', async () => {
  expect(await exported(write('blog.json', JSON.stringify(DATASET)))).toEqual(DATASET);
});

describe('a server', () => {
  const server = startTestServer({ dataset: DATASET });
  const get = async (route: string): Promise<unknown> => (await fetch(`${server().url}/wp-json/wp/v2/${route}`)).json();

  test('serves posts with their categories, tags and columns', async () => {
    expect(
      await get('posts?_fields=id,slug,title.rendered,content.rendered,excerpt.rendered,comment_status,sticky,format,categories,tags'),
    ).toEqual([
      {
        id: 20,
        slug: 'hello',
        title: { rendered: 'Hello' },
        content: { rendered: '<p>Long.</p>\n' },
        excerpt: { rendered: '<p>Short.</p>\n' },
        comment_status: 'closed',
        sticky: true,
        format: 'quote',
        categories: [4],
        tags: [2],
      },
    ]);
    expect(await get('categories?_fields=id,slug,parent,count&orderby=id')).toEqual([
      { id: 3, slug: 'news', parent: 0, count: 0 },
      { id: 4, slug: 'town', parent: 3, count: 1 },
    ]);
  });

  test('serves pages with their parents, order and template', async () => {
    expect(await get('pages?_fields=id,slug,link,parent,menu_order,template,ping_status&orderby=id&order=asc')).toEqual([
      { id: 30, slug: 'about', link: `${server().url}/about/`, parent: 0, menu_order: 2, template: 'wide.php', ping_status: 'open' },
      { id: 31, slug: 'team', link: `${server().url}/about/team/`, parent: 30, menu_order: 0, template: '', ping_status: 'closed' },
    ]);
  });
});

test('need no entries for categories and tags, and report what is wrong with them', async () => {
  const mention = { posts: [{ title: 'One', categories: ['News'], tags: ['Free'] }] };
  expect(await exported(write('mention.json', JSON.stringify(mention)))).toMatchObject({
    post_categories: [{ slug: 'news', name: 'News' }],
    tags: [{ slug: 'free' }],
    posts: [{ title: 'One', categories: ['news'], tags: ['free'] }],
  });
  const broken = { posts: [{ titel: 'One', format: 'poem' }], pages: [{ title: 'A', parent: 'b' }] };
  const { stdout } = await runCli(['validate', write('broken.json', JSON.stringify(broken, null, 1))]);
  for (const problem of [
    'posts[0].titel: unknown field. Did you mean "title"?',
    'posts[0].format: must be one of standard, aside,',
    'pages[0].parent: there is no page with the slug "b"',
  ])
    expect(stdout).toContain(problem);
});
