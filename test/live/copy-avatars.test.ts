import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { http } from '../support/http.js';
import { startTestServer } from '../support/server.js';
import { folder as copies, load, NOW, pullFrom, written } from './ticket-copies.js';

/* The pictures of users are at Gravatar, by the hash of an address that a copy does not know. */

const hash = createHash('sha256').update('anna@anna.example').digest('hex');
const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-copy-avatars-'));
const file = path.join(folder, 'site.json');
writeFileSync(
  file,
  JSON.stringify({
    users: [
      { id: 1, login: 'anna', email: 'Anna@anna.example', role: 'administrator' },
      { id: 2, login: 'old', role: 'author', avatar: createHash('md5').update('old@old.example').digest('hex') },
    ],
    posts: [1, 2].map((id) => ({
      title: `Post ${id}`,
      author: id === 1 ? 'anna' : 'old',
      comments: [{ author: 'anna', content: 'Yes' }],
    })),
  }),
);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const origin = startTestServer({ dataset: file, now: NOW });
const target = startTestServer({ now: NOW });

const pictures = (url: string): Promise<unknown[]> =>
  Promise.all(
    ['users?_fields=id,avatar_urls&orderby=id', 'comments?_fields=author,author_avatar_urls&order=asc'].map(
      async (route) => JSON.parse((await http('GET', `${url}/wp-json/wp/v2/${route}`)).text) as unknown,
    ),
  );

test.each(['json', 'yaml', 'ndjson'])('a copy shows them, with one hash for each user, through %s', async (format) => {
  const pulled = await pullFrom(origin());
  const copy = await written(pulled.source, format);
  await pulled.deleteProgress();
  await load(target(), copy);
  const shown = await pictures(origin().url);
  expect(JSON.stringify(shown)).toContain(`https://secure.gravatar.com/avatar/${hash}?s=96&d=mm&r=g`);
  expect(await pictures(target().url)).toEqual(shown);
  const text = readFileSync(
    path.join(
      copies,
      readdirSync(copies).find((name) => name.endsWith(`.${format}`))!,
    ),
    'utf8',
  );
  expect(text).toContain(hash);
  expect(text).not.toContain('avatar_urls');
});
