import { createHash } from 'node:crypto';
import type { PageRequest, PageResponse } from '../rest/page.js';
import { readPageAddress } from '../views/address.js';
import { apiHeaders } from '../views/api-headers.js';
import { dateTag } from '../views/dates.js';
import { isCoreContent, type FeedContent, type FeedItem, type Shown } from '../views/content.js';
import { publishedWithin } from '../views/find.js';
import { authorUrl, datesUrl, urlOfTerm } from '../views/links.js';
import { firstOf, readingOf, type PagePlugin, type Reading } from '../views/reading.js';
import { decodeEntities } from '../formatting/decode-entities.js';
import { ATTACHMENT, POST, type Post, type User } from '../model.js';
import { listFields, listPosts } from '../posts/posts.js';
import type { PostQuery } from '../query/post-query.js';
import { loadRelated } from '../posts/related.js';
import type { Site } from '../site.js';
import { withDescendants } from '../terms/terms.js';
import { newestCommentTime, postComments, siteComments } from './comments.js';
import { FEED_FORMATS, type Channel, type FeedFormatName } from './channel.js';
import { postItem } from './feed-items.js';

/** A request for the feed of a page. */
export interface RssWish {
  /** Path of the page. */
  path: string;
  format: FeedFormatName;
  /** Whether this is the canonical URL of the feed. WP: all others redirect to it. */
  isSettled: boolean;
  /** Whether it was requested by the parameter `feed`. */
  isByName?: true;
}

/** WP: the names of feeds. The oldest format of RSS is sent as RSS 2.0. */
const NAMES: Readonly<Record<string, FeedFormatName>> = { feed: 'rss2', rss: 'rss2', rss2: 'rss2', atom: 'atom', rdf: 'rdf' };

const formatOf = (name: unknown): FeedFormatName | undefined =>
  typeof name === 'string' && Object.hasOwn(NAMES, name) ? NAMES[name] : undefined;

/** What the URL of a feed has after the URL of its page. */
const SUFFIX: Record<FeedFormatName, string> = { rss2: 'feed/', atom: 'feed/atom/', rdf: 'feed/rdf/' };

/** A feed by its path: `…/feed/`, `…/feed/atom/`, and `/atom/` at the top of the site. */
function wishInPath(path: string): RssWish | null {
  const [, before, feed, last] = /^(.*?\/)(?:(feed)(?:\/([^/]+))?|([^/]+))\/?$/s.exec(path) ?? [];
  if (feed === undefined && before !== '/') return null;
  const name = feed === undefined ? path.replaceAll('/', '') : (last ?? feed);
  const format = formatOf(name);
  if (before === undefined || format === undefined) return null;
  return { path: before, format, isSettled: `${before}${SUFFIX[format]}` === path };
}

/** WP: the path of the comments of the whole site, which only have a feed. */
const COMMENTS = '/comments/';
/** WP: how the parameter `feed` names feeds of comments. */
const OF_COMMENTS = 'comments-';

function mayHaveFeed(path: string, site: Site, plugins: readonly PagePlugin[]): boolean {
  const address = readPageAddress(path, site, plugins);
  const answer = plugins.map(({ hasFeed }) => hasFeed?.(address)).find((each) => each !== undefined);
  return answer ?? address.kind !== 'unknown';
}

/**
 * The request for a feed (`/feed/`, `/events/feed/`, `/tag/live/feed/atom/`, `?feed=rss2`), or null when it is none.
 * @param path of the request, decoded
 */
export function readRssWish({ site, plugins, request: { query } }: Reading, path: string): RssWish | null {
  const inPath = wishInPath(path);
  if (inPath) return mayHaveFeed(inPath.path, site, plugins) ? inPath : null;
  const format = formatOf(query.feed);
  const ofComments =
    typeof query.feed === 'string' && query.feed.startsWith(OF_COMMENTS) ? formatOf(query.feed.slice(OF_COMMENTS.length)) : undefined;
  if (ofComments !== undefined && path === '/') return { path: COMMENTS, format: ofComments, isSettled: true, isByName: true };
  if (format === undefined || !mayHaveFeed(path, site, plugins)) return null;
  // WP: at the front page, requests by parameter are not redirected.
  return path === '/' ? { path, format, isSettled: true, isByName: true } : { path, format, isSettled: false };
}

/** WP: the title of a feed, with the name of the site. */
export const feedTitle = (title: string, site: Site): string => (title === '' ? '' : `${title} – `) + decodeEntities(site.options.name);

/** The authors of posts, by id. */
export async function authorsOf(posts: readonly Post[], { store }: Site): Promise<Map<number, User>> {
  const users = await store.users.find({ _id: { $in: posts.map(({ author }) => author) } }).toArray();
  return new Map(users.map((user) => [user._id, user]));
}

/** Blog posts, the newest first. */
async function blogContent(title: string, page: string, filter: Partial<PostQuery>, reading: Reading): Promise<FeedContent> {
  const { site } = reading;
  const query: PostQuery = { type: POST, statuses: ['publish'], ...filter, sort: 'newest', limit: site.options.postsPerFeed, offset: 0 };
  const posts = await listPosts(site.store, query);
  const related = await loadRelated(site.store, posts);
  const authors = await authorsOf(posts, site);
  return { title: feedTitle(title, site), page, items: posts.map((post) => postItem(post, related, authors, reading)) };
}

