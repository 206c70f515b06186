// Counters and failures of a scenario.

/** Maximum number of failures with a description. Further ones are only counted. */
const DESCRIBED = 20;

/** Statuses after which a client may retry. 503 requires a Retry-After header. */
const isRefusal = ({ status, headers }) => status === 507 || status === 429 || (status === 503 && headers['retry-after'] !== undefined);

export class Tally {
  requests = 0;
  acknowledged = 0;
  lost = 0;
  hangs = 0;
  /** Requests rejected during a fault: 503 with Retry-After, 507, or 429. */
  refused = 0;
  /** Connections that closed without a response when the server was killed. */
  cut = 0;
  unexpected = 0;
  /** Other failures. */
  wrong = 0;
  slowest = 0;
  failures = [];
  notes = [];
  /** Active faults by type, and their total number so far. */
  #faults = { refusing: 0, gone: 0, begun: 0 };

  /**
   * Starts a fault. Requests during it may be rejected, or cut off if the server itself is `gone`.
   * @returns function that ends the fault
   */
  fault(kind = 'refusing') {
    this.#faults[kind] += 1;
    this.#faults.begun += 1;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#faults[kind] -= 1;
    };
  }

  /** Starts a request. @returns function to call with its response or error, which returns the outcome */
  begin(what) {
    this.requests += 1;
    const before = { ...this.#faults };
    const started = performance.now();
    const overlaps = (kind) => before[kind] > 0 || this.#faults[kind] > 0 || (kind === 'any' && this.#faults.begun > before.begun);
    const hasFault = () => overlaps('refusing') || overlaps('gone') || overlaps('any');
    return (response, error) => {
      this.slowest = Math.max(this.slowest, performance.now() - started);
      if (error?.name === 'HangError') return this.#count('hangs', `no response: ${what}: ${error.message}`);
      if (error) {
        if (overlaps('gone') || overlaps('any')) this.cut += 1;
        else this.#count('unexpected', `connection closed: ${what}: ${error.message}`);
        return undefined;
      }
      if (isRefusal(response) && hasFault()) this.refused += 1;
      else if (response.status >= 500) this.#count('unexpected', `${response.status}: ${what}: ${response.text.slice(0, 200)}`);
      return undefined;
    };
  }

  #count(kind, text) {
    this[kind] += 1;
    this.#describe(text);
  }

  #describe(text) {
    if (this.failures.length < DESCRIBED) this.failures.push(text);
  }

  lose(text) {
    this.#count('lost', `acknowledged write lost: ${text}`);
  }

  fail(text) {
    this.#count('wrong', text);
  }

  /** Adds a failure if a condition is false. */
  check(isTrue, text) {
    if (!isTrue) this.fail(text);
  }

  /**
   * Adds the problems of a site.
   * @param site result of `readSite`
   * @param verdict result of the ledger
   * @param where prefix of each text
   */
  compare({ problems }, { lost, wrong }, where = '') {
    for (const text of lost) this.lose(where + text);
    for (const text of [...wrong, ...problems]) this.fail(where + text);
  }

  note(text) {
    this.notes.push(text);
  }

  get isGood() {
    return this.lost + this.hangs + this.unexpected + this.wrong === 0;
  }

  result() {
    const { requests, acknowledged, lost, hangs, refused, cut, unexpected, wrong, failures, notes } = this;
    return { requests, acknowledged, lost, hangs, refused, cut, unexpected, wrong, slowestMs: Math.round(this.slowest), failures, notes };
  }
}
