import { rawurlencode, type PhpValue } from '../../base/php/query-string.js';
import { addQueryArgs } from '../posts/links.js';
import type { PageRequest, Params } from '../rest/request.js';
import { readPageAddress, UNKNOWN } from '../views/address.js';
import { termOf, type FeedEnding, type PageAddress, type Shown, type Reading } from '../views/reading.js';
import type { Site } from '../site.js';
import { ID_PARAMETERS, urlOfPublished } from '../views/find.js';
import { authorUrl, urlOfTerm } from '../links.js';
import type { FeedFormatName } from './post-formats.js';

export interface FeedWish {
  /** Path of the page that it is the feed of, decoded. */
  path: string;
  /** Null: only the parameter names the feed. */
  ending: FeedEnding | null;
  /** Its name in the request: `feed`, `atom`. */
  name: string;
  /** Null: no such feed. */
  format: FeedFormatName | null;
  /** WP: whether it has comments instead of posts. Null: as usual for its page. */
  ofComments: boolean | null;
  /** The words that the path searches for, as `/search/jazz/feed/` does. */
  words: string | null;
}

/** WP: the names of feeds. */
const NAMES: Readonly<Record<string, FeedFormatName>> = { feed: 'rss2', rss: 'rss', rss2: 'rss2', atom: 'atom', rdf: 'rdf' };

const formatOf = (name: string): FeedFormatName | null => (Object.hasOwn(NAMES, name) ? NAMES[name] : null);

const ENDING = /^(.*?\/)(feed\/)?(feed|rss2?|rdf|atom)\/?$/s;

const endingOf = (before: string | undefined, last: string | undefined): FeedEnding | null => {
  if (last === undefined) return null;
  return before === undefined ? (last === 'feed' ? 'feed' : 'short') : 'long';
};

/** WP: how names of feeds of comments begin, and the path of the comments of the whole site, which only have a feed. */
const OF_COMMENTS = 'comments-';
const COMMENTS = 'comments';

const isSet = (value: unknown): boolean => value !== undefined && value !== '' && value !== '0';

function commentsIn(path: string, name: string, query: Params): boolean | null {
  if (path.replace(/^\/index\.php(?=\/)/, '') === `/${COMMENTS}/` || name.startsWith(OF_COMMENTS) || isSet(query.withcomments)) return true;
  return isSet(query.withoutcomments) ? false : null;
}

/** WP: what follows the folder of a type without a list there, of a taxonomy or of authors is a slug, even if it names a feed. */
function isFolder(path: string, { registry, options }: Site): boolean {
  const own = path.slice(1, -1);
  const { postTypes, taxonomies } = registry;
  if (postTypes.some(({ archive }) => archive?.(options) === own)) return false;
  return own === 'author' || [...postTypes, ...taxonomies].some(({ folder }) => folder?.(options) === own);
}

/**
 * The request for a feed (`/feed/`, `/events/feed/`, `/tag/live/feed/atom/`, `?feed=rss2`), or null if it is none. WP: the parameter
 * overrides the path.
 * @param path of the request, decoded
 */
export function readFeedWish({ query }: Pick<PageRequest, 'query'>, path: string, site: Site): FeedWish | null {
  const ending = ENDING.exec(path);
  const [, before = path, folder, last] = ending && !isFolder(ending[1], site) ? ending : [];
  const given = typeof query.feed === 'string' && query.feed !== '' ? query.feed : last;
  if (given === undefined) return null;
  const name = given.replace(OF_COMMENTS, '');
  const [, words] = /^\/search\/(.+)\/$/s.exec(before) ?? [];
  return {
    path: before,
    ending: endingOf(folder, last),
    name,
    format: formatOf(name),
    ofComments: commentsIn(before, given, query),
    words: words ?? null,
  };
}

/** The address of the page of a feed. WP: feeds have separate rules, by which a view of a list may be taken for a slug. */
export function feedAddress({ path, ending, words, ofComments }: FeedWish, { site, plugins, request: { query } }: Reading): PageAddress {
  const { root } = site.options.rewrite;
  const parts = path.split('/').filter((part) => part !== '');
  const isRooted = root === '/' || parts[0] === 'index.php';
  if (isRooted && root !== '/') parts.shift();
  const isOfComments = parts.length === 1 && parts[0] === COMMENTS && ofComments === true;
  if (isRooted && (words !== null || isOfComments)) return { kind: 'front', page: 1 };
  if (ending === null) return readPageAddress(path, site, plugins);
  const added = plugins.map(({ readFeedAddress }) => readFeedAddress?.(parts, ending, site, query)).find((each) => each !== undefined);
  if (!added && !isRooted) return UNKNOWN;
  const address = added ?? readPageAddress(path, site, plugins);
  // WP: further pages of lists have no feeds.
  if (address.kind === 'front' && address.page > 1) return { kind: 'below', slugs: parts };
  return 'page' in address && address.page > 1 ? UNKNOWN : address;
}

