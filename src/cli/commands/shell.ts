import { readFileSync } from 'node:fs';

/** How often to look whether the shell is there, in ms. */
const EVERY_MS = 500;

/** Shell syntax that makes a shell continue or end before its command does. */
const MORE_THAN_ONE = /[&|;()`\n]|\b(?:nohup|setsid|disown|trap)\b/;

/** Whether a process is a shell that waits for a single command. @param argv its arguments, with its name */
export const waitsForOne = ([shell = '', option, command, ...more]: readonly string[]): boolean =>
  /(?:^|\/)(?:ba|da|k|z)?sh$/.test(shell) && option === '-c' && command !== undefined && more.length === 0 && !MORE_THAN_ONE.test(command);

/** The arguments of a process; null if they are unknown. */
function argumentsOf(pid: number): string[] | null {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
  } catch {
    return null;
  }
}

/**
 * Calls a function when the shell that runs only this process was killed. npm, npx and programs that start commands through a shell send
 * signals to the shell, which does not forward them. Linux only.
 */
export function onShellKilled(act: () => void): void {
  const shell = process.ppid;
  if (!waitsForOne(argumentsOf(shell) ?? [])) return;
  const timer = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(timer);
    act();
  }, EVERY_MS).unref();
}
