import { createHash } from 'node:crypto';
import { NO_CACHE, type PageRequest, type PageResponse } from '../rest/request.js';
import { apiHeaders, linksOf, fillHtml, firstOf, readingOf, type Reading } from '../views/reading.js';
import { dateTag } from '../views/dates.js';
import { isCoreContent, type FeedContent, type PageAddress, type Shown } from '../views/reading.js';
import { publishedWithin, typesListedBy } from '../views/find.js';
import { addedTypes } from '../views/address.js';
import { html, trusted, type Html } from '../views/html.js';
import { lineOf, siteName } from '../views/texts.js';
import { foldForSearch } from '../formatting/accents.js';
import { escHtml } from '../formatting/entities.js';
import { sanitizeTextField } from '../formatting/sanitize.js';
import { texturize } from '../formatting/texturize.js';
import { escapeAmpersands } from '../formatting/title.js';
import { ATTACHMENT, PAGE, POST, type Post } from '../model.js';
import { listFields, listPosts } from '../posts/posts.js';
import { markedTitle } from '../posts/rendered.js';
import type { PostQuery } from '../query/post-query.js';
import { isSearched, parseSearch } from '../query/search.js';
import type { Site } from '../site.js';
import { withDescendants } from '../terms/terms.js';
import { feedText, POST_FORMATS, type Channel, type FeedFormatName, type PostItem } from './post-formats.js';
import { COMMENT_FORMATS, newestCommentTime, noComments, postComments, siteComments, type CommentContent } from './comments.js';
import { postItems } from './feed-items.js';
import { emptyFeed, movedFeed, type FeedWish } from './request.js';

/** Content at the address of the page of a feed. */
export interface FeedPlace {
  address: PageAddress;
  found: Shown | null;
}

/** Maximum length of a search. */
const LONGEST = 200;

const wordsOf = ({ words }: FeedWish, { query }: PageRequest): string | null => {
  const given = words ?? (typeof query.s === 'string' ? query.s : null);
  return given === null ? null : sanitizeTextField(given).slice(0, LONGEST);
};

/** WP: posts of all types, by relevance, without protected ones. */
const searchFor = (words: string, site: Site): Partial<PostQuery> => ({
  type: [POST, PAGE, ...addedTypes(site).map(({ name }) => name)],
  ...(isSearched(words)
    ? { search: parseSearch(words), withoutPassword: true, sort: { by: 'relevance', phrase: foldForSearch(words), descending: true } }
    : {}),
});

/** WP: its texts have references for quotes. */
const inQuotes = (text: string): string => text.replace(/[“”„«»]/g, (sign) => `&#${sign.charCodeAt(0)};`);

const titleOfDates = (range: string, { dates }: Reading): Html =>
  html`${range.length === 4 ? range : range.length === 7 ? dates.month(`${range}-01`) : dates.days(range, range)}`;

/** The posts of a feed, and its title; null for content without posts. */
async function subjectOf(found: Shown | null, words: string | null, reading: Reading): Promise<[Html | null, Partial<PostQuery> | null]> {
  const { site, texts, plugins } = reading;
  if (words !== null) return [trusted(inQuotes(fillHtml(texts.searchTitle, { words }).text)), searchFor(words, site)];
  if (!found || !isCoreContent(found)) return [null, null];
  switch (found.kind) {
    case 'front':
      return [null, {}];
    case 'term': {
      const { taxonomy, _id, name } = found.term;
      const added = plugins.flatMap(({ typesIn }) => typesIn?.(taxonomy) ?? []);
      const terms = [{ taxonomy, ids: await withDescendants(site.store, taxonomy, [_id]) }];
      return [lineOf(name), { type: [...new Set([...typesListedBy(taxonomy, site), ...added])], terms }];
    }
    case 'archive':
      return [html`${found.type.label}`, { type: found.type.name }];
    case 'author':
      return [html`${found.author.displayName}`, { authors: [found.author._id] }];
    case 'dates':
      return [titleOfDates(found.dates, reading), { published: publishedWithin(found.dates) }];
    case 'post':
      return [trusted(markedTitle(found.post)), null];
  }
}

/** WP: blog posts, the newest first. A feed of a post without its comments has that post. */
async function contentOf({ address, found }: FeedPlace, page: number, words: string | null, reading: Reading): Promise<FeedContent> {
  const { site, plugins } = reading;
  const added = words === null ? await firstOf(plugins, ({ feed }) => feed?.({ found, address, page }, reading)) : undefined;
  if (added) return added;
  const [title, filter] = await subjectOf(found, words, reading);
  if (filter === null) return { title, filter, posts: found?.kind === 'post' && page === 1 ? [found.post] : [] };
  const limit = site.options.postsPerFeed;
  const query: PostQuery = { type: POST, statuses: ['publish'], sort: 'newest', ...filter, limit, offset: (page - 1) * limit };
  return { title, filter, posts: await listPosts(site.store, query) };
}

/** WP: the title of a document, with the page and the name of the site. */
function titleOf(title: Html | null, page: number, { site, texts }: Reading): string {
  const number = page > 1 ? fillHtml(texts.pageNumber, { page: String(page) }) : null;
  const own = [title, number].flatMap((part) => (part ? [part.text.replaceAll(' – ', ' - ').replaceAll(' › ', ' &#8250; ')] : []));
  return escHtml(escapeAmpersands(texturize([...own, siteName(site).text].join(' - '))));
}

const positive = (value: unknown): number => (typeof value === 'string' && /^[1-9]\d{0,8}$/.test(value) ? Number(value) : 1);

