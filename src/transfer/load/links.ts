import { serialize, unserialize } from 'php-serialize';
import type { Json } from '../../base/values/records.js';
import type { Comment, Post, RenderedTexts, Term, User } from '../../wordpress/model.js';
import { settleAll } from '../../database/store/locks.js';
import type { Step } from '../../database/store/writes.js';
import { withDerivedColumns } from '../../wordpress/posts/posts.js';
import type { Store } from '../../wordpress/store.js';
import { movedFields, moveValue } from '../../wordpress/stored-fields.js';
import type { Registry } from '../../wordpress/types/registry.js';
import { HOME_OPTION, storedHome } from './options.js';

export type MoveText = (text: string) => string;

const BATCH = 500;

/** The ways to write a URL: plain, in JSON, and in the query of another URL. */
const SPELLINGS: readonly ((url: string) => string)[] = [(url) => url, (url) => url.replaceAll('/', '\\/'), encodeURIComponent];

// Prevents a match of a longer URL: `example.org` is neither `example.org.uk` nor `example.org:8080`.
const NOT_LONGER = '(?![\\w-]|[.:@][\\w-]|%3A|%40)';

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

const pattern = (url: string): string => `(?:${SPELLINGS.map((spell) => escapeRegExp(spell(url))).join('|')})${NOT_LONGER}`;

/** Returns a function that replaces the URL of a site with another, in all spellings. */
export function urlMover(from: string, to: string): MoveText {
  if (from === '' || from === to) return (text) => text;
  const moved = new Map(SPELLINGS.map((spell) => [spell(from), spell(to)]));
  const every = new RegExp(pattern(from), 'g');
  return (text) => text.replace(every, (found) => moved.get(found) ?? found);
}

/** PHP: a list or an object in meta is serialized, with the lengths of its texts. */
function moveMeta(value: string, move: MoveText): string {
  try {
    return /^a:\d+:\{/.test(value) ? serialize(moveValue(unserialize(value) as Json, move)) : move(value);
  } catch {
    return move(value);
  }
}

/** Rewrites the links of a post, and derives its columns again. */
export const movePost = (post: Post, move: MoveText, registry: Registry): Post =>
  withDerivedColumns(
    {
      ...post,
      content: move(post.content),
      excerpt: move(post.excerpt),
      meta: post.meta.map(({ key, value }) => ({ key, value: moveMeta(value, move) })),
      ...(post.rendered ? { rendered: moveTexts(post.rendered, move) } : {}),
      ...movedFields(post, move),
    },
    registry,
  );

const moveTexts = (texts: RenderedTexts, move: MoveText): RenderedTexts =>
  Object.fromEntries(Object.entries(texts).map(([name, text]: [string, string]) => [name, move(text)]));

export const moveTerm = (term: Term, move: MoveText): Term => ({
  ...term,
  description: move(term.description),
  ...movedFields(term, move),
});

export const moveComment = (comment: Comment, move: MoveText): Comment => ({
  ...comment,
  content: move(comment.content),
  authorUrl: move(comment.authorUrl),
  ...movedFields(comment, move),
});

export const moveUser = (user: User, move: MoveText): User => ({ ...user, url: move(user.url), ...movedFields(user, move) });

/**
 * Rewrites all stored links from one URL of the site to another (both without trailing slash) and stores the new one in the option `home`.
 * After an interruption, `home` still has the old URL and another run completes the work. (If the new URL starts with the old one, links
 * that were already rewritten would be rewritten twice.)
 */
export async function moveLinks(store: Store, from: string, to: string): Promise<void> {
  if (from !== to && from !== '') await moveDocuments(store, from, to);
  await store.options.replaceOne({ _id: HOME_OPTION }, { value: to }, { upsert: true });
}

/** Rewrites stored links to the current URL of the site. @returns whether it had changed */
export async function followUrl(store: Store, url: string): Promise<boolean> {
  const home = await storedHome(store);
  if (home === null || home === url) return false;
  await moveLinks(store, home, url);
  return true;
}

async function moveDocuments(store: Store, from: string, to: string): Promise<void> {
  const move = urlMover(from, to);
  const found = { $regex: pattern(from) };
  await settleAll([
    movePosts(store, move, found),
    moveUsers(store, move, found),
    moveTerms(store, move, found),
    moveComments(store, move, found),
  ]);
}

/** Most documents with fields of plugins have links in them, in more spellings than the pattern has. */
const HAS_FIELDS = { fields: { $exists: true } };

async function movePosts(store: Store, move: MoveText, found: { $regex: string }): Promise<void> {
  let changes: Step[] = [];
  for await (const post of store.posts.find({
    $or: [
      { content: found },
      { excerpt: found },
      { 'meta.value': found },
      { 'rendered.content': found },
      { 'rendered.excerpt': found },
      HAS_FIELDS,
    ],
  })) {
    changes.push({ collection: 'posts', update: post._id, change: movePost(post, move, store.registry) });
    if (changes.length < BATCH) continue;
    await store.writeTogether(changes);
    changes = [];
  }
  await store.writeTogether(changes);
}

async function moveUsers(store: Store, move: MoveText, found: { $regex: string }): Promise<void> {
  for await (const user of store.users.find({ $or: [{ url: found }, HAS_FIELDS] }))
    await store.users.replaceOne({ _id: user._id }, moveUser(user, move));
}

async function moveTerms(store: Store, move: MoveText, found: { $regex: string }): Promise<void> {
  for await (const term of store.terms.find({ $or: [{ description: found }, HAS_FIELDS] }))
    await store.terms.replaceOne({ _id: term._id }, moveTerm(term, move));
}

async function moveComments(store: Store, move: MoveText, found: { $regex: string }): Promise<void> {
  for await (const comment of store.comments.find({ $or: [{ content: found }, { authorUrl: found }, HAS_FIELDS] }))
    await store.comments.replaceOne({ _id: comment._id }, moveComment(comment, move));
}
