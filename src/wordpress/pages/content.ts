import { feedAddress, readFeedWish, withOthers, type FeedWish } from '../feeds/request.js';
import { feedRedirect, serveFeed } from '../feeds/rss.js';
import { isDraftLike, type Post } from '../model.js';
import { isPostsPage, isFrontPage, pathOf } from '../posts/permalinks.js';
import { findPost } from '../posts/posts.js';
import { NO_CACHE, type PageRequest, type PageResponse } from '../rest/request.js';
import { findSession, verifyNonce, type Session } from '../users/sessions.js';
import { apiHeaders, firstOf, fillHtml } from '../views/reading.js';
import type { OtherForm, Reading, PageContent, PageAddress, Shown } from '../views/reading.js';
import { pageNumber, readPageAddress, UNKNOWN, isEmbedPath } from '../views/address.js';
import { find, findByNumber, findInQuery, ID_PARAMETERS, namedIn, numberOf, singleIn, urlOfPublished } from '../views/find.js';
import { html, trusted, type Html } from '../views/html.js';
import { blogPage, blogPageData } from './blog.js';
import { framed, redirect, type Layout, type PageFeed } from './layout.js';
import { refuseGuesses, unlocking, type Unlocking } from './sign-in/login.js';
import { intval, isEmpty, toStr } from '../../base/php/cast.js';
import { currentAutosave, previewAction } from '../query/autosaves.js';
import type { Site } from '../site.js';
import { canEdit } from '../users/capabilities.js';
import { oembedUrls } from '../feeds/oembed.js';
import { discussionOf } from '../rest/posts/discussion.js';
import { supportsOf } from '../types/registry.js';
import { loadRelated } from '../posts/related.js';
import { contentOf, siteName, titleOf } from '../views/texts.js';
import { feedUrl } from '../links.js';
import { commentsSection, pageComments, type Comments } from './comments.js';
import { content as contentHtml } from './parts.js';

interface PostPage {
  title: Html;
  content: Html | null;
  unlocking: Unlocking;
  comments: Comments | null;
}

async function postPageData(post: Post, reading: Reading): Promise<PostPage> {
  const { site, request } = reading;
  const { state } = await unlocking(site, post, request);
  const related = await loadRelated(site.store, [post]);
  const isOpen = state === 'open';
  return {
    title: titleOf(post),
    content: isOpen ? contentOf(post, { site, related }) : null,
    unlocking: state,
    comments: isOpen ? await pageComments(post, reading) : null,
  };
}

const postPage = ({ title, content: text, unlocking: state, comments }: PostPage, reading: Reading): Html =>
  html`<article>
      <header class="page-head"><h1>${title}</h1></header>
      ${contentHtml(text, state, reading)}
    </article>
    ${commentsSection(comments, reading)}`;

/** Links for sites that embed a page (https://oembed.com, discovery). */
function oembedLinks(url: string, site: Site): Html {
  const { json, xml } = oembedUrls(url, site);
  return html`<link rel="alternate" title="oEmbed (JSON)" type="application/json+oembed" href="${json}" />
    <link rel="alternate" title="oEmbed (XML)" type="text/xml+oembed" href="${xml}" />`;
}

/** The feed of the comments of a post. WP: of posts with comments, or that may get comments or pings. */
function commentsFeed(post: Post, url: string, hasComments: boolean, { site, texts }: Reading): PageFeed | null {
  const type = site.registry.findPostType(post.type);
  const { comments, pings } = discussionOf(post, site);
  const isOpen = type !== undefined && supportsOf(type, site.quirks).includes('comments') && [comments, pings].includes('open');
  if (!isOpen && !hasComments) return null;
  return {
    title: fillHtml(texts.pageCommentsFeed, { site: siteName(site), name: titleOf(post) }),
    url: feedUrl(site, isFrontPage(post, site) ? `${site.url}${pathOf(post, site, new Map())}` : url),
  };
}

