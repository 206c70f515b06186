import { discussionOf } from '../rest/posts/discussion.js';
import { commentAuthor, commentsOn, commentText } from '../views/texts.js';
import { html, type Html } from '../views/html.js';
import type { Reading } from '../views/reading.js';
import type { Comment, Post } from '../model.js';
import type { Site } from '../site.js';
import { supportsOf } from '../types/registry.js';
import { escUrlRaw } from '../formatting/entities.js';

/** A comment on a page, with its replies. */
interface ShownComment {
  id: number;
  author: string;
  /** Website of the author; '' if there is none. */
  url: string;
  /** `YYYY-MM-DD HH:MM:SS`. */
  date: string;
  text: Html;
  replies: ShownComment[];
}

export interface Comments {
  count: number;
  threads: ShownComment[];
  isClosed: boolean;
}

/** WP: how deep replies are nested; those below are beside the last ones. */
const DEEPEST = 5;

/** The comments by parent; 0: without a visible parent. */
function repliesIn(comments: readonly Comment[]): Map<number, Comment[]> {
  const shown = new Set(comments.map(({ _id }) => _id));
  const replies = new Map<number, Comment[]>();
  for (const comment of comments) {
    const parent = shown.has(comment.parent) && comment.parent !== comment._id ? comment.parent : 0;
    const list = replies.get(parent);
    if (list) list.push(comment);
    else replies.set(parent, [comment]);
  }
  return replies;
}

function threadsOf(comments: readonly Comment[], reading: Reading): ShownComment[] {
  const replies = repliesIn(comments);
  const top: ShownComment[] = [];
  // Without recursion, since replies may be nested to any depth.
  const open: { comment: Comment; into: ShownComment[]; depth: number }[] = [];
  const push = (list: readonly Comment[], into: ShownComment[], depth: number): void => {
    for (const comment of list.toReversed()) open.push({ comment, into, depth });
  };
  push(replies.get(0) ?? [], top, 1);
  for (let next = open.pop(); next; next = open.pop()) {
    const { comment, into, depth } = next;
    const shown: ShownComment = {
      id: comment._id,
      author: commentAuthor(comment, reading),
      url: /^https?:/i.test(comment.authorUrl) ? escUrlRaw(comment.authorUrl) : '',
      date: comment.date,
      text: commentText(comment, reading),
      replies: [],
    };
    into.push(shown);
    push(replies.get(comment._id) ?? [], depth < DEEPEST ? shown.replies : into, Math.min(depth + 1, DEEPEST));
  }
  return top;
}

/** Whether comments are closed for this post, although its type supports them. */
function isClosed(post: Post, site: Site): boolean {
  const type = site.registry.findPostType(post.type);
  return type !== undefined && supportsOf(type, site.quirks).includes('comments') && discussionOf(post, site).comments !== 'open';
}

/** The comments for the page of a post; null if there are none. */
export async function pageComments(post: Post, reading: Reading): Promise<Comments | null> {
  const comments = await commentsOn(post, reading.site);
  if (comments.length === 0) return null;
  return { count: comments.length, threads: threadsOf(comments, reading), isClosed: isClosed(post, reading.site) };
}

const threads = (list: readonly ShownComment[], reading: Reading): Html =>
  html`<ol class="comments">
    ${list.map(
      ({ id, author, url, date, text, replies }) =>
        html`<li id="comment-${id}">
          <article>
            <p class="facts">
              <strong>${url === '' ? author : html`<a href="${url}" rel="ugc external nofollow">${author}</a>`}</strong>
              <a href="#comment-${id}"
                ><time datetime="${date.replace(' ', 'T')}">${reading.dates.day(date.slice(0, 10))} ${date.slice(11, 16)}</time></a
              >
            </p>
            <div class="prose">${text}</div>
          </article>
          ${replies.length === 0 ? null : threads(replies, reading)}
        </li> `,
    )}
  </ol>`;

/** The comments below a post. There is no form: comments are created through the REST API. */
export function commentsSection(comments: Comments | null, reading: Reading): Html | null {
  if (!comments) return null;
  const { texts, dates } = reading;
  const { count } = comments;
  const heading = count === 1 ? texts.commentOne : texts.commentMany.replace('{count}', dates.number(count));
  return html`<section id="comments" aria-label="${texts.comments}">
    <h2>${heading}</h2>
    ${threads(comments.threads, reading)} ${comments.isClosed ? html`<p class="quiet">${texts.commentsClosed}</p>` : null}
  </section>`;
}
