import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { cachedDataVersionTag, setFlagsFromString } from 'node:v8';
import vm from 'node:vm';
import zlib from 'node:zlib';

type Bundle = typeof import('./bundle.js');

/** The bundle. It is absent where the modules were only compiled, as by `npm run dev`. */
const FILE = fileURLToPath(new URL('understudy.cjs', import.meta.url));

/** The bundle starts with a comment that holds the digest of what follows. */
const DIGEST = /^\/\* (\w{64}) \*\/$/;

/** Digest of the bundle and checksum of the compiled code, in front of that. */
const HEADER = 64 + 8;

/** The folder for files that can be made again, next to the installed packages. */
function cacheFolder(): string {
  const root = path.dirname(path.dirname(FILE));
  const modules = path.basename(path.dirname(root)) === 'node_modules' ? path.dirname(root) : path.join(root, 'node_modules');
  return path.join(modules, '.cache', 'wp-understudy');
}

/** Whether this user alone may write to a file: what it contains will be run. */
const isPrivate = (file: string): boolean => {
  const { uid, mode } = statSync(file);
  return uid === process.getuid?.() && (mode & 0o022) === 0;
};

/** By its module: Node.js 18 cannot load one that imports the function, not even to say that it is too old. */
const checksum = (bytes: Uint8Array): string => zlib.crc32(bytes).toString(16).padStart(8, '0');

/** What V8 compiled in an earlier process. It rejects that of another version by itself; damage it would not notice. */
function readCompiled(file: string, digest: string): Buffer | undefined {
  try {
    if (!isPrivate(file)) return undefined;
    const bytes = readFileSync(file);
    const compiled = bytes.subarray(HEADER);
    return bytes.toString('latin1', 0, HEADER) === digest + checksum(compiled) ? compiled : undefined;
  } catch {
    return undefined;
  }
}

function writeCompiled(file: string, digest: string, compiled: Buffer): void {
  const draft = `${file}.${process.pid}`;
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(draft, Buffer.concat([Buffer.from(digest + checksum(compiled)), compiled]), { mode: 0o600 });
    renameSync(draft, file);
  } catch {
    // The packages are read-only: the next start compiles again.
  }
}

type Wrapper = (exports: object, require: NodeJS.Require, module: { exports: object }, file: string, folder: string) => void;

function setFlag(flag: string): void {
  try {
    setFlagsFromString(flag);
  } catch {
    // Engines other than V8 have no such flags.
  }
}

/** Whether V8 keeps the code of functions that have not run for a while, such as the outermost one of the bundle, which runs only once. */
const keepBytecode = (isKept: boolean): void => setFlag(isKept ? '--no-flush-bytecode' : '--flush-bytecode');

/**
 * Has V8 wait longer before it optimizes a function, for the whole process: call it only in one that is a server's own, before `load`.
 * Most servers in tests handle a few hundred requests. As V8 does it, a third of their processor time goes into machine code that is
 * discarded again, since it was made before the function had seen its usual arguments.
 */
export const optimizeLater = (): void => setFlag('--interrupt-budget=300000');

/** Runs the bundle with what V8 compiled in an earlier process. After a first start, what this one has compiled is kept for the next. */
function run(): Bundle {
  // The build writes ASCII alone: this is a quarter of the time that decoding would take.
  const source = readFileSync(FILE, 'latin1');
  const digest = DIGEST.exec(source.slice(0, source.indexOf('\n')))?.[1] ?? '';
  // V8 rejects code that was compiled with other flags.
  const file = path.join(cacheFolder(), `compiled-${process.version}-${process.arch}-${cachedDataVersionTag().toString(36)}`);
  const cachedData = readCompiled(file, digest);
  if (cachedData === undefined) keepBytecode(true);
  const script = new vm.Script(`(function (exports, require, module, __filename, __dirname) {${source}\n})`, {
    filename: FILE,
    cachedData,
  });
  const wrapper = script.runInThisContext() as Wrapper;
  const module = { exports: {} };
  wrapper(module.exports, createRequire(FILE), module, FILE, path.dirname(FILE));
  const bundle = module.exports as Bundle;
  if (cachedData === undefined || script.cachedDataRejected) {
    process.once('exit', () => {
      if (!bundle.hasStarted()) return;
      // The next start will have it so.
      keepBytecode(false);
      setFlag('--heap-growing-percent=0');
      setFlag('--semi-space-growth-factor=2');
      writeCompiled(file, digest, script.createCachedData());
    });
  }
  return bundle;
}

/** Test runners such as Jest load modules into separate contexts, with their own `require`. */
const isInContext = (): boolean => vm.runInThisContext('globalThis') !== globalThis;

async function loadOnce(): Promise<Bundle> {
  if (!existsSync(FILE)) return import('./bundle.js');
  return isInContext() ? (createRequire(FILE)(FILE) as Bundle) : run();
}

let loaded: Promise<Bundle> | undefined;

/** Loads the bundle, or where there is none, the modules. A configuration file may import the package that is reading it. */
export const load = (): Promise<Bundle> => (loaded ??= loadOnce());
