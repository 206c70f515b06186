import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { OPTIONS } from '../../../src/server/config/index.js';
import { http } from '../../support/http.js';
import { startServe } from '../../support/cli.js';
import { testDatabase } from '../../support/database.js';
import { read, root } from '../../support/documents.js';

/** `Dockerfile` and `docker-compose.yml`: the files that they name exist, and their commands run as processes with the same environment. */

interface Service {
  image: string;
  profiles?: string[];
  environment?: Record<string, string>;
  volumes?: string[];
  ports?: string[];
  depends_on?: Record<string, unknown>;
  tmpfs?: string[];
  healthcheck?: { test: string[] };
}

const composeFile = read('docker-compose.yml');
const { services, volumes } = parse(composeFile, { merge: true }) as { services: Record<string, Service>; volumes: Record<string, null> };
const dockerfile = read('Dockerfile').replaceAll('\\\n', ' ');

/** Expands `${NAME:-default}` like Docker Compose. */
const interpolated = (text: string, variables: Record<string, string>): string =>
  text.replaceAll(/\$\{(\w+):-([^}]*)\}/g, (_, name: string, fallback: string) => variables[name] || fallback);

const imageEnvironment = Object.fromEntries(
  [.../^ENV (.*)$/m.exec(dockerfile)![1].matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
);

const own = Object.entries(services).filter(([, { image }]) => image === 'wp-understudy');
const KNOWN = new Set([...OPTIONS.map(({ env }) => env), 'NODE_ENV']);

test('every profile of the documents is there, and every service is in one', () => {
  const profiles = [...read('docs/containers.md').matchAll(/^- `(\w+)`, `http:\/\/localhost:(\d+)`/gm)].map(([, name, port]) => [
    name,
    port,
  ]);
  const published = (profile: string): string[] =>
    Object.values(services)
      .filter((service) => service.profiles?.includes(profile))
      .flatMap(({ ports = [] }) => ports.map((port) => port.split(':')[1]))
      .filter((port) => port !== '27017');
  expect(profiles.map(([name]) => name)).toEqual(['embedded', 'mongodb', 'cluster']);
  for (const [name, port] of profiles) expect([name, published(name)]).toEqual([name, [port]]);
  for (const [name, { profiles: given }] of Object.entries(services)) expect([name, given?.length]).toEqual([name, 1]);
});

test.each(Object.entries(services))('%s depends on services of its profile, and its volumes are declared', (_, service) => {
  for (const name of Object.keys(service.depends_on ?? {})) expect(services[name].profiles).toEqual(service.profiles);
  for (const mount of service.volumes ?? []) {
    const source = interpolated(mount, {}).split(':')[0];
    if (source.startsWith('.')) expect(existsSync(path.join(root, source))).toBe(true);
    else expect(Object.keys(volumes)).toContain(source);
  }
});

test.each([...own.map(([name, { environment }]) => [name, environment ?? {}] as const), ['the image', imageEnvironment] as const])(
  '%s sets variables that the server reads',
  (_, environment) => expect(Object.keys(environment).filter((name) => !KNOWN.has(name))).toEqual([]),
);

test('the head of the compose file lists the variables that it reads', () => {
  const head = composeFile.slice(0, composeFile.indexOf('name:'));
  for (const [, name] of composeFile.matchAll(/\$\{(\w+)/g)) expect(head).toContain(name);
});

test('what the image copies is there', () => {
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, names]) => names.split(/\s+/));
  for (const name of copied) expect([name, existsSync(path.join(root, name))]).toEqual([name, true]);
  const ignored = read('.dockerignore');
  for (const name of copied) expect(ignored).toContain(`!${name}`);
});

describe.each(own)('%s as a process', (_name, service) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-container-'));
  const database = testDatabase();
  afterAll(() => rmSync(folder, { recursive: true }));

  test('serves the dataset that is mounted, the test API by token, under every host name, and is healthy', async () => {
    const token = 'token-of-the-test';
    const given = { UNDERSTUDY_QA_TOKEN: token, UNDERSTUDY_DATASET: '/datasets/edge.json', UNDERSTUDY_PROFILE: 'standard' };
    const mounts = (service.volumes ?? []).map((mount) => interpolated(mount, given).split(':'));
    const [datasets] = mounts.find(([, target]) => target === '/datasets') ?? [''];
    expect(mounts.map(([, target]) => target)).toEqual(expect.arrayContaining(['/data', '/datasets']));

    const stated = Object.entries(service.environment ?? {}).map(([name, value]) => [name, interpolated(value, given)] as const);
    const environment: Record<string, string> = {
      ...imageEnvironment,
      ...Object.fromEntries(stated),
      // Overrides values that exist only in a container.
      UNDERSTUDY_DATA: folder,
      UNDERSTUDY_DATASET: path.join(root, datasets, 'edge.json'),
      UNDERSTUDY_PORT: '0',
      MONGODB_URI: database.address,
    };
    const server = await startServe([], environment);
    const { port } = new URL(server.url);
    const local = `http://127.0.0.1:${port}`;
    expect((await http('GET', `${local}/__qa/journal`, { host: 'understudy:8080' })).status).toBe(401);
    const journal = await http('GET', `${local}/__qa/journal`, { host: 'understudy:8080', 'x-understudy-token': token });
    expect(journal.status).toBe(200);
    const list = await http('GET', `${local}/wp-json/tribe/events/v1/events?starts_after=2000-01-01&per_page=1`, {
      host: 'understudy:8080',
    });
    const { rest_url, events } = JSON.parse(list.text) as { rest_url: string; events: { slug: string }[] };
    expect(rest_url).toContain('http://understudy:8080/');
    expect(read('fixtures/edge.json')).toContain(`"${events[0].slug}"`);

    const [command, ...args] = JSON.parse(/^HEALTHCHECK .*? CMD (\[.*\])$/m.exec(dockerfile)![1]) as string[];
    const check = (at: string): Promise<unknown> => promisify(execFile)(command, args, { env: { ...process.env, UNDERSTUDY_PORT: at } });
    await expect(check(port)).resolves.toBeDefined();
    await server.stop('SIGTERM');
    await expect(check(port)).rejects.toThrow();
  });
});
