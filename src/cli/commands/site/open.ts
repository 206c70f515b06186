import { spawn } from 'node:child_process';
import os from 'node:os';
import * as yup from 'yup';
import { ConfigError, environmentVariable, STORE_OPTIONS } from '../../../server/config/index.js';
import { CommandError, print, type Command } from '../command.js';
import { contentHelp, PLACE_OPTIONS, readCall, type ContentOption } from '../content.js';
import { serverFor } from './running.js';
import { ServerApi } from './server-api.js';

const PRINT: ContentOption = {
  name: 'print',
  flag: 'print',
  help: 'Print the URL, without opening a browser',
  schema: yup.boolean(),
  sets: true,
};

const OPTIONS = [PRINT, ...PLACE_OPTIONS];

/** The command that opens a URL in the user's browser; null where there is no screen. */
export function openerOf(
  platform: NodeJS.Platform,
  variable: (name: string) => string | undefined,
): [command: string, ...args: string[]] | null {
  if (platform === 'darwin') return ['open'];
  // Not `start`, which is built into the shell: that executes what follows an & in a URL.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return variable('DISPLAY') === undefined && variable('WAYLAND_DISPLAY') === undefined ? null : ['xdg-open'];
}

/** Opens a URL in the user's browser, without a shell. @returns whether a program took it */
export const openUrl = (url: string, opener: readonly string[]): Promise<boolean> =>
  new Promise((resolve) => {
    const [command, ...args] = opener;
    const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
    // Some openers stay as long as the browser.
    setTimeout(() => resolve(true), 2000).unref();
    child.unref();
  });

/** Opens a URL in the user's browser if there is one. @returns what to tell the user if not; otherwise null */
export async function openInBrowser(url: string): Promise<string | null> {
  const opener = openerOf(os.platform(), environmentVariable);
  if (opener === null) return `There is no screen to open a browser on. Open ${url} where there is one.`;
  return (await openUrl(url, opener)) ? null : `No browser could be opened: ${opener[0]} is missing or failed. Open ${url} yourself.`;
}

export const open: Command = {
  help: () => `Usage: understudy open [options]

Opens the control page of the running server of this project in a browser, and prints its URL. Where no browser can be opened, as in a
container or over SSH, it only prints the URL.

${contentHelp(OPTIONS)}

Example: understudy open --print`,
  options: [...OPTIONS, ...STORE_OPTIONS],
  run: async (args) => {
    const { given, operands, options } = await readCall(args, OPTIONS);
    if (operands.length > 0) throw new ConfigError(`Unexpected argument ${operands[0]}. Usage: understudy open [options]`);
    const server = serverFor(options, given);
    if (!server) throw new CommandError('No server runs for this project. Start understudy serve, or name a server with --url');
    // Throws if another server responds, or none.
    await new ServerApi(server.url, server.token).now();
    const page = `${server.url}/__qa/ui`;
    print(page);
    if (!('print' in given)) await openInBrowser(page);
  },
};
