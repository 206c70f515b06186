/**
 * Tells on the error output how far long work has come: one line that is written over on a terminal, a line now and then where the output
 * goes elsewhere, nothing when there is no need.
 */
export interface Progress {
  /** @param total how much there is in all, when known */
  at(what: string, done: number, total?: number): void;
  /** Takes the line away: something else is to be said, or all is done. */
  clear(): void;
}

const SILENT: Progress = { at: () => undefined, clear: () => undefined };

/** How often a line is written, milliseconds: often enough to see it move, seldom enough to read a log. */
const INTERVAL = { terminal: 100, plain: 5_000 };

const count = (n: number): string => n.toLocaleString('en-US');

/** `Reading: 12,000 of 100,000 (12%)` */
export const progressLine = (what: string, done: number, total?: number): string =>
  total === undefined || total <= 0
    ? `${what}: ${count(done)}`
    : `${what}: ${count(done)} of ${count(total)} (${Math.floor((Math.min(done, total) / total) * 100)}%)`;

/** @param quiet nothing is told, as for scripts that ask for `--json` */
export function startProgress({ quiet = false, stream = process.stderr }: { quiet?: boolean; stream?: NodeJS.WriteStream } = {}): Progress {
  if (quiet) return SILENT;
  const isTerminal = stream.isTTY;
  const interval = isTerminal ? INTERVAL.terminal : INTERVAL.plain;
  // Short work says nothing on a pipe.
  let last = isTerminal ? -Infinity : performance.now();
  let shown = false;
  return {
    at(what, done, total) {
      const now = performance.now();
      if (now - last < interval) return;
      last = now;
      const line = progressLine(what, done, total);
      // The escape erases what a longer line before has left behind.
      stream.write(isTerminal ? `\r${line.slice(0, Math.max(20, (stream.columns || 80) - 1))}\x1b[K` : `${line}\n`);
      shown = isTerminal;
    },
    clear() {
      if (shown) stream.write('\r\x1b[K');
      shown = false;
    },
  };
}

/** Exit code of a command that was interrupted. */
export const INTERRUPTED = 130;

/**
 * Runs work that Ctrl-C and SIGTERM may cut short: the first asks it to end, which leaves what was there before; a second one ends the
 * process at once, which the next start puts right.
 * @param close ends what the work has opened
 */
export async function interruptible<T>(
  work: (signal: AbortSignal) => Promise<T>,
  close: () => Promise<void> = () => Promise.resolve(),
): Promise<T> {
  const controller = new AbortController();
  const stop = (): void => {
    if (controller.signal.aborted) process.exit(INTERRUPTED);
    controller.abort();
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  try {
    return await work(controller.signal);
  } catch (error) {
    if (!controller.signal.aborted) throw error;
    await close();
    process.stderr.write('Interrupted: nothing was changed.\n');
    process.exit(INTERRUPTED);
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  }
}
