import type { IncomingMessage, RequestListener } from 'node:http';
import { diskError } from '../system/disk.js';

/** How often the database is asked, in ms. */
const EVERY_MS = 1_000;

/** For this long, a database that does not respond counts as one that only takes its time: the machine may be busy. */
const LATE_MS = 5_000;

/** A database that has not responded for so long is asked again: the driver may have forgotten a command that a crash met. */
const FORGET_MS = 2_000;

/** What a server is doing: `starting` ends with the first request that it can handle. */
type State = 'ok' | 'starting' | 'no database';

/**
 * Liveness and readiness, for operators. They need no token and are not steered by tests. Responses wait for nothing: they say what is known
 * of the database, which is asked in the background.
 */
export class Health {
  private ping: (() => Promise<boolean>) | null = null;
  private isStopped = false;
  /** What the database responded last. */
  private responds = false;
  /** The latest question, with the time by `now`. */
  private question = { at: -Infinity };
  /** Since when the database owes a response, by `now`. */
  private owing: number | null = null;

  /**
   * @param now milliseconds, for tests
   * @param disk folder of the database, whose full disk is named; null if the database is elsewhere
   */
  constructor(
    private readonly now: () => number = () => performance.now(),
    private readonly disk: string | null = null,
  ) {}

  /** From now on the server is ready as long as the database responds, as it did a moment ago. @returns what ends this */
  watch(ping: () => Promise<boolean>): () => void {
    this.ping = ping;
    this.responds = true;
    this.owing = null;
    const timer = setInterval(() => this.ask(), EVERY_MS).unref();
    return () => clearInterval(timer);
  }

  /** The database is gone, until it was started again and what that interrupted is completed. */
  databaseStopped(): void {
    this.isStopped = true;
  }

  databaseStarted(): void {
    this.isStopped = false;
  }

  /** Whether the database responds, as far as is known. */
  get hasDatabase(): boolean {
    return !this.isStopped && this.responds && (this.owing === null || this.now() - this.owing < LATE_MS);
  }

  /** Asks the database, unless it is being asked. */
  ask(): void {
    const { ping } = this;
    const at = this.now();
    if (ping === null || (this.owing !== null && at - this.question.at <= FORGET_MS)) return;
    const question = { at };
    this.question = question;
    this.owing ??= at;
    void ping()
      .catch(() => false)
      .then((found) => {
        // A question that was given up may fail long after another one was answered.
        if (!found && question !== this.question) return;
        this.responds = found;
        this.owing = null;
      });
  }

  private get state(): State {
    if (this.ping === null) return 'starting';
    this.ask();
    return this.hasDatabase ? 'ok' : 'no database';
  }

  /** The function that responds to a request; null if it is for the site. */
  handlerOf({ url = '', method }: IncomingMessage): RequestListener | null {
    if (!url.startsWith('/health') || (method !== 'GET' && method !== 'HEAD')) return null;
    const check = CHECKS[url.split('?', 1)[0]];
    return check === undefined ? null : (_request, response) => this.answer(response, check);
  }

  private answer(response: Parameters<RequestListener>[1], check: 'live' | 'ready'): void {
    const status = check === 'live' ? 'ok' : this.state;
    // Ready all the same: reads go on.
    const isFull = check === 'ready' && this.disk !== null && diskError(this.disk) !== null;
    const body = JSON.stringify({ status, ...(isFull ? { disk: 'full' } : {}) });
    response.writeHead(status === 'ok' ? 200 : 503, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      'Cache-Control': 'no-store',
    });
    response.end(response.req.method === 'HEAD' ? undefined : body);
  }
}

/** WP: addresses of pages end with a slash, so no page is hidden. */
const CHECKS: Record<string, 'live' | 'ready' | undefined> = {
  '/health': 'ready',
  '/health/ready': 'ready',
  '/health/live': 'live',
};
