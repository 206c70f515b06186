import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { read, root } from '../../support/documents.js';

interface Step {
  id: string;
  env: Record<string, string>;
  run: string;
}
interface Action {
  inputs: Record<string, { default: string }>;
  outputs: Record<string, { value: string }>;
  runs: { steps: Step[] };
}

const action = parse(read('action.yml')) as Action;

const valuesIn = (file: string): Record<string, string> =>
  Object.fromEntries(
    readFileSync(file, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );

interface Run {
  status: number | null;
  output: string;
  outputs: Record<string, string>;
  env: Record<string, string>;
}

/** Runs the steps of the action like GitHub's runner: with bash, expressions replaced, and outputs and variables in files. */
async function runAction(folder: string, given: Record<string, string>): Promise<Run> {
  const inputs = { ...Object.fromEntries(Object.entries(action.inputs).map(([name, input]) => [name, input.default])), ...given };
  const steps: Record<string, Record<string, string>> = {};
  const resolve = (text: string): string =>
    text.replace(/\$\{\{ (?:inputs\.([\w-]+)|steps\.(\w+)\.outputs\.([\w-]+)) \}\}/g, (_, input: string, step: string, output: string) =>
      input === undefined ? steps[step][output] : inputs[input as keyof typeof inputs],
    );
  const variables = path.join(folder, 'env');
  writeFileSync(variables, '');
  let output = '';
  for (const { id, env, run } of action.runs.steps) {
    const outputs = path.join(folder, `output-${id}`);
    writeFileSync(outputs, '');
    const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run], {
      cwd: path.join(folder, 'project'),
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        RUNNER_TEMP: folder,
        GITHUB_OUTPUT: outputs,
        GITHUB_ENV: variables,
        ...Object.fromEntries(Object.entries(env).map(([name, text]) => [name, resolve(text)])),
      },
    });
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    const [status] = (await once(child, 'exit')) as [number | null];
    steps[id] = valuesIn(outputs);
    if (status !== 0) return { status, output, outputs: {}, env: {} };
  }
  const outputs = Object.fromEntries(Object.entries(action.outputs).map(([name, { value }]) => [name, resolve(value)]));
  return { status: 0, output, outputs, env: valuesIn(variables) };
}

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return String(port);
}

describe('the GitHub action', () => {
  let folder = '';
  const started: string[] = [];
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-action-'));
    mkdirSync(path.join(folder, 'project'));
  });
  afterEach(() => {
    // GitHub's runner kills processes that an action leaves behind.
    for (const pid of started.splice(0)) process.kill(Number(pid));
    rmSync(folder, { recursive: true, force: true });
  });

  const useProjectsOwn = (): void => {
    const bin = path.join(folder, 'project/node_modules/.bin');
    mkdirSync(bin, { recursive: true });
    symlinkSync(path.join(root, 'dist/cli.js'), path.join(bin, 'understudy'));
  };
  const write = (name: string, content: unknown): void => writeFileSync(path.join(folder, 'project', name), JSON.stringify(content));

  test('starts the server that the project has installed, and waits for it', async () => {
    useProjectsOwn();
    write('calendar.json', { events: [{ title: 'Regatta', start: '+1d 10:00', duration: '2h' }] });
    const port = await freePort();
    const { status, output, outputs, env } = await runAction(folder, {
      dataset: 'calendar.json',
      now: '2026-06-15T12:00:00Z',
      port,
      args: '--request-ids --journal 10',
    });
    expect({ status, output }).toMatchObject({
      status: 0,
      output: expect.stringContaining(`Understudy responds at http://127.0.0.1:${port}`),
    });
    started.push(outputs['pid']);
    expect(outputs).toMatchObject({ url: `http://127.0.0.1:${port}`, 'rest-url': `http://127.0.0.1:${port}/wp-json` });
    const response = await fetch(`${outputs['rest-url']}/tribe/events/v1/events`);
    expect(await response.json()).toMatchObject({ events: [{ title: 'Regatta', start_date: '2026-06-16 10:00:00' }] });
    expect(response.headers.has('X-Request-Id')).toBe(true);
    expect(env['UNDERSTUDY_URL']).toBe(outputs['url']);
    const headers = { Authorization: `Basic ${btoa(`admin:${env['UNDERSTUDY_ADMIN_PASSWORD']}`)}` };
    expect((await fetch(`${outputs['rest-url']}/wp/v2/users/me`, { headers })).status).toBe(200);
    expect(readFileSync(outputs['log'], 'utf8')).toContain(port);
  });

  test('installs the package where the project has none', async () => {
    const port = await freePort();
    const { status, output, outputs } = await runAction(folder, { package: root, port });
    expect({ status, output }).toMatchObject({ status: 0 });
    started.push(outputs['pid']);
    expect((await fetch(`${outputs['url']}/health`)).status).toBe(200);
  }, 120_000);

  test('fails with the log when the server does not start', async () => {
    useProjectsOwn();
    write('calendar.json', { evnts: [] });
    const { status, output } = await runAction(folder, { dataset: 'calendar.json', port: await freePort() });
    expect(status).toBe(1);
    expect(output).toContain('::error::Understudy did not start. Its log:');
    expect(output).toContain('evnts');
  });
});
