import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { read, root } from '../../support/documents.js';

/*
 * Does what `docker run --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges` does, without docker: a mount namespace
 * with a read-only root, /tmp in memory, and the user of the image. Requires Linux, and root or user namespaces.
 */

const USER = 1000;
const isRoot = process.getuid?.() === 0;
const PASSWORD = 'read only read only';
const TOKEN = 'token-of-the-test';

/** Existing folders, as mount points for the package and the volume. */
const [APP, DATA] = ['/srv', '/mnt'];

const ENTER = `
set -e
mount --make-rprivate /
mount --bind / "$NEW"
mount -o remount,ro,bind "$NEW"
mount --bind "$REPOSITORY" "$NEW${APP}"
mount -o remount,ro,bind "$NEW${APP}"
mount --bind "$CACHE" "$NEW${APP}/node_modules/.cache"
[ "$STAGE" = build ] || mount -o remount,ro,bind "$NEW${APP}/node_modules/.cache"
mount --bind "$VOLUME" "$NEW${DATA}"
mount --rbind /dev "$NEW/dev"
mount --rbind /proc "$NEW/proc"
mount -t tmpfs -o noexec,nosuid,nodev,mode=1777 tmpfs "$NEW/tmp"
exec chroot "$NEW" setpriv $AS --inh-caps=-all --bounding-set=-all --no-new-privs sh -c 'cd ${APP} && exec "$@"' sh "$@"
`;

const dockerfile = read('Dockerfile').replaceAll('\\\n', ' ');
const imageEnvironment = Object.fromEntries(
  [.../^ENV (.*)$/m.exec(dockerfile)![1].matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
);

let base: string;
let port: string;

beforeAll(async () => {
  base = await mkdtemp(path.join(os.tmpdir(), 'understudy-read-only-'));
  await chmod(base, 0o755);
  for (const name of ['new', 'cache', 'volume']) {
    await mkdir(path.join(base, name));
    if (isRoot) await chown(path.join(base, name), USER, USER);
  }
  const free = net.createServer().listen(0);
  await once(free, 'listening');
  port = String((free.address() as net.AddressInfo).port);
  await new Promise((resolve) => free.close(resolve));
});
afterAll(() => rm(base, { recursive: true, force: true }));

/** A command in the container, and its environment. */
function contained(command: readonly string[], stage = 'run'): { file: string; args: string[]; env: NodeJS.ProcessEnv } {
  const env = {
    PATH: process.env['PATH'],
    HOME: '/nonexistent',
    ...imageEnvironment,
    UNDERSTUDY_DATA: DATA,
    UNDERSTUDY_PORT: port,
    UNDERSTUDY_QA_TOKEN: TOKEN,
    UNDERSTUDY_ADMIN_PASSWORD: PASSWORD,
    NEW: path.join(base, 'new'),
    CACHE: path.join(base, 'cache'),
    VOLUME: path.join(base, 'volume'),
    REPOSITORY: root,
    STAGE: stage,
    AS: isRoot ? `--reuid=${USER} --regid=${USER} --clear-groups` : '',
  };
  const namespaces = isRoot ? ['--mount'] : ['--user', '--map-root-user', '--mount'];
  return { file: 'unshare', args: [...namespaces, 'bash', '-c', ENTER, 'bash', ...command], env };
}

const run = async (command: readonly string[], stage?: string): Promise<string> => {
  const { file, args, env } = contained(command, stage);
  return (await promisify(execFile)(file, args, { env })).stdout;
};

const url = (): string => `http://127.0.0.1:${port}`;

async function serve(): Promise<ChildProcess> {
  const [entry] = /^ENTRYPOINT (\[.*\])$/m
    .exec(dockerfile)!
    .slice(1)
    .map((text) => JSON.parse(text) as string[]);
  const { file, args, env } = contained([...entry, 'serve']);
  const child = spawn(file, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const [command, ...check] = JSON.parse(/^HEALTHCHECK .*? CMD (\[.*\])$/m.exec(dockerfile)![1]) as string[];
  for (let tries = 0; tries < 200; tries += 1) {
    if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode}`);
    const healthy = await promisify(execFile)(command, check, { env: { ...process.env, UNDERSTUDY_PORT: port } }).catch(() => null);
    if (healthy) return child;
    await sleep(100);
  }
  child.kill('SIGKILL');
  throw new Error('never healthy');
}

async function stop(child: ChildProcess): Promise<unknown> {
  child.kill('SIGTERM');
  return (await once(child, 'exit'))[0] as unknown;
}

test('the server runs as another user, without capabilities, and writes nowhere but to its volume and /tmp', async () => {
  // The image build compiles and adapts files that are read-only in the container.
  const build = /--eval "(import .*?)" +&&/.exec(dockerfile)![1];
  await run(['node', '--input-type=module', '--eval', build], 'build');

  for (const folder of [APP, `${APP}/node_modules/.cache`, '/var', '/etc'])
    await expect(run(['sh', '-c', `echo x > ${folder}/written-by-a-test`])).rejects.toThrow(/Read-only file system/);

  let server = await serve();
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
  expect(status).toMatch(/^CapEff:\t0+$/m);
  expect(status).toMatch(/^NoNewPrivs:\t1$/m);
  if (isRoot) expect(status).toMatch(new RegExp(`^Uid:\t${USER}\t${USER}\t${USER}\t${USER}$`, 'm'));

  const authorization = `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`;
  const image = readFileSync(path.join(root, 'fixtures/uploads/2025/09/castle-hill.webp'));
  const uploaded = await fetch(`${url()}/wp-json/wp/v2/media`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'image/webp', 'content-disposition': 'attachment; filename="hill.webp"' },
    body: new Uint8Array(image),
  });
  expect(uploaded.status).toBe(201);
  const { source_url } = (await uploaded.json()) as { source_url: string };
  expect((await fetch(source_url)).status).toBe(200);
  const snapshot = await fetch(`${url()}/__qa/snapshots/one`, { method: 'PUT', headers: { 'x-understudy-token': TOKEN } });
  expect(snapshot.status).toBe(201);
  expect(await run(['node', 'dist/cli.js', 'backup', `${DATA}/site.tar.gz`])).toContain('is complete');
  expect(await run(['node', 'dist/cli.js', 'doctor'])).toContain('0 problems');
  expect(await stop(server)).toBe(0);

  server = await serve();
  expect((await fetch(source_url)).status).toBe(200);
  expect(await stop(server)).toBe(0);
  expect(existsSync(path.join(base, 'volume/site.tar.gz'))).toBe(true);
}, 120_000);
