import { maskHeader } from '../../base/text/secrets.js';
import type { SavedEntry, SavedState } from '../../transfer/backup/state.js';
import { responseBytes, type Entry } from './journal/journal.js';
import type { Tenant } from './tenant.js';

const maskedHeaders = (raw: readonly string[]): string[] => raw.map((each, at) => (at % 2 === 0 ? each : maskHeader(raw[at - 1], each)));

/** Response headers whose secrets are masked. The body is saved without its compression. */
const savedHeaders = (headers: Entry['headers']): Entry['headers'] =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      if (/^content-encoding$/i.test(name)) return [];
      const isText = typeof value === 'string';
      return [[name, isText ? maskHeader(name, value) : Array.isArray(value) ? value.map((each) => maskHeader(name, each)) : value]];
    }),
  );

const savedEntry = (entry: Entry): SavedEntry => ({
  ...entry,
  rawHeaders: maskedHeaders(entry.rawHeaders),
  headers: savedHeaders(entry.headers),
  body: entry.body?.toString('base64') ?? null,
  responseBody: responseBytes(entry)?.toString('base64') ?? null,
});

/** The state of a tenant as JSON, without secrets. */
export function savedState({ site, dataset, faults, stubs, journal }: Tenant): string {
  const state: SavedState = {
    clock: site.clock.now(),
    profile: site.quirks.profile,
    zones: site.chosenZones,
    releases: site.chosenReleases,
    dataset,
    faults: faults.list(),
    stubs: stubs.list().filter(({ dataset: isOwn }) => isOwn !== true),
    journal: journal.all().map(savedEntry),
  };
  return JSON.stringify(state);
}

const bytesOf = (base64: string | null): Buffer | null => (base64 === null ? null : Buffer.from(base64, 'base64'));

/** Brings a tenant to a state. Its clock stands still. @throws RestError for an invalid fault or stub */
export function resumeState(tenant: Tenant, { clock, releases, dataset, faults, stubs, journal }: SavedState): void {
  tenant.site.clock.freeze(clock);
  tenant.site.chosenReleases = tenant.startReleases = releases;
  tenant.dataset = dataset;
  tenant.pristine = { ...tenant.pristine, clock, dataset };
  tenant.faults.resume(faults);
  tenant.stubs.resume(stubs);
  tenant.journal.resume(journal.map((entry) => ({ ...entry, body: bytesOf(entry.body), responseBody: bytesOf(entry.responseBody) })));
}
