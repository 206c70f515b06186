import { readFileSync, readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { runCli, startServe } from '../../support/cli.js';

const PASSWORD = 'crash crash crash';
const COUNT = 200;
const EMPTY = path.join(import.meta.dirname, '../../../fixtures/empty.json');

const dataset = (title: string): string =>
  JSON.stringify({ events: Array.from({ length: COUNT }, (_, i) => ({ title: `${title} ${i}`, start: '+1d 10:00', duration: '1h' })) });

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'understudy-load-crash-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** PID of the database process. */
function enginePid(): number {
  const db = path.join(folder, 'data', 'db');
  const note = readdirSync(db).find((name) => name.endsWith('-owner.json')) ?? '';
  return (JSON.parse(readFileSync(path.join(db, note), 'utf8')) as { database: number }).database;
}

/** Number of events of each dataset on a site, and number of administrators. */
async function contentOf(url: string): Promise<Record<string, number>> {
  const read = async (route: string): Promise<Response> => {
    const authorization = `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`;
    const response = await fetch(`${url}/wp-json/${route}`, { headers: { authorization } });
    expect([route, response.status]).toEqual([route, 200]);
    return response;
  };
  const count = async (title: string): Promise<number> =>
    ((await (await read(`tribe/events/v1/events?per_page=1&search=${title}`)).json()) as { total: number }).total;
  const administrators = (await (await read('wp/v2/users?roles=administrator&context=edit')).json()) as unknown[];
  return { First: await count('First'), Second: await count('Second'), administrators: administrators.length };
}

// Each is interrupted at one random moment. load-crash.slow.test.ts covers many moments of a seed, and first starts.
test.each<[string, work: (url: string, file: string, data: string) => Promise<unknown>, made: Record<string, number>]>([
  ['POST /__qa/seed', (url, file) => fetch(`${url}/__qa/seed`, { method: 'POST', body: readFileSync(file) }), { First: 0, Second: COUNT }],
  ['understudy seed', (_, file, data) => runCli(['seed', file, '--data', data]), { First: 0, Second: COUNT }],
  ['understudy import', (_, file, data) => runCli(['import', file, '--data', data]), { First: COUNT, Second: COUNT }],
])(
  'server and database killed during %s: the next start has the old or the new content, whole',
  async (_, work, made) => {
    const data = path.join(folder, 'data');
    const [first, second] = ['First', 'Second'].map((title) => path.join(folder, `${title}.json`));
    await Promise.all([writeFile(first, dataset('First')), writeFile(second, dataset('Second'))]);
    const args = ['--data', data, '--port', '0', '--admin-password', PASSWORD, '--log-level', 'error'];
    const server = await startServe([...args, '--dataset', first]);
    const working = work(server.url, second, data).catch(() => null);
    const delay = Math.random() * 400;
    await new Promise((resolve) => setTimeout(resolve, delay));
    process.kill(enginePid(), 'SIGKILL');
    await server.stop('SIGKILL');
    await working;

    // The dataset option applies only to a site without content.
    const restarted = await startServe([...args, '--dataset', EMPTY]);
    // A failure shows when they were killed.
    const found = { ...(await contentOf(restarted.url)), delay };
    expect([
      { First: COUNT, Second: 0, administrators: 1, delay },
      { ...made, administrators: 1, delay },
    ]).toContainEqual(found);
    await restarted.stop('SIGTERM');
  },
  60_000,
);