/** The page of a post in the frame of the site, at its own URL or embedded in another site. */
export function framedPost(
  post: Post,
  url: string,
  { comments, ...layout }: Pick<Layout, 'title' | 'main' | 'description' | 'head' | 'isFront'> & { comments: Comments | null },
  reading: Reading,
): PageResponse {
  const { site, request } = reading;
  const core = `/wp/v2/${site.registry.postTypeOf(post.type).base}/${post._id}`;
  const headers = apiHeaders({ kind: 'post', post }, reading, { core, shortlink: post._id });
  const isEmbed = isEmbedPath(request.path);
  // An embed duplicates the content of a page that search engines index.
  const isPublic = post.status === 'publish' && !isEmbed;
  const embeds = isPublic ? oembedLinks(url, site) : null;
  // Unlocked content must not be cached for other readers.
  const feed = commentsFeed(post, url, comments !== null, reading);
  return framed(reading, 200, { ...layout, isPublic, embeds, isEmbed, feed }, post.password === '' ? headers : { ...headers, ...NO_CACHE });
}

/** Whether a request is for a preview, which is not redirected to the pretty permalink (WP). */
const isPreview = ({ query }: PageRequest): boolean => !isEmpty(query.preview);

/** Whether it requests unsaved changes with a valid nonce. */
const asksForAutosave = ({ query }: PageRequest): boolean => query.preview_id !== undefined && query.preview_nonce !== undefined;

/** The rejection of a link to a preview that was made for another session, for another post, or too long ago (WP: at every address). */
async function rejectPreview(session: Session | null, reading: Reading): Promise<PageResponse | null> {
  const { site, request, texts } = reading;
  if (!asksForAutosave(request)) return null;
  const { preview_id: id, preview_nonce: nonce } = request.query;
  if (session && (await verifyNonce(site, session, previewAction(intval(id)), toStr(nonce)))) return null;
  const main = html`<header class="page-head"><h1>${texts.noPreview}</h1></header>
    <p>${texts.noPreviewText}</p>`;
  return framed(reading, 403, { title: texts.noPreview, main, isPublic: false }, NO_CACHE);
}

/** The post that a preview shows: its autosave, if the link requests it. WP: a draft has the current date. */
async function previewed(post: Post, request: PageRequest, session: Session | null, site: Site): Promise<Post> {
  if (!canEdit(session?.user ?? null, post, site.registry)) return post;
  const dated = isDraftLike(post.status) ? { ...post, date: site.nowLocal, dateGmt: site.nowUtc } : post;
  const autosave = asksForAutosave(request) ? await currentAutosave(post, site) : undefined;
  if (!autosave) return dated;
  const { title, content, excerpt } = autosave;
  return { ...dated, title, content, excerpt, rendered: undefined };
}

/** The decoded path, or null if it is invalid. */
function decode(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}

/** The query as sent, for redirects. */
const queryOf = ({ url }: PageRequest): string => (url.includes('?') ? url.slice(url.indexOf('?')) : '');

const missingPage = ({ site, texts }: Reading): Html =>
  html`<header class="page-head"><h1>${texts.notFound}</h1></header>
    <p>${texts.notFoundText}</p>
    <p><a class="button" href="${site.url}/">${texts.goHome}</a></p>`;

/** WP: search engines learn from the status alone that there is no page. @param title default: that there is none */
function missing(reading: Reading, title?: Html): PageResponse {
  const content = { title: title ?? reading.texts.notFound, main: missingPage(reading), isPublic: true };
  return framed(reading, 404, content, { ...apiHeaders(null, reading), ...NO_CACHE });
}

async function showPost(post: Post, url: string, reading: Reading): Promise<PageResponse> {
  const data = await postPageData(post, reading);
  const head = html`<link rel="canonical" href="${url}" />`;
  const layout = {
    title: data.title,
    main: postPage(data, reading),
    head,
    comments: data.comments,
    isFront: url === `${reading.site.url}/`,
  };
  return framedPost(post, url, layout, reading);
}

