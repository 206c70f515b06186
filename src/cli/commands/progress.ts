/**
 * Reports the progress of long work on stderr: one line that is updated in place on a terminal, an occasional line elsewhere, nothing for
 * short work.
 */
export interface Progress {
  /** @param total the total, if known */
  at(what: string, done: number, total?: number): void;
  /** Erases the line: before other output, and at the end. */
  clear(): void;
}

const SILENT: Progress = { at: () => undefined, clear: () => undefined };

/** Minimum interval between lines, in ms. */
const INTERVAL = { terminal: 100, plain: 5_000 };

const count = (n: number): string => n.toLocaleString('en-US');

/** `Reading: 12,000 of 100,000 (12%)` */
const progressLine = (what: string, done: number, total?: number): string =>
  total === undefined || total <= 0
    ? `${what}: ${count(done)}`
    : `${what}: ${count(done)} of ${count(total)} (${Math.floor((Math.min(done, total) / total) * 100)}%)`;

/** @param quiet reports nothing, for `--json` */
export function startProgress({ quiet = false, stream = process.stderr }: { quiet?: boolean; stream?: NodeJS.WriteStream } = {}): Progress {
  if (quiet) return SILENT;
  const isTerminal = stream.isTTY;
  const interval = isTerminal ? INTERVAL.terminal : INTERVAL.plain;
  // On a pipe, the first line appears only after the interval.
  let last = isTerminal ? -Infinity : performance.now();
  let shown = false;
  return {
    at(what, done, total) {
      const now = performance.now();
      if (now - last < interval) return;
      last = now;
      const line = progressLine(what, done, total);
      // The escape sequence erases the rest of a longer previous line.
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
const INTERRUPTED = 130;

/**
 * Runs work that Ctrl-C and SIGTERM can interrupt. The first signal aborts it, which leaves the site unchanged. A second one ends the
 * process at once; the next start then recovers the data folder.
 * @param close closes what the work has opened
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
