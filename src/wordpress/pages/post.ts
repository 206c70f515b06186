import { oembedUrls } from '../feeds/oembed.js';
import type { Post } from '../model.js';
import { isFrontPage, pathOf } from '../posts/permalinks.js';
import { NO_CACHE, type PageResponse } from '../rest/request.js';
import type { Site } from '../site.js';
import { isEmbedPath } from '../views/address.js';
import { discussionOf } from '../rest/posts/discussion.js';
import { supportsOf } from '../types/registry.js';
import { apiHeaders, fillHtml, type Reading } from '../views/reading.js';
import { loadRelated } from '../posts/related.js';
import { html, type Html } from '../views/html.js';
import { contentOf, siteName, titleOf } from '../views/texts.js';
import { feedUrl } from '../links.js';
import { commentsSection, pageComments, type Comments } from './comments.js';
import { framed, type Layout, type PageFeed } from './layout.js';
import { content } from './parts.js';
import { unlocking, type Unlocking } from './sign-in/passwords.js';

interface PostPage {
  title: Html;
  content: Html | null;
  unlocking: Unlocking;
  comments: Comments | null;
}

export async function postPageData(post: Post, reading: Reading): Promise<PostPage> {
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

export const postPage = ({ title, content: text, unlocking: state, comments }: PostPage, reading: Reading): Html =>
  html`<article>
      <header class="page-head"><h1>${title}</h1></header>
      ${content(text, state, reading)}
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