/** Kind of a feed without content: none (the page is missing), no posts, or no comments. WP: no page with a feed is missing. */
export function emptyFeed(address: PageAddress, { options: { rewrite } }: Site): 'posts' | 'comments' | null {
  if (address.kind === 'unknown') return null;
  if (address.kind === 'single' || (address.kind === 'top' && address.below !== undefined)) return 'comments';
  if (address.kind === 'top' || address.kind === 'below')
    return rewrite.matches(address.kind === 'top' ? [address.slug] : address.slugs) ? 'comments' : null;
  return 'posts';
}

/** Suffix that the URL of a feed has after the URL of its page. WP: the oldest format of RSS redirects to RSS 2.0. */
function suffixOf({ name, format, ofComments }: FeedWish, isSingle: boolean): string {
  if (format === null) return '';
  const comments = ofComments === true && !isSingle ? 'comments/' : '';
  return `${comments}feed/${format.startsWith('rss') ? '' : `${name}/`}`;
}

/** Values in a query as WordPress writes them into redirects. */
const encoded = (value: PhpValue): PhpValue =>
  typeof value === 'string'
    ? rawurlencode(value)
    : Array.isArray(value)
      ? value.map(encoded)
      : Object.fromEntries(Object.entries(value).map(([name, item]) => [name, encoded(item)]));

/** A URL with the parameters of a query, except for some. */
export const withOthers = (url: string, query: Params, dropped: readonly string[]): string =>
  addQueryArgs(
    url,
    Object.fromEntries(
      Object.entries(query).flatMap(([name, value]) =>
        dropped.includes(name) || value === undefined ? [] : [[rawurlencode(name), encoded(value as PhpValue)]],
      ),
    ),
  );

/** WP: the parameters of a term, besides its taxonomy. */
const TERM_PARAMETERS = ['term', 'taxonomy', 'category_name', 'cat', 'tag', 'tag_id'];

/** The post or the list of a term or an author that only the query of the front page names: its URL, and the parameters that name it. */
async function pageInQuery(found: Shown | null, reading: Reading): Promise<[url: string, names: string[]] | null> {
  const { site, request, plugins } = reading;
  if (request.path !== '/' || !found) return null;
  if (found.kind === 'author') return [authorUrl(site, found.author), ['author']];
  if (found.kind === 'post') return found.post.status === 'publish' ? [await urlOfPublished(found.post, site), ID_PARAMETERS] : null;
  const term = termOf(found, plugins);
  const named = term && request.query[term.taxonomy];
  const isOfSeveral = typeof named === 'string' && named.includes(',');
  return term && !isOfSeveral ? [await urlOfTerm(term, site), [...TERM_PARAMETERS, term.taxonomy]] : null;
}

/**
 * The canonical URL of a feed, if the request has another one (WP: `redirect_canonical`, which computes the URLs of feeds without a port
 * first, and does not redirect to what it would redirect again: at a site with a port, feeds stay where they are).
 * @param page number of the page of the feed
 */
export async function movedFeed(wish: FeedWish, found: Shown | null, page: number, reading: Reading): Promise<string | null> {
  const { site, request, plugins } = reading;
  if (request.query.s !== undefined || wish.words !== null || new URL(site.url).port !== '') return null;
  const inQuery = await pageInQuery(found, reading);
  const isSingle = found?.kind === 'post';
  // The path as sent, without what names the feed.
  const sent = request.path.replace(/(\/(?:comments\/?)?(?:feed|rss2?|rdf|atom))+\/*$/, '/');
  const base = inQuery ? inQuery[0] : `${site.url}${sent.endsWith('/') ? sent : `${sent}/`}`;
  const dropped = ['paged', ...(wish.format === null ? [] : ['feed']), ...(inQuery?.[1] ?? [])];
  const url = withOthers(`${base}${suffixOf(wish, isSingle)}`, request.query, dropped);
  const to = page > 1 ? addQueryArgs(url, { paged: page }) : url;
  if (to === `${site.url}${request.url}`) return null;
  const isAllowed = plugins.every(({ mayMoveFeed }) => mayMoveFeed?.(to, reading) ?? true);
  return isAllowed ? to : null;
}
