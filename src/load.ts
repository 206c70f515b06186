import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { cachedDataVersionTag } from 'node:v8';
import vm from 'node:vm';
import zlib from 'node:zlib';
import { setFlag } from './base/system/v8.js';

type Bundle = typeof import('./bundle.js');

/** The bundle. It is absent where the modules were only compiled, as by `npm run dev`. */
const FILE = fileURLToPath(new URL('understudy.cjs', import.meta.url));

/** The bundle starts with a comment that holds the digest of what follows. */
const DIGEST = /^\/\* (\w{64}) \*\/$/;

/** Digest of the bundle and checksum of the compiled code, in front of that. */
const HEADER = 64 + 8;

/** The folder for files that can be recreated, next to the installed packages. */
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

/** Through the module object: with a named import, Node.js 18 could not load this file, not even to report that it is too old. */
const checksum = (bytes: Uint8Array): string => zlib.crc32(bytes).toString(16).padStart(8, '0');

/** The code that V8 compiled in an earlier process. V8 rejects code of another version, but does not notice damage. */
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

/** Whether V8 keeps the code of functions that have not run for a while, such as the outermost one of the bundle, which runs only once. */
const keepBytecode = (isKept: boolean): void => setFlag('flush-bytecode', !isKept);

/**
 * How much the space for young objects grows when it does: by default, and in the process of a server while it starts, where it has 2 MB, then
 * the 8 MB that `serve` limits it to.
 */
const [USUAL_GROWTH, START_GROWTH] = [2, 4];
let growth = USUAL_GROWTH;

/**
 * Makes V8 optimize functions later, for the whole process. Call it only in the process of a server, before `load`. Most servers in tests
 * handle a few hundred requests; by default, a third of their processor time goes into machine code that is soon discarded, since it was
 * compiled before the function had seen its usual arguments. Only Node.js 20 has this flag. On 22, 24 and 26, later optimization by the
 * flags that they have (`invocation-count-for-turbofan` and `-maglev`, `no-maglev`) saved nothing that could be measured.
 *
 * The space for young objects grows at once: what a start makes stays, and would be copied each time that the space doubles.
 */
export function optimizeLater(): void {
  setFlag('interrupt-budget', 300_000);
  growth = START_GROWTH;
  setFlag('semi-space-growth-factor', growth);
}

/** Runs the bundle with the code that V8 compiled in an earlier process. A first start stores its compiled code for the next one. */
function run(): Bundle {
  // The build writes ASCII only, which takes a quarter of the time to decode.
  const source = readFileSync(FILE, 'latin1');
  const digest = DIGEST.exec(source.slice(0, source.indexOf('\n')))?.[1] ?? '';
  // V8 rejects code that was compiled with other flags.
  const file = path.join(cacheFolder(), `compiled-${process.version}-${process.arch}-${cachedDataVersionTag().toString(36)}`);
  const cachedData = readCompiled(file, digest);
  if (cachedData === undefined) keepBytecode(true);
  const script = new vm.Script(source, { filename: FILE, cachedData });
  const wrapper = script.runInThisContext() as Wrapper;
  const module = { exports: {} };
  wrapper(module.exports, createRequire(FILE), module, FILE, path.dirname(FILE));
  const bundle = module.exports as Bundle;
  if (cachedData === undefined || script.cachedDataRejected) {
    process.once('exit', () => {
      if (!bundle.hasStarted()) return;
      // The next start uses it.
      keepBytecode(false);
      setFlag('heap-growing-percent', 0);
      setFlag('semi-space-growth-factor', growth);
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

/** Loads the bundle, or the modules if there is none. A configuration file may import the package that is reading it. */
export const load = (): Promise<Bundle> => (loaded ??= loadOnce());
