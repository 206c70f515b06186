import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { read, root } from '../../support/documents.js';
import { startTestServer } from '../../support/server.js';

/** Runs the walk of docs/tickets.md. `readme-servers.slow.test.ts` runs its test. */

const options = { now: '2026-06-15T12:00:00Z', profile: 'standard' } as const;
const server = startTestServer({ ...options, dataset: path.join(root, 'fixtures/tickets.json') });
const without = startTestServer({ ...options, dataset: path.join(root, 'fixtures/empty.json') });
const withIt = startTestServer({ ...options, dataset: path.join(root, 'fixtures/empty.json'), plugins: ['event-tickets'] });

const blocks = (kind: string): string[] =>
  [...read('docs/tickets.md').matchAll(/^```([^\n]+)\n([^]*?)^```$/gm)].flatMap(([, name, text]) => (name === kind ? [text] : []));

const shell = async (text: string): Promise<string> => {
  const script = text.replaceAll('http://127.0.0.1:8080', server().url);
  return (await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script])).stdout;
};

test('the walk shows what the page says', async () => {
  const [commands, outputs] = [blocks('sh tickets'), blocks('text')];
  expect([commands.length, outputs.length]).toEqual([2, 2]);
  for (const [index, command] of commands.entries()) expect(await shell(command)).toBe(outputs[index].replaceAll('\n', ''));
});

interface Item {
  title: string;
  ticketed: unknown;
}

const seed = async (url: string, dataset: string): Promise<{ status: number; text: string; items: Item[] }> => {
  const response = await fetch(`${url}/__qa/seed`, { method: 'POST', body: dataset });
  const list = await fetch(`${url}/wp-json/tribe/events/v1/events`);
  return { status: response.status, text: await response.text(), items: ((await list.json()) as { events: Item[] }).events };
};

test('the dataset of the page has tickets on a server with the plugin', async () => {
  const { status, items } = await seed(withIt().url, blocks('yaml tickets')[0]);
  expect(status).toBe(200);
  expect(items.map(({ title, ticketed }) => [title, ticketed])).toEqual([
    ['Breakfast', ['rsvp']],
    ['Concert', ['tc']],
  ]);
});

test('a server without the plugin says what is missing, and keeps its content', async () => {
  const { status, text, items } = await seed(without().url, blocks('yaml tickets')[0]);
  expect([status, items]).toEqual([400, []]);
  expect(text).toContain('needs the plugin event-tickets, which the site does not have. Start the server with --plugins event-tickets');
});

test('an export of the site brings its tickets and its plugin', async () => {
  const dataset = await (await fetch(`${server().url}/__qa/export`)).text();
  expect(JSON.parse(dataset.split('\n')[0])).toMatchObject({ plugins: ['event-tickets'] });
  expect((await seed(without().url, dataset)).status).toBe(400);
  const { status, items } = await seed(withIt().url, dataset);
  expect(status).toBe(200);
  expect(items.filter(({ ticketed }) => ticketed !== false)).toHaveLength(4);
});
