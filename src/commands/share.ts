import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import net from 'node:net';
import {
  ConfigError,
  fromEnvironment,
  optionHelp,
  OPTIONS,
  readArguments,
  resolveOptions,
  type Option,
  type ServerOptions,
} from '../config/index.js';
import type { Command } from './command.js';
import type { Server } from '../app/server.js';
import * as yup from 'yup';

type ShareOption = keyof ServerOptions | 'socket';

const SOCKET: Option<'socket'> = {
  name: 'socket',
  flag: 'socket',
  value: 'PATH',
  help: 'Socket (Windows: named pipe) at which users of the server are met',
  schema: yup.string().min(1),
};

/** How long the server stays when nobody uses it: runners start a process per file, and pause between two. */
const LINGER = 5000;
/** Whoever started it may be slow, or may have gone. */
const FIRST = 30_000;

/** What the environment says of these is meant for a server that people use. */
const ALWAYS: Partial<ServerOptions> = { host: '127.0.0.1', port: 0, ephemeral: true, qa: true };

/** A server, and who uses it. Each user is a connection: it ends with the process, however that ends. */
class Shared {
  private users = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly server: Promise<Server>,
    private readonly facts: { adminPassword?: string; token?: string },
    private readonly onUnused: () => void,
  ) {
    this.waitForUsers(FIRST);
  }

  private waitForUsers(ms: number): void {
    this.timer = setTimeout(this.onUnused, ms);
  }

  welcome(socket: net.Socket): void {
    clearTimeout(this.timer);
    this.users += 1;
    let sandbox = '';
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => (sandbox += text));
    // A user that was killed closes its connection in its own way.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.users -= 1;
      if (this.users === 0) this.waitForUsers(LINGER);
      void this.drop(sandbox.trim());
    });
    this.server.then(
      ({ url }) => socket.write(`${JSON.stringify({ url, ...this.facts })}\n`),
      (error: Error) => socket.end(`${JSON.stringify({ error: error.message })}\n`),
    );
  }

  /** The sandbox of a user goes with it. */
  private async drop(sandbox: string): Promise<void> {
    if (sandbox === '') return;
    const server = await this.server.catch(() => null);
    const headers = { 'X-Understudy-Token': this.facts.token ?? '' };
    await fetch(`${server?.url}/__qa/sandboxes/${sandbox}`, { method: 'DELETE', headers }).catch(() => undefined);
  }
}

/** Whether somebody answers at a socket. */
const isAnswered = (name: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = net.connect(name);
    socket.once('connect', () => (socket.destroy(), resolve(true)));
    socket.once('error', () => resolve(false));
  });

/** Listens at a socket. @returns whether: false when somebody else does */
async function listenAt(meeting: net.Server, name: string): Promise<boolean> {
  for (let tries = 0; tries < 2; tries += 1) {
    const error = await new Promise<NodeJS.ErrnoException | null>((resolve) => {
      meeting.once('error', resolve);
      meeting.listen(name, () => resolve(null));
    });
    if (!error) return true;
    if (error.code !== 'EADDRINUSE') throw error;
    if (await isAnswered(name)) return false;
    // Left over from one that was killed.
    rmSync(name, { force: true });
  }
  return false;
}

/** A server for tests that run at the same time: it ends when nobody uses it any more. The helpers for test runners start it. */
export const share: Command = {
  help: () => `Usage: understudy share --socket PATH [options]

Serves a calendar to whoever is connected to a socket, and ends when nobody is any more. The helpers for jest, vitest, node:test and
Playwright start it; nobody else needs to. Nothing is kept.

Options [environment variable]:
${optionHelp([SOCKET, ...OPTIONS])}

Example: understudy share --socket tests.sock --profile tec`,
  run: async (args) => {
    const { given, operands } = readArguments<ShareOption>(args, [SOCKET, ...OPTIONS]);
    const { socket, ...options } = given as Partial<ServerOptions> & { socket?: string };
    if (socket === undefined || operands.length > 0) throw new ConfigError('understudy share needs --socket PATH, and nothing but options');
    const adminPassword = options.adminPassword ?? randomBytes(12).toString('hex');
    const resolved = resolveOptions({ logLevel: 'warn', adminPassword }, fromEnvironment(), ALWAYS, options);

    let started: (server: Promise<Server>) => void = () => undefined;
    const server = new Promise<Server>((resolve) => (started = resolve));
    const end = async (): Promise<void> => {
      meeting.close();
      await (await server.catch(() => null))?.close();
      process.exit(0);
    };
    const shared = new Shared(server, { adminPassword: resolved.adminPassword, token: resolved.qaToken }, () => void end());
    const meeting = net.createServer((connection) => shared.welcome(connection));
    if (!(await listenAt(meeting, socket))) process.exit(0);
    process.on('SIGTERM', () => void end());
    const { startServer } = await import('../app/server.js');
    started(startServer(resolved));
    await server.catch((error: Error) => {
      process.stderr.write(`understudy: ${error.message}\n`);
      // Those who wait are told before it ends.
      setTimeout(() => process.exit(1), 500);
    });
  },
};
