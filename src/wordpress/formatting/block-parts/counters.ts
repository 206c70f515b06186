/** Items of all lists in a response: lists in lists would have millions. */
const MOST_ITEMS = 5_000;

/** The numbers that are counted over a request, so that ids and classes are unique on a page. */
export class Counters {
  private unique = 0;
  private readonly prefixed = new Map<string, number>();
  /** Items of lists in blocks, and contents of posts in them. */
  readonly listed = { items: 0, contents: 0 };
  /** Players and galleries of shortcodes. */
  readonly shown = { audio: 0, video: 0, gallery: 0 };

  /** Counts items of a list. @returns whether they may be shown */
  mayList(items: number): boolean {
    this.listed.items += items;
    return this.listed.items <= MOST_ITEMS;
  }

  /** A name that is unique. WP: `wp_unique_id`, which counts all names together. */
  next(prefix: string): string {
    this.unique += 1;
    return `${prefix}${this.unique}`;
  }

  /** A name that is unique among those with a prefix. WP: `wp_unique_prefixed_id`. */
  nextOf(prefix: string): string {
    const count = (this.prefixed.get(prefix) ?? 0) + 1;
    this.prefixed.set(prefix, count);
    return `${prefix}${count}`;
  }
}
