import { NO_FILTERS, readFilters, writeFilters } from './filters.js';

/** Maximum number of entries of the journal that the page keeps. */
const MAX_ENTRIES = 1000;

/** How long a request for the state waits for a change, in seconds. */
const WAIT = 20;

/** The shortest time between two requests for the state, in ms. */
const PAUSE_MS = 400;

/** How long to wait after an error, in ms. */
const RETRY_MS = 1000;

/** Identifies an entry. IDs are counted for each sandbox, and from 1 after a restart. */
export const keyOf = ({ sandbox = '', id, at }) => `${sandbox}/${id}/${at}`;

/** The state of the page. Components read it, and call its methods. */
export class Model {
  /** The state of the server; null: not known yet, so nothing is drawn. */
  state = null;
  /** Time at which the state was received (`performance.now()`). */
  received = 0;
  /** The journal, newest first. */
  entries = [];
  /** Key of the selected entry. */
  selected = null;
  /** Whether the journal follows. */
  isLive = true;
  /** The message of the last action: `{ text, failed, undo }`. */
  message = null;
  /** Why a dataset was not loaded: `{ name, problems }`; with `isLoaded`: warnings about one that was. */
  problems = null;
  /** The files to be loaded: `{ files }`. */
  loading = null;
  /** The part that phones show: `journal` or `controls`. */
  view = 'journal';

  constructor(window, api) {
    this.window = window;
    this.api = api;
    this.filters = readFilters(window.location.search);
    this.listeners = new Set();
    this.isAway = false;
    this.isOver = false;
  }

  /** Changes fields, and redraws. */
  set(fields) {
    Object.assign(this, fields);
    for (const listener of this.listeners) listener();
  }

  /** Changes filters, and the address of the page. */
  filter(fields) {
    const { history, location } = this.window;
    const filters = { ...this.filters, ...fields };
    history.replaceState(null, '', `${location.pathname}${writeFilters(filters)}${location.hash}`);
    this.set({ filters });
  }

  clearFilters() {
    this.filter(NO_FILTERS);
  }

  /** Runs an action and shows its message: a text, or `{ text, undo }`. Then refreshes the page. */
  async act(action) {
    try {
      const message = await action();
      await this.refresh();
      this.set({ message: typeof message === 'string' ? { text: message } : message });
    } catch (error) {
      this.set({ message: { text: error.message, failed: true } });
    }
  }

  /** Reads the state. @param query `?since=…` to wait for a change */
  async readState(query = '', signal) {
    const state = await this.api.call('GET', `state${query}`, { signal });
    const wasCleared = this.state !== null && state.journal.clears !== this.state.journal.clears;
    // A request to a deleted sandbox would create it again.
    const known = new Set([state.sandbox, ...state.sandboxes.map(({ name }) => name)]);
    const isKnown = ({ sandbox }) => sandbox === undefined || known.has(sandbox);
    const entries = wasCleared ? [] : this.entries.every(isKnown) ? this.entries : this.entries.filter(isKnown);
    this.set({ state, received: this.window.performance.now(), entries });
  }

  /** Reads new entries of the journal. */
  async readJournal() {
    const [latest] = this.entries;
    const query = new URLSearchParams({ brief: 'true', limit: String(MAX_ENTRIES) });
    if (this.state.sandbox === '') query.set('sandboxes', 'true');
    if (latest) query.set('since', latest.at);
    const { entries } = await this.api.call('GET', `journal?${query}`);
    // Entries of the same millisecond are sent again, and an action may have read some in the meantime.
    const known = new Set(this.entries.map(keyOf));
    const added = entries.filter((entry) => !known.has(keyOf(entry))).toReversed();
    if (added.length > 0) this.set({ entries: [...added, ...this.entries].slice(0, MAX_ENTRIES) });
  }

  async refresh() {
    await this.readState();
    if (this.isLive) await this.readJournal();
  }

  pause(ms) {
    return new Promise((resolve) => this.window.setTimeout(resolve, ms));
  }

  /** Settles when the page is visible. */
  visible() {
    const { document } = this.window;
    if (!document.hidden) return Promise.resolve();
    return new Promise((resolve) => document.addEventListener('visibilitychange', resolve, { once: true }));
  }

  /** Follows the server until the page is closed. One request waits for the next change, without polling. */
  async follow() {
    this.stopper = new AbortController();
    while (!this.isOver) {
      try {
        await this.visible();
        const since = this.state === null || this.isAway ? '' : `?since=${encodeURIComponent(this.state.stamp)}&wait=${WAIT}`;
        await this.readState(since, this.stopper.signal);
        if (this.isLive) await this.readJournal();
        if (this.isAway) this.set({ message: null });
        this.isAway = false;
        await this.pause(PAUSE_MS);
      } catch (error) {
        if (this.isOver) return;
        // A restarted server numbers entries from 1.
        if (!this.isAway) this.set({ entries: [], selected: null, message: { text: error.message, failed: true } });
        this.isAway = true;
        await this.pause(RETRY_MS);
      }
    }
  }

  end() {
    this.isOver = true;
    this.stopper?.abort();
  }
}
