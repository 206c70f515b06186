import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startCli, startServe } from '../../support/cli.js';
import { sample } from '../../support/effort.js';

const PASSWORD = 'crash crash crash';
const COUNT = 400;
const PAGE = 50;
const EMPTY = path.join(import.meta.dirname, '../../../fixtures/empty.json');

const dataset = (title: string): object => ({
  events: Array.from({ length: COUNT }, (_, i) => ({ title: `${title} ${i}`, start: '+1d 10:00', duration: '1h' })),
});

let folder: string;
let args: string[];
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'understudy-load-crash-'));
  const file = path.join(folder, 'first.json');
  await writeFile(file, JSON.stringify(dataset('First')));
  const data = path.join(folder, 'data');
  args = ['--data', data, '--port', '0', '--dataset', file, '--admin-password', PASSWORD, '--log-level', 'error'];
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Kills the database of the data folder, if it has started. */
function killDatabase(): void {
  const db = path.join(folder, 'data', 'db');
  if (!existsSync(db)) return;
  for (const name of readdirSync(db).filter((entry) => entry.endsWith('-owner.json')))
    try {
      process.kill((JSON.parse(readFileSync(path.join(db, name), 'utf8')) as { database: number }).database, 'SIGKILL');
    } catch {
      // It has ended with its server, or its PID file is not written yet.
    }
}

interface Found {
  total: number;
  titles: string[];
  administrators: number;
}

/** The content of a site. */
async function contentOf(url: string): Promise<Found> {
  const authorization = `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`;
  const read = async (route: string): Promise<unknown> => {
    const response = await fetch(`${url}/wp-json/${route}`, { headers: { authorization } });
    expect([route, response.status]).toEqual([route, 200]);
    return response.json();
  };
  const { events, total } = (await read(`tribe/events/v1/events?per_page=${PAGE}`)) as Omit<Found, 'titles'> & {
    events: { title: string }[];
  };
  const users = (await read('wp/v2/users?roles=administrator&context=edit')) as unknown[];
  return { total, titles: events.map(({ title }) => title), administrators: users.length };
}

/** Whether the site has all events of one dataset, and nothing else. */
const isWhole = ({ total, titles }: Found, title: string): boolean =>
  total === COUNT && titles.every((each) => each.startsWith(`${title} `));

test.each(sample([20, 80, 140, 200, 260, 320], 2))(
  'server and database killed %d ms into a seed hold either the old or the new content',
  async (ms) => {
    const server = await startServe(args);
    const seeding = fetch(`${server.url}/__qa/seed`, { method: 'POST', body: JSON.stringify(dataset('Second')) }).then(
      ({ status }) => status,
      () => null,
    );
    await new Promise((resolve) => setTimeout(resolve, ms));
    killDatabase();
    await server.stop('SIGKILL');
    const status = await seeding;

    // The dataset option applies only to a site without content.
    const restarted = await startServe([...args, '--dataset', EMPTY]);
    const found = await contentOf(restarted.url);
    expect([status, isWhole(found, 'Second') || (status !== 200 && isWhole(found, 'First'))]).toEqual([status, true]);
    expect(found.administrators).toBe(1);
    await fetch(`${restarted.url}/__qa/reset`, { method: 'POST' });
    expect(await contentOf(restarted.url)).toEqual(found);
    await restarted.stop('SIGTERM');
  },
  60_000,
);

test.each(sample([300, 700, 1_000, 1_400], 2))(
  'a first start killed after %d ms is repeated completely',
  async (ms) => {
    const server = startCli(['serve', ...args]);
    await new Promise((resolve) => setTimeout(resolve, ms));
    killDatabase();
    await server.stop('SIGKILL');

    const restarted = await startServe(args);
    const found = await contentOf(restarted.url);
    expect([found.total, isWhole(found, 'First'), found.administrators]).toEqual([COUNT, true, 1]);
    await restarted.stop('SIGTERM');
  },
  60_000,
);
