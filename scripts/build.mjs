// Builds dist, unless it was built from the same sources: node scripts/build.mjs
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { copyAssets } from './assets.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = path.join(root, 'dist');
const STAMP = path.join(dist, '.built');

/** Builds start in a folder whose name ends with the id of the process. */
const DRAFT = '.build-';

/** The input of a build besides folders. The lock file covers installed packages. */
const MADE_OF = ['package.json', 'package-lock.json', ...['', '.build', '.cjs'].map((kind) => `tsconfig${kind}.json`)];
const SCRIPTS = ['assets', 'build', 'bundle', 'dataset-types', 'field-types', 'images', 'option-types', 'table-types', 'types'].map(
  (name) => `scripts/${name}.mjs`,
);

const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();

function digestOfSources() {
  const digest = createHash('sha256');
  for (const file of [
    ...['src', 'fixtures/uploads'].flatMap((folder) => filesIn(path.join(root, folder))),
    ...[...MADE_OF, ...SCRIPTS].map((name) => path.join(root, name)),
  ])
    digest.update(path.relative(root, file)).update(readFileSync(file));
  return digest.digest('hex');
}

/** @returns the exit code */
const run = (...args) =>
  new Promise((resolve, reject) => {
    spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
      .once('error', reject)
      .once('exit', resolve);
  });

const compile = (project, outDir) => run('node_modules/typescript/bin/tsc', '-p', project, '--outDir', outDir);

async function writeTo(draft, digest) {
  // Loaded only if something has to be built.
  const modules = ['bundle', 'images', 'table-types', 'types'].map((name) => import(`./${name}.mjs`));
  const [{ writeBundles }, { writeImages }, { copyTableTypes }, { keepPublishedTypes }] = await Promise.all(modules);
  mkdirSync(path.join(draft, 'cjs'), { recursive: true });
  // It loads modules of the server, which the process of Jest replaces.
  if (await run('scripts/table-types.mjs')) throw new Error('the types that follow from tables cannot be written');
  const codes = await Promise.all([
    compile('tsconfig.build.json', draft),
    compile('tsconfig.cjs.json', path.join(draft, 'cjs')),
    writeBundles(draft, digest),
  ]);
  await writeImages(draft, dist);
  copyAssets(draft);
  for (const part of [draft, path.join(draft, 'cjs')]) copyTableTypes(part);
  keepPublishedTypes(draft);
  chmodSync(path.join(draft, 'cli.js'), 0o755);
  // The package has ES modules, except for the files that `require` loads, as in jest.
  writeFileSync(path.join(draft, 'cjs', 'package.json'), '{ "type": "commonjs" }\n');
  return codes.every((code) => !code);
}

/** Files are replaced atomically, since another process may be reading them; obsolete ones are removed. */
function moveIntoPlace(draft) {
  const built = new Set(filesIn(draft).map((file) => path.relative(draft, file)));
  for (const name of built) {
    mkdirSync(path.dirname(path.join(dist, name)), { recursive: true });
    renameSync(path.join(draft, name), path.join(dist, name));
  }
  rmSync(draft, { recursive: true });
  const others = filesIn(dist).map((file) => path.relative(dist, file));
  for (const name of others) if (!built.has(name) && !name.startsWith('.')) rmSync(path.join(dist, name), { force: true });
}

const isRunning = (pid) => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
};

/** Removes leftovers of killed builds. */
function sweepDrafts() {
  const drafts = existsSync(dist) ? readdirSync(dist).filter((name) => name.startsWith(DRAFT)) : [];
  for (const name of drafts) if (!isRunning(Number(name.slice(DRAFT.length)))) rmSync(path.join(dist, name), { recursive: true });
}

const stamp = () => (existsSync(STAMP) ? readFileSync(STAMP, 'utf8') : '');

/** @returns whether the types are correct. `npm run check` reports type errors; tests run in spite of them */
export async function build() {
  const digest = digestOfSources();
  const [built, errors] = stamp().split(' ');
  if (built === digest) return errors === undefined;
  sweepDrafts();
  const draft = path.join(dist, `${DRAFT}${process.pid}`);
  const isRight = await writeTo(draft, digest);
  moveIntoPlace(draft);
  writeFileSync(STAMP, isRight ? digest : `${digest} errors`);
  return isRight;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // The compiler has to report the errors again.
  if (stamp().includes(' ')) rmSync(STAMP);
  if (!(await build())) process.exitCode = 1;
}
