import { realTime } from '../../wp/clock.js';

/** Failures that cost nothing; every further one doubles the time to wait. */
const FREE_FAILURES = 5;
const LONGEST_WAIT = 15 * 60_000;
/** After this time without a failure all is forgotten. */
const FORGOTTEN_AFTER = 60 * 60_000;
const MOST_ENTRIES = 10_000;
/** Characters of a login that are looked at; no user has a longer one (WP: 60). */
const MOST_CHARACTERS = 100;

interface Failures {
  count: number;
  last: number;
}

/**
 * Slows down whoever guesses passwords: after some failures for one login from one address, that pair has to wait, longer each time.
 * Measured in real time, since the clock of the site may stand still. WP: has nothing of the kind.
 */
export class LoginGuard {
  private readonly failures = new Map<string, Failures>();

  /** @param now milliseconds, for tests */
  constructor(private readonly now: () => number = realTime) {}

  private key(login: string, address: string): string {
    return JSON.stringify([login.trim().slice(0, MOST_CHARACTERS).toLowerCase(), address]);
  }

  /** Seconds until the next attempt is looked at; 0 when it may be made now. */
  wait(login: string, address: string): number {
    const known = this.failures.get(this.key(login, address));
    if (!known || known.count < FREE_FAILURES) return 0;
    const pause = Math.min(LONGEST_WAIT, 1000 * 2 ** (known.count - FREE_FAILURES));
    return Math.max(0, Math.ceil((known.last + pause - this.now()) / 1000));
  }

  failed(login: string, address: string): void {
    const key = this.key(login, address);
    const known = this.failures.get(key);
    const now = this.now();
    const count = known && now - known.last < FORGOTTEN_AFTER ? known.count + 1 : 1;
    // Entered anew, so that the first in the map is the one that failed longest ago.
    this.failures.delete(key);
    this.failures.set(key, { count, last: now });
    const [oldest] = this.failures.keys();
    if (this.failures.size > MOST_ENTRIES) this.failures.delete(oldest);
  }

  succeeded(login: string, address: string): void {
    this.failures.delete(this.key(login, address));
  }
}
