import { commentAuthor, commentsOn, commentUrl } from '../views/texts.js';
import { escapeText } from '../views/html.js';
import type { Reading } from '../views/reading.js';
import { urlOfPublished } from '../views/find.js';
import { renderComment } from '../formatting/comments/comment-text.js';
import { escHtml, numericReferences } from '../formatting/entities.js';
import { ATTACHMENT, PAGE, POST, type Comment, type Post } from '../model.js';
import { findPosts, listFields, pagesAbove } from '../posts/posts.js';
import { APPROVED, withoutNotes, type CommentFilter } from '../query/comments.js';
import { markedTitle } from '../posts/rendered.js';
import type { PostQuery } from '../query/post-query.js';
import type { Site } from '../site.js';
import * as formats from './post-formats.js';
import { feedLine } from './post-formats.js';
import { feedHtml, guidOf, passwordForm, withEmoji } from './feed-items.js';

interface CommentItem {
  title: string;
  url: string;
  guid: string;
  /** UTC, `YYYY-MM-DD HH:MM:SS`. */
  date: string;
  author: { name: string; url: string };
  /** Its text as text, and as HTML. */
  summary: string;
  content: string;
  /** Target of the reply: a comment, or the post. */
  repliesTo: { guid: string; url: string };
  /** Whether its post is protected, whose comments are hidden. */
  isHidden: boolean;
}

/** A feed of comments: of a post, or of the whole site. */
interface CommentChannel extends formats.Channel<CommentItem> {
  /** The post; null for the whole site. */
  of: {
    /** The page that RSS links to. WP: the site, if the post is a page. */
    link: string;
    /** URL of the post; empty if there is none. */
    url: string;
    count: number;
  } | null;
}

const rssItem = (item: CommentItem): string =>
  formats.lines([
    '\t<item>',
    `\t\t<title>\n\t\t${item.title}\t\t</title>`,
    `\t\t<link>${formats.link(item.url)}</link>`,
    `\t\t<dc:creator>${formats.cdata(item.author.name)}</dc:creator>`,
    `\t\t<pubDate>${formats.rssDate(item.date)}</pubDate>`,
    `\t\t<guid isPermaLink="false">${item.guid}</guid>`,
    `\t\t<description>${item.isHidden ? item.summary : formats.cdata(item.summary)}</description>`,
    `\t\t<content:encoded>${formats.cdata(item.content)}</content:encoded>`,
    '\t</item>',
  ]);

const RSS2: formats.FeedFormat<CommentChannel> = {
  type: formats.RSS_TYPE,
  write: ({ title, description, home, self, modified, release, items, of }) =>
    formats.lines([
      `${formats.XML}<rss version="2.0"${formats.namespaces('content', 'dc', 'atom', 'sy')}\n>`,
      '<channel>',
      `\t<title>\n\t${title}\t</title>`,
      `\t<atom:link href="${formats.link(self)}" rel="self" type="${formats.RSS_TYPE}" />`,
      `\t<link>${formats.link(of?.link ?? home)}</link>`,
      `\t<description>${description}</description>`,
      `\t<lastBuildDate>${formats.rssDate(modified)}</lastBuildDate>`,
      formats.UPDATES,
      formats.rssProgram(release),
      ...items.map(rssItem),
      '</channel>',
      '</rss>',
    ]),
};

const atomEntry = (item: CommentItem): string =>
  formats.lines([
    '\t<entry>',
    `\t\t<title>\n\t\t${item.title}\t\t</title>`,
    `\t\t<link rel="alternate" href="${formats.link(item.url)}" type="text/html" />`,
    '\t\t<author>',
    `\t\t\t<name>${formats.attribute(item.author.name)}</name>`,
    item.author.url === '' ? null : `\t\t\t<uri>${formats.link(item.author.url)}</uri>`,
    '\t\t</author>',
    `\t\t<id>${item.guid}</id>`,
    `\t\t<updated>${formats.isoDate(item.date)}</updated>`,
    `\t\t<published>${formats.isoDate(item.date)}</published>`,
    `\t\t<content type="html" xml:base="${formats.link(item.url)}">${formats.cdata(item.content)}</content>`,
    `\t\t<thr:in-reply-to ref="${item.repliesTo.guid}" href="${formats.link(item.repliesTo.url)}" type="text/html" />`,
    '\t</entry>',
  ]);

