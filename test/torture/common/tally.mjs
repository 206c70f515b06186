// What a scenario counts, and what it complains about.

/** A failure is described once, and counted. */
const DESCRIBED = 20;

/** Statuses that say "not now": the client may ask again. 503 counts only with Retry-After. */
const isRefusal = ({ status, headers }) => status === 507 || status === 429 || (status === 503 && headers['retry-after'] !== undefined);

export class Tally {
  requests = 0;
  acknowledged = 0;
  lost = 0;
  hangs = 0;
  /** Requests refused while a fault lasted: 503 with Retry-After, 507, 429. */
  refused = 0;
  /** Connections that closed without a response because the server was killed. */
  cut = 0;
  unexpected = 0;
  /** Whatever else is wrong. */
  wrong = 0;
  slowest = 0;
  failures = [];
  notes = [];
  /** Faults under way, and how many there have been. */
  #faults = { refusing: 0, gone: 0, begun: 0 };

  /**
   * Marks the time of a fault: requests that overlap it may be refused, or cut off if the server itself is `gone`.
   * @returns what ends it
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

  /** A request begins. @returns what is called with its response, or with an error, and says how it ended */
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

  /** Fails unless something is true. */
  check(isTrue, text) {
    if (!isTrue) this.fail(text);
  }

  /**
   * Takes over what is wrong with a site.
   * @param site what `readSite` found
   * @param verdict what the ledger says of it
   * @param where begins each text
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
