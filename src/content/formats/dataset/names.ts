import { sanitizeTitle, truncateSlug } from '../../../wp/formatting/slug.js';
import { didYouMean } from '../../../suggest.js';
import type { Problems } from '../../problems.js';

/** The id and slug of an item. */
export interface Entry {
  /** Path in the file: `events[3]`. */
  path: string;
  id?: number;
  slug?: string;
  /** Base of the slug if none is given. */
  name: string;
}

/** Assigns an id to every entry: the given one, or the lowest free one. */
export function assignIds(entries: readonly Entry[], problems: Problems): number[] {
  const owners = new Map<number, string>();
  for (const { id, path } of entries) {
    if (id === undefined) continue;
    const owner = owners.get(id);
    if (owner === undefined) owners.set(id, path);
    else problems.add(`${path}.id`, `${id} is already the id of ${owner}`);
  }
  let next = 1;
  return entries.map(({ id }) => {
    if (id !== undefined) return id;
    while (owners.has(next)) next += 1;
    return next++;
  });
}

/** The slugs of the entries of one kind (a post type, a taxonomy). Resolves references. */
export class Names {
  readonly slugs: string[];
  private readonly owners = new Map<string, number>();

  /**
   * WP: the slug is made from the given slug, or the name, or the id; duplicates get `-2`, `-3`, ….
   * @param kind name of an entry in messages
   * @param list name of the list of the entries
   * @param ids ids of the entries, in the same order
   */
  constructor(
    private readonly kind: string,
    private readonly list: string,
    private readonly entries: readonly Entry[],
    private readonly ids: readonly number[],
    private readonly problems: Problems,
  ) {
    const given = entries.map((entry, index) => this.claimGiven(entry, index));
    this.slugs = given.map((slug, index) => slug ?? this.claimFree(sanitizeTitle(entries[index].name) || String(ids[index]), index));
  }

  private claimGiven({ slug, path }: Entry, index: number): string | null {
    if (slug === undefined) return null;
    const clean = sanitizeTitle(slug);
    const owner = this.owners.get(clean);
    if (clean === '') this.problems.add(`${path}.slug`, `"${slug}" must contain letters or digits`);
    else if (owner !== undefined) this.problems.add(`${path}.slug`, `"${slug}" is already the slug of ${this.entries[owner].path}`);
    else this.owners.set(clean, index);
    return clean;
  }

  private claimFree(wanted: string, index: number): string {
    let slug = wanted;
    for (let suffix = 2; this.owners.has(slug); suffix += 1) slug = truncateSlug(wanted, `-${suffix}`);
    this.owners.set(slug, index);
    return slug;
  }

  /** Resolves a reference, a slug or a name, to an id. If there is no such entry, adds a problem and returns undefined. */
  find(reference: string, path: string): number | undefined {
    const index = this.owners.get(sanitizeTitle(reference));
    if (index === undefined) {
      const hint = didYouMean(reference, [...this.owners.keys()]);
      this.problems.add(path, `there is no ${this.kind} with the slug "${reference}"${hint}`, { list: this.list });
    }
    return index === undefined ? undefined : this.ids[index];
  }
}

/** The entries of one kind with their ids and slugs. */
export interface Kind<T> {
  items: readonly T[];
  entries: Entry[];
  ids: number[];
  names: Names;
}

/**
 * Ids of the parents, 0 for none. A cycle is a problem.
 */
export function parentsOf({ items, entries, ids, names }: Kind<{ parent?: string }>, problems: Problems): number[] {
  const parents = items.map(({ parent }, index) => (parent ? (names.find(parent, `${entries[index].path}.parent`) ?? 0) : 0));
  const parentOf = new Map(ids.map((id, index) => [id, parents[index]]));
  ids.forEach((id, index) => {
    const seen = new Set<number>();
    let at = parentOf.get(id) ?? 0;
    while (at !== 0 && at !== id && !seen.has(at)) {
      seen.add(at);
      at = parentOf.get(at) ?? 0;
    }
    if (at === id) problems.add(`${entries[index].path}.parent`, `"${items[index].parent}" is a descendant of this item`);
  });
  return parents;
}