/** WP: the page that the settings of the site name as its front page. */
async function frontPost({ site, request }: Reading): Promise<Post | null> {
  const { show_on_front: shows, page_on_front: id } = site.options.front;
  if (shows !== 'page' || id === 0 || request.query.s !== undefined) return null;
  const post = await findPost(site.store, id);
  return post?.status === 'publish' ? post : null;
}

/** A page of blog posts: of the front page, a term, an author, or a range of dates. */
async function showBlog(found: Shown, reading: Reading): Promise<PageResponse> {
  const data = await blogPageData(found, reading);
  if (!data) return missing(reading);
  const { title, page, isPublic, isFront, description, core, feed } = data;
  const content = { title, page, isFront, main: blogPage(data, reading), isPublic, description, feed };
  return framed(reading, 200, content, apiHeaders(found, reading, core === undefined ? {} : { core }));
}

/** WP: the page that the settings name for blog posts lists them. */
const asBlog = (at: Shown | null, { site }: Reading): Shown | null =>
  at?.kind === 'post' && isPostsPage(at.post, site) ? { kind: 'front', page: 1, post: at.post } : at;

async function show(at: Shown | null, address: PageAddress, reading: Reading): Promise<PageResponse> {
  const { plugins } = reading;
  const front = at?.kind === 'front' && at.page === 1 ? await frontPost(reading) : null;
  const found: Shown | null = front ? { kind: 'post', post: front } : asBlog(at, reading);
  const heads = await Promise.all(plugins.map(async ({ head }) => (await head?.(found, reading))?.text ?? ''));
  const whole = { ...reading, head: trusted(heads.join('')) };
  if (!found) return missing(whole, await firstOf(plugins, (plugin) => plugin.missingTitle?.(address, whole)));
  const page = await firstOf(plugins, (plugin) => plugin.page?.(found, whole));
  if (page) return page;
  if (found.kind === 'post') return showPost(found.post, await urlOfPublished(found.post, reading.site), whole);
  return showBlog(found, whole);
}

/** The requested form of the content at a URL: the form of a plugin, or its page. */
const answer = (found: Shown | null, address: PageAddress, form: OtherForm | undefined, reading: Reading): Promise<PageResponse> =>
  form ? form.serve(found, reading, () => show(found, address, reading)) : show(found, address, reading);

/** WP: paths that redirect to sign-in and administration, unless a page has this URL. */
function shortcut(path: string, reading: Reading): PageResponse | null {
  const { site } = reading;
  const word = path.replace(/\/$/, '');
  const headers = { ...apiHeaders(null, reading), ...NO_CACHE };
  if (word === '/login') return redirect(302, `${site.coreUrl}/wp-login.php`, headers);
  return word === '/admin' || word === '/dashboard' ? redirect(302, `${site.coreUrl}/wp-admin/`, headers) : null;
}

/** Redirects a plain permalink to the pretty one (WP). */
function moved({ query }: PageRequest, { url, isGuess }: PageContent & { kind: 'elsewhere' }, extra: Record<string, string>): PageResponse {
  return redirect(301, withOthers(url, query, ID_PARAMETERS), { ...(isGuess ? NO_CACHE : {}), ...extra });
}

/** A response that caches may keep for anonymous readers. */
const kept = (response: PageResponse, found: PageContent | null, session: Session | null): PageResponse => ({
  ...response,
  cacheable: found !== null && session === null,
  ...(session ? { headers: { ...response.headers, ...NO_CACHE } } : {}),
});

/** A feed, or the redirect to its canonical URL. WP: feeds redirect to no page with a similar URL. */
async function showFeed(
  feed: FeedWish,
  { address, found, isNumbered }: { address: PageAddress; found: PageContent | null; isNumbered: boolean },
  reading: Reading,
): Promise<PageResponse> {
  const { site, request } = reading;
  // WP: the feed of an attachment is its file.
  if (found?.kind === 'elsewhere' && isNumbered) return redirect(301, withOthers(found.url, request.query, [...ID_PARAMETERS, 'feed']));
  const own = found?.kind === 'elsewhere' ? null : found;
  const shown = own?.kind === 'front' ? ((await findInQuery(site, request.query))?.found ?? own) : own;
  const url = await feedRedirect(feed, shown, reading);
  if (url !== null && (shown ?? address.kind !== 'unknown')) return redirect(301, url);
  return (await serveFeed(feed, { address, found: shown }, reading)) ?? show(null, address, reading);
}

