import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const CLI = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../dist/cli.js');

export interface CliResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A running command. */
export interface CliProcess {
  readonly pid: number;
  /** Its output so far. */
  output: () => Omit<CliResult, 'code'>;
  /** Sends a signal and waits for the exit. */
  stop: (signal: NodeJS.Signals) => Promise<CliResult>;
  ended: Promise<CliResult>;
}

const running = new Set<ChildProcess>();

afterAll(() => running.forEach((child) => child.kill('SIGKILL')));

/** The environment without variables that configure the command. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('UNDERSTUDY_') && name !== 'MONGODB_URI');
  return Object.fromEntries(kept);
}

/**
 * Starts the built command line.
 * @param input its standard input
 * @param cwd its working directory
 * @param cli path of the command, if installed elsewhere
 */
export function startCli(args: readonly string[], env: NodeJS.ProcessEnv = {}, input = '', cwd = process.cwd(), cli = CLI): CliProcess {
  const child = spawn(process.execPath, [cli, ...args], { cwd, env: { ...cleanEnvironment(), ...env }, stdio: 'pipe' });
  running.add(child);
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) child[name].setEncoding('utf8').on('data', (chunk: string) => (said[name] += chunk));
  child.stdin.end(input);
  const ended = once(child, 'close').then(([code]) => {
    running.delete(child);
    return { code: code as number | null, ...said };
  });
  return {
    pid: child.pid ?? 0,
    output: () => ({ ...said }),
    stop: (signal) => {
      child.kill(signal);
      return ended;
    },
    ended,
  };
}

/** Runs a command until it exits. */
export const runCli = (args: readonly string[], env: NodeJS.ProcessEnv = {}, input = '', cwd = process.cwd()): Promise<CliResult> =>
  startCli(args, env, input, cwd).ended;

/** Starts `serve` and waits for its URL. */
export const startServe = (
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  cwd = process.cwd(),
): Promise<CliProcess & { url: string }> => untilServing(startCli(['serve', ...args], env, '', cwd));

/** Waits until a process prints its URL. */
export async function untilServing(server: CliProcess): Promise<CliProcess & { url: string }> {
  let hasEnded = false;
  void server.ended.then(() => (hasEnded = true));
  for (;;) {
    const { stdout, stderr } = server.output();
    const url = /serves a calendar at (\S+)[\s\S]*Stop with/.exec(stdout)?.[1];
    if (url !== undefined) return { ...server, url };
    if (hasEnded) throw new Error(`understudy ended: ${stderr}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