const ATOM: formats.FeedFormat<CommentChannel> = {
  type: formats.ATOM_TYPE,
  write: ({ title, description, home, language, modified, release, items, of }) => {
    const own = of?.url === '' ? '' : formats.link(`${of ? of.url : `${home}/comments/`}feed/atom/`);
    const page = of ? `${formats.link(of.url)}#${of.count === 0 ? 'respond' : 'comments'}` : formats.link(home);
    return formats.lines([
      // WP: with a space before its end.
      `${formats.XML.replace('?>', ' ?>')}<feed\n\txmlns="http://www.w3.org/2005/Atom"\n\txml:lang="${formats.attribute(language)}"${formats.namespaces('thr')}\n>`,
      `\t<title type="text">\n\t${title}\t</title>`,
      `\t<subtitle type="text">${description}</subtitle>`,
      `\t<updated>${formats.isoDate(modified)}</updated>`,
      `\t<link rel="alternate" type="text/html" href="${page}" />`,
      `\t<link rel="self" type="${formats.ATOM_TYPE}" href="${own}" />`,
      `\t<id>${own}</id>`,
      formats.atomProgram(release),
      ...items.map(atomEntry),
      '</feed>',
    ]);
  },
};

/** The formats of feeds of comments. WP: RSS 1.0 has none. */
export const COMMENT_FORMATS = { rss2: RSS2, atom: ATOM };

/** Contents of a feed of comments besides the site. */
export type CommentContent = Pick<CommentChannel, 'title' | 'items' | 'of'> & {
  /** Time of the last change; empty if nothing is known. */
  modified: string;
};

/** The formats name a feed of comments in their own words. */
export type TitleStyle = 'rss2' | 'atom';

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

/** The newest comments on the published posts of a list, with these posts. */
async function commentsInList(site: Site, filter: Partial<PostQuery>): Promise<{ comments: Comment[]; posts: Map<number, Post> }> {
  const { store } = site;
  const ids = await store.comments.distinct('post', shownIn(site));
  const query: PostQuery = { type: POST, statuses: ['publish'], ...filter, ids, sort: 'newest', limit: ids.length, offset: 0 };
  const listed = ids.length === 0 ? [] : await listFields<Pick<Post, '_id'>>(store, query, { _id: 1 });
  const shown = { ...shownIn(site), post: { $in: listed.map(({ _id }) => _id) } };
  const newest = { sort: { dateGmt: -1, _id: -1 }, limit: site.options.postsPerFeed } as const;
  const comments = await store.comments.find(shown, newest).toArray();
  const posts = await findPosts(store, [...new Set(comments.map(({ post }) => post))]);
  return { comments, posts: new Map(posts.map((post) => [post._id, post])) };
}

/** The posts that URLs of others depend on: ancestors of pages, and parents of attachments. */
async function withAbove(posts: readonly Post[], { store }: Site): Promise<Map<number, Post>> {
  const above = posts.filter(({ type, parent }) => type === ATTACHMENT && parent > 0).map(({ parent }) => parent);
  const parents = above.length > 0 ? await findPosts(store, above) : [];
  const all = [...posts, ...parents];
  const pages = await pagesAbove(store, all);
  return new Map([...pages, ...all.map((post): [number, Post] => [post._id, post])]);
}

/** Comments that a feed shows, and the posts that their URLs depend on. */
interface Around {
  known: ReadonlyMap<number, Post>;
  /** The comments that others reply to, by id. */
  parents: ReadonlyMap<number, Comment>;
}

async function around(comments: readonly Comment[], posts: readonly Post[], site: Site): Promise<Around> {
  const ids = [...new Set(comments.flatMap(({ parent }) => (parent > 0 ? [parent] : [])))];
  const found = ids.length > 0 ? await site.store.comments.find({ _id: { $in: ids } }).toArray() : [];
  return { known: await withAbove(posts, site), parents: new Map(found.map((comment) => [comment._id, comment])) };
}

const titleOf = (post: Post): string => feedLine(markedTitle(post));

