import { sanitizeTitle, truncateSlug } from '../../../wp/formatting/slug.js';
import type { Problems } from '../../problems.js';

/** An item as far as its id and slug go. */
export interface Entry {
  /** Where it stands in the file: `events[3]`. */
  path: string;
  id?: number;
  slug?: string;
  /** What the slug is made of when none is given. */
  name: string;
}

/** Gives every entry of a sequence an id: its own, or the lowest that nobody has. */
export function assignIds(entries: readonly Entry[], problems: Problems): number[] {
  const owners = new Map<number, string>();
  for (const { id, path } of entries) {
    if (id === undefined) continue;
    const owner = owners.get(id);
    if (owner === undefined) owners.set(id, path);
    else problems.add(`${path}.id`, `${id} is the id of ${owner}`);
  }
  let next = 1;
  return entries.map(({ id }) => {
    if (id !== undefined) return id;
    while (owners.has(next)) next += 1;
    return next++;
  });
}

/** The entries of one kind (a post type, a taxonomy): their slugs, and who is meant by a reference. */
export class Names {
  readonly slugs: string[];
  private readonly owners = new Map<string, number>();

  /**
   * WP: a slug is the slug form of what is given, else of the name, else the id; names that meet get `-2`, `-3`, ….
   * @param kind what an entry is called in messages
   * @param ids ids of the entries, in their order
   */
  constructor(
    private readonly kind: string,
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
    if (clean === '') this.problems.add(`${path}.slug`, `"${slug}" has no letters or digits`);
    else if (owner !== undefined) this.problems.add(`${path}.slug`, `"${slug}" is the slug of ${this.entries[owner].path}`);
    else this.owners.set(clean, index);
    return clean;
  }

  private claimFree(wanted: string, index: number): string {
    let slug = wanted;
    for (let suffix = 2; this.owners.has(slug); suffix += 1) slug = truncateSlug(wanted, `-${suffix}`);
    this.owners.set(slug, index);
    return slug;
  }

  /** The id of the entry that a reference names, by slug or by the name that its slug comes from; a problem and undefined when there is none. */
  find(reference: string, path: string): number | undefined {
    const index = this.owners.get(sanitizeTitle(reference));
    if (index === undefined) this.problems.add(path, `there is no ${this.kind} with the slug "${reference}"`);
    return index === undefined ? undefined : this.ids[index];
  }
}

/** The entries of one kind with what is assigned to them. */
export interface Kind<T> {
  items: readonly T[];
  entries: Entry[];
  ids: number[];
  names: Names;
}

/**
 * Ids of the parents, 0 for none; a circle is a problem.
 * @param items entries that may name their parent
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
    if (at === id) problems.add(`${entries[index].path}.parent`, `"${items[index].parent}" leads back to the item itself`);
  });
  return parents;
}
