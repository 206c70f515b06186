import type { MirrorContent } from '../../store/mirror.js';
import type { SearchClause } from './post-query.js';

/** What separates tokens. A word that contains none of it occurs in a text if and only if it occurs in one of its tokens. */
const SEPARATORS = /[\s",+<>]+/;

/** Separates tokens in the vocabulary. Itself a separator, so that no token contains it. */
const END = '\n';

/** New tokens are searched one by one until there are so many. */
const MAX_LOOSE = 500;

/** Estimated memory in bytes: of a token besides its characters, of one with several occurrences in addition, of an occurrence, of a text. */
const PER_TOKEN = 100;
const PER_LIST = 150;
const PER_OCCURRENCE = 5;
const PER_TEXT = 80;

/** Half of a surrogate pair. */
const UNPAIRED = /\p{Surrogate}/u;

const tokensOf = (text: string): Set<string> => new Set(text.split(SEPARATORS).filter((token) => token !== ''));

/** A growing list of slots. */
class Slots {
  private items = new Uint32Array(4);
  private length = 0;

  push(slot: number): void {
    if (this.length === this.items.length) {
      const items = new Uint32Array(Math.ceil(this.length * 1.5));
      items.set(this.items);
      this.items = items;
    }
    this.items[this.length] = slot;
    this.length += 1;
  }

  mark(slots: Uint8Array): void {
    for (let i = 0; i < this.length; i += 1) slots[this.items[i]] = 1;
  }
}

/** The tokens of one field of all texts, and where they occur. */
class FieldIndex {
  /** By token. Most tokens occur once. */
  private readonly slots = new Map<string, Slots | number>();
  /** The tokens, each followed by `END`, except for the last ones. */
  private vocabulary = '';
  private loose: string[] = [];
  bytes = 0;

  add(text: string, slot: number): void {
    for (const token of tokensOf(text)) {
      const known = this.slots.get(token);
      this.bytes += PER_OCCURRENCE;
      if (known === undefined) {
        this.slots.set(token, slot);
        this.loose.push(token);
        this.bytes += PER_TOKEN + 2 * token.length;
      } else if (typeof known === 'number') {
        const list = new Slots();
        list.push(known);
        list.push(slot);
        this.slots.set(token, list);
        this.bytes += PER_LIST;
      } else known.push(slot);
    }
  }

  /** Marks the slots of all texts with a token that contains a part of a word. */
  mark(part: string, slots: Uint8Array): void {
    for (const token of this.tokensWith(part)) {
      const known = this.slots.get(token);
      if (typeof known === 'number') slots[known] = 1;
      else known?.mark(slots);
    }
  }

  private tokensWith(part: string): string[] {
    if (this.loose.length > MAX_LOOSE) {
      this.vocabulary += this.loose.map((token) => token + END).join('');
      this.loose = [];
    }
    const found = this.loose.filter((token) => token.includes(part));
    const all = this.vocabulary;
    for (let at = all.indexOf(part); at >= 0;) {
      const end = all.indexOf(END, at);
      found.push(all.slice(all.lastIndexOf(END, at) + 1, end));
      at = all.indexOf(part, end);
    }
    return found;
  }
}

/** A text to be searched. */
export interface SearchText {
  _id: number;
  /** Folded fields. */
  search?: readonly string[];
  password?: string;
}

/** What a search has found. Use it before the next `await`. */
export interface Matches {
  ids: () => number[];
  has: (id: number) => boolean;
  /** False: some of them may not match. No others do. */
  isExact: boolean;
}

interface MarkedSlots {
  slots: Uint8Array;
  isExact: boolean;
}

/** An index of the texts of posts of one type, in memory. */
export class TextIndex implements MirrorContent<SearchText> {
  private readonly fields: FieldIndex[] = [];
  private readonly slotOf = new Map<number, number>();
  /** The id of the post in each slot; -1: none any more. A post that changes gets a new slot. */
  private readonly ids: number[] = [];
  private readonly isProtected: boolean[] = [];

  /** @param limit in bytes */
  constructor(private readonly limit: number) {}

  /** Estimated memory. */
  get bytes(): number {
    return this.fields.reduce((sum, { bytes }) => sum + bytes, this.ids.length * PER_TEXT);
  }

  get isTooLarge(): boolean {
    return this.bytes > this.limit;
  }

  get isWorn(): boolean {
    return this.ids.length > 1_000 && this.ids.length > 2 * this.slotOf.size;
  }

  /** Adds or replaces a text. */
  add({ _id, search = [], password }: SearchText): void {
    this.remove(_id);
    const slot = this.ids.push(_id) - 1;
    this.slotOf.set(_id, slot);
    this.isProtected.push(password !== '');
    for (const [field, text] of search.entries()) (this.fields[field] ??= new FieldIndex()).add(text, slot);
  }

  remove(id: number): void {
    const slot = this.slotOf.get(id);
    if (slot === undefined) return;
    this.ids[slot] = -1;
    this.slotOf.delete(id);
  }

  /**
   * Finds posts, as `searchConditions` does. Null: this index cannot tell.
   * @param withoutPassword whether to exclude posts with a password
   */
  find(clause: SearchClause, withoutPassword: boolean): Matches | null {
    const { words, without, inOneField } = clause;
    // A text that is not well-formed is stored as another.
    if (clause.inFile || [...words, ...without].some((word) => word === '' || UNPAIRED.test(word))) return null;
    const fields = clause.fields ? clause.fields.flatMap((field) => this.fields[field] ?? []) : this.fields;
    const parts = inOneField && !clause.fields ? fields.map((field) => this.withAll(words, [field])) : [this.withAll(words, fields)];
    const found = this.union(parts);
    const excluded = without.map((word) => this.withWord(word, fields));
    // A text that may contain an excluded word cannot be excluded.
    const sure = excluded.filter(({ isExact }) => isExact && !clause.exact);
    for (const { slots } of sure) for (let slot = 0; slot < slots.length; slot += 1) if (slots[slot]) found.slots[slot] = 0;
    const isExact = found.isExact && sure.length === excluded.length && !clause.exact;
    const { slots } = found;
    return {
      ids: () => this.ids.filter((id, slot) => slots[slot] === 1 && id >= 0 && !(withoutPassword && this.isProtected[slot])),
      has: (id) => this.holds(slots, id, withoutPassword),
      isExact,
    };
  }

  private holds(slots: Uint8Array, id: number, withoutPassword: boolean): boolean {
    const slot = this.slotOf.get(id);
    return slot !== undefined && slots[slot] === 1 && !(withoutPassword && this.isProtected[slot]);
  }

  /** Texts that contain all words, each in any of the fields. */
  private withAll(words: readonly string[], fields: readonly FieldIndex[]): MarkedSlots {
    const each = words.map((word) => this.withWord(word, fields));
    return { slots: this.intersection(each.map(({ slots }) => slots)), isExact: each.every(({ isExact }) => isExact) };
  }

  /** Texts that contain a word in one of the fields. */
  private withWord(word: string, fields: readonly FieldIndex[]): MarkedSlots {
    const parts = word.split(SEPARATORS).filter((part) => part !== '');
    const isExact = parts.length === 1 && parts[0] === word;
    return {
      ...this.union(fields.map((field) => ({ slots: this.intersection(parts.map((part) => this.marked(field, part))), isExact }))),
      isExact,
    };
  }

  private marked(field: FieldIndex, part: string): Uint8Array {
    const slots = new Uint8Array(this.ids.length);
    field.mark(part, slots);
    return slots;
  }

  private intersection([first, ...others]: readonly Uint8Array[]): Uint8Array {
    const result = first ?? new Uint8Array(this.ids.length).fill(1);
    for (const other of others) for (let slot = 0; slot < result.length; slot += 1) result[slot] &= other[slot];
    return result;
  }

  private union(all: readonly MarkedSlots[]): MarkedSlots {
    const slots = all.at(0)?.slots ?? new Uint8Array(this.ids.length);
    for (const other of all.slice(1)) for (let slot = 0; slot < slots.length; slot += 1) slots[slot] |= other.slots[slot];
    return { slots, isExact: all.every(({ isExact }) => isExact) };
  }
}
