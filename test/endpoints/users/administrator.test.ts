import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describeAdministrator } from '../../../src/cli/commands/administrator.js';
import { createServer, type Server } from '../../../src/index.js';
import { http } from '../../support/http.js';
import { testDatabase } from '../../support/database.js';
import { startTestServer } from '../../support/server.js';

const PASSWORD = 'only for the test';

const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-administrator-'));
afterAll(() => rmSync(folder, { recursive: true }));

function dataset(name: string, users: object[]): string {
  const file = path.join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify({ users, events: [] }));
  return file;
}

const { address: own } = testDatabase();

const NOBODY = dataset('nobody', []);
const EDITOR = { login: 'eva', role: 'editor', application_password: 'that of the editor' };
const ANNA = { login: 'anna', role: 'administrator', application_password: 'that of the dataset' };
const BERND = { login: 'bernd', role: 'administrator' };

const basic = (login: string, password: string): string => `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`;

async function roles(server: Server, login: string, password: string): Promise<unknown> {
  const { text } = await http('GET', `${server.restUrl}/wp/v2/users/me?context=edit`, { authorization: basic(login, password) });
  return (JSON.parse(text) as { roles?: string[]; code?: string }).roles ?? 'refused';
}

async function opensPages(server: Server, login: string, password: string): Promise<boolean> {
  const form = new URLSearchParams({ log: login, pwd: password }).toString();
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const { status, headers } = await http('POST', `${server.url}/wp-login.php`, type, form);
  return status === 302 && headers.get('set-cookie') !== null && headers.get('set-cookie')!.includes('logged_in');
}

describe('the administrator that the first start creates', () => {
  const server = startTestServer({ dataset: NOBODY, profile: 'standard' });

  test('signs in at the API and at /wp-login.php with the same password', async () => {
    const { administrator } = server();
    expect(administrator).toMatchObject({ login: 'admin', isNew: true, opensPages: true });
    expect(await roles(server(), 'admin', administrator?.password ?? '')).toEqual(['administrator']);
    expect(await opensPages(server(), 'admin', administrator?.password ?? '')).toBe(true);
    expect(await opensPages(server(), 'admin', 'another password')).toBe(false);
  });

  test('until there is an account password', async () => {
    const { restUrl, administrator } = server();
    const first = administrator?.password ?? '';
    const headers = { authorization: basic('admin', first), 'content-type': 'application/json' };
    await http('POST', `${restUrl}/wp/v2/users/me`, headers, JSON.stringify({ password: 'a new account password' }));
    expect(await opensPages(server(), 'admin', first)).toBe(false);
    expect(await opensPages(server(), 'admin', 'a new account password')).toBe(true);
    expect(await roles(server(), 'admin', first)).toEqual(['administrator']);
  });

  test('application passwords of others open no pages', async () => {
    const { restUrl, administrator } = server();
    const headers = { authorization: basic('admin', administrator?.password ?? ''), 'content-type': 'application/json' };
    const made = await http('POST', `${restUrl}/wp/v2/users/me/application-passwords`, headers, JSON.stringify({ name: 'Phone' }));
    const { password } = JSON.parse(made.text) as { password: string };
    expect(await roles(server(), 'admin', password)).toEqual(['administrator']);
    expect(await opensPages(server(), 'admin', password)).toBe(false);
  });
});

describe('--admin-password with a dataset that has administrators', () => {
  const server = startTestServer({ dataset: dataset('both', [EDITOR, BERND, ANNA]), adminPassword: PASSWORD });

  test('is that of the first, besides its own', async () => {
    expect(server().administrator).toEqual({ login: 'bernd', password: PASSWORD, isNew: false, opensPages: true });
    expect(await roles(server(), 'bernd', PASSWORD)).toEqual(['administrator']);
    expect(await opensPages(server(), 'bernd', PASSWORD)).toBe(true);
    expect(await roles(server(), 'anna', PASSWORD)).toBe('refused');
    expect(await roles(server(), 'anna', 'that of the dataset')).toEqual(['administrator']);
    expect(await roles(server(), 'admin', PASSWORD)).toBe('refused');
  });

  test('stays after a reset and another dataset', async () => {
    await server().reset();
    expect(await roles(server(), 'bernd', PASSWORD)).toEqual(['administrator']);
    const seeded = await http('POST', `${server().url}/__qa/seed`, {}, JSON.stringify({ users: [{ ...ANNA, password: 'for the pages' }] }));
    expect(JSON.parse(seeded.text)).toMatchObject({ users: 1 });
    for (const password of [PASSWORD, 'that of the dataset']) expect(await roles(server(), 'anna', password)).toEqual(['administrator']);
    expect(await opensPages(server(), 'anna', PASSWORD)).toBe(false);
    expect(await opensPages(server(), 'anna', 'for the pages')).toBe(true);
  });
});

test('without it, a dataset with an administrator is left alone', async () => {
  const server = await createServer({ dataset: dataset('own', [ANNA]), mongodbUri: own, ephemeral: true });
  expect(server.administrator).toBeNull();
  expect(await roles(server, 'anna', 'that of the dataset')).toEqual(['administrator']);
  await server.close();
});

test.each([
  [{ isNew: true, opensPages: true }, /^An administrator was created\. Login: anna, .*signs in at \/wp-login\.php as well/s],
  [{ isNew: false, opensPages: false }, /^The password given was set .*Login: anna, .*does not sign in at \/wp-login\.php/s],
])('%j is told', (what, expected) =>
  expect(describeAdministrator({ login: 'anna', password: PASSWORD, ...what }).join('\n')).toMatch(expected),
);
