import { intval } from '../../base/php/cast.js';
import type { PageRequest, Params } from '../rest/request.js';
import { fileUrl, MARK } from '../media/attachments.js';
import { canRead } from '../users/capabilities.js';
import { escapeRegExp } from '../../base/text/pattern.js';
import { sanitizeSlug, sanitizeTitle } from '../formatting/sanitize.js';
import { ATTACHMENT, CATEGORY, PAGE, POST, TAG, type Post, type Term } from '../model.js';
import { isFrontPage, isPostsPage, pathOf, permalink } from '../posts/permalinks.js';
import { countPosts, findPost, findPosts, pagesAbove } from '../posts/posts.js';
import type { Site } from '../site.js';
import type { PublishedClause } from '../query/post-query.js';
import { addedTypes, pageNumber } from './address.js';
import { isCoreAddress, firstOf, type PageContent, type PageAddress, type Shown, type Visit } from './reading.js';
import { authorUrl, datesUrl, urlOfTerm } from '../links.js';

/** WP: types whose posts have URLs at the root of the site. */
const TOP_TYPES = [POST, PAGE];

/** Statuses with pretty permalinks. */
export const WITH_PERMALINK: readonly string[] = ['publish', 'private'];

/** The posts with a slug that a reader may see, the oldest first. */
async function allBySlug({ site, reader }: Visit, types: readonly string[], slug: string): Promise<Post[]> {
  if (slug === '') return [];
  const filter = { type: { $in: types }, slug, status: { $in: WITH_PERMALINK } };
  const found = await site.store.posts.find(filter, { projection: { _id: 1 } }).toArray();
  const ids = found.map(({ _id }) => _id);
  const posts = await findPosts(site.store, ids);
  return posts.filter((post) => canRead(reader, post, site.registry)).sort((a, b) => a._id - b._id);
}

/** The oldest post with a slug that a reader may see. */
export const postBySlug = async (visit: Visit, type: string, slug: string): Promise<Post | null> =>
  (await allBySlug(visit, [type], slug)).at(0) ?? null;

/** The post with exactly this path. WP: the path of a page includes its ancestors. Copied posts may have any. */
async function byPath(visit: Visit, slugs: string[]): Promise<Post | null> {
  const { site, reader } = visit;
  const added = addedTypes(site).map(({ name }) => name);
  const last = slugs.at(-1) ?? '';
  const numbered = site.options.rewrite.has('post_id') && /^\d+$/.test(last) ? await findPosts(site.store, [Number(last)]) : [];
  const posts = [
    ...numbered.filter((post) => canRead(reader, post, site.registry)),
    ...(await allBySlug(visit, [...TOP_TYPES, ...added], last)),
  ];
  const known = await pagesAbove(site.store, posts);
  return posts.find((post) => pathOf(post, site, known) === site.options.rewrite.path(slugs)) ?? null;
}

/** WP: attachments have no pages; their URLs redirect to the file. */
async function attachment(site: Site, slug: string, below: string | undefined): Promise<PageContent | null> {
  const post = slug === '' ? null : await site.store.posts.findOne({ type: ATTACHMENT, slug, status: 'inherit' });
  if (!post?.file) return null;
  const parent = post.parent === 0 ? null : await findPost(site.store, post.parent);
  if (parent && parent.status !== 'publish') return null;
  return (parent?.slug ?? undefined) === below ? { kind: 'elsewhere', url: fileUrl(post, site), isGuess: false } : null;
}

/** A post at its path. WP: the page that is the front page redirects there. */
const atPath = (post: Post, site: Site): PageContent =>
  isFrontPage(post, site) ? { kind: 'elsewhere', url: `${site.url}/`, isGuess: false } : { kind: 'post', post };

async function top(visit: Visit, { slug, below }: { slug: string; below?: string }): Promise<PageContent | null> {
  const post = below === undefined ? await byPath(visit, [slug]) : null;
  return post ? atPath(post, visit.site) : attachment(visit.site, slug, below);
}

/** WP: redirects to a published post whose slug starts with the requested slug. */
export async function guess(site: Site, address: PageAddress): Promise<PageContent | null> {
  if ((address.kind !== 'single' && address.kind !== 'top') || address.slug === '' || ('below' in address && address.below)) return null;
  const types = address.kind === 'single' ? [address.type] : [...addedTypes(site).map(({ name }) => name), ...TOP_TYPES];
  const [post] = await site.store.posts
    .find({ type: { $in: types }, status: 'publish', slug: { $regex: `^${escapeRegExp(address.slug)}` } })
    .sort({ slug: 1, _id: 1 })
    .limit(1)
    .toArray();
  return post ? { kind: 'elsewhere', url: await urlOfPublished(post, site), isGuess: true } : null;
}

