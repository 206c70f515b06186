/**
 * Reports the progress of long work on stderr: one line that is updated in place on a terminal, a line every five seconds elsewhere, also while
 * nothing moves, and nothing for short work.
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

/** `Reading: 12,000 of 100,000 (12%)`; for work that does not tell how much is done, `Loading, 10 s so far`. */
function progressLine(what: string, done: number, total = 0, seconds = 0): string {
  if (done === 0 && total === 0) return `${what}, ${seconds} s so far`;
  return total <= 0
    ? `${what}: ${count(done)}`
    : `${what}: ${count(done)} of ${count(total)} (${Math.floor((Math.min(done, total) / total) * 100)}%)`;
}

const SYSTEM = { performance, setInterval, clearInterval };

interface ProgressOptions {
  /** Reports nothing, for `--json`. */
  quiet?: boolean;
  stream?: NodeJS.WriteStream;
  /** The clock, for tests. */
  clock?: typeof SYSTEM;
}

export function startProgress({ quiet = false, stream = process.stderr, clock = SYSTEM }: ProgressOptions = {}): Progress {
  if (quiet) return SILENT;
  const isTerminal = stream.isTTY;
  const interval = isTerminal ? INTERVAL.terminal : INTERVAL.plain;
  // On a pipe, the first line appears only after the interval.
  let last = isTerminal ? -Infinity : clock.performance.now();
  let shown = false;
  let current = { what: '', since: 0, done: 0, total: undefined as number | undefined };
  let waiting: NodeJS.Timeout | undefined;
  const write = (): void => {
    last = clock.performance.now();
    const line = progressLine(current.what, current.done, current.total, Math.round((last - current.since) / 1000));
    // The escape sequence erases the rest of a longer previous line.
    stream.write(isTerminal ? `\r${line.slice(0, Math.max(20, (stream.columns || 80) - 1))}\x1b[K` : `${line}\n`);
    shown = isTerminal;
  };
  return {
    at(what, done, total) {
      current = { what, since: what === current.what ? current.since : clock.performance.now(), done, total };
      waiting ??= clock.setInterval(() => clock.performance.now() - last >= interval && write(), Math.max(interval, 1_000)).unref();
      if (clock.performance.now() - last >= interval) write();
    },
    clear() {
      clock.clearInterval(waiting);
      waiting = undefined;
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
