import type { IncomingMessage, RequestListener } from 'node:http';
import { diskError } from '../../base/system/disk.js';
import { lookup } from '../../base/values/records.js';

/** How often the database is asked, in ms. */
const EVERY_MS = 1_000;

/** How long a database that does not respond is treated as slow, in ms: the machine may be busy. */
const LATE_MS = 5_000;

/** After this time without a response the command is sent again, in ms: the driver may have lost it in a crash. */
const FORGET_MS = 2_000;

/** The state of a server: `starting` ends when it can handle a request. */
type State = 'ok' | 'starting' | 'no database';

/**
 * Liveness and readiness, for operators. They need no token, and tests cannot change them. Responses are immediate: they report the last
 * known state of the database, which is checked in the background.
 */
export class HealthChecks {
  private ping: (() => Promise<boolean>) | null = null;
  private isStopped = false;
  /** The last response of the database. */
  private responds = false;
  /** The latest check, with its time by `now`. */
  private question = { at: -Infinity };
  /** When the pending check was sent, by `now`. */
  private owing: number | null = null;

  /**
   * @param now milliseconds, for tests
   * @param disk folder of the database, whose full disk is named; null if the database is elsewhere
   */
  constructor(
    private readonly now: () => number = () => performance.now(),
    private readonly disk: string | null = null,
  ) {}

  /** Marks the server as ready as long as the database responds. @returns what ends this */
  watch(ping: () => Promise<boolean>): () => void {
    this.ping = ping;
    this.responds = true;
    this.owing = null;
    const timer = setInterval(() => this.ask(), EVERY_MS).unref();
    return () => clearInterval(timer);
  }

  /** Marks the database as gone until it is restarted and interrupted work is completed. */
  databaseStopped(): void {
    this.isStopped = true;
  }

  databaseStarted(): void {
    this.isStopped = false;
  }

  /** Whether the database responded to the latest check. */
  get hasDatabase(): boolean {
    return !this.isStopped && this.responds && (this.owing === null || this.now() - this.owing < LATE_MS);
  }

  /** Checks the database, unless a check is pending. */
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
        // An abandoned check may fail long after a later one has succeeded.
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
    // Still ready, since reads work.
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
const CHECKS: Record<string, 'live' | 'ready' | undefined> = lookup({
  '/health': 'ready',
  '/health/ready': 'ready',
  '/health/live': 'live',
});
