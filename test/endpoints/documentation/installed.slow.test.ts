import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { parse } from 'yaml';
import { read, root } from '../../support/documents.js';
import { startCli, untilServing, type CliProcess, type CliResult } from '../../support/cli.js';

/** The package as npm installs it: its contents, and that everything works without further packages. */

/** Upper limits of an installation, with the engine. Sizes differ between systems. */
const PACKAGES = 15;
const MEGABYTES = 90;
/** Timeout of one step. Machines may be busy. */
const LIMIT_MS = 180_000;

const work = mkdtempSync(path.join(os.tmpdir(), 'understudy-installed-'));
const project = path.join(work, 'project');
const installed = path.join(project, 'node_modules/wp-understudy');
let tarball = '';

const npm = async (args: string[], cwd: string): Promise<string> =>
  (await promisify(execFile)('npm', args, { cwd, timeout: LIMIT_MS, maxBuffer: 2 ** 26 })).stdout;

beforeAll(async () => {
  mkdirSync(project);
  tarball = path.join(work, (await npm(['pack', '--ignore-scripts', '--silent', '--pack-destination', work], root)).trim());
  writeFileSync(path.join(project, 'package.json'), '{ "name": "project", "private": true, "type": "module" }\n');
  // In projects with a tsconfig.json, `understudy init` writes a TypeScript configuration file.
  writeFileSync(path.join(project, 'tsconfig.json'), '{}\n');
  await npm(['install', '--prefer-offline', '--no-audit', '--no-fund', tarball], project);
}, LIMIT_MS);
afterAll(() => rmSync(work, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }));

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));

test('an installation is small', async () => {
  const listed = (await npm(['ls', '--all', '--omit=dev', '--parseable'], project)).trim().split('\n').slice(1);
  expect(listed.length).toBeLessThanOrEqual(PACKAGES);
  // The engine and sharp, which is also native, are installed.
  expect(listed.length).toBeGreaterThan(4);
  const bytes = filesIn(path.join(project, 'node_modules')).reduce((sum, file) => sum + statSync(file).size, 0);
  expect(bytes / 1024 ** 2).toBeLessThan(MEGABYTES);
});

test('publint has nothing to say', async () => {
  const bytes = readFileSync(tarball);
  const { messages } = await publint({ pack: { tarball: new Uint8Array(bytes).buffer }, strict: true });
  expect(messages).toEqual([]);
});

test(
  'the types are those of the modules, for ES modules, CommonJS and bundlers',
  async () => {
    // Not a devDependency, since it installs its own compiler (30 MB). `vitest` exports only ES modules, and `node16` omits the resolution
    // of Node.js 10.
    const args = ['--yes', '--prefer-offline', '@arethetypeswrong/cli@0.18.5', tarball, '--profile', 'node16', '--no-color'];
    const { stdout } = await promisify(execFile)('npx', [...args, '--exclude-entrypoints', 'vitest'], { timeout: LIMIT_MS });
    expect(stdout).toContain('"wp-understudy/client"');
  },
  LIMIT_MS,
);

/** Entry points whose types refer to packages that their users have installed. */
const OF_OTHERS = ['./msw', './playwright', './vitest', './package.json'];

test(
  'the types name nothing that is not installed',
  async () => {
    const { exports } = JSON.parse(read('package.json')) as { exports: Record<string, unknown> };
    const entries = Object.keys(exports).filter((name) => !OF_OTHERS.includes(name));
    const text = entries.map((name, index) => `export * as e${index} from '${path.posix.join('wp-understudy', name)}';\n`).join('');
    for (const kind of ['mts', 'cts']) writeFileSync(path.join(project, `entries.${kind}`), text);
    const use = `import { createServer, type Server } from 'wp-understudy';
      const start = async (): Promise<Server> => createServer({ dataset: { events: [{ title: 'Regatta', start: '2026-06-18 10:00' }] } });
      // @ts-expect-error: not a port
      void createServer({ port: 'http' });
      export default start;\n`;
    writeFileSync(path.join(project, 'use.mts'), use);
    const options = ['--strict', '--skipLibCheck', 'false', '--target', 'es2022', '--module', 'nodenext', '--typeRoots'];
    const given = ['--ignoreConfig', '--noEmit', ...options, path.join(root, 'node_modules/@types'), '--types', 'node'];
    const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
    const { stdout } = await promisify(execFile)(process.execPath, [compiler, ...given, 'entries.mts', 'entries.cts', 'use.mts'], {
      cwd: project,
    }).catch((error: unknown) => error as { stdout: string });
    expect(stdout).toBe('');
  },
  LIMIT_MS,
);

