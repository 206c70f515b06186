import path from 'node:path';
import type { IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { offsetAt } from '../../base/php/timezone.js';
import { EVENT } from '../../plugins/the-events-calendar/model/index.js';
import { LINKED_KINDS, LINKED } from '../../plugins/the-events-calendar/model/event.js';
import { clockState } from './clock-routes.js';
import { json, get, type QaRoute } from '../tenant/api/route.js';
import { shownSandbox } from './sandboxes/sandbox-routes.js';
import { savedFileOf } from './save-routes.js';
import { behavior } from './version-routes.js';
import type { KnownStub } from '../../sdk/types/qa.js';
import type { Args, Json } from '../../wordpress/rest/route.js';
import type { Site } from '../../wordpress/site.js';
import type { QaHost } from './host.js';
import type { Tenant } from '../tenant/tenant.js';
import { asJson } from '../../base/values/records.js';

/** How often a request that waits looks for a change, in ms. */
const LOOK_MS = 200;

/** The longest wait, in seconds. */
const MAX_WAIT = 60;

/** Above this number, posts are not counted after every change. */
const MANY = 20_000;

/** Maximum share of the time for counting above that number. */
const COUNTING_SHARE = 0.05;

/** The post types that are counted, by their names in the state. */
export const COUNTED: ReadonlyMap<string, string> = new Map([
  ['events', EVENT],
  ...LINKED_KINDS.map((kind): [string, string] => [LINKED[kind].column, LINKED[kind].type]),
]);

type Counts = Record<string, number>;

async function countPosts({ store }: Site): Promise<Counts> {
  const groups = await store.posts
    .aggregate<{ _id: string; count: number }>([
      { $match: { type: { $in: [...COUNTED.values()] }, status: { $nin: ['trash', 'auto-draft'] } } },
      { $group: { _id: '$type', count: { $sum: 1 } } },
    ])
    .toArray();
  const counts = new Map(groups.map(({ _id, count }) => [_id, count]));
  return Object.fromEntries([...COUNTED].map(([name, type]) => [name, counts.get(type) ?? 0]));
}

/** Counts posts. For large content, reuses earlier counts for a while. */
class Counter {
  private known: Counts | null = null;
  private until = 0;

  constructor(private readonly site: Site) {}

  async count(): Promise<Counts> {
    const started = performance.now();
    if (this.known && started < this.until) return this.known;
    this.known = await this.site.store.cache.remember('posts by type', () => countPosts(this.site), 'posts');
    const now = performance.now();
    const isMany = Object.values(this.known).reduce((sum, count) => sum + count, 0) > MANY;
    this.until = isMany ? now + (now - started) / COUNTING_SHARE : 0;
    return this.known;
  }
}

/** Differs after every change of what the state shows. Reads no clock and no database. */
async function stampOf(tenant: Tenant, { sandboxes }: QaHost): Promise<string> {
  const all = await sandboxes.list();
  const journals = [tenant, ...(tenant.name === '' ? all : [])].map(({ journal }) => journal.stamp).join(' ');
  const { site, faults, stubs, snapshotChanges } = tenant;
  const { frozenAt, shift } = site.clock.state;
  const behaves = `${frozenAt} ${shift} ${JSON.stringify(site.quirks.releases)} ${site.zones.identity}`;
  const names = all.map(({ name }) => name).join(' ');
  return [journals, faults.stamp, stubs.stamp, behaves, snapshotChanges, site.store.state.revisionOf(), names].join('/');
}

/** Runs work with a signal that the client or the server has gone away. */
async function whileConnected(
  { closing }: QaHost,
  { socket }: IncomingMessage,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const closed = new AbortController();
  const close = (): void => closed.abort();
  socket.once('close', close);
  try {
    await work(AbortSignal.any([closing, closed.signal]));
  } finally {
    // The next request may come on the same connection.
    socket.off('close', close);
  }
}

/** Waits until the stamp changes, the time is up, or the signal is aborted. */
async function waitForChange(stamp: () => Promise<string>, since: string, wait: number, signal: AbortSignal): Promise<void> {
  const end = performance.now() + wait * 1000;
  while (!signal.aborted && performance.now() < end && (await stamp()) === since)
    await delay(LOOK_MS, undefined, { ref: false, signal }).catch(() => undefined);
}

/** The time, and the offset of the site's zone from UTC at that time, in seconds. */
function clockOf(site: Site): Record<string, Json> {
  const { timezone } = site.options;
  const zone = site.zones.resolve(timezone);
  return { ...clockState(site), timezone, offset: zone ? offsetAt(zone, Math.floor(site.clock.now() / 1000)) : 0 };
}

/** A stub without what may be long. */
const withoutBody = ({ respond: { body: _body, bodyBase64: _bytes, ...respond }, ...stub }: KnownStub): object => ({
  ...stub,
  respond: { status: 200, ...respond },
});

const ARGS = {
  since: { type: 'string', description: 'Stamp of a known state: the response waits until the stamp changes.' },
  wait: { type: 'number', minimum: 0, maximum: MAX_WAIT, default: 20, description: 'Maximum time to wait, in seconds.' },
} satisfies Args;

/** Routes for all that the control page shows besides the journal, in one response. */
export function stateRoutes(tenant: Tenant, host: QaHost): QaRoute[] {
  const counter = new Counter(tenant.site);
  const stamp = (): Promise<string> => stampOf(tenant, host);
  return [
    get('/__qa/state', {
      summary: 'Get the clock, faults, stubs, snapshots, sandboxes and counts. With the stamp of a known state, waits for a change.',
      args: ARGS,
      isLong: true,
      handler: async ({ since, wait }, { incoming }, { site }) => {
        if (since !== undefined) await whileConnected(host, incoming, (signal) => waitForChange(stamp, since, wait, signal));
        // Read first, so that the next request finds later changes.
        const current = await stamp();
        const [counts, snapshots, sandboxes] = await Promise.all([counter.count(), tenant.snapshots(), host.sandboxes.list()]);
        const savedFile = savedFileOf(tenant, host);
        return json({
          stamp: current,
          sandbox: tenant.name,
          url: site.url,
          engine: host.engine(),
          ...behavior(tenant.site),
          dataset: tenant.dataset,
          file: savedFile === null ? null : path.basename(savedFile),
          content: site.store.state.revisionOf(),
          journal: { clears: tenant.journal.clears },
          counts,
          clock: clockOf(tenant.site),
          faults: asJson(tenant.faults.list()),
          stubs: asJson(tenant.stubs.list().map(withoutBody)),
          snapshots: snapshots.map((each) => ({ ...each })),
          sandboxes: sandboxes.map(shownSandbox),
        });
      },
    }),
  ];
}
