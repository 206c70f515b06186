import { deepCopy } from '../../base/values/records.js';
import type { Memory } from './index.js';
import { Mirror, type MirrorContent, type MirrorSource, type Momentary } from './mirror.js';
import type { State } from './state.js';
import { grown } from './table/columns.js';
import { RowsById } from './table/ids.js';

/** Search terms, folded (`foldForSearch`). */
export interface SearchClause {
  /** All of them must occur. */
  words: string[];
  /** None of them may occur. */
  without: string[];
  /** Whether all words must occur in the same field (TEC: venues, organizers) instead of any fields (WP: events). */
  inOneField: boolean;
  /** Indexes of the fields to search. Default: all. Indexes of `SEARCH_COLUMNS` come first. */
  fields?: readonly number[];
  /** Whether a field must equal the word instead of containing it. */
  exact?: boolean;
  /** Whether to search the file names of attachments too. */
  inFile?: boolean;
}

/** Separators of tokens. A word without separators occurs in a text if and only if it occurs in one of its tokens. */
const SEPARATORS = /[\s",+<>]+/;

/** Separates tokens in the vocabulary. Itself a separator, so that no token contains it. */
const END = '\n';

/** New tokens are searched one by one up to this number. */
const MAX_LOOSE = 500;

/** Estimated memory in bytes: of a token besides its characters, of one with several occurrences in addition. */
const PER_TOKEN = 100;
const PER_LIST = 300;

/** Half of a surrogate pair. */
const UNPAIRED = /\p{Surrogate}/u;

const tokensOf = (text: string): string[] => text.split(SEPARATORS).filter((token) => token !== '');

/** A part of a word, as it occurs in tokens. */
interface Part {
  text: string;
  /** Whether tokens start with it, and whether they end with it. */
  starts: boolean;
  ends: boolean;
}

/** The parts of a word with separators between them: only the first and the last may be parts of longer tokens. */
function partsOf(word: string): Part[] {
  const parts = word.split(SEPARATORS).map((text, i, all) => ({ text, starts: i > 0, ends: i < all.length - 1 }));
  const distinct = new Map(parts.filter(({ text }) => text !== '').map((part) => [`${part.starts} ${part.ends} ${part.text}`, part]));
  return [...distinct.values()];
}

/** Whether a word occurs in a text if it occurs in one of its tokens. */
const isToken = (word: string): boolean => tokensOf(word)[0] === word;

/** A growing list of slots in ascending order: the distance of each from the one before, in as many bytes as it takes, seven bits in each. */
class Slots {
  private bytes = new Uint8Array(8);
  private length = 0;
  private last = 0;

  /** @returns by how many bytes that made it grow */
  push(slot: number): number {
    const before = this.bytes.length;
    let distance = slot - this.last;
    this.last = slot;
    for (; distance > 127; distance >>>= 7) this.pushByte((distance & 127) | 128);
    this.pushByte(distance);
    return this.bytes.length - before;
  }

  private pushByte(byte: number): void {
    if (this.length === this.bytes.length) this.bytes = grown(this.bytes, Math.ceil(this.length * 1.5));
    this.bytes[this.length] = byte;
    this.length += 1;
  }

  mark(slots: Uint8Array): void {
    const { bytes, length } = this;
    let slot = 0;
    for (let i = 0; i < length; i += 1) {
      let byte = bytes[i];
      let distance = byte & 127;
      for (let shift = 7; byte > 127; shift += 7) {
        i += 1;
        byte = bytes[i];
        distance |= (byte & 127) << shift;
      }
      slot += distance;
      slots[slot] = 1;
    }
  }
}

/** The tokens of one field of all texts, and where they occur. */
class FieldIndex {
  /** By token. Most tokens occur once. */
  private readonly slots = new Map<string, Slots | number>();
  /** The tokens, each between two `END`, except for the last ones. */
  private vocabulary = END;
  private loose: string[] = [];
  bytes = 0;

  add(text: string, slot: number): void {
    for (const token of new Set(tokensOf(text))) {
      const known = this.slots.get(token);
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
      } else this.bytes += known.push(slot);
    }
  }

  /** Marks the slots of all texts with a token that contains a part of a word. */
  mark(part: Part, slots: Uint8Array): void {
    for (const token of this.tokensWith(part)) {
      const known = this.slots.get(token);
      if (typeof known === 'number') slots[known] = 1;
      else known?.mark(slots);
    }
  }

  private tokensWith({ text, starts, ends }: Part): string[] {
    if (starts && ends) return [text];
    if (this.loose.length > MAX_LOOSE) {
      this.vocabulary += this.loose.map((token) => token + END).join('');
      this.loose = [];
    }
    const part = `${starts ? END : ''}${text}${ends ? END : ''}`;
    const found = this.loose.filter((token) => `${END}${token}${END}`.includes(part));
    const all = this.vocabulary;
    for (let at = all.indexOf(part); at >= 0;) {
      const end = all.indexOf(END, at + 1);
      found.push(all.slice(all.lastIndexOf(END, at) + 1, end));
      at = all.indexOf(part, end);
    }
    return found;
  }
}

