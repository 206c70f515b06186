import type { Memory } from './index.js';
import { Mirror, type MirrorSource, type Place } from './mirror.js';
import type { State } from './state.js';
import { TextIndex, type SearchText } from './text-index.js';

/** Maximum share of the memory for texts that one type may use. */
const MAX_SHARE = 0.9;

/** Number of instances so far. Databases of the same name must not share what is in memory. */
let instances = 0;

/** The index of the texts of one type, in the memory that all databases of a server share. */
class SharedPlace implements Place<TextIndex> {
  constructor(
    private readonly memory: Memory['texts'],
    private readonly name: string,
  ) {}

  get content(): TextIndex | null {
    const held = this.memory.get(this.name);
    return held instanceof TextIndex ? held : null;
  }

  set content(index: TextIndex | null) {
    if (index) this.memory.set(this.name, index, index.bytes);
    else this.memory.delete(this.name);
  }
}

/** The texts of posts in memory, for searches. */
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
    const { state, memory, instance } = this;
    const make = (): TextIndex => new TextIndex(memory.limit * MAX_SHARE);
    const place = new SharedPlace(memory, `${instance} ${type}`);
    const mirror = new Mirror({ state, collection: 'posts' }, this.sourceOf(type), make, place);
    this.mirrors.set(type, mirror);
    return mirror;
  }
}
