import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { OPTIONS } from '../../../src/server/config/index.js';
import { read, root } from '../../support/documents.js';
import { freePort } from '../../support/port.js';

/** The dev container feature: its metadata, and its scripts, which run outside a container with the built command line. */

const FOLDER = 'docker/devcontainer-feature';

interface Feature {
  id: string;
  version: string;
  options: Record<string, { type: string; default: string; description: string }>;
  postStartCommand: string;
}

const feature = JSON.parse(read(`${FOLDER}/devcontainer-feature.json`)) as Feature;
const script = read(`${FOLDER}/install.sh`);

const exec = promisify(execFile);

test('the metadata has what the specification of features requires, and the version of the package', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string };
  expect(feature).toMatchObject({ id: 'understudy', version, postStartCommand: 'understudy-start' });
  for (const option of Object.values(feature.options))
    expect(option).toEqual({ type: 'string', default: expect.any(String), description: expect.any(String) });
});

test('the script reads every option, with the same default', () => {
  const variables = [...script.matchAll(/^\w+=\$\{(\w+):-(.*)\}$/gm)].map(([, name, fallback]) => [name, fallback]);
  const options = Object.entries(feature.options).map(([name, option]) => [name.toUpperCase(), option.default]);
  expect(variables).toEqual([...options, ['BIN', '/usr/local/bin']]);
});

test('it starts the server with flags that exist', () => {
  const [line] = /understudy serve .*/.exec(script) ?? [''];
  const flags = [...line.matchAll(/--([a-z-]+)/g)].map(([, flag]) => flag);
  expect(flags).toHaveLength(3);
  expect(OPTIONS.map(({ flag }) => flag)).toEqual(expect.arrayContaining(flags));
});

const SHELLCHECK = '/usr/bin/shellcheck';
(existsSync(SHELLCHECK) ? test : test.skip)('shellcheck finds nothing', async () => {
  await expect(exec(SHELLCHECK, [path.join(root, FOLDER, 'install.sh')])).resolves.toMatchObject({ stdout: '' });
});

describe('the scripts', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-feature-'));
  const bin = path.join(folder, 'bin');
  const environment = {
    ...process.env,
    BIN: bin,
    PATH: `${bin}:${path.dirname(process.execPath)}:/usr/bin:/bin`,
    TMPDIR: folder,
    MONGODB_URI: '',
  };
  beforeAll(() => {
    mkdirSync(bin);
    // npm only records its arguments. The command is the built one.
    writeFileSync(path.join(bin, 'npm'), `#!/bin/sh\necho "$@" > ${folder}/npm\n`, { mode: 0o755 });
    writeFileSync(path.join(bin, 'understudy'), `#!/bin/sh\nexec ${process.execPath} ${path.join(root, 'dist/cli.js')} "$@"\n`, {
      mode: 0o755,
    });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('install the package, and start a calendar once, in the workspace', async () => {
    const port = String(await freePort());
    const name = "it's mine.json";
    writeFileSync(path.join(folder, name), JSON.stringify({ events: [{ title: 'Fair', start: '+1d 10:00', duration: '2h' }] }));
    await exec('sh', [path.join(root, FOLDER, 'install.sh')], {
      env: { ...environment, PACKAGE: 'wp-understudy@0.1.0', DATASET: name, PORT: port },
    });
    expect(readFileSync(path.join(folder, 'npm'), 'utf8')).toBe('install --global wp-understudy@0.1.0\n');

    const start = () => exec(path.join(bin, 'understudy-start'), { env: environment, cwd: folder });
    const { stdout } = await start();
    expect(stdout).toBe(`Calendar: http://127.0.0.1:${port}/events/, control page: http://127.0.0.1:${port}/__qa/ui\n`);
    expect((await start()).stdout).toBe(stdout);
    const status = await exec(path.join(bin, 'understudy'), ['status', '--json'], { env: environment, cwd: folder });
    const servers = JSON.parse(status.stdout) as { pid: number; url: string }[];
    const list = await fetch(`http://127.0.0.1:${port}/wp-json/tribe/events/v1/events`);
    for (const { pid } of servers) process.kill(pid, 'SIGTERM');
    expect(servers).toMatchObject([{ url: `http://127.0.0.1:${port}` }]);
    expect(await list.json()).toMatchObject({ events: [{ title: 'Fair' }] });
  }, 120_000);

  test('without npm, they say what to do', async () => {
    const bare = path.join(folder, 'bare');
    mkdirSync(bare);
    const failed = exec('/bin/sh', [path.join(root, FOLDER, 'install.sh')], { env: { ...environment, PATH: bare } });
    await expect(failed).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('Node.js is missing') });
  });
});