export interface SearchText {
  _id: number;
  /** Folded fields. */
  search?: readonly string[];
  password?: string;
}

export interface Matches {
  ids: () => Int32Array;
  /** False: some of them may not match. No others do. */
  isExact: boolean;
}

/** An index of the texts of posts of one type, in memory. */
export class TextIndex implements MirrorContent<SearchText> {
  private readonly fields: FieldIndex[] = [];
  private readonly slotOf = new RowsById();
  /** The id of the post in each slot, with a password -2 minus the id; -1 if the slot is no longer used. A changed post gets a new slot. */
  private ids = new Int32Array(64);
  private length = 0;

  /** @param limit in bytes */
  constructor(private readonly limit: number) {}

  copy(): TextIndex {
    return deepCopy(this, new Map());
  }

  /** Estimated memory. */
  get bytes(): number {
    return this.fields.reduce((sum, { bytes }) => sum + bytes, this.ids.byteLength + this.slotOf.bytes);
  }

  get isTooLarge(): boolean {
    return this.bytes > this.limit;
  }

  get needsCompaction(): boolean {
    return this.length > 1_000 && this.length > 2 * this.slotOf.size;
  }

  add({ _id, search = [], password }: SearchText): void {
    this.remove(_id);
    const slot = this.length;
    if (slot === this.ids.length) this.ids = grown(this.ids, Math.ceil(1.25 * slot));
    this.ids[slot] = password === '' ? _id : -2 - _id;
    this.length += 1;
    this.slotOf.set(_id, slot);
    for (const [field, text] of search.entries()) (this.fields[field] ??= new FieldIndex()).add(text, slot);
  }

  remove(id: number): void {
    const slot = this.slotOf.get(id);
    if (slot === undefined) return;
    this.ids[slot] = -1;
    this.slotOf.delete(id);
  }

  /**
   * Finds posts, as `searchConditions` does. Null if the index cannot evaluate the search.
   * @param withoutPassword whether to exclude posts with a password
   */
  find(clause: SearchClause, withoutPassword: boolean): Momentary<Matches> | null {
    const { words, without, inOneField } = clause;
    // The database stores a different text for one that is not well-formed.
    if (clause.inFile || [...words, ...without].some((word) => word === '' || UNPAIRED.test(word))) return null;
    const fields = clause.fields ? clause.fields.flatMap((field) => this.fields[field] ?? []) : this.fields;
    const parts = inOneField && !clause.fields ? fields.map((field) => this.withAll(words, [field])) : [this.withAll(words, fields)];
    const found = this.union(parts);
    // A text that may contain an excluded word cannot be excluded.
    for (const word of clause.exact ? [] : without.filter(isToken)) {
      const excluded = this.withWord(word, fields);
      for (let slot = 0; slot < excluded.length; slot += 1) if (excluded[slot]) found[slot] = 0;
    }
    return {
      ids: () => this.idsOf(found, withoutPassword),
      isExact: !found.includes(1) || (!clause.exact && [...words, ...without].every(isToken)),
    };
  }