/** All other URLs of the site: pages, and redirects between them. */
export async function serveContent(anonymous: Reading): Promise<PageResponse> {
  const { site, request, plugins } = anonymous;
  const decoded = decode(request.path);
  if (decoded === null) return show(null, UNKNOWN, anonymous);
  const { rewrite } = site.options;
  // WP: with plain permalinks, paths do not matter.
  const path = rewrite.isPlain ? '/' : decoded;
  // WP: the file that serves all URLs is not part of one.
  const entry = /^\/index\.php(\/.*)?$/s.exec(request.path);
  const number = path === '/' || path === '/index.php' ? numberOf(request) : 0;
  if (entry && rewrite.root === '/' && (number === 0 || rewrite.isPlain))
    return redirect(301, `${site.url}${rewrite.ended(entry[1] ?? '/')}${queryOf(request)}`);

  const session = await findSession(site, request.cookies);
  const reading = { ...anonymous, reader: session?.user ?? null };
  const rejected = await rejectPreview(session, reading);
  if (rejected) return rejected;
  const form = plugins.map(({ readForm }) => readForm?.(request, path, site)).find((each) => each !== undefined);
  const feed = form ? null : readFeedWish(request, path, site);
  const isFront = (feed ?? form)?.path === '/' || path === '/';
  const single = isFront ? singleIn(request, site) : null;
  const id = feed?.path === '/' ? numberOf(request) : number;
  const named = isFront && !single && id === 0 ? namedIn(request, site) : null;
  const inQuery = isFront ? (single ?? named ?? plugins.map(({ readQuery }) => readQuery?.(request.query, site)).find(Boolean)) : null;
  const address = inQuery ?? (feed ? feedAddress(feed, reading) : readPageAddress(form?.path ?? path, site, plugins));
  const preview = isPreview(request);
  const at = id === 0 ? await find(address, reading, request.query) : await findByNumber(id, reading, preview || feed !== null);
  const found = preview && at?.kind === 'post' ? { ...at, post: await previewed(at.post, request, session, site) } : at;
  const extra = form?.headers ?? {};
  if (feed) return kept(await showFeed(feed, { address, found, isNumbered: id > 0 }, reading), found, session);
  const queried = path === '/' && number === 0 ? await findInQuery(site, request.query) : null;
  // WP: an author is redirected by number only.
  if (queried && queried.parameter !== 'author_name' && !rewrite.isPlain)
    return redirect(301, withOthers(queried.url, request.query, [queried.parameter]), extra);
  if (named && found?.kind === 'post' && found.post.status === 'publish' && !rewrite.isPlain)
    return redirect(301, withOthers(await urlOfPublished(found.post, site), request.query, ['name']));
  if (found?.kind === 'elsewhere') return { ...moved(request, found, extra), isGuess: number === 0 && found.isGuess };
  // WP: a request with a body is not redirected, which would lose it (`redirect_canonical`).
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  // WP: the page that is the front page has no other address.
  const isElsewhere = found?.kind === 'front' && found.page === 1 && path !== '/' && (await frontPost(reading)) !== null;
  if (isElsewhere && isRead) return redirect(301, `${site.url}/`, extra);
  if (found && isRead && !preview && rewrite.ended(decoded) !== decoded && !entry)
    return redirect(301, `${site.url}${rewrite.ended(request.path)}${queryOf(request)}`, extra);
  const further = rewrite.isPlain ? pageNumber(request.query.paged) : null;
  const listed = found?.kind === 'front' ? (queried?.found ?? { ...found, page: further ?? found.page }) : found;
  const shown = await answer(listed, address, form, reading).catch((error: unknown) => refuseGuesses(error, reading));
  if (!found) return shortcut(path, reading) ?? shown;
  return kept(shown, found, session);
}
