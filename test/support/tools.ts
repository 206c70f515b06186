import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { installedTools, type Tools } from '../../scripts/tools.mjs';
import { root } from './documents.js';

/** The newest test tools. Without them, tests that need them are skipped. */
export const tools: Tools | null = installedTools();
if (tools === null) process.stderr.write('Tests with the newest test tools are skipped: there are none (npm run tools).\n');

export const withTools: typeof test = tools === null ? test.skip : test;

/** The environment of a runner: without what Jest, this project or a terminal sets. */
function runnerEnv(): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' };
  for (const name of Object.keys(env)) if (/^UNDERSTUDY_|^JEST_|^NODE_(?!EXTRA)|^VITEST|^CI$/.test(name)) delete env[name];
  return env;
}

/** A project with this package as users install it, and with the newest tools beside it. */
export class Project {
  readonly folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-tools-'));

  constructor({ modules, names }: Tools) {
    const at = (...parts: string[]): string => path.join(this.folder, 'node_modules', ...parts);
    mkdirSync(at(), { recursive: true });
    for (const name of names) {
      mkdirSync(path.dirname(at(name)), { recursive: true });
      symlinkSync(path.join(modules, name), at(name), 'junction');
    }
    // Not links: a module finds its runner from where it is.
    for (const part of ['dist', 'fixtures', 'package.json']) cpSync(path.join(root, part), at('wp-understudy', part), { recursive: true });
    for (const name of ['sharp', 'jiti', '@0q']) {
      const source = path.join(root, 'node_modules', name);
      if (existsSync(source)) symlinkSync(source, at(name), 'junction');
    }
    this.write({ 'package.json': '{ "type": "module" }' });
  }

  write(files: Record<string, string>): void {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(this.folder, name)), { recursive: true });
      writeFileSync(path.join(this.folder, name), text);
    }
  }

  /** Deletes all files but the packages. */
  empty(): void {
    for (const name of readdirSync(this.folder))
      if (name !== 'node_modules' && name !== 'package.json') rmSync(path.join(this.folder, name), { recursive: true, force: true });
  }

  /** Runs a program to its end. @returns its exit code, and all that it prints */
  run(program: string, args: readonly string[]): { status: number | null; output: string } {
    const { status, stdout, stderr } = spawnSync(program, args, { cwd: this.folder, env: runnerEnv(), encoding: 'utf8', timeout: 300_000 });
    return { status, output: stdout + stderr };
  }

  start(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
    return spawn(program, args, { cwd: this.folder, env: { ...runnerEnv(), ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  }

  delete(): void {
    // A server that ends may still write to it.
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
  }
}
