import type { Collection, Database } from '../../store/database.js';
import type { Memory } from '../../memory/memory.js';
import { Mirror, type Place } from '../../memory/mirror.js';
import { scan } from '../../store/scan.js';
import type { Post } from '../model.js';
import { TextIndex, type SearchText } from '../../memory/text-index.js';

/** The largest part of the memory for texts that the texts of one type may take. */
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

  constructor(
    private readonly db: Database['db'],
    private readonly posts: Collection<Post>,
    private readonly memory: Memory['texts'],
  ) {}

  /** The index of a post type; null if it is not in memory. Unless it is too large, it will be. */
  async of(type: string): Promise<TextIndex | null> {
    return (this.mirrors.get(type) ?? this.add(type)).readIfPresent();
  }

  /** Called after every write. @param ids the posts; null: any post */
  recordWrite(ids: readonly (number | string)[] | null): void {
    for (const mirror of this.mirrors.values()) mirror.recordWrite(ids);
  }

  private add(type: string): Mirror<SearchText, TextIndex> {
    const { db, posts, memory } = this;
    const projection = { search: 1, password: 1 };
    const mirror = new Mirror<SearchText, TextIndex>(
      {
        all: () => scan<SearchText>({ db, collection: posts.collectionName }, { type }, projection),
        some: (ids) => posts.find<SearchText>({ _id: { $in: ids }, type }, { projection }).toArray(),
      },
      () => new TextIndex(memory.limit * MAX_SHARE),
      new SharedPlace(memory, `${this.instance} ${type}`),
    );
    this.mirrors.set(type, mirror);
    return mirror;
  }
}