  private idsOf(slots: Uint8Array, withoutPassword: boolean): Int32Array {
    const { ids } = this;
    const found = new Int32Array(slots.length);
    let count = 0;
    for (let slot = 0; slot < slots.length; slot += 1) {
      const id = ids[slot];
      if (slots[slot] === 0 || id === -1 || (withoutPassword && id < 0)) continue;
      found[count] = id < 0 ? -2 - id : id;
      count += 1;
    }
    return found.subarray(0, count);
  }

  /** Texts that contain all words, each in any of the fields. */
  private withAll(words: readonly string[], fields: readonly FieldIndex[]): Uint8Array {
    return this.intersection(words, (word) => this.withWord(word, fields));
  }

  /** Texts that contain a word in one of the fields, and others that contain its tokens. */
  private withWord(word: string, fields: readonly FieldIndex[]): Uint8Array {
    // A single token in any of the fields is marked in one go.
    const each = isToken(word) ? [fields] : fields.map((field) => [field]);
    return this.union(each.map((among) => this.intersection(partsOf(word), (part) => this.marked(among, part))));
  }

  private marked(fields: readonly FieldIndex[], part: Part): Uint8Array {
    const slots = new Uint8Array(this.length);
    for (const field of fields) field.mark(part, slots);
    return slots;
  }

  /** Texts that contain all parts. Ends when there are none, as a search may have thousands of words. */
  private intersection<P>(parts: readonly P[], find: (part: P) => Uint8Array): Uint8Array {
    let result: Uint8Array | null = null;
    for (const part of new Set(parts)) {
      const found = find(part);
      if (result === null) result = found;
      else for (let slot = 0; slot < result.length; slot += 1) result[slot] &= found[slot];
      if (!result.includes(1)) break;
    }
    return result ?? new Uint8Array(this.length).fill(1);
  }

  private union([first, ...others]: readonly Uint8Array[]): Uint8Array {
    const result = first ?? new Uint8Array(this.length);
    for (const other of others) for (let slot = 0; slot < result.length; slot += 1) result[slot] |= other[slot];
    return result;
  }
}

/** Maximum share of the memory for texts that one type may use. */
const MAX_SHARE = 0.9;

/** Number of instances so far. Databases of the same name must not share what is in memory. */
let instances = 0;

/** The texts of posts, for searches, in the memory that all databases of a server share. */
export class Texts {
  private readonly mirrors = new Map<string, Mirror<SearchText, TextIndex>>();
  private readonly instance = (instances += 1);

  /** @param sourceOf the posts of a type */
  constructor(
    private readonly state: State,
    private readonly sourceOf: (type: string) => MirrorSource<SearchText>,
    private readonly memory: Memory['texts'],
  ) {}

  /** The index of a post type; null if it is not in memory. Starts to build it, unless it is too large. */
  async of(type: string): Promise<TextIndex | null> {
    return (this.mirrors.get(type) ?? this.add(type)).readIfPresent();
  }

  private add(type: string): Mirror<SearchText, TextIndex> {
    const { state, memory } = this;
    const name = `${this.instance} ${type}`;
    const make = (): TextIndex => new TextIndex(memory.limit * MAX_SHARE);
    const place = {
      get content() {
        return (memory.get(name) as TextIndex | undefined) ?? null;
      },
      set content(index) {
        if (index) memory.set(name, index, index.bytes);
        else memory.delete(name);
      },
    };
    const mirror = new Mirror(state, 'posts', this.sourceOf(type), make, place);
    this.mirrors.set(type, mirror);
    return mirror;
  }
}
