import { asError } from '../values/errors.js';

interface Wait {
  /** By `performance.now()`. */
  until: number;
  end: () => void;
}

const waits = new Set<Wait>();
/** One timer for all: work almost always ends before, and starting and stopping one for each takes longer than waiting. */
let timer: NodeJS.Timeout | undefined;
let timerAt = Infinity;

function runTimer(at: number, now: number): void {
  clearTimeout(timer);
  timerAt = at;
  timer = setTimeout(endLate, Math.ceil(at - now));
}

function endLate(): void {
  const now = performance.now();
  const late = [...waits].filter(({ until }) => until <= now);
  for (const wait of late) waits.delete(wait);
  timerAt = Infinity;
  if (waits.size > 0) runTimer(Math.min(...[...waits].map(({ until }) => until)), now);
  for (const { end } of late) end();
}

/**
 * Waits for work with a timeout. Late work continues, and its result is ignored.
 * @param ms how long to wait
 * @param late returns the result on timeout, or throws
 */
export function within<T>(ms: number, work: Promise<T> | T, late: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      try {
        resolve(late());
      } catch (error) {
        reject(asError(error));
      }
    };
    const now = performance.now();
    const wait = { until: now + ms, end };
    waits.add(wait);
    if (wait.until < timerAt) runTimer(wait.until, now);
    else if (waits.size === 1) timer?.ref();
    const stop = (): void => {
      if (waits.delete(wait) && waits.size === 0) timer?.unref();
    };
    Promise.resolve(work).then(resolve, reject).then(stop, stop);
  });
}
