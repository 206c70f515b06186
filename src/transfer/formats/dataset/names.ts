import { sanitizeTitle, truncateSlug } from '../../../wordpress/formatting/sanitize.js';
import { didYouMean, isMisspelling } from '../../../base/text/suggest.js';
import type { Mention, Problems } from '../../source.js';

/** The id and slug of an item. */
export interface NamedEntry {
  /** Path in the file: `events[3]`. */
  path: string;
  id?: number;
  slug?: string;
  /** Base of the slug if none is given. */
  name: string;
}

/** Assigns an id to every entry: the given one, or the lowest free one. */
export function assignIds(entries: readonly NamedEntry[], problems: Problems): number[] {
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

/** Shorter names differ by a letter without being the same: `Anna`, `Hanna`. */
const LEAST_LIKE = 5;

/** How many mentions are compared with a further one. */
const MOST_COMPARED = 300;

/** The slugs of the entries of one kind (a post type, a taxonomy). Resolves references. */
export class Names {
  readonly slugs: string[];
  /** How many entries the file has. */
  readonly declared: number;
  private readonly owners = new Map<string, number>();
  /** The entries by their names, as slugs. */
  private readonly named = new Map<string, number>();

  /**
   * WP: the slug is made from the given slug, or the name, or the id; duplicates get `-2`, `-3`, ….
   * @param kind name of an entry in messages
   * @param list name of the list of the entries
   * @param ids ids of the entries, in the same order
   * @param create adds an entry for a mention to the list, and returns its id; absent if entries are not created on mention
   */
  constructor(
    private readonly kind: string,
    private readonly list: string,
    private readonly entries: readonly NamedEntry[],
    private readonly ids: readonly number[],
    private readonly problems: Problems,
    private readonly create?: (mention: Mention) => number,
  ) {
    this.declared = entries.length;
    const given = entries.map((entry, index) => this.claimGiven(entry, index));
    for (const [index, { name }] of entries.entries()) {
      const slug = sanitizeTitle(name);
      if (!this.named.has(slug)) this.named.set(slug, index);
    }
    this.slugs = given.map((slug, index) => slug ?? this.claimFree(sanitizeTitle(entries[index].name) || String(ids[index]), index));
  }

  private claimGiven({ slug, path }: NamedEntry, index: number): string | null {
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

  /**
   * Resolves a reference, a slug or a name, to an id. If there is no such entry, it is created, or a problem is added and undefined returned. A
   * probable misspelling is a problem in any case.
   */
  find(reference: string, path: string): number | undefined {
    const slug = sanitizeTitle(reference);
    const index = this.owners.get(slug) ?? this.named.get(slug);
    if (index !== undefined) return this.ids[index];
    const known = [...this.owners.keys()];
    const declared = [...known.slice(0, this.declared), ...this.named.keys()];
    const problem = `there is no ${this.kind} with the slug "${reference}"${didYouMean(reference, [...known, ...this.named.keys()]) || this.hint(reference, known)}`;
    if (this.create && slug !== '' && !isMisspelling(slug, declared)) return this.add(slug, { name: reference, path, problem });
    this.problems.add(path, problem, { list: this.list });
    return undefined;
  }

  /** Suggests a slug for the name of a file, where an image is meant by its slug. */
  private hint(reference: string, known: readonly string[]): string {
    if (this.list !== 'media') return '';
    const slug = sanitizeTitle(reference.replace(/^.*\//, '').replace(/\.\w+$/, ''));
    return known.includes(slug)
      ? `. Did you mean "${slug}"?`
      : `. List it in media: { "slug": "${slug || 'poster'}", "file": "${/\.\w+$/.test(reference) ? reference : 'poster.png'}" }`;
  }

  private add(slug: string, mention: Mention): number | undefined {
    const others = slug.length < LEAST_LIKE ? [] : this.slugs.slice(this.declared, this.declared + MOST_COMPARED);
    const like = others.find((other) => other.length >= LEAST_LIKE && isMisspelling(slug, [other]));
    this.owners.set(slug, this.slugs.length);
    this.slugs.push(slug);
    return this.create?.({ ...mention, like: like && this.entries[this.slugs.indexOf(like)].name });
  }
}

/** The entries of one kind with their ids and slugs. Mentions add to them. */
export interface NamedEntries<T> {
  items: T[];
  entries: NamedEntry[];
  ids: number[];
  names: Names;
}

/** Ids of the parents, 0 for none. A cycle is a problem. */
export function parentIds({ items, entries, ids, names }: NamedEntries<{ parent?: string }>, problems: Problems): number[] {
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
