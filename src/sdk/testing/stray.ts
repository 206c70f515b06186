import type { Fetch } from '../client/transport.js';
import type { JournalEntry } from '../types/qa.js';
import type { JournalControl } from './control.js';
import { nodeFetch } from './http.js';

/** Reaction to a test whose requests reached the main site instead of the sandbox. */
export type StrayMode = 'fail' | 'warn' | 'ignore';

/** A request that reached the main site. */
export type StrayRequest = Pick<JournalEntry, 'method' | 'url'>;

/** Maximum number of requests that are listed. */
const MAX_REQUESTS = 5;

const count = (requests: readonly StrayRequest[]): string => (requests.length === 1 ? '1 request' : `${requests.length} requests`);

/** The program under test sent its requests to the main site, not to the sandbox of the test. */
export class StrayError extends Error {
  override readonly name = 'StrayError';

  constructor(
    readonly requests: readonly StrayRequest[],
    server: string,
  ) {
    const more = requests.length - MAX_REQUESTS;
    super(
      [
        `The program under test does not pass the sandbox on: ${count(requests)} reached the main site of ${server} instead.`,
        ...requests.slice(0, MAX_REQUESTS).map(({ method, url }) => `  ${method} ${url}`),
        ...(more > 0 ? [`  and ${more} more`] : []),
        'Send understudy.headers or understudy.cookies with each request to the program, as the Playwright helper does. The program must copy the header X-Understudy-Sandbox, or the cookie understudy_sandbox, to its own requests to the calendar. Pages from a build or a cache have no request to copy from.',
        'Without sandboxes: run the tests in one worker, with the option sandbox: false. If others use the main site, set stray: "warn" or "ignore".',
      ].join('\n'),
    );
  }
}

const JOURNAL = /\/__qa\/journal$/;

/** Sends the requests of a helper, and counts those to the site: they say nothing about the program under test. */
export class CountedRequests {
  private sent = 0;
  private routed = 0;

  readonly fetch: Fetch = (url, init) => {
    if (!url.includes('/__qa/')) this.sent += 1;
    // Earlier requests of the program are unknown from now on, which must not look like none.
    else if (init.method === 'DELETE' && JOURNAL.test(url)) this.sent = -1;
    return nodeFetch(url, init);
  };

  /** Starts with an empty journal. */
  start(): void {
    this.sent = this.routed = 0;
  }

  /** Counts a request of the program that the helper led to the sandbox: the program itself did not select it. */
  route(): void {
    this.routed += 1;
  }

  /** Whether the journal has requests of the program. @param isRouted whether those count that the helper led there */
  async hasOthers(journal: JournalControl, isRouted: boolean): Promise<boolean> {
    const own = this.sent + (isRouted ? 0 : this.routed);
    return this.sent < 0 || (await journal.entries({ brief: true, limit: own + 1 })).length > own;
  }
}

/** Finds tests whose requests reach the main site instead of the sandbox. */
export class StrayCheck {
  /** The last entry of the main journal before the test. */
  private last = 0;

  constructor(
    private readonly main: { url: string; journal: JournalControl },
    private readonly sandbox: { requests: CountedRequests; journal: JournalControl },
    private readonly mode: StrayMode,
  ) {}

  /** To be called when the journal of the sandbox has been cleared. */
  async start(): Promise<void> {
    this.sandbox.requests.start();
    const [latest] = await this.main.journal.entries({ brief: true, limit: 1 });
    this.last = (latest as JournalEntry | undefined)?.id ?? 0;
  }

  /** Whether the program has sent requests to the sandbox. */
  isReached(): Promise<boolean> {
    return this.sandbox.requests.hasOthers(this.sandbox.journal, true);
  }

  /** Reports each request once. @throws StrayError */
  async run(): Promise<void> {
    const stray = await this.main.journal.entries({ brief: true, since: this.last });
    this.last = stray.at(-1)?.id ?? this.last;
    if (stray.length === 0 || (await this.sandbox.requests.hasOthers(this.sandbox.journal, false))) return;
    const error = new StrayError(stray, this.main.url);
    if (this.mode === 'fail') throw error;
    console.warn(error.message);
  }
}
