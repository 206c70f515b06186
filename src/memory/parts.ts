import type { Memory } from './index.js';
import type { State } from './state.js';

/** Collections whose documents presenters look at. */
export type Shown = 'posts' | 'terms';

/** A document that is shown. */
interface Subject {
  collection: Shown;
  id: number;
}

/** Represents all posts. No document has this id. */
const ALL = 0;

/** One number for a document: terms have negative ones. */
const numberOf = ({ collection, id }: Subject): number => (collection === 'posts' ? id : -id);

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
    if (id > 0) this.addNumber(numberOf({ collection, id }), state);
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

/** The rendered parts of a document, by name. */
interface Part<T = unknown> {
  shown: T;
  /** The documents that it depends on. */
  uses: Uses;
  bytes: number;
  /** The name of the content for which this was found to hold last. */
  content?: string;
}

/** Estimated overhead of a part, in bytes. */
const PART_BYTES = 250;

/**
 * Parts that several posts share, such as a venue or an image, for one view. Each is stored under the version of its document, with the
 * versions of all documents that it shows. Use it until the next `await`.
 */
export class Parts {
  private readonly content: string;
  /** The places of documents: each is needed several times. */
  private readonly places = new Map<number, string>();

  /**
   * @param view names everything that is shown besides documents; short, since it is part of every key
   * @param since `State.revisionOf` before the documents were loaded: if something was written meanwhile, nothing is cached
   */
  constructor(
    private readonly memory: Memory['parts'],
    readonly state: State,
    private readonly view: string,
    private readonly since: string,
  ) {
    this.content = state.nameOf();
  }

  find<T>(subject: Subject, name: string): Part<T> | undefined {
    const known = this.partsAt(this.placeOf(subject))?.get(name) as Part<T> | undefined;
    if (!known || (known.content !== this.content && !known.uses.holdIn(this.state))) return undefined;
    known.content = this.content;
    return known;
  }

  /** @param bytes of what is shown */
  keep(subject: Subject, name: string, shown: unknown, uses: Uses, bytes: number): void {
    if (this.since !== this.state.revisionOf()) return;
    const part: Part = { shown, uses, bytes: PART_BYTES + bytes + uses.bytes };
    const place = this.placeOf(subject);
    const parts = new Map(this.partsAt(place)).set(name, part);
    const size = [...parts.values()].reduce((sum, each) => sum + each.bytes, 0);
    this.memory.set(place, parts, size);
  }

  private partsAt(place: string): ReadonlyMap<string, Part> | undefined {
    return this.memory.get(place) as ReadonlyMap<string, Part> | undefined;
  }

  private placeOf(subject: Subject): string {
    const number = numberOf(subject);
    const place = this.places.get(number) ?? `${number} ${versionOf(this.state, number)} ${this.view}`;
    this.places.set(number, place);
    return place;
  }
}
