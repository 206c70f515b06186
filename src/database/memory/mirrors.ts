import { Mirror, type MirrorContent, type MirrorSource, type OwnWrite } from './mirror.js';
import type { State } from './state.js';

/** Every write has to look at each mirror. */
const MAX_MIRRORS = 8;

/** The latest mirrors of parts of a collection that were needed at least twice. */
export class Mirrors<T extends { _id: number }, C extends MirrorContent<T>> {
  /** By name, the latest last; null: needed once. */
  private readonly mirrors = new Map<string, Mirror<T, C> | null>();

  constructor(
    private readonly state: State,
    private readonly collection: string,
  ) {}

  /** The content of a mirror, as of `Mirror.read`; null if it has been needed for the first time. @param name identifies the other parameters */
  async read(name: string, source: MirrorSource<T>, make: () => C): Promise<C | null> {
    const known = this.mirrors.get(name);
    const mirror = known === null ? new Mirror(this.state, this.collection, source, make) : (known ?? null);
    this.mirrors.delete(name);
    this.mirrors.set(name, mirror);
    const [oldest] = this.mirrors.keys();
    if (this.mirrors.size > MAX_MIRRORS) this.mirrors.delete(oldest);
    return mirror && mirror.read();
  }

  /** Like `read`, but without a mirror, nothing changes. */
  async readIfPresent(name: string): Promise<C | null> {
    return (await this.mirrors.get(name)?.read()) ?? null;
  }

  /** Like `Mirror.replace`. The contents ignore documents that are not theirs. */
  replace(write: OwnWrite, documents: readonly T[]): void {
    for (const mirror of this.mirrors.values()) mirror?.replace(write, documents);
  }
}
