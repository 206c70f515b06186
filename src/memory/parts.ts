import type { Memory } from './index.js';
import type { State } from './state.js';
import { Uses, type Shown } from './uses.js';

/** The rendered parts of a document, by name. */
export interface Part<T = unknown> {
  shown: T;
  /** The documents that it depends on. */
  uses: Uses;
  bytes: number;
}

/** The document that a part is of. */
export interface Subject {
  collection: Shown;
  id: number;
}

/** Estimated overhead of a part, in bytes. */
const PART_BYTES = 250;

/** Numbers of views by name: names are long, and part of every key. */
const views = new Map<string, number>();
const MOST_VIEWS = 1_000;
let lastView = 0;

/** The unique number of a view. */
function numberOf(name: string): number {
  const given = views.get(name);
  if (given !== undefined) return given;
  // Passwords that come with requests are part of names.
  if (views.size >= MOST_VIEWS) views.clear();
  lastView += 1;
  views.set(name, lastView);
  return lastView;
}

/**
 * Parts that several posts share, such as a venue or an image, for one view. Each is stored under the version of its document, with the
 * versions of all documents that it shows. Use it until the next `await`.
 */
export class Parts {
  private readonly view: number;
  /** Parts found before: most are shown several times on a page. */
  private readonly found = { posts: new Map<number, ReadonlyMap<string, Part>>(), terms: new Map<number, ReadonlyMap<string, Part>>() };

  /**
   * @param view names everything that is shown besides documents
   * @param since `State.revisionOf` before the documents were loaded: if something was written meanwhile, nothing is cached
   */
  constructor(
    private readonly memory: Memory['parts'],
    readonly state: State,
    view: string,
    private readonly since: string,
  ) {
    this.view = numberOf(view);
  }

  find<T>(subject: Subject, name: string): Part<T> | undefined {
    const { collection, id } = subject;
    const parts = this.found[collection].get(id) ?? this.stored(subject);
    if (!parts) return undefined;
    this.found[collection].set(id, parts);
    const known = parts.get(name) as Part<T> | undefined;
    return known?.uses.holdIn(this.state) === true ? known : undefined;
  }

  /** @param bytes of what is shown */
  keep(subject: Subject, name: string, shown: unknown, uses: Uses, bytes: number): void {
    if (this.since !== this.state.revisionOf()) return;
    const { collection, id } = subject;
    const part: Part = { shown, uses, bytes: PART_BYTES + bytes + uses.bytes };
    const parts = new Map(this.found[collection].get(id) ?? this.stored(subject)).set(name, part);
    this.memory.set(
      this.placeOf(subject),
      parts,
      [...parts.values()].reduce((sum, each) => sum + each.bytes, 0),
    );
    this.found[collection].set(id, parts);
  }

  private stored(subject: Subject): ReadonlyMap<string, Part> | undefined {
    return this.memory.get(this.placeOf(subject)) as ReadonlyMap<string, Part> | undefined;
  }

  private placeOf({ collection, id }: Subject): string {
    return `${id} ${this.state.versionOf(collection, id)} ${collection} ${this.view}`;
  }
}
