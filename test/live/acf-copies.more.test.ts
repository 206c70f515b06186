import { cpSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { worldWith } from '../conformance/companions.mjs';
import { http } from '../support/http.js';
import { startTestServer } from '../support/server.js';
import { folder, load, NOW, pullFrom, written, type Login } from './ticket-copies.js';
import type { Server } from '../../src/index.js';

/* Copies of a site with Advanced Custom Fields, whose field groups are guessed from what the site shows. */

const START = { now: NOW, wordpress: '6.8' } as const;
const PASSWORD = 'applicationOfTests000000';
const ACF = ['advanced-custom-fields'];
const origin = startTestServer({ ...START, dataset: worldWith('acf'), adminPassword: PASSWORD, plugins: ACF });
const target = startTestServer({ ...START, plugins: ACF });

/** What the fields of an event are after a write, or the error. */
async function write({ restUrl, url }: Server, { login, password }: Login, fields: object): Promise<unknown> {
  const authorization = `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`;
  const body = JSON.stringify({ acf: { doors: '17:00', ...fields } });
  const headers = { authorization, 'content-type': 'application/json' };
  const { status, text } = await http('POST', `${restUrl}/wp/v2/tribe_events/35?_fields=acf`, headers, body);
  return [status, JSON.parse(text.replaceAll(url.replaceAll('/', String.raw`\/`), 'SITE'))];
}

// Copied instead of fetched: the file names them.
beforeAll(() => {
  const uploads = path.join(path.dirname(fileURLToPath(import.meta.url)), '../conformance/uploads');
  cpSync(uploads, path.join(folder, 'uploads'), { recursive: true });
});

const WRITES: readonly object[] = [
  { subtitle: 'New' },
  { subtitle: 'x'.repeat(40) },
  { nope: 1 },
  { seats: 'many' },
  { seats: 501 },
  { seats: null },
  { contact: 'nope' },
  { poster: 99_999 },
  { kind: 'run' },
  { kinds: ['walk', 'run'] },
  { access: ['lift', 'ramp'] },
  { size: 'xl' },
  { online: 'yes' },
  { ticket_link: { title: 'X' } },
  { related: [52, 53, 54, 55] },
  { topics: [12, 11] },
  { host: 3 },
  { host: 999 },
  { on: '20261224' },
  { box: { a: 'z', n: 9 } },
  { box: { n: 'q' } },
];

test.each([
  ['a visitor', 'json'],
  ['the administrator', 'yaml'],
])('a copy of %s loads from a file, and shows and writes fields as the site does', async (who, format) => {
  const admin = origin().administrator!;
  const signedIn = { login: admin.login, password: PASSWORD };
  const { source } = await pullFrom(origin(), {}, who === 'a visitor' ? undefined : signedIn);
  const login = await load(target(), await written(source, format));
  const read = async ({ restUrl, url }: Server): Promise<unknown> => {
    const { text } = await http('GET', `${restUrl}/wp/v2/tribe_events?per_page=100&_fields=id,acf&orderby=id`);
    return JSON.parse(text.replaceAll(url.replaceAll('/', String.raw`\/`), 'SITE'));
  };
  expect(await read(target())).toEqual(await read(origin()));
  for (const fields of WRITES)
    expect([fields, await write(target(), login, fields)]).toEqual([fields, await write(origin(), signedIn, fields)]);
});

test('users have their roles where the login sees them, else its own alone', async () => {
  const admin = origin().administrator!;
  const rolesOf = async (server: Server, login: Login): Promise<[string, string[]][]> => {
    const authorization = `Basic ${Buffer.from(`${login.login}:${login.password}`).toString('base64')}`;
    const { text } = await http('GET', `${server.restUrl}/wp/v2/users?context=edit&per_page=100`, { authorization });
    return (JSON.parse(text) as { slug: string; roles: string[] }[]).map(({ slug, roles }) => [slug, roles]);
  };
  const all = await rolesOf(origin(), { login: admin.login, password: PASSWORD });
  const copied = async (login: Login): Promise<[string, string[]][]> => {
    const { source } = await pullFrom(origin(), {}, login);
    return rolesOf(target(), await load(target(), source));
  };
  const shown = await copied({ login: admin.login, password: PASSWORD });
  expect(shown.length).toBeGreaterThan(1);
  expect(all).toEqual(expect.arrayContaining(shown));
  const own = Object.fromEntries(await copied({ login: 'editor', password: 'editorAppPassword0000000' }));
  expect(own).toMatchObject({ editor: ['editor'], author: ['author'] });
});
