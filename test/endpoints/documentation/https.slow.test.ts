import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { ownCertificate } from '../../../src/server/app/tls.js';
import { runCli, startServe, type CliProcess } from '../../support/cli.js';
import { testDatabase } from '../../support/database.js';
import { read, root } from '../../support/documents.js';

/** Runs the commands of `docs/https.md`, on free ports and with a temporary cache directory. */

const page = read('docs/https.md');
const blocksOf = (kind: string): string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${kind}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, text]) => text);

const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-https-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const CERTIFICATE = path.join(folder, 'wp-understudy/tls/cert.pem');
const LIMIT_MS = 60_000;

const { address } = testDatabase();

async function startBlock(text: string): Promise<CliProcess & { url: string; port: string }> {
  const flags = text
    .trim()
    .replace('understudy serve ', '')
    .replace(/--port \d+/, '--port 0')
    .split(' ');
  const inFolder = flags.map((flag) => (flag.endsWith('.pem') ? path.join(folder, flag) : flag));
  const more = ['--data', path.join(folder, 'data'), '--dataset', path.join(root, 'fixtures/demo.json')];
  const server = await startServe([...inFolder, ...more], { MONGODB_URI: address, XDG_CACHE_HOME: folder });
  const { url } = JSON.parse(readFileSync(path.join(folder, 'data/server.json'), 'utf8')) as { url: string };
  return { ...server, port: new URL(url).port };
}

const [own, given, named] = blocksOf('sh https');
const asked = blocksOf('sh ask');

async function answerTo(text: string, port: string): Promise<string> {
  const command = text.replaceAll('~/.cache', folder).replaceAll('localhost:8443', `localhost:${port}`);
  return (await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', command], { timeout: LIMIT_MS })).stdout;
}

test(
  'curl and Node.js trust the certificate that --tls makes, and commands need none',
  async () => {
    const server = await startBlock(own);
    expect(server.url).toBe(`https://127.0.0.1:${server.port}`);
    expect(server.output().stdout).toContain(`NODE_EXTRA_CA_CERTS=${CERTIFICATE}`);
    const [byCurl, byNode] = asked;
    expect(JSON.parse(await answerTo(byCurl, server.port))).toEqual({ status: 'ok' });
    expect((await answerTo(byNode, server.port)).trim()).toBe('200');
    const exported = await runCli(['export', path.join(folder, 'copy.json'), '--data', path.join(folder, 'data')]);
    expect([exported.code, exported.stderr]).toEqual([0, expect.not.stringContaining('certificate')]);
    expect(readFileSync(path.join(folder, 'copy.json'), 'utf8')).toContain('Jazz on the River');
    await server.stop('SIGTERM');
  },
  LIMIT_MS,
);

test(
  'a certificate of your own',
  async () => {
    const { cert, key } = await ownCertificate(path.join(folder, 'mine'), []);
    writeFileSync(path.join(folder, 'cert.pem'), readFileSync(cert));
    writeFileSync(path.join(folder, 'key.pem'), readFileSync(key));
    const server = await startBlock(given);
    expect(server.output().stdout).toContain(`NODE_EXTRA_CA_CERTS=${path.join(folder, 'cert.pem')}`);
    await server.stop('SIGTERM');
  },
  LIMIT_MS,
);

test(
  'a client with a fixed address: hosts entry, or fetch replaced before it starts',
  async () => {
    const server = await startBlock(named);
    expect(server.url).toBe('https://calendar.example.org');
    const list = JSON.parse(await answerTo(asked[2], server.port)) as { rest_url: string; events: object[] };
    expect(list.rest_url).toMatch(/^https:\/\/calendar\.example\.org\/wp-json\/tribe\/events\/v1\/events/);

    writeFileSync(path.join(folder, 'calendar.mjs'), blocksOf('js preload')[0].replace(':8080', `:${server.port}`));
    const program = `const next = await (await fetch('https://calendar.example.org/wp-json/tribe/events/v1/events')).json(); console.log(next.events.length);`;
    const preload = ['--import', path.join(folder, 'calendar.mjs'), '--input-type=module', '--eval', program];
    const { stdout } = await promisify(execFile)(process.execPath, preload, { timeout: LIMIT_MS });
    expect(Number(stdout)).toBe(list.events.length);
    await server.stop('SIGTERM');
  },
  LIMIT_MS,
);
