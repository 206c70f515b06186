import { withLock } from '../../database/store/locks.js';
import { realTime } from '../clock.js';

const LONGEST_WAIT = 15 * 60_000;
/** After this time without a failure, all failures are forgotten. */
const FORGOTTEN_AFTER = 60 * 60_000;
const MOST_ENTRIES = 10_000;
/** Maximum length of a login in the key; no user has a longer one (WP: 60). */
const MOST_CHARACTERS = 100;

interface Failures {
  count: number;
  last: number;
  /** The latest wrong password, if it counts once. */
  guess?: string | undefined;
}

/**
 * Slows down guessing of passwords: after a number of failures for one login from one address, that pair has to wait, longer each time.
 * Uses real time, since the clock of the site may be frozen. WP: has no such limit.
 */
export class SignInGuard {
  private readonly failures = new Map<string, Failures>();

  /**
   * @param attempts failures until the first wait of a second; every further one doubles it. 0: no limit
   * @param now milliseconds, for tests
   */
  constructor(
    readonly attempts: number,
    private readonly now: () => number = realTime,
  ) {}

  private key(login: string, address: string): string {
    return JSON.stringify([login.trim().slice(0, MOST_CHARACTERS).toLowerCase(), address]);
  }

  /** Seconds until the next attempt is allowed; 0 if it is allowed now. */
  wait(login: string, address: string): number {
    const known = this.failures.get(this.key(login, address));
    if (!known || known.count < this.attempts) return 0;
    const pause = Math.min(LONGEST_WAIT, 1000 * 2 ** (known.count - this.attempts));
    return Math.max(0, Math.ceil((known.last + pause - this.now()) / 1000));
  }

  /** @param guess what was sent, if it counts once as long as nothing else is sent */
  failed(login: string, address: string, guess?: string): void {
    if (this.attempts === 0) return;
    const key = this.key(login, address);
    const now = this.now();
    const stored = this.failures.get(key);
    const known = stored && now - stored.last < FORGOTTEN_AFTER ? stored : undefined;
    if (known && guess !== undefined && known.guess === guess) return;
    const count = (known?.count ?? 0) + 1;
    // Reinserted, so that the first entry of the map is the oldest failure.
    this.failures.delete(key);
    this.failures.set(key, { count, last: now, guess });
    const [oldest] = this.failures.keys();
    if (this.failures.size > MOST_ENTRIES) this.failures.delete(oldest);
  }

  succeeded(login: string, address: string): void {
    this.failures.delete(this.key(login, address));
  }

  /** Serializes attempts, so that concurrent ones are counted one by one. */
  inTurn<T>(login: string, address: string, attempt: () => Promise<T>): Promise<T> {
    return this.attempts === 0 ? attempt() : withLock(this, this.key(login, address), attempt);
  }

  clear(): void {
    this.failures.clear();
  }
}

/** Failures at the page for signing in, and in the profile `standard` elsewhere, unless an option overrides that. */
const AT_THE_PAGE = 5;
const ELSEWHERE = 50;

export class SignInGuards {
  /** Guard of the page for signing in. */
  readonly page: SignInGuard;
  readonly applications: SignInGuard;
  /** Guard of the passwords of posts (`PostPassword`). The key is the post, or empty for a form, which does not name one. */
  readonly posts: SignInGuard;

  /** @param attempts the same for all; default: by what they protect and by profile. TEC: nothing slows down a guess */
  constructor(
    private readonly profile: 'standard' | 'tec',
    private readonly attempts?: number,
  ) {
    this.page = new SignInGuard(attempts ?? AT_THE_PAGE);
    const elsewhere = attempts ?? (profile === 'tec' ? 0 : ELSEWHERE);
    this.applications = new SignInGuard(elsewhere);
    this.posts = new SignInGuard(elsewhere);
  }

  /** Guards with the same limits and without failures. */
  fresh(): SignInGuards {
    return new SignInGuards(this.profile, this.attempts);
  }

  clear(): void {
    for (const guard of [this.page, this.applications, this.posts]) guard.clear();
  }
}