test(
  'what users import is there, for ES modules and CommonJS',
  async () => {
    const names = [
      'wp-understudy',
      ...['config', 'types', 'client', 'node', 'cypress', 'cypress/plugin'].map((name) => `wp-understudy/${name}`),
    ];
    const script = `for (const name of ${JSON.stringify(names)}) { await import(name); require(name); }
      const { createServer } = require('wp-understudy');
      const server = await createServer({ dataset: 'empty' });
      console.log(server.engine);
      await server.close();`;
    const text = `import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);\n${script}`;
    writeFileSync(path.join(project, 'imports.mjs'), text);
    const { stdout } = await promisify(execFile)(process.execPath, ['imports.mjs'], { cwd: project, timeout: LIMIT_MS });
    expect(stdout).toBe('memory\n');
  },
  LIMIT_MS,
);

describe('commands', () => {
  const environment = { XDG_CACHE_HOME: path.join(work, 'cache') };
  const start = (...args: string[]): CliProcess => startCli(args, environment, '', project, path.join(installed, 'dist/cli.js'));
  const run = async (...args: string[]): Promise<CliResult> => start(...args).ended;
  const file = (name: string): string => path.join(project, name);
  const texts = (name: string): string => readFileSync(file(name), 'utf8');

  /** All commands, in the order of the help. */
  const commands = [...read('src/cli/main.ts').matchAll(/^ {2}(\w+): \{(?: summary|\n {4}summary)/gm)].map(([, name]) => name);
  const done = new Set<string>();
  /** Runs a command, which must succeed. */
  const ran = async (name: string, ...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await run(name, ...args);
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    done.add(name);
    return stdout;
  };

  test('the command is on the path of scripts', async () => {
    const said = await npm(['exec', '--offline', '--', 'understudy', '--version'], project);
    expect(said.trim()).toBe((JSON.parse(read('package.json')) as { version: string }).version);
  });

  test('understudy mcp says which package it requires', async () => {
    const { code, stderr } = await start('mcp').ended;
    expect(code).toBe(1);
    expect(stderr).toContain('Run: npm install --save-dev @modelcontextprotocol/sdk');
    done.add('mcp');
  });

  test(
    'commands have help',
    async () => {
      const { stdout } = await run('--help');
      expect(commands.length).toBeGreaterThan(12);
      for (const name of commands) expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'));
      for (const name of ['serve', 'pull', 'doctor']) {
        expect(await run(name, '--help')).toMatchObject({ code: 0, stdout: expect.stringContaining(`understudy ${name}`), stderr: '' });
      }
    },
    LIMIT_MS,
  );

  test(
    'each command runs',
    async () => {
      expect(await ran('init')).toContain('understudy.config.ts');
      expect(await ran('validate', 'calendar.json')).toContain('no problems');
      await ran('generate', '--events', '20', '--images', '1', '--output', 'more.ndjson');
      expect(texts('more.ndjson').split('\n').length).toBeGreaterThan(20);
      await ran('convert', 'more.ndjson', '--output', 'more.yaml');
      expect((parse(texts('more.yaml')) as { events: unknown[] }).events).toHaveLength(20);

      // These options load rarely used modules: certificates, metrics, JSON logs and the file watcher.
      const options = ['--port', '0', '--tls', '--metrics', '--log-format', 'json', '--watch', '--data', 'data'];
      const secure = start('serve', '--config', 'none', '--dataset', 'calendar.json', ...options);
      await until(() => secure.output().stdout.includes('"msg":"Understudy serves a calendar"'));
      expect(JSON.parse(secure.output().stdout.split('\n')[0])).toMatchObject({ level: 'info', url: expect.stringMatching(/^https:/) });
      const { url: local } = JSON.parse(texts('data/server.json')) as { url: string };
      const get = async (at: string): Promise<string> => (await fetch(`${local}${at}`)).text();
      expect(await get('/wp-json/tribe/events/v1/events')).toContain('"title"');
      expect(await get('/metrics')).toMatch(/^understudy_/m);
      expect(await secure.stop('SIGTERM')).toMatchObject({ code: 0 });

      const site = ['--data', 'data', '--config', 'none'];
      const server = await untilServing(start('serve', '--port', '0', ...site));
      done.add('serve');
      await ran('import', 'more.ndjson', ...site);
      for (const format of ['yaml', 'ics', 'xml', 'ndjson', 'site.json']) {
        await ran('export', `out.${format}`, ...site);
        expect(texts(`out.${format}`).length).toBeGreaterThan(100);
      }
      await ran('export', 'out.csv', '--kind', 'events', ...site);
      expect(await ran('journal', '--format', 'curl', ...site)).toContain('curl');
      expect(await ran('users', 'add', 'newcomer', '--role', 'editor', ...site)).toContain('Application password: ');
      await ran('backup', 'site.tar.gz', ...site);
      await ran('seed', 'out.yaml', ...site);
      await ran('reset', ...site);
      expect(await ran('doctor', ...site)).toContain('zone');
      expect(await ran('open', '--print', ...site)).toContain(`${server.url}/__qa/ui`);
      const paths = { '/acme': { get: { responses: { 200: { content: { 'application/json': { example: { made: 'by acme' } } } } } } } };
      writeFileSync(file('openapi.json'), JSON.stringify({ openapi: '3.0.3', info: { title: 'Acme', version: '1' }, paths }));
      await ran('stubs', 'import', 'openapi.json', '--base', '/wp-json/acme/v1', ...site);
      expect(await (await fetch(`${server.url}/wp-json/acme/v1/acme`)).json()).toEqual({ made: 'by acme' });
      await ran('status');
      expect(await ran('completion', 'bash')).toContain('complete ');
      await ran('pull', server.url, '--rate', '0', '--output', 'pulled.json', '--config', 'none', '--state', 'state');
      expect(texts('pulled.json')).toContain('"events"');
      await run('check', server.url, '--rate', '0', '--limit', '1', '--only', 'lists', '--config', 'none').then(({ code, stderr }) => {
        expect([[0, 1], stderr]).toEqual([expect.arrayContaining([code]), expect.not.stringContaining('understudy:')]);
        done.add('check');
      });
      const proxied = await untilServing(start('proxy', server.url, '--port', '0', '--config', 'none', '--ephemeral'));
      expect(await proxied.stop('SIGTERM')).toMatchObject({ code: 0 });
      done.add('proxy');
      expect(await server.stop('SIGTERM')).toMatchObject({ code: 0 });
      await ran('restore', 'site.tar.gz', '--data', 'restored', '--config', 'none');
      expect(await ran('users', 'list', '--data', 'restored', '--config', 'none')).toContain('newcomer');

      const saved = await untilServing(start('serve', 'calendar.json', '--ephemeral', '--port', '0', '--config', 'none'));
      await ran('save', '--url', saved.url, '--config', 'none');
      expect(await saved.stop('SIGTERM')).toMatchObject({ code: 0 });

      const socket = path.join(work, 'shared');
      const shared = start('share', '--socket', socket, '--config', 'none', '--dataset', 'empty');
      const said = await answerOf(socket);
      expect(JSON.parse(said)).toMatchObject({ url: expect.stringMatching(/^http:/) });
      expect(await shared.ended).toMatchObject({ code: 0 });
      done.add('share');

      expect([...done].sort()).toEqual(commands.toSorted());
    },
    5 * LIMIT_MS,
  );

  test(
    'a configuration file in TypeScript is read',
    async () => {
      const server = await untilServing(start('serve', '--port', '0'));
      const { events } = (await (await fetch(`${server.url}/wp-json/tribe/events/v1/events`)).json()) as { events: unknown[] };
      expect(events.length).toBeGreaterThan(0);
      expect(await server.stop('SIGTERM')).toMatchObject({ code: 0 });
    },
    LIMIT_MS,
  );

  /** The bundled mongodb-memory-server starts a mongod, and ends it when its server is killed. */
  test(
    'starts an installed mongod, which ends with its server',
    async () => {
      const mongod = path.join(work, 'mongod');
      const script = `#!${process.execPath}
      if (process.argv.includes('--version')) { console.log('db version v8.2.6'); process.exit(0); }
      require('node:fs').writeFileSync(${JSON.stringify(path.join(work, 'pid'))}, String(process.pid));
      console.log('Waiting for connections');
      setInterval(() => {}, 1000);`;
      writeFileSync(mongod, script, { mode: 0o755 });
      const options = ['--no-embedded', '--mongod', mongod, '--data', 'mongod-data', '--config', 'none', '--port', '0'];
      const server = start('serve', ...options);
      await until(() => existsSync(path.join(work, 'pid')) && readFileSync(path.join(work, 'pid'), 'utf8') !== '');
      const pid = Number(readFileSync(path.join(work, 'pid'), 'utf8'));
      expect(isRunning(pid)).toBe(true);
      await new Promise((resolve) => setTimeout(resolve, 500));
      await server.stop('SIGKILL');
      await until(() => !isRunning(pid));
    },
    LIMIT_MS,
  );
});

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; !holds(); tries++) {
    if (tries > 600) throw new Error('Waited for a minute.');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** The first message of `share` on its socket. `share` ends when the client disconnects. */
async function answerOf(socket: string): Promise<string> {
  await until(() => existsSync(socket));
  const client = net.connect(socket).setEncoding('utf8');
  const [said] = (await once(client, 'data')) as [string];
  client.destroy();
  return said;
}
