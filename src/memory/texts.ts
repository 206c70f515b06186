import type { Memory } from './index.js';
import { Mirror, type MirrorSource } from './mirror.js';
import type { State } from './state.js';
import { TextIndex, type SearchText } from './text-index.js';

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
    const mirror = new Mirror({ state, collection: 'posts' }, this.sourceOf(type), make, place);
    this.mirrors.set(type, mirror);
    return mirror;
  }
}
