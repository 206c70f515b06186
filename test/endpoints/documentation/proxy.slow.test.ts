import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { startPluginSite } from '../../live/plugin-site.js';
import { startCli, untilServing, type CliProcess } from '../../support/cli.js';
import { testDatabase } from '../../support/database.js';
import { read, root } from '../../support/documents.js';

/** Runs the commands of `docs/live-sites.md` against a simulated site. */

const page = read('docs/live-sites.md');
const blocksOf = (kind: string): string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${kind}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, text]) => text);

const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-proxy-docs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const LIMIT_MS = 60_000;
const { address } = testDatabase();

/** The arguments of a command, split like in a shell. */
const argumentsOf = (text: string): string[] => [...text.trim().matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare);

const [forwarding, replaying, withPaths] = blocksOf('sh proxy');
const [ask] = blocksOf('sh ask');

test(
  'a response is stored, and replayed when the site is gone',
  async () => {
    const site = await startPluginSite();
    const start = (text: string): Promise<CliProcess & { url: string }> => {
      const args = argumentsOf(text).slice(2);
      const more = ['--port', '0', '--data', path.join(folder, 'data'), '--dataset', path.join(root, 'fixtures/empty.json')];
      const cassette = ['--cassette', path.join(folder, 'cassettes/example.org')];
      const all = [...args, ...more, ...cassette].map((arg) => (arg === 'https://example.org' ? site.url : arg));
      return untilServing(startCli(['proxy', ...all], { MONGODB_URI: address }));
    };
    const answer = async (url: string): Promise<{ things: { link: string }[] }> => {
      const { stdout } = await promisify(execFile)('bash', ['-c', ask.replace('http://127.0.0.1:8080', url)]);
      return JSON.parse(stdout) as { things: { link: string }[] };
    };
    const server = await start(forwarding);
    expect(server.output().stdout).toContain(
      `What it does not have comes from ${site.url}: the cassette is replayed, the rest is requested`,
    );
    expect((await answer(server.url)).things[0].link).toBe(`${server.url}/things/one/`);
    await server.stop('SIGTERM');

    const fromSite = await start(withPaths);
    expect(await (await fetch(`${fromSite.url}/`)).text()).toBe('No such page here');
    await fromSite.stop('SIGTERM');
    await site.close();

    const offline = await start(replaying);
    expect((await answer(offline.url)).things[0].link).toBe(`${offline.url}/things/one/`);
    const missing = await fetch(`${offline.url}/wp-json/acme/v1/things?page=3`);
    const [example] = blocksOf('json').map((text) => JSON.parse(text) as { code?: string; message?: string; data?: object });
    const said = (await missing.json()) as typeof example;
    const general = (text = ''): string => text.replaceAll(folder + path.sep, '').replace(/-[\da-f]{12}\.json/, '');
    expect({ ...said, message: general(said.message) }).toEqual({ ...example, message: general(example.message) });
    await offline.stop('SIGTERM');

    const entry = JSON.parse(
      read(
        path.relative(
          root,
          path.join(
            folder,
            'cassettes/example.org',
            readdirSync(path.join(folder, 'cassettes/example.org')).find((each) => each.includes('things')) ?? '',
          ),
        ),
      ),
    ) as object;
    const shown = JSON.parse(blocksOf('json')[1]) as { request: object; response: object };
    expect(Object.keys(entry)).toEqual(Object.keys(shown));
    expect(Object.keys((entry as typeof shown).response).sort()).toEqual(Object.keys(shown.response).sort());
  },
  LIMIT_MS,
);
