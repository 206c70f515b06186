import { withLock } from '../store/locks.js';
import { withCounts } from './term-counts.js';
import { Clock, realTime } from './clock.js';
import type { Site } from './site.js';

/** With a shared database, how often to query it, in ms of real time. */
const REFRESH_INTERVAL = 1000;

const epochMs = (utc: string): number => Date.parse(`${utc.replace(' ', 'T')}Z`);

/** Publishes scheduled posts when the site's clock reaches their date. */
export class Schedule {
  private refreshedAt = 0;
  /** The date that was looked at last: every request asks for the same. */
  private next = { utc: '', ms: NaN };

  constructor(private readonly site: Site) {}

  /** Whether a post may be due, without querying the database; true if unknown. */
  get mayBeDue(): boolean {
    const { store, clock } = this.site;
    // The time of a single request must not change the content for others.
    if (Clock.isOverridden) return false;
    if (store.shared && realTime() - this.refreshedAt > REFRESH_INTERVAL) return true;
    const next = store.nextPublication.known;
    return next === undefined || (next !== null && !(this.msOf(next) > clock.now()));
  }

  private msOf(utc: string): number {
    if (utc !== this.next.utc) this.next = { utc, ms: epochMs(utc) };
    return this.next.ms;
  }

  /**
   * Publishes due posts. WP: only the status changes, not the dates or the slug.
   * @returns undefined if nothing is due
   */
  publishDue(): Promise<void> | undefined {
    return this.mayBeDue ? withLock(this, 'publish', () => this.publish()) : undefined;
  }

  private async publish(): Promise<void> {
    const { store, clock } = this.site;
    // The previous holder of the lock may have published them.
    while (this.mayBeDue) {
      const next = await store.nextPublication.refresh();
      this.refreshedAt = realTime();
      // Posts with an invalid date are never published.
      if (next === null || !(this.msOf(next) <= clock.now())) return;
      await this.publishUntil(this.site.nowUtc);
    }
  }

  private async publishUntil(utc: string): Promise<void> {
    const { store } = this.site;
    const due = await store.posts.find({ status: 'future', dateGmt: { $lte: utc } }, { projection: { _id: 1 } }).toArray();
    for (const { _id } of due) {
      await withCounts(store, async (stepsFor) => {
        const published = await store.changePost(_id, (post) => (post.status === 'future' ? { ...post, status: 'publish' } : post));
        const steps = published ? await stepsFor(published) : [];
        if (steps.length > 0) await store.writeTogether(steps);
      });
    }
  }
}
