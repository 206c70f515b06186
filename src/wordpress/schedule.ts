import { withLock } from '../database/store/locks.js';
import { withCounts } from './terms/term-save.js';
import { Clock } from './clock.js';
import type { Post } from './model.js';
import { findPosts } from './posts/posts.js';
import type { Site } from './site.js';
import { ANY_TEXT } from '../database/store/indexes.js';
import type { Store } from './store.js';

const NAME = 'next publication';

/** When the next scheduled post is due: UTC date and time; null: nothing is scheduled; undefined: unknown, call `nextPublication`. */
export const knownPublication = ({ cache }: Store): string | null | undefined => cache.peek<string | null>(NAME, 'posts');

/** When the next scheduled post is due: UTC date and time; null: nothing is scheduled. */
export const nextPublication = (store: Store): Promise<string | null> => store.cache.remember(NAME, () => ask(store), 'posts');

async function ask(store: Store): Promise<string | null> {
  const conditions = { status: 'future', dateGmt: ANY_TEXT };
  const rows = await store.rows?.readIfPresent();
  const known = rows?.find({ conditions, order: { dateGmt: 1, _id: 1 }, offset: 0, limit: 1 });
  const next = known
    ? (await findPosts(store, known.ids)).at(0)
    : await store.posts.findOne(conditions, { sort: { dateGmt: 1 }, projection: { dateGmt: 1 } });
  return next?.dateGmt ?? null;
}

const epochMs = (utc: string): number => Date.parse(`${utc.replace(' ', 'T')}Z`);

/** Publishes scheduled posts when the site's clock reaches their date. */
export class Schedule {
  /** The last parsed date, which is the same for most requests. */
  private next = { utc: '', ms: NaN };

  constructor(private readonly site: Site) {}

  /** Whether a post may be due, without querying the database; true if unknown. */
  get mayBeDue(): boolean {
    const { store, clock } = this.site;
    // The time of a single request must not change the content for others.
    if (Clock.isOverridden) return false;
    const next = knownPublication(store);
    return next === undefined || (next !== null && !(this.msOf(next) > clock.peek()));
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
      const next = await nextPublication(store);
      // Posts with an invalid date are never published.
      if (next === null || !(this.msOf(next) <= clock.now())) return;
      await this.publishUntil(this.site.nowUtc);
    }
  }

  private async publishUntil(utc: string): Promise<void> {
    const { store } = this.site;
    const due = await store.posts.find({ status: 'future', dateGmt: { $lte: utc } }, { projection: { _id: 1 } }).toArray();
    for (const { _id } of due) {
      const publish = (post: Post): Post => (post.status === 'future' ? { ...post, status: 'publish' } : post);
      await withCounts(store, (send) => store.changePost(_id, publish, null, send));
    }
  }
}