export const urlOfPublished = async (post: Post, site: Site): Promise<string> =>
  permalink(post, site, false, await pagesAbove(site.store, [post]));

/** WP: below the folder of the lists of a type, a slug is searched for as if it stood alone. */
async function underneath(visit: Visit, slugs: string[]): Promise<PageContent | null> {
  const { site } = visit;
  const post = await byPath(visit, slugs);
  if (post) return atPath(post, site);
  const page = slugs.at(-2) === 'page' ? pageNumber(slugs.at(-1)) : null;
  const listing = page === null ? null : await byPath(visit, slugs.slice(0, -2));
  if (page !== null && listing && isPostsPage(listing, site)) return { kind: 'front', page, post: listing };
  const file = await attachment(site, slugs.at(-1) ?? '', slugs.at(slugs.at(-2) === MARK ? -3 : -2));
  const isInArchive = slugs.length === 2 && site.registry.postTypes.some(({ archive }) => archive?.(site.options) === slugs[0]);
  return file ?? (isInArchive || site.options.rewrite.guesses(slugs) ? guess(site, { kind: 'top', slug: slugs.at(-1) ?? '' }) : null);
}

async function ofTerm({ store }: Site, { taxonomy, slug, page }: PageAddress & { kind: 'term' }): Promise<PageContent | null> {
  const term = slug === '' ? null : await store.terms.findOne({ taxonomy, slug });
  return term && { kind: 'term', term, page };
}

/** WP: dates on which nothing was published have no page. */
async function dated({ store }: Site, { dates, page }: PageAddress & { kind: 'dates' }): Promise<PageContent | null> {
  const published = await countPosts(store, {
    type: POST,
    statuses: ['publish'],
    published: publishedWithin(dates),
    sort: 'newest',
    limit: 0,
    offset: 0,
  });
  return published > 0 ? { kind: 'dates', dates, page } : null;
}

/** The condition for posts published in a year, a month or on a day. */
export const publishedWithin = (dates: string): PublishedClause[] => [
  { column: 'date', operator: '$gt', value: dates },
  { column: 'date', operator: '$lt', value: `${dates}~` },
];

/** WP: the types of the posts in lists of a taxonomy: blog posts for categories and tags, all types that have it for others. */
export const typesListedBy = (taxonomy: string, { registry, quirks }: Site): string[] =>
  taxonomy === TAG || taxonomy === CATEGORY
    ? [POST]
    : registry.typesWith(taxonomy, quirks).flatMap(({ name, viewable }) => (viewable ? [name] : []));

/** WP: the query variables of taxonomies, first of the ones that plugins have registered. */
const taxonomyParameters = ({ registry }: Site): (readonly [name: string, taxonomy: string])[] => [
  ...registry.taxonomies.flatMap(({ name, isPublic }) => (isPublic && name !== TAG && name !== CATEGORY ? [[name, name] as const] : [])),
  ['tag', TAG],
  ['category_name', CATEGORY],
];

/** The term that the query of the front page names, and the parameter that names it (WP: `?tag=live`, `?cat=3`); null if there is none. */
async function termIn(site: Site, query: Params): Promise<{ term: Term; parameter: string } | null> {
  const { store, quirks } = site;
  for (const [parameter, taxonomy] of taxonomyParameters(site)) {
    const slug = query[parameter];
    const term =
      typeof slug === 'string' && slug !== '' ? await store.terms.findOne({ taxonomy, slug: sanitizeTitle(slug, quirks) }) : null;
    if (term) return { term, parameter };
  }
  const term = typeof query.cat === 'string' ? await store.terms.findOne({ taxonomy: CATEGORY, _id: intval(query.cat) }) : null;
  return term && { term, parameter: 'cat' };
}

/** A list that the query of the front page names: its URL, and the parameter that has to go there. */
interface Queried {
  found: Shown;
  url: string;
  parameter: string;
}

/** Finds the list that the query of the front page names: a term, an author or dates (WP: `?tag=live`, `?cat=3`, `?author=1`, `?m=202606`). */
export async function findInQuery(site: Site, query: Params): Promise<Queried | null> {
  if (query.s !== undefined) return null;
  const page = pageNumber(query.paged) ?? 1;
  const named = await termIn(site, query);
  if (named) return { found: { kind: 'term', term: named.term, page }, url: await urlOfTerm(named.term, site), parameter: named.parameter };
  const { author: id, author_name: nicename, m } = query;
  const [, year = '', month, day] = /^(\d{4})(?:(\d\d)(\d\d)?)?$/.exec(typeof m === 'string' ? m : '') ?? [];
  const dates = [year, ...[month, day].flatMap((part) => part ?? [])].join('-');
  const inTime = year === '' ? null : await dated(site, { kind: 'dates', dates, page });
  if (inTime?.kind === 'dates') return { found: inTime, url: datesUrl(dates, site), parameter: 'm' };
  const byName = typeof nicename === 'string' ? { nicename } : null;
  const filter = typeof id === 'string' ? { _id: intval(id) } : byName;
  const author = filter && (await site.store.users.findOne(filter));
  return author && { found: { kind: 'author', author, page }, url: authorUrl(site, author), parameter: byName ? 'author_name' : 'author' };
}

