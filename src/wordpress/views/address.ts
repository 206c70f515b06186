import { sanitizeSlug, sanitizeTitle } from '../formatting/sanitize.js';
import { ATTACHMENT, CATEGORY, PAGE, POST, TAG } from '../model.js';
import type { Site } from '../site.js';
import type { PostType } from '../types/post-type.js';
import type { PageAddress, PagePlugin } from './reading.js';

export const UNKNOWN: PageAddress = { kind: 'unknown' };

/** The number in a segment of a path; null if it is none. */
export const pageNumber = (text: unknown): number | null => (typeof text === 'string' && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null);

/** The segments before `page/2`, and the number, which is 1 without it. */
function paged(parts: readonly string[]): [parts: readonly string[], page: number] {
  const page = parts.at(-2) === 'page' ? pageNumber(parts.at(-1)) : null;
  return page === null ? [parts, 1] : [parts.slice(0, -2), page];
}

/** WP: terms have the slugs of their ancestors before their own, which alone matters. */
function ofTerm(taxonomy: string, parts: readonly string[], isTree: boolean): PageAddress {
  const [slugs, page] = parts.length > 2 ? paged(parts) : [parts, 1];
  return isTree || slugs.length === 1 ? { kind: 'term', taxonomy, slug: sanitizeTitle(slugs.at(-1) ?? ''), page } : UNKNOWN;
}

/** WP: the last segment of the URL at which a post is embedded in other sites; reserved as a slug. */
const EMBED = 'embed';

/** Only posts and pages have such a URL. */
const embedded = (address: PageAddress): PageAddress => (['single', 'top', 'below'].includes(address.kind) ? address : UNKNOWN);

export const isEmbedPath = (path: string): boolean => path.replace(/\/$/, '').endsWith(`/${EMBED}`);

/** WP: a year, a month or a day of the blog, before any page of that name; null for none. */
function ofDates(parts: readonly string[]): PageAddress | null {
  const [[year = '', month, day, ...rest], page] = parts.length > 2 ? paged(parts) : [parts, 1];
  const isNumber = (text: string | undefined): boolean => text === undefined || /^\d{1,2}$/.test(text);
  if (!/^\d{4}$/.test(year) || !isNumber(month) || !isNumber(day) || rest.length > 0) return null;
  const dates = [year, ...[month, day].flatMap((text) => (text === undefined ? [] : [text.padStart(2, '0')]))].join('-');
  return { kind: 'dates', dates, page };
}

const BUILT_IN: readonly string[] = [POST, PAGE, ATTACHMENT];

export const addedTypes = ({ registry }: Pick<Site, 'registry'>): PostType[] =>
  registry.postTypes.filter(({ name, viewable }) => viewable && !BUILT_IN.includes(name));

const isBelow = (parts: readonly string[], start: readonly string[]): boolean => start.every((part, index) => part === parts[index]);

/** WP: posts of other types are below the folder of their type; the path of an attachment starts with the path of its parent. */
function ofType(parts: readonly string[], site: Site): PageAddress | null {
  const startOf = ({ folder, name }: PostType): string[] => (folder?.(site.options) ?? name).split('/');
  const type = addedTypes(site).find((each) => isBelow(parts, startOf(each)));
  const slugs = type ? parts.slice(startOf(type).length) : [];
  if (type?.nestedSlugs && slugs.length > 0) return { kind: 'below', slugs: parts.map((text) => sanitizeSlug(text, site.quirks)) };
  const [slug, below] = slugs.map((text) => sanitizeSlug(text, site.quirks));
  if (!type || slugs.length === 0 || slugs.length > 2) return null;
  return slugs.length === 1 ? { kind: 'single', type: type.name, slug } : { kind: 'top', slug: below, below: slug };
}

/** The list of a type that the site declares, or of a term of a taxonomy that it declares. */
function ofDeclared(parts: readonly string[], { registry, options }: Site): PageAddress | null {
  const { types = {}, taxonomies = {} } = registry.declarations;
  const [before, page] = paged(parts);
  const folder = before.join('/');
  const type = registry.postTypes.find(({ name, archive }) => Object.hasOwn(types, name) && archive?.(options) === folder);
  if (type) return { kind: 'archive', type: type.name, page };
  for (const name of Object.keys(taxonomies)) {
    const { isPublic, hierarchical, flatLinks, folder: folderOf } = registry.taxonomyOf(name);
    const start = (folderOf?.(options) ?? name).split('/');
    if (isPublic && parts.length > start.length && isBelow(parts, start))
      return ofTerm(name, parts.slice(start.length), hierarchical && !flatLinks);
  }
  return null;
}

/** An address that starts with a word of WordPress: a tag, a category or an author. */
function ofWord([first, ...rest]: readonly string[]): PageAddress | null {
  if (rest.length === 0) return null;
  if (first === 'tag') return ofTerm(TAG, rest, false);
  if (first === 'category') return ofTerm(CATEGORY, rest, true);
  const [[nicename, ...others], page] = rest.length === 3 ? paged(rest) : [rest, 1];
  return first === 'author' && others.length === 0 ? { kind: 'author', nicename, page } : null;
}

/** Parses a decoded path, ignoring a trailing slash (WP: pretty permalinks). */
export function readPageAddress(path: string, site: Site, plugins: readonly PagePlugin[]): PageAddress {
  const parts = path.split('/').slice(1);
  if (parts.at(-1) === '') parts.pop();
  const { rewrite } = site.options;
  const isRooted = rewrite.root === '/' || parts[0] === 'index.php';
  if (isRooted && rewrite.root !== '/') parts.shift();
  const [first, second] = parts as (string | undefined)[];
  if (first === undefined || rewrite.isPlain) return { kind: 'front', page: 1 };
  if (parts.at(-1) === EMBED) return embedded(readPageAddress(`/${parts.slice(0, -1).join('/')}`, site, plugins));
  if (parts.includes('')) return UNKNOWN;
  const usual = rewrite.usual(parts);
  for (const { readAddress } of plugins) {
    const address = usual && readAddress?.(usual, site, isRooted);
    if (address) return address;
  }
  // WP: servers that cannot rewrite find only the addresses of plugins without the name of the file.
  if (!isRooted) return UNKNOWN;
  const known = ofDeclared(parts, site) ?? ofType(parts, site) ?? (usual && (ofWord(usual) ?? ofDates(usual)));
  if (known) return known;
  const page = first === 'page' && parts.length === 2 ? pageNumber(second) : null;
  if (page !== null) return { kind: 'front', page };
  return parts.length === 1
    ? { kind: 'top', slug: sanitizeSlug(first, site.quirks) }
    : { kind: 'below', slugs: parts.map((text) => sanitizeSlug(text, site.quirks)) };
}
