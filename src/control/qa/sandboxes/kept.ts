import { randomBytes } from 'node:crypto';
import { PRISTINE } from '../../../transfer/load/load.js';
import { mirrorFiles, placeIn, snapshotFiles } from '../../../transfer/load/mirror.js';
import type { Tenant } from '../../tenant/tenant.js';

/** How many kept sandboxes a project has. The next one replaces the oldest. */
export const MAX_KEPT = 10;

/** How long a kept sandbox stays after the last request to it, in ms. */
const KEPT_MS = 60 * 60_000;

/** Length of the part of a name that is from a title. */
const MAX_TITLE = 40;

const NOT_IN_NAMES = /[^a-z0-9]+/g;

/** The name of a new kept sandbox. @param title of the test that failed */
export function keptName(title: string): string {
  const words = title.normalize('NFKD').toLowerCase().replaceAll(/\p{M}/gu, '').replaceAll(NOT_IN_NAMES, '-');
  const short = words.slice(0, MAX_TITLE).replaceAll(/^-+|-+$/g, '');
  return ['failed', ...(short === '' ? [] : [short]), randomBytes(3).toString('hex')].join('-');
}

/** Which sandboxes are kept copies of the sites of failed tests, and of which project. */
export class FailedTestSandboxes {
  /** Projects by the name of the sandbox, the oldest first. */
  private readonly projects = new Map<string, string>();

  add(name: string, project: string): void {
    this.projects.set(name, project);
  }

  forget(name: string): void {
    this.projects.delete(name);
  }

  /** The oldest one; undefined: there is none. */
  get oldest(): string | undefined {
    return this.projects.keys().next().value;
  }

  /** Lists the sandboxes to delete before a project gets another. */
  surplusOf(project: string): string[] {
    const own = [...this.projects].filter(([, each]) => each === project).map(([name]) => name);
    return own.slice(0, Math.max(0, own.length + 1 - MAX_KEPT));
  }

  /**
   * How long a sandbox stays without a request, in ms.
   * @param otherwise the same for sandboxes that are in use
   */
  idleMs(name: string, otherwise: number): number {
    return this.projects.has(name) ? KEPT_MS : otherwise;
  }
}

/**
 * Copies a site with what tests control: content, clock, journal, faults and stubs. Webhooks are not copied: nobody waits for their events.
 * @param to an unused tenant. Its clock stands still, and its resets restore what it gets here
 */
export async function copyTenant(source: Tenant, to: Tenant): Promise<void> {
  const snapshot = `kept-${randomBytes(6).toString('hex')}`;
  const { store, uploads, clock } = to.site;
  clock.freeze(source.site.clock.now());
  await source.saveSnapshot(snapshot);
  try {
    await store.snapshots.restore(snapshot, source.site.store.snapshots);
    await mirrorFiles(snapshotFiles(source.folder, snapshot), uploads);
  } finally {
    await source.deleteSnapshot(snapshot);
  }
  await Promise.all([store.snapshots.save(PRISTINE), mirrorFiles(uploads, placeIn(to.folder).pristine)]);
  await store.registerStored();
  if (source.site.chosenZones !== null) to.site.chosenZones = source.site.chosenZones;
  to.site.chosenReleases = to.startReleases = source.site.chosenReleases;
  await to.site.reload();
  to.journal.copy(source.journal);
  to.faults.copy(source.faults);
  to.stubs.copy(source.stubs);
}
