import { spawn } from 'node:child_process';
import os from 'node:os';
import { environmentVariable } from '../../../server/config/index.js';

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
