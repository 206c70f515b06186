import { withLock } from '../store/locks.js';
import { recountTerms } from './terms.js';
import { Clock, realTime } from './clock.js';
import type { Site } from './site.js';

/** How long what is known of a database holds to which others write too, ms of real time. */
const HOLDS_FOR = 1000;

const momentOf = (utc: string): number => Date.parse(`${utc.replace(' ', 'T')}Z`);

/** Scheduled posts of a site: published when its clock comes to their date. */
export class Schedule {
  private askedAt = 0;

  constructor(private readonly site: Site) {}

  /** Whether something is to be published now, as far as is known without asking the database; true when it has to be asked. */
  private get mayBeDue(): boolean {
    const { store, clock } = this.site;
    // Somebody's own time moves nobody else's calendar.
    if (Clock.isMoment) return false;
    if (store.shared && realTime() - this.askedAt > HOLDS_FOR) return true;
    const next = store.nextPublication.known;
    return next === undefined || (next !== null && !(momentOf(next) > clock.now()));
  }

  /**
   * Publishes what is due. WP: the status changes and nothing else, dates and slugs included.
   * @returns undefined when there is nothing to wait for
   */
  publishDue(): Promise<void> | undefined {
    return this.mayBeDue ? withLock(this, 'publish', () => this.publish()) : undefined;
  }

  private async publish(): Promise<void> {
    const { store, clock } = this.site;
    // Whoever was in line before may have done it.
    while (this.mayBeDue) {
      const next = await store.nextPublication.refresh();
      this.askedAt = realTime();
      // An unreadable date never comes.
      if (next === null || !(momentOf(next) <= clock.now())) return;
      await this.publishUntil(this.site.nowUtc);
    }
  }

  private async publishUntil(utc: string): Promise<void> {
    const { store } = this.site;
    const due = await store.posts.find({ status: 'future', dateGmt: { $lte: utc } }, { projection: { _id: 1 } }).toArray();
    const touched = new Set<number>();
    for (const { _id } of due) {
      const published = await store.changePost(_id, (post) => (post.status === 'future' ? { ...post, status: 'publish' } : post));
      for (const id of Object.values(published?.after.terms ?? {}).flat()) touched.add(id);
    }
    if (touched.size > 0) await recountTerms(store, [...touched]);
  }
}
