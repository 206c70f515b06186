import type { State } from './state.js';

/** Collections whose documents presenters look at. */
export type Shown = 'posts' | 'terms';

/** Represents all posts. No document has this id. */
const ALL = 0;

/** One number for a document: terms have negative ones. */
const numberOf = (collection: Shown, id: number): number => (collection === 'posts' ? id : -id);

const versionOf = (state: State, number: number): number => {
  if (number === ALL) return Number(state.nameOf('posts'));
  return number > 0 ? state.versionOf('posts', number) : state.versionOf('terms', -number);
};

/**
 * The documents that a presenter read, with their versions: its result is valid as long as the versions are the same, also in another
 * database, such as a sandbox.
 */
export class Uses {
  /** Documents, each followed by its version: plain numbers take the least memory. */
  private readonly pairs: number[] = [];

  /** Estimated memory, in bytes. */
  get bytes(): number {
    return 60 + 8 * this.pairs.length;
  }

  /** Whether all documents have the same versions in a database. */
  holdIn(state: State): boolean {
    const { pairs } = this;
    for (let i = 0; i < pairs.length; i += 2) if (versionOf(state, pairs[i]) !== pairs[i + 1]) return false;
    return true;
  }

  /** Adds a document with its current version. */
  add(collection: Shown, id: number, state: State): void {
    // No document exists without a valid id.
    if (id > 0) this.addNumber(numberOf(collection, id), state);
  }

  /** Adds all posts, existing and future ones. */
  addAllPosts(state: State): void {
    this.addNumber(ALL, state);
  }

  /** Adds the documents of another record. */
  addFrom({ pairs }: Uses): void {
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
