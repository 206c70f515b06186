import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { InputFile } from '../../transfer/formats/format.js';
import type { DatasetSource } from '../../transfer/source.js';
import type { Json } from '../../wordpress/rest/route.js';
import type { LoadedContent, Tenant } from '../tenant/tenant.js';

/** A seed of a sandbox, which others repeat without reading the dataset. */
interface PreparedSeed {
  content: LoadedContent;
  response: Record<string, Json>;
}

/** How many seeds are kept, and up to how many posts each. */
const MOST_SEEDS = 16;
const MOST_POSTS = 500;

/** Members of a dataset that name other files. */
const OTHER_FILES = ['stubs', 'file'];

/** The latest seeds of sandboxes. Tests often load one dataset many times. */
export class PreparedSeeds {
  private readonly seeds = new Map<string, PreparedSeed>();

  /**
   * Names a seed, with everything that its result depends on. Null: it is not kept.
   * @param options of the seed and of the server
   */
  async keyOf({ name, site }: Tenant, inputs: readonly InputFile[], options: object): Promise<string | null> {
    if (name === '' || !site.store.isLocal) return null;
    const hash = createHash('sha256');
    const { base } = site.registry;
    // Dates may be relative to the time, and documents without a date get it.
    hash.update(
      JSON.stringify([
        options,
        site.clock.now(),
        site.url,
        base.plugins,
        site.chosenZones,
        site.quirks.releases,
        inputs.map((input) => [input.name, input.folder]),
      ]),
    );
    for (const { file } of inputs) {
      const bytes = await readFile(file);
      if (OTHER_FILES.some((word) => bytes.includes(word))) return null;
      hash.update(`${bytes.length}:`).update(bytes);
    }
    return hash.digest('base64');
  }

  find(key: string | null): PreparedSeed | undefined {
    const known = key === null ? undefined : this.seeds.get(key);
    if (key === null || !known) return undefined;
    this.seeds.delete(key);
    this.seeds.set(key, known);
    return known;
  }

  /** @param loaded the number of posts and files */
  async keep(
    key: string | null,
    tenant: Tenant,
    sources: readonly DatasetSource[],
    loaded: { posts: number; files: number },
    response: Record<string, Json>,
  ): Promise<void> {
    const isSelfContained =
      loaded.files === 0 && sources.every(({ missing = [], missingStubs = [] }) => missing.length + missingStubs.length === 0);
    if (key === null || !isSelfContained || loaded.posts > MOST_POSTS) return;
    const content = await tenant.loadedContent();
    if (!content) return;
    this.seeds.set(key, { content, response });
    const [oldest] = this.seeds.keys();
    if (this.seeds.size > MOST_SEEDS) this.seeds.delete(oldest);
  }
}
