import type { Memory } from './index.js';
import type { State } from './state.js';

/** Collections whose documents presenters read. */
export type FragmentSource = 'posts' | 'terms';

/** A document that is shown. */
interface Subject {
  collection: FragmentSource;
  id: number;
}

/** Represents all posts. No document has this id. */
const ALL = 0;

/** One number for a document: terms have negative ones. */
const numberOf = ({ collection, id }: Subject): number => (collection === 'posts' ? id : -id);

const versionOf = (state: State, number: number): number => {
  if (number === ALL) return Number(state.generationOf('posts'));
  return number > 0 ? state.versionOf('posts', number) : state.versionOf('terms', -number);
};

/**
 * The documents that a presenter read, with their versions: its result is valid as long as the versions are the same, also in another
 * database, such as a sandbox.
 */
export class Dependencies {
  /** Documents, each followed by its version: plain numbers take the least memory. */
  private pairs: number[] = [];

  /** Gives back the space that arrays keep to grow. @returns the estimated memory, in bytes */
  compact(): number {
    this.pairs = this.pairs.slice();
    return 80 + 8 * this.pairs.length;
  }

  /** Whether all documents have the same versions in a database. */
  areCurrentIn(state: State): boolean {
    const { pairs } = this;
    for (let i = 0; i < pairs.length; i += 2) if (versionOf(state, pairs[i]) !== pairs[i + 1]) return false;
    return true;
  }

  /** Adds a document with its current version. */
  add(collection: FragmentSource, id: number, state: State): void {
    // No document exists without a valid id.
    if (id > 0) this.addNumber(numberOf({ collection, id }), state);
  }

  /** Adds all posts, existing and future ones. */
  addAllPosts(state: State): void {
    this.addNumber(ALL, state);
  }

  addFrom({ pairs }: Dependencies): void {
    for (let i = 0; i < pairs.length; i += 2) if (!this.has(pairs[i])) this.pairs.push(pairs[i], pairs[i + 1]);
  }

  private addNumber(number: number, state: State): void {
    if (!this.has(number)) this.pairs.push(number, versionOf(state, number));
  }

  /** Most documents are read several times. */
  private has(number: number): boolean {
    const { pairs } = this;
    for (let i = 0; i < pairs.length; i += 2) if (pairs[i] === number) return true;
    return false;
  }
}

/** A rendered part of a response. */
interface Fragment<T = unknown> {
  value: T;
  /** The documents that it depends on. */
  dependencies: Dependencies;
  /** The latest generation of the content for which it was found to be current. */
  content: string;
}

/** Estimated overhead of a fragment, in bytes. */
const FRAGMENT_BYTES = 150;

/**
 * Fragments of responses for one view: whole posts, and what several posts share, such as a venue or an image. Each is cached under the
 * version of its document, with the versions of all documents that it depends on. Use the cache until the next `await`.
 */
export class FragmentCache {
  private readonly content: string;
  /** Cache keys of documents: each is needed several times. */
  private readonly keys = new Map<number, string>();

  /**
   * @param view identifies everything that a fragment depends on besides documents; short, since it is part of every key
   * @param since `State.revisionOf` before the documents were loaded: if something was written meanwhile, nothing is cached
   */
  constructor(
    private readonly memory: Memory['fragments'],
    readonly state: State,
    private readonly view: string,
    private readonly since: string,
  ) {
    this.content = state.generationOf();
  }

  find<T>(subject: Subject, name: string): Fragment<T> | undefined {
    const known = this.memory.get(this.keyOf(subject) + name) as Fragment<T> | undefined;
    if (!known || (known.content !== this.content && !known.dependencies.areCurrentIn(this.state))) return undefined;
    known.content = this.content;
    return known;
  }

  /** @param bytes estimated size of the value */
  store(subject: Subject, name: string, value: unknown, dependencies: Dependencies, bytes: number): void {
    if (this.since !== this.state.revisionOf()) return;
    const fragment: Fragment = { value, dependencies, content: '' };
    this.memory.set(this.keyOf(subject) + name, fragment, FRAGMENT_BYTES + bytes + dependencies.compact());
  }

  private keyOf(subject: Subject): string {
    const number = numberOf(subject);
    const key = this.keys.get(number) ?? `${number} ${versionOf(this.state, number)} ${this.view} `;
    this.keys.set(number, key);
    return key;
  }
}