/** The content of the feed of a page; null if it has none. WP: the feed of a post has its comments. */
async function contentOf(found: Shown, reading: Reading): Promise<FeedContent | null> {
  const { site, plugins } = reading;
  const added = await firstOf(plugins, ({ feed }) => feed?.(found, reading));
  if (added !== undefined) return added;
  if (!isCoreContent(found)) return null;
  switch (found.kind) {
    case 'front':
      return blogContent('', `${site.url}/`, {}, reading);
    case 'term': {
      const { term } = found;
      const ids = await withDescendants(site.store, term.taxonomy, [term._id]);
      return blogContent(decodeEntities(term.name), await urlOfTerm(term, site), { terms: [{ taxonomy: term.taxonomy, ids }] }, reading);
    }
    case 'author': {
      const { author } = found;
      return blogContent(author.displayName, authorUrl(site, author), { authors: [author._id] }, reading);
    }
    case 'dates':
      return blogContent(found.dates, datesUrl(found.dates, site), { published: publishedWithin(found.dates) }, reading);
    case 'post':
      return postComments(found.post, reading);
  }
}

/** Whether a feed has the comments of the whole site. */
export const isCommentFeed = ({ path }: RssWish, found: object | null): boolean => path === COMMENTS && !found;

/** The time in the headers of a feed, `YYYY-MM-DD HH:MM:SS`. WP: also the time of a feed without entries. */
function utcOf({ 'Last-Modified': text }: Record<string, string | undefined>): string {
  return text === undefined ? '' : new Date(text).toISOString().slice(0, 19).replace('T', ' ');
}

const latest = (items: readonly FeedItem[]): string =>
  items
    .map(({ modified }) => modified)
    .sort()
    .at(-1) ?? '';

/** The public feed of a page, in the language of the site, with the number of entries in the settings; null if it has none. */
export async function serveRss({ site, request, plugins }: Reading, found: Shown | null, wish: RssWish): Promise<PageResponse | null> {
  const reading = readingOf(site, { ...request, language: site.language }, plugins);
  const isOfComments = isCommentFeed(wish, found);
  const content = isOfComments ? await siteComments(reading) : found && (await contentOf(found, reading));
  if (!content) return null;
  const hasComments = isOfComments || found?.kind === 'post';
  const age = await ageOf(site, hasComments ? await newestCommentTime(site) : '');
  if (isKnown(request, age)) return { status: 304, headers: age, body: '' };
  const { title, page, items } = content;
  const query = wish.isSettled && request.url.includes('?') ? request.url.slice(request.url.indexOf('?')) : '';
  const channel: Channel = {
    title,
    description: decodeEntities(site.options.description),
    url: wish.isByName ? `${site.url}${request.url}` : `${isOfComments ? site.url + COMMENTS : page}${SUFFIX[wish.format]}${query}`,
    page: content.link ?? page,
    // WP: a site that names no language speaks American English.
    language: site.options.locale === '' && site.language === 'en' ? 'en-US' : dateTag(site, site.language),
    modified: (content.modified ?? latest(items)) || utcOf(age),
    release: site.wordpressRelease,
    items,
    isOfComments: hasComments,
  };
  const { type, write } = FEED_FORMATS[wish.format];
  return {
    status: 200,
    headers: { 'Content-Type': `${type}; charset=UTF-8`, 'X-Content-Type-Options': 'nosniff', ...age, ...apiHeaders(null, reading) },
    body: `${write(channel)}\n`,
  };
}

/**
 * Time of the last change to any content with a page (WP: the same for all feeds of a site; the ETag is derived from it).
 * @param comment time of the newest comment, for feeds of comments
 */
async function ageOf(site: Site, comment: string): Promise<Record<string, string>> {
  const types = site.registry.postTypes.flatMap(({ name, viewable }) => (viewable && name !== ATTACHMENT ? [name] : []));
  const query: PostQuery = { type: types, statuses: ['publish'], sort: { by: 'modified', descending: true }, limit: 1, offset: 0 };
  const [row] = await listFields<Pick<Post, '_id' | 'modifiedGmt'>>(site.store, query, { modifiedGmt: 1 });
  const newest = [row?.modifiedGmt ?? '', comment].toSorted()[1];
  const time = Date.parse(`${newest.replace(' ', 'T')}Z`);
  if (Number.isNaN(time)) return {};
  const modified = new Date(time).toUTCString();
  return { 'Last-Modified': modified, ETag: `"${createHash('md5').update(modified).digest('hex')}"` };
}

/** Whether the client has the current feed (WP: both conditions must hold). */
function isKnown({ headers }: PageRequest, age: Record<string, string>): boolean {
  const { 'if-modified-since': since, 'if-none-match': tag } = headers;
  if (age.ETag === undefined || (!since && !tag)) return false;
  const isRecent = Date.parse(since ?? '') >= Date.parse(age['Last-Modified']);
  return since && tag ? isRecent && tag === age.ETag : isRecent || tag === age.ETag;
}

/** The canonical URL of the feed of a page, without the query (WP: other URLs redirect to it). */
export async function settledFeed({ path, format }: RssWish, found: Shown | null, { site, plugins }: Reading): Promise<string> {
  const own = found && (await firstOf(plugins, ({ feedPage }) => feedPage?.(found, site)));
  return `${own ?? `${site.url}${path.endsWith('/') ? path : `${path}/`}`}${SUFFIX[format]}`;
}
