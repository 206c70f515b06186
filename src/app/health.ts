import type { IncomingMessage, RequestListener } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { diskError } from '../disk.js';

/** How long a response waits for the database. */
const PATIENCE_MS = 90;

/** For this long, a database that responded counts as one that only takes its time: the machine may be busy. */
const FRESH_MS = 5_000;

/** A database that has not responded for so long is asked again: the driver may have forgotten a command that a crash met. */
const FORGET_MS = 2_000;

/** What a server is doing: `starting` ends with the first request that it can handle. */
type State = 'ok' | 'starting' | 'no database';

/**
 * Liveness and readiness, for operators. They need no token, are not steered by tests, and respond at once whatever the
 * database does.
 */
export class Health {
  private ping: (() => Promise<boolean>) | null = null;
  private asked: Promise<boolean> | null = null;
  /** When it was asked, by `now`. */
  private askedAt = 0;
  private isLate = false;
  /** When the database last responded, by `now`. */
  private responded = -Infinity;

  /**
   * @param now milliseconds, for tests
   * @param disk folder of the database, whose full disk is named; null if the database is elsewhere
   */
  constructor(
    private readonly now: () => number = () => performance.now(),
    private readonly disk: string | null = null,
  ) {}

  /** The server is ready as long as the database responds. */
  watch(ping: () => Promise<boolean>): void {
    this.ping = ping;
  }

  /** Whether the database responds, as far as that can be said soon. Concurrent requests ask once. */
  async hasDatabase(): Promise<boolean> {
    if (this.asked === null || this.now() - this.askedAt > FORGET_MS) this.askAnew();
    const { asked } = this;
    if (this.isLate) return this.isFresh;
    const found = await Promise.race([asked, sleep(PATIENCE_MS, null, { ref: false })]);
    if (asked === this.asked) this.isLate = found === null;
    return found ?? this.isFresh;
  }

  private askAnew(): void {
    const asked = this.ask();
    this.asked = asked;
    this.askedAt = this.now();
    this.isLate = false;
    void asked.then(() => {
      if (this.asked !== asked) return;
      this.asked = null;
      this.isLate = false;
    });
  }

  private get isFresh(): boolean {
    return this.now() - this.responded < FRESH_MS;
  }

  private async ask(): Promise<boolean> {
    try {
      const found = (await this.ping?.()) ?? false;
      this.responded = found ? this.now() : -Infinity;
      return found;
    } catch {
      this.responded = -Infinity;
      return false;
    }
  }

  private async state(): Promise<State> {
    if (this.ping === null) return 'starting';
    return (await this.hasDatabase()) ? 'ok' : 'no database';
  }

  /** The function that responds to a request; null if it is for the site. */
  handlerOf({ url = '', method }: IncomingMessage): RequestListener | null {
    if (!url.startsWith('/health') || (method !== 'GET' && method !== 'HEAD')) return null;
    const check = CHECKS[url.split('?', 1)[0]];
    return check === undefined ? null : (_request, response) => void this.answer(response, check);
  }

  private async answer(response: Parameters<RequestListener>[1], check: 'live' | 'ready'): Promise<void> {
    const status = check === 'live' ? 'ok' : await this.state();
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
