import path from 'node:path';
import { parse } from 'yaml';
import { isPermissive, packagesOf, readLock } from '../../../scripts/licenses.mjs';
import { OPTIONS } from '../../../src/server/config/index.js';
import { read } from '../../support/documents.js';

/** Users and permissions in `Dockerfile` and `docker-compose.yml`. `read-only.slow.test.ts` runs the result. */

const dockerfile = read('Dockerfile').replaceAll('\\\n', ' ');
const stages = dockerfile.split(/^FROM /m).slice(1);
const last = stages.at(-1) ?? '';

const { services } = parse(read('docker-compose.yml'), { merge: true }) as { services: Record<string, { image: string }> };
const own = Object.entries(services).filter(([, { image }]) => image === 'wp-understudy');

test('the image runs as a user other than root, named by number', () => {
  const users = [...last.matchAll(/^USER (\S+)$/gm)].map(([, user]) => user);
  expect(users.at(-1)).toMatch(/^[1-9]\d*:[1-9]\d*$/);
  // Files are copied as root, so this user cannot write to them.
  expect(last.slice(last.lastIndexOf('\nUSER '))).not.toMatch(/^(COPY|ADD) /m);
});

test('the image has a health check and a volume, and signals reach the server', () => {
  expect(last).toMatch(/^HEALTHCHECK --interval=\d+s --timeout=\d+s --start-period=\d+s --retries=\d+ +CMD \[/m);
  expect(last).toMatch(/^VOLUME \["\/data"\]$/m);
  for (const statement of ['ENTRYPOINT', 'CMD']) expect(last).toMatch(new RegExp(`^${statement} \\[".*"\\]$`, 'm'));
});

/** A version in words, and the digest of its content, which cannot be replaced as a tag can. */
const PINNED = /^[\w./-]+:\d[\w.-]*@sha256:[0-9a-f]{64}$/;

test('the image is built from named versions, without downloads and secrets', () => {
  expect(stages.length).toBeGreaterThan(1);
  const bases = stages.map((stage) => stage.split(/[ \n]/)[0]);
  expect(bases.filter((base) => !PINNED.test(base))).toEqual([]);
  expect(new Set(bases).size).toBe(1);
  expect(dockerfile).not.toMatch(/^ADD |^(ENV|ARG) .*(TOKEN|PASSWORD|SECRET)|\b(curl|wget)\b/m);
});

test('the image names the licenses that ask for more than keeping the notice', () => {
  const label = /image\.licenses="([^"]*)"/.exec(dockerfile)?.[1].split(' AND ') ?? [];
  const shipped = packagesOf(readLock()).filter(({ use, license }) => use !== 'development' && !isPermissive(license));
  const parts = shipped.flatMap(({ license }) => license.split(' AND ')).filter((license) => !isPermissive(license));
  expect(label.toSorted()).toEqual([...new Set(['MIT', ...parts])].toSorted());
});

test('the images of other services are named by their digest', () => {
  const images = Object.values(services).map(({ image }) => image);
  const others = images.filter((image) => image !== 'wp-understudy');
  expect(others.length).toBeGreaterThan(2);
  expect(others.filter((image) => !PINNED.test(image))).toEqual([]);
});

test.each(own)('%s is read-only, without capabilities and new privileges', (_, service) => {
  expect(service).toMatchObject({
    read_only: true,
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
    tmpfs: ['/tmp'],
    init: true,
  });
  expect(Object.keys(service).filter((key) => ['privileged', 'cap_add', 'user', 'devices', 'pid', 'network_mode'].includes(key))).toEqual(
    [],
  );
});

describe('the compose file in the documentation', () => {
  const [, text = ''] = /^```yaml\n(services:\n[^]*?)^```$/m.exec(read('docs/containers.md')) ?? [];
  const { services: named, volumes } = parse(text) as {
    services: Record<
      string,
      { image: string; ports: string[]; environment: Record<string, string>; volumes: string[]; read_only: boolean; tmpfs: string[] }
    >;
    volumes: Record<string, null>;
  };
  const [service] = Object.values(named);
  const { embedded } = Object.fromEntries(own.map(([, each]) => [(each as { profiles?: string[] }).profiles?.[0] ?? '', each]));

  test('has at most twelve lines, and one service', () => {
    expect(text.trim().split('\n').length).toBeLessThanOrEqual(12);
    expect(Object.keys(named)).toHaveLength(1);
  });

  test('publishes and protects as docker-compose.yml does', () => {
    const { image, ports, read_only, tmpfs } = service;
    expect(embedded).toMatchObject({ image, ports, read_only, tmpfs });
    expect(ports).toEqual([expect.stringMatching(new RegExp(`:${/^EXPOSE (\d+)$/m.exec(dockerfile)?.[1]}$`))]);
  });

  test('sets variables that the server reads, and mounts what they and the image name', () => {
    const known = OPTIONS.map(({ env }) => env);
    expect(Object.keys(service.environment).filter((name) => !known.includes(name))).toEqual([]);
    const mounts = service.volumes.map((mount) => mount.split(':'));
    expect(mounts.map(([, target]) => target)).toEqual(['/datasets', '/data']);
    expect(path.posix.dirname(service.environment.UNDERSTUDY_DATASET)).toBe('/datasets');
    expect(mounts.map(([source]) => source).filter((source) => !source.startsWith('.'))).toEqual(Object.keys(volumes));
  });
});
