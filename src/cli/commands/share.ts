import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import {
  commandOptions,
  ConfigError,
  OPTIONS,
  readArguments,
  serverOptionHelp,
  type Option,
  type ServerOptions,
} from '../../server/config/index.js';
import { valueOption, type Command, helpOf, section } from './command.js';
import { readServerFile } from '../../control/tenant/api/server-file.js';
import type { Server } from '../../server/app/server.js';
import * as yup from 'yup';

type ShareOption = keyof ServerOptions | 'socket' | 'options';

const FURTHER = valueOption<'options'>('options', 'JSON', 'Options of the server by their names in code, as an object', {
  schema: yup.string(),
});

const SOCKET: Option<'socket'> = valueOption('socket', 'PATH', 'Socket (Windows: named pipe) that test processes connect to', {
  schema: yup.string().min(1),
});

/** How long the server keeps running without clients, in ms: test runners start a process per file and pause between two. */
const IDLE_MS = 5000;
/** How long to wait for the first client, in ms: it may be slow, or already gone. */
const FIRST_CLIENT_MS = 30_000;

/** Override the environment and the configuration file, whose values are meant for a server that people use. */
const ALWAYS: Partial<ServerOptions> = { host: '127.0.0.1', port: 0, ephemeral: true, qa: true, watch: false };

/** A server and its clients. Each client holds a connection, which closes when its process ends for any reason. */
class Shared {
  private clients = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly server: Promise<Server>,
    private readonly secrets: { adminPassword?: string; token?: string },
    private readonly onIdle: () => void,
  ) {
    this.startTimer(FIRST_CLIENT_MS);
  }

  private startTimer(ms: number): void {
    this.timer = setTimeout(this.onIdle, ms);
  }

  addClient(socket: net.Socket): void {
    clearTimeout(this.timer);
    this.clients += 1;
    let sandbox = '';
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => (sandbox += text));
    // A killed process resets its connection; `close` follows.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.clients -= 1;
      if (this.clients === 0) this.startTimer(IDLE_MS);
      void this.drop(sandbox.trim());
    });
    this.server.then(
      ({ url, localUrl, certificate, administrator, site }) => {
        const commandToken = readServerFile(path.dirname(site.uploads))?.token;
        const known = { url, localUrl, certificate, ...this.secrets, commandToken, adminLogin: administrator?.login };
        socket.write(`${JSON.stringify(known)}\n`);
      },
      (error: Error) => socket.end(`${JSON.stringify({ error: error.message })}\n`),
    );
  }

  /** Deletes the sandbox of a client that has disconnected. */
  private async drop(sandbox: string): Promise<void> {
    if (sandbox === '') return;
    const server = await this.server.catch(() => null);
    const headers = { 'X-Understudy-Token': this.secrets.token ?? '' };
    await fetch(`${server?.localUrl}/__qa/sandboxes/${sandbox}`, { method: 'DELETE', headers }).catch(() => undefined);
  }
}

/** Whether a server accepts connections on a socket. */
const isListening = (name: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = net.connect(name);
    socket.once('connect', () => (socket.destroy(), resolve(true)));
    socket.once('error', () => resolve(false));
  });

/** Listens on a socket. @returns false if another process already does */
async function listenOn(listener: net.Server, name: string): Promise<boolean> {
  for (let tries = 0; tries < 2; tries += 1) {
    const error = await new Promise<NodeJS.ErrnoException | null>((resolve) => {
      listener.once('error', resolve);
      listener.listen(name, () => resolve(null));
    });
    if (!error) return true;
    if (error.code !== 'EADDRINUSE') throw error;
    if (await isListening(name)) return false;
    // A killed process left the socket behind.
    rmSync(name, { force: true });
  }
  return false;
}

/** A server that parallel test processes share. The helpers for test runners start it; it ends when no client is connected. */
export const share: Command = {
  help: () =>
    helpOf(
      'share',
      section('Options', [SOCKET]),
      'The options of a server follow. The name in brackets is the environment variable of an option.',
      serverOptionHelp(),
    ),
  options: [SOCKET, FURTHER, ...OPTIONS],
  run: async (args) => {
    const { given, operands } = readArguments<ShareOption>(args, [SOCKET, FURTHER, ...OPTIONS]);
    const { socket, options: further = '{}', ...flags } = given as Partial<ServerOptions> & { socket?: string; options?: string };
    const options: Partial<ServerOptions> = { ...(JSON.parse(further) as object), ...flags };
    if (socket === undefined) throw new ConfigError('--socket is required. Usage: understudy share --socket PATH [options]');
    if (operands.length > 0) throw new ConfigError(`Unexpected argument ${operands[0]}. Usage: understudy share --socket PATH [options]`);
    const adminPassword = options.adminPassword ?? randomBytes(12).toString('hex');
    // The tests use the URL of this server, even if the site has another one elsewhere.
    const { url: _, ...others } = await commandOptions(options, { defaults: { logLevel: 'warn', adminPassword }, own: ALWAYS });
    // Behind a proxy the test API requires a token, which clients learn here.
    const qaToken = others.qaToken ?? (others.trustProxy ? randomBytes(24).toString('base64url') : undefined);
    const resolved: ServerOptions = {
      ...others,
      ...(options.url === undefined ? {} : { url: options.url }),
      ...(qaToken === undefined ? {} : { qaToken }),
    };

    let started: (server: Promise<Server>) => void = () => undefined;
    const server = new Promise<Server>((resolve) => (started = resolve));
    const end = async (): Promise<void> => {
      listener.close();
      await (await server.catch(() => null))?.close();
      process.exit(0);
    };
    const shared = new Shared(server, { adminPassword: resolved.adminPassword, token: resolved.qaToken }, () => void end());
    const listener = net.createServer((connection) => shared.addClient(connection));
    if (!(await listenOn(listener, socket))) process.exit(0);
    process.on('SIGTERM', () => void end());
    const { startServer } = await import('../../server/app/start.js');
    started(startServer(resolved));
    await server.catch((error: Error) => {
      process.stderr.write(`understudy: ${error.message}\n`);
      // Leaves time to send the error to waiting clients.
      setTimeout(() => process.exit(1), 500);
    });
  },
};
