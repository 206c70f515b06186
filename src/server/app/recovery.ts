import { setTimeout as sleep } from 'node:timers/promises';
import { recoverCrash, recoverWork } from '../../transfer/load/commit.js';
import type { SitePlace } from '../../transfer/load/mirror.js';
import type { Log } from '../../base/system/log.js';
import { LEASE_MS } from '../../database/store/work-log.js';
import type { Tenant } from '../../control/tenant/tenant.js';
import { checkConsistency } from '../../wordpress/check.js';
import type { Store } from '../../wordpress/store.js';
import type { HealthChecks } from './health.js';
import { messageOf } from '../../base/values/errors.js';

/** Handlers for a crash of the database, and for its restart. */
export interface CrashHandling {
  begin: () => void;
  end: () => void;
}

type Recovery = (store: Store, place: SitePlace) => Promise<string[]>;

/** Attempts at recovery, and the pause between them: requests that wait for the database may delay it. */
const ATTEMPTS = 6;
const NEXT_ATTEMPT_MS = 2_000;

/** Completes what a crash of the database or of another server interrupted, while no request writes. */
async function recover({ gate, site }: Tenant, place: SitePlace, log: Log, recovery: Recovery): Promise<void> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    try {
      await gate.exclusive(async () => {
        for (const line of await recovery(site.store, place)) log.warn(line);
        for (const line of await checkConsistency(site.store, site.uploads)) log.warn(line);
        // It is unknown whether interrupted writes have happened.
        site.store.collectionsReplaced();
        await site.reload();
      });
      return;
    } catch (error) {
      log.warn(`The content could not be checked after the crash: ${messageOf(error)}`);
      await sleep(NEXT_ATTEMPT_MS, null, { ref: false });
    }
  }
}

/** Ends readiness while the database is down, and recovers the content when it is back. */
export function handleCrashes(main: Tenant, place: SitePlace, health: HealthChecks, log: Log): CrashHandling {
  const { store } = main.site;
  return {
    begin: () => {
      store.crashes += 1;
      health.databaseStopped();
    },
    end: () => {
      const { crashes } = store;
      void recover(main, place, log, recoverCrash).then(() => {
        if (store.crashes === crashes) health.databaseStarted();
      });
    },
  };
}

/** How often a server looks for work whose lease has ended, in ms: a look that misses the end by a moment should delay it little. */
const LOOK_MS = LEASE_MS / 4;

/** Completes the work of other servers that share the database and have crashed. @returns what ends this */
export function watchOthers(main: Tenant, place: SitePlace, log: Log, every = LOOK_MS): () => void {
  let isBusy = false;
  const look = async (): Promise<void> => {
    if (isBusy) return;
    isBusy = true;
    try {
      if ((await main.site.store.workLog.interrupted()).length > 0) await recover(main, place, log, recoverWork);
    } catch {
      // Retried when the database is available.
    } finally {
      isBusy = false;
    }
  };
  const timer = setInterval(() => void look(), every).unref();
  return () => clearInterval(timer);
}