const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  numericReferences(escapeText(text)).replace(/\{(\w+)\}/g, (whole, name: string) => (Object.hasOwn(values, name) ? values[name] : whole));

/** WP: a comment is identified by its post. */
const commentGuid = ({ _id }: Comment, post: Post, site: Site): string => `${guidOf(post, site)}#comment-${_id}`;

const nameOf = (comment: Comment, reading: Reading): string => numericReferences(escHtml(commentAuthor(comment, reading)));

/** @param title title of the entry */
function commentItem(comment: Comment, post: Post, title: string, { known, parents }: Around, reading: Reading): CommentItem {
  const { site, texts } = reading;
  const isHidden = post.password !== '';
  const parent = parents.get(comment.parent);
  const url = commentUrl(comment, post, site, known);
  const page = url.replace(/#.*/, '');
  return {
    title,
    url,
    guid: commentGuid(comment, post, site),
    date: comment.dateGmt,
    author: { name: nameOf(comment, reading), url: comment.authorUrl },
    summary: isHidden
      ? numericReferences(escapeText(texts.commentsProtected))
      : withEmoji(escHtml(numericReferences(comment.content)), site),
    content: isHidden ? passwordForm(post, page, reading) : withEmoji(feedHtml(renderComment(comment.content, site.storedUrl), site), site),
    repliesTo: parent
      ? { guid: commentGuid(parent, post, site), url: commentUrl(parent, post, site, known) }
      : { guid: guidOf(post, site), url: page },
    isHidden,
  };
}

const latest = (times: readonly string[]): string => times.toSorted().at(-1) ?? '';

/** The comments on the posts of a list, the newest first. @param filter conditions of these posts; null: of the whole site */
export async function siteComments(reading: Reading, name: string, filter: Partial<PostQuery> | null): Promise<CommentContent> {
  const { site, texts } = reading;
  const { comments, posts } = filter ? await commentsInList(site, filter) : await newestComments(site);
  const loaded = await around(comments, [...posts.values()], site);
  const items = comments.flatMap((comment): CommentItem[] => {
    const post = posts.get(comment.post);
    if (!post) return [];
    const title = fill(texts.commentOnBy, { title: titleOf(post), author: nameOf(comment, reading) });
    return [commentItem(comment, post, title, loaded, reading)];
  });
  const shown = comments.flatMap(({ post }) => posts.get(post)?.modifiedGmt ?? []);
  return {
    title: fill(texts.commentsFor, { site: name }),
    of: null,
    items,
    modified: latest([...comments.map(({ dateGmt }) => dateGmt), ...shown]),
  };
}

const titleFor = (style: TitleStyle, title: string, { texts }: Reading): string =>
  fill(style === 'atom' ? texts.commentsOnPost : texts.commentsOn, { title });

/** WP: a post that does not exist has a feed, without comments. */
export const noComments = (style: TitleStyle, reading: Reading): CommentContent => ({
  title: titleFor(style, '', reading),
  of: { link: '', url: '', count: 0 },
  items: [],
  modified: '',
});

/** The comments of a post, the newest first. */
export async function postComments(post: Post, style: TitleStyle, reading: Reading): Promise<CommentContent> {
  const { site, texts } = reading;
  const all = await commentsOn(post, site);
  const comments = all.toReversed().slice(0, site.options.postsPerFeed);
  const loaded = await around(comments, [post], site);
  const url = await urlOfPublished(post, site);
  return {
    title: titleFor(style, titleOf(post), reading),
    of: { link: post.type === PAGE ? site.url : url, url, count: all.length },
    items: comments.map((comment) =>
      commentItem(comment, post, fill(texts.commentBy, { author: nameOf(comment, reading) }), loaded, reading),
    ),
    modified: latest([post.modifiedGmt, ...comments.map(({ dateGmt }) => dateGmt)]),
  };
}

/** When the newest comment was written; '' if there is none. */
export async function newestCommentTime(site: Site): Promise<string> {
  const newest = await site.store.comments.findOne(shownIn(site), { sort: { dateGmt: -1, _id: -1 }, projection: { dateGmt: 1 } });
  return newest?.dateGmt ?? '';
}