/** The page of a feed in the query. */
const pageOf = ({ request: { query } }: Reading): number => positive(query.paged);

const latest = (posts: readonly Post[]): string =>
  posts
    .map(({ modifiedGmt }) => modifiedGmt)
    .sort()
    .at(-1) ?? '';

/** The time in the headers of a feed, `YYYY-MM-DD HH:MM:SS`. WP: also the time of a feed without entries. */
function utcOf({ 'Last-Modified': text }: Record<string, string | undefined>): string {
  return text === undefined ? '' : new Date(text).toISOString().slice(0, 19).replace('T', ' ');
}

/** Members that all feeds of a site have. */
const channelOf = ({ site, request }: Reading, age: Record<string, string>, modified: string): Omit<Channel<never>, 'title' | 'items'> => ({
  description: feedText(site.options.description),
  home: site.url,
  self: `${site.url}${request.url}`,
  // WP: a site that names no language speaks American English.
  language: site.options.locale === '' && site.language === 'en' ? 'en-US' : dateTag(site, site.language),
  modified: modified || utcOf(age),
  release: site.wordpressRelease,
});

/** How a feed has been sent. */
interface Sending {
  type: string;
  body: string;
  status?: number;
  headers: Record<string, string>;
}

const sent = ({ type, body, status = 200, headers }: Sending): PageResponse => ({
  status,
  headers: { 'Content-Type': `${type}; charset=UTF-8`, 'X-Content-Type-Options': 'nosniff', ...headers },
  body: `${body}\n`,
});

/** WP: a feed with a name that is not known. */
const invalid = (reading: Reading): PageResponse =>
  sent({
    type: 'text/xml',
    status: 404,
    headers: { ...apiHeaders(null, reading), ...NO_CACHE },
    body: `<error>
    <code>wp_die</code>
    <title><![CDATA[WordPress &amp;rsaquo; ${reading.texts.errorTitle}]]></title>
    <message><![CDATA[&lt;strong&gt;${reading.texts.error}&lt;/strong&gt; ${reading.texts.invalidFeed}]]></message>
    <data>
        <status>404</status>
    </data>
</error>`,
  });

/** WP: nothing about a protected post is cached. */
const secrecyOf = (found: Shown | null): Record<string, string> => (found?.kind === 'post' && found.post.password !== '' ? NO_CACHE : {});

/** The comments of a feed; null if it has posts. */
async function commentsOf(wish: FeedWish, place: FeedPlace, style: 'rss2' | 'atom', reading: Reading): Promise<CommentContent | null> {
  const { address, found } = place;
  if (wish.ofComments === false) return null;
  if (found?.kind === 'post') return postComments(found.post, style, reading);
  if (wish.ofComments === true && found) {
    const words = wordsOf(wish, reading.request);
    const { title, filter } = await contentOf(place, 1, words, reading);
    const isFront = found.kind === 'front';
    const name = isFront ? siteName(reading.site).text : titleOf(title, 1, reading);
    return siteComments(reading, name, isFront && words === null ? null : filter);
  }
  return !found && emptyFeed(address, reading.site) === 'comments' ? noComments(style, reading) : null;
}

/** The posts of a feed. WP: a page beyond the last one is missing, but is sent as a feed. */
async function postFeed(
  wish: FeedWish,
  place: FeedPlace,
  format: FeedFormatName,
  { page, age, reading }: { page: number; age: Record<string, string>; reading: Reading },
): Promise<PageResponse> {
  const { title, posts, keepsTitle = false } = await contentOf(place, page, wordsOf(wish, reading.request), reading);
  const isMissing = page > 1 && posts.length === 0;
  const { type, write } = POST_FORMATS[format];
  const channel: Channel<PostItem> = {
    ...channelOf(reading, age, latest(posts)),
    title: titleOf(isMissing && !keepsTitle ? html`${reading.texts.notFound}` : title, isMissing ? 1 : page, reading),
    items: await postItems(posts, reading),
  };
  const found = isMissing ? null : place.found;
  const headers = { ...(isMissing ? NO_CACHE : age), ...apiHeaders(found, reading, linksOf(found, reading)) };
  return sent({ type, body: write(channel), status: isMissing ? 404 : 200, headers });
}

/**
 * The public feed of a page, in the language of the site, with the number of entries in the settings, or a redirect to it; null if the page
 * is missing.
 */
export async function serveFeed(wish: FeedWish, place: FeedPlace, { site, request, plugins }: Reading): Promise<PageResponse | null> {
  const reading = readingOf(site, { ...request, language: site.language }, plugins);
  const { found, address } = place;
  const { format } = wish;
  if (format === null) return invalid(reading);
  if (!found && emptyFeed(address, site) === null) return null;
  const comments = format === 'rdf' || format === 'rss' ? null : await commentsOf(wish, place, format, reading);
  const age = await ageOf(site, comments ? await newestCommentTime(site) : '');
  if (isKnown(request, age)) return { status: 304, headers: age, body: '' };
  if (!comments) return postFeed(wish, place, format, { page: pageOf(reading), age, reading });
  const { modified, ...rest } = comments;
  const { type, write } = COMMENT_FORMATS[format === 'atom' ? 'atom' : 'rss2'];
  return sent({
    type,
    body: write({ ...channelOf(reading, age, modified), ...rest }),
    headers: { ...age, ...apiHeaders(found, reading, linksOf(found, reading)), ...secrecyOf(found) },
  });
}

/** The canonical URL of a feed, if the request has another one. */
export const feedRedirect = (wish: FeedWish, found: Shown | null, reading: Reading): Promise<string | null> =>
  movedFeed(wish, found, pageOf(reading), reading);

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
