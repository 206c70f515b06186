import { commentUrl, commentAuthor, commentsOn, commentText } from '../views/comments.js';
import type { FeedContent, FeedItem } from '../views/content.js';
import { html } from '../views/html.js';
import type { Reading } from '../views/reading.js';
import { urlOfPublished } from '../views/find.js';
import { decodeEntities } from '../formatting/decode-entities.js';
import { ATTACHMENT, PAGE, type Comment, type Post } from '../model.js';
import { guidPath } from '../posts/permalinks.js';
import { findPosts, pagesAbove } from '../posts/posts.js';
import { APPROVED, withoutNotes, type CommentFilter } from '../query/comments.js';
import { markedTitle } from '../posts/rendered.js';
import type { Site } from '../site.js';

/** Number of comments per batch, until there are enough on published posts. */
const STEP = 100;

/** WP: attachments have the status of their parent. */
const isPublished = ({ type, status }: Post): boolean => status === 'publish' || (type === ATTACHMENT && status === 'inherit');

const shownIn = ({ quirks }: Site): CommentFilter => ({ approved: APPROVED, ...withoutNotes(quirks) });

/** The newest comments on published posts, with these posts. */
async function newestComments(site: Site): Promise<{ comments: Comment[]; posts: Map<number, Post> }> {
  const posts = new Map<number, Post>();
  const comments: Comment[] = [];
  const { store } = site;
  const most = site.options.postsPerFeed;
  for (let from = 0; comments.length < most; from += STEP) {
    const read = await store.comments.find(shownIn(site), { sort: { dateGmt: -1, _id: -1 }, skip: from, limit: STEP }).toArray();
    const ids = [...new Set(read.map(({ post }) => post))].filter((id) => id > 0 && !posts.has(id));
    for (const post of ids.length > 0 ? await findPosts(store, ids) : []) if (isPublished(post)) posts.set(post._id, post);
    comments.push(...read.filter(({ post }) => posts.has(post)).slice(0, most - comments.length));
    if (read.length < STEP) break;
  }
  return { comments, posts };
}

/** The posts that URLs of others depend on: ancestors of pages, and parents of attachments. */
async function withAbove(posts: readonly Post[], { store }: Site): Promise<Map<number, Post>> {
  const above = posts.filter(({ type, parent }) => type === ATTACHMENT && parent > 0).map(({ parent }) => parent);
  const parents = above.length > 0 ? await findPosts(store, above) : [];
  const all = [...posts, ...parents];
  const pages = await pagesAbove(store, all);
  return new Map([...pages, ...all.map((post): [number, Post] => [post._id, post])]);
}

const titleOf = (post: Post): string => decodeEntities(markedTitle(post));

/** @param title title of the entry */
function commentItem(comment: Comment, post: Post, title: string, known: ReadonlyMap<number, Post>, reading: Reading): FeedItem {
  const { site, texts } = reading;
  const isOpen = post.password === '';
  return {
    title,
    url: commentUrl(comment, post, site, known),
    guid: `${decodeEntities(`${site.url}${guidPath(post, site)}`)}#comment-${comment._id}`,
    date: comment.dateGmt,
    modified: comment.dateGmt,
    author: commentAuthor(comment, reading),
    categories: [],
    // WP: HTML as text.
    summary: html`${isOpen ? comment.content : texts.commentsProtected}`,
    content: isOpen ? commentText(comment, reading) : null,
  };
}

const latest = (times: readonly string[]): string => times.toSorted().at(-1) ?? '';

/** The comments of the whole site, the newest first. */
export async function siteComments(reading: Reading): Promise<FeedContent> {
  const { site, texts } = reading;
  const { comments, posts } = await newestComments(site);
  const known = await withAbove([...posts.values()], site);
  const titled = comments.flatMap((comment): FeedItem[] => {
    const post = posts.get(comment.post);
    if (!post) return [];
    const values: Record<string, string> = { title: titleOf(post), author: commentAuthor(comment, reading) };
    const title = texts.commentOnBy.replace(/\{(title|author)\}/g, (_, name: string) => values[name]);
    return [commentItem(comment, post, title, known, reading)];
  });
  const shown = comments.flatMap(({ post }) => posts.get(post)?.modifiedGmt ?? []);
  return {
    title: texts.commentsFor.replace('{site}', () => decodeEntities(site.options.name)),
    page: `${site.url}/`,
    items: titled,
    modified: latest([...comments.map(({ dateGmt }) => dateGmt), ...shown]),
  };
}

/** The comments of a post, the newest first. WP: the feed of a page names the site as its page. */
export async function postComments(post: Post, reading: Reading): Promise<FeedContent> {
  const { site, texts } = reading;
  const comments = (await commentsOn(post, site)).toReversed().slice(0, site.options.postsPerFeed);
  const known = await withAbove([post], site);
  return {
    title: texts.commentsOn.replace('{title}', () => titleOf(post)),
    page: await urlOfPublished(post, site),
    ...(post.type === PAGE ? { link: `${site.url}/` } : {}),
    items: comments.map((comment) =>
      commentItem(
        comment,
        post,
        texts.commentBy.replace('{author}', () => commentAuthor(comment, reading)),
        known,
        reading,
      ),
    ),
    modified: latest([post.modifiedGmt, ...comments.map(({ dateGmt }) => dateGmt)]),
  };
}

/** When the newest comment was written; '' if there is none. */
export async function newestCommentTime(site: Site): Promise<string> {
  const newest = await site.store.comments.findOne(shownIn(site), { sort: { dateGmt: -1, _id: -1 }, projection: { dateGmt: 1 } });
  return newest?.dateGmt ?? '';
}
