import { emojiImages } from '../formatting/emoji.js';
import { numericReferences, escUrl } from '../formatting/entities.js';
import { excerptOf, filterContent } from '../formatting/content.js';
import { ksesPost, PAGE_RULES } from '../formatting/kses/kses.js';
import { escapeAmpersands } from '../formatting/title.js';
import { CATEGORY, TAG, type Post, type User } from '../model.js';
import { guidPath, permalink, type KnownPosts } from '../posts/permalinks.js';
import { pagesAbove } from '../posts/posts.js';
import { loadRelated, termsOf, type Related } from '../posts/related.js';
import { markedTitle, renderOptions } from '../posts/rendered.js';
import { APPROVED, withoutNotes } from '../query/comments.js';
import { isInRange } from '../quirks/version.js';
import { discussionOf } from '../rest/posts/discussion.js';
import type { Site } from '../site.js';
import { supportsOf } from '../types/registry.js';
import { escapeText } from '../views/html.js';
import type { Reading } from '../views/reading.js';
import { feedUrl } from '../links.js';
import { feedLine, type PostItem } from './post-formats.js';

/** HTML as it is, or without what could run in a reader. */
export const feedHtml = (html: string, { quirks }: Pick<Site, 'quirks'>): string =>
  quirks.has('feeds-keep-scripts') ? html : ksesPost(html, PAGE_RULES);

/** WP: the set of emoji, by release. */
export const withEmoji = (html: string, { wordpressRelease: release }: Site): string =>
  emojiImages(html, isInRange(release, { until: '6.9' }) ? '16.0.1' : '17.0.2');

/** The form for a password. WP: `get_the_password_form`. */
export function passwordForm({ _id }: Post, url: string, { site, texts }: Reading): string {
  const { passwordProtected, enterPasswordBelow, password, submit } = texts;
  return (
    `<form action="${escUrl(`${site.coreUrl}/wp-login.php?action=postpass`)}" class="post-password-form" method="post">` +
    `<input type="hidden" name="redirect_to" value="${escUrl(url)}" /></p>\n\t` +
    `<p>${escapeText(passwordProtected)} ${escapeText(enterPasswordBelow)}</p>\n\t` +
    `<p><label for="pwbox-${_id}">${escapeText(password)}: <input name="post_password" id="pwbox-${_id}" type="password" ` +
    `spellcheck="false" required size="20" /></label> <input type="submit" name="Submit" value="${escapeText(submit)}" /></p></form>\n\t`
  );
}

/** Content that the entries of a feed refer to. */
interface Around {
  related: Related;
  authors: ReadonlyMap<number, User>;
  known: KnownPosts;
  counts: ReadonlyMap<number, number>;
}

/** Numbers of approved comments, by post. */
async function countsOf(posts: readonly Post[], { store, quirks }: Site): Promise<Map<number, number>> {
  const shown = { post: { $in: posts.map(({ _id }) => _id) }, approved: APPROVED, ...withoutNotes(quirks) };
  const rows = await store.aggregate<{ _id: number; count: number }>('comments', [
    { $match: shown },
    { $group: { _id: '$post', count: { $sum: 1 } } },
  ]);
  return new Map(rows.map(({ _id, count }) => [_id, count]));
}

/** Whether comments are open. WP: `comments_open`. */
function isOpen(post: Post, site: Site): boolean {
  const type = site.registry.findPostType(post.type);
  return type !== undefined && supportsOf(type, site.quirks).includes('comments') && discussionOf(post, site).comments === 'open';
}

/** WP: the categories and tags of the blog, each by name, and each name once. */
function categoriesOf(post: Post, related: Related): string[] {
  const names = (taxonomy: string): string[] =>
    termsOf(post, taxonomy, related)
      .map(({ name }) => name)
      .sort((a, b) => a.localeCompare(b, 'en'));
  return [...new Set([CATEGORY, TAG].flatMap(names))];
}

/** WP: `the_excerpt_rss`. */
function summaryOf(post: Post, related: Related, { site, texts }: Reading): string {
  if (post.password !== '') return numericReferences(escapeText(texts.noExcerpt));
  const excerpt = post.excerpt || excerptOf(post.content, undefined, renderOptions({ site, related }, post), true);
  return numericReferences(escapeAmpersands(excerpt));
}

/** WP: `the_content_feed`. */
function contentOf(post: Post, url: string, related: Related, reading: Reading): string {
  const { site } = reading;
  const options = renderOptions({ site, related }, post);
  if (post.password !== '') return filterContent(passwordForm(post, url, reading), options);
  return withEmoji(feedHtml(post.rendered?.content ?? filterContent(post.content, options), site), site);
}

/** WP: a permanent identifier, not a URL to open. */
export const guidOf = (post: Post, site: Site): string => escUrl(`${site.url}${guidPath(post, site)}`.replaceAll('&#038;', '&'));

function postItem(post: Post, { related, authors, known, counts }: Around, reading: Reading): PostItem {
  const { site, plugins } = reading;
  const author = authors.get(post.author);
  const count = counts.get(post._id) ?? 0;
  const url = permalink(post, site, false, known);
  return {
    title: feedLine(markedTitle(post)),
    url,
    guid: guidOf(post, site),
    date: plugins.map(({ entryDate }) => entryDate?.(post, site)).find((date) => date !== undefined) ?? post.dateGmt,
    published: post.dateGmt,
    modified: post.modifiedGmt,
    author: { name: numericReferences(author?.displayName ?? ''), url: author?.url ?? '' },
    categories: categoriesOf(post, related),
    summary: feedHtml(summaryOf(post, related, reading), site),
    content: site.options.feedsExcerpts ? null : contentOf(post, url, related, reading),
    commentsFeed: (suffix) => feedUrl(site, url, suffix),
    comments: count > 0 || isOpen(post, site) ? count : null,
  };
}

/** The entries of posts, in their order. */
export async function postItems(posts: readonly Post[], reading: Reading): Promise<PostItem[]> {
  const { site } = reading;
  const { store } = site;
  const users = await store.users.find({ _id: { $in: posts.map(({ author }) => author) } }).toArray();
  const around: Around = {
    related: await loadRelated(store, posts),
    authors: new Map(users.map((user) => [user._id, user])),
    known: await pagesAbove(store, posts),
    counts: await countsOf(posts, site),
  };
  return posts.map((post) => postItem(post, around, reading));
}