/** WP: users with published posts have a page. */
async function ofAuthor({ store }: Site, { nicename, page }: PageAddress & { kind: 'author' }): Promise<PageContent | null> {
  const author = await store.users.findOne({ nicename });
  if (!author) return null;
  const published = await store.posts.findOne({ author: author._id, status: 'publish' }, { projection: { _id: 1 } });
  return published ? { kind: 'author', author, page } : null;
}

/** Finds the content at an address that a reader may see; null if there is none. @param query of the request */
export async function find(address: PageAddress, visit: Visit, query: Params = {}): Promise<PageContent | null> {
  const { site, plugins } = visit;
  if (!isCoreAddress(address)) return (await firstOf(plugins, (plugin) => plugin.find?.(address, visit, query))) ?? null;
  switch (address.kind) {
    case 'front':
      return { kind: 'front', page: address.page };
    case 'author':
      return ofAuthor(site, address);
    case 'single': {
      const post = await postBySlug(visit, address.type, address.slug);
      return post ? { kind: 'post', post } : guess(site, address);
    }
    case 'top':
      return (
        (await top(visit, address)) ??
        (address.below === undefined && site.options.rewrite.guesses([address.slug]) ? guess(site, address) : null)
      );
    case 'below':
      return underneath(visit, address.slugs);
    case 'term':
      return ofTerm(site, address);
    case 'archive': {
      const type = site.registry.findPostType(address.type);
      return type ? { kind: 'archive', type, page: address.page } : null;
    }
    case 'dates':
      return dated(site, address);
    case 'unknown':
      return null;
  }
}

const NUMBERS = ['p', 'page_id', 'attachment_id'];

/** The id in a plain permalink (WP: `?p=35`); 0 if absent. */
export function numberOf({ query }: PageRequest): number {
  const given = NUMBERS.map((name) => query[name]).find((value) => typeof value === 'string');
  return intval(given ?? 0);
}

/** The post in the query of the front page by the name of its type (WP: `?book=emma`); null if absent. */
export function singleIn({ query }: PageRequest, site: Site): PageAddress | null {
  for (const { name } of addedTypes(site)) {
    const slug = query[name];
    if (typeof slug === 'string' && slug !== '') return { kind: 'single', type: name, slug: sanitizeSlug(slug, site.quirks) };
  }
  return null;
}

/** The post in the query of the front page by its slug (WP: `?name=emma&post_type=book`, `?name=hello-world`); null if absent. */
export function namedIn({ query: { name, post_type: type } }: PageRequest, site: Site): PageAddress | null {
  if (typeof name !== 'string' || name === '') return null;
  const slug = sanitizeSlug(name, site.quirks);
  if (typeof type !== 'string' || type === '') return { kind: 'top', slug };
  return addedTypes(site).some((each) => each.name === type) || type === POST ? { kind: 'single', type, slug } : null;
}

/** WP: parameters that a redirect from a plain permalink drops. */
export const ID_PARAMETERS = [...NUMBERS, 'post_type', 'name'];

/**
 * Finds the content of a plain permalink: a redirect to the pretty permalink of a published post, or the post itself if the reader may
 * see it. Types that are not viewable have none, unless a plugin has pages for them.
 * @param isPreview a published post itself, too
 */
export async function findByNumber(number: number, visit: Visit, isPreview = false): Promise<PageContent | null> {
  const { site, reader, plugins } = visit;
  const post = await findPost(site.store, number);
  if (!post) return null;
  if (!site.registry.findPostType(post.type)?.viewable) {
    const url = plugins.map(({ urlOf }) => urlOf?.(post, visit)).find((each) => each !== undefined);
    return url === undefined ? null : { kind: 'elsewhere', url, isGuess: true };
  }
  if (post.type === ATTACHMENT) {
    const parent = post.parent === 0 ? null : await findPost(site.store, post.parent);
    const isPublic = post.status === 'inherit' && (!parent || parent.status === 'publish');
    return isPublic && post.file !== undefined ? { kind: 'elsewhere', url: fileUrl(post, site), isGuess: true } : null;
  }
  if (post.status === 'publish' && !isPreview && !site.options.rewrite.isPlain)
    return { kind: 'elsewhere', url: await urlOfPublished(post, site), isGuess: true };
  return canRead(reader, post, site.registry) && post.status !== 'trash' ? { kind: 'post', post } : null;
}
