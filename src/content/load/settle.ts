import { rename, rm } from 'node:fs/promises';
import { truncateSlug } from '../../wp/formatting/slug.js';
import type { Post, Term, User } from '../../wp/model.js';
import { derive } from '../../wp/posts.js';
import { Staging, stagedLoads } from '../../store/staging.js';
import { ANY_CASE } from '../../store/indexes.js';
import type { Store } from '../../wp/store.js';
import type { Underway } from '../../store/work-log.js';
import { recountTerms } from '../../wp/terms.js';
import { settleFiles, stagedFolder, type SitePlace } from './files.js';

/** Name of the copy that a reset goes back to. */
export const PRISTINE = 'pristine';

/** A slug that nobody has, made of the wanted one (WP: `-2`, `-3`, …). */
export async function freeSlug(wanted: string, isTaken: (slug: string) => Promise<boolean>): Promise<string> {
  for (let n = 2; ; n += 1) {
    const slug = truncateSlug(wanted, `-${n}`);
    if (!(await isTaken(slug))) return slug;
  }
}

/** How many posts are put beside those that are there at a time. */
const BATCH = 500;

/** Ids by which somebody else, who was quicker, has what a load wanted to add: from the load's id to theirs. */
type Replaced = Map<number, number>;

async function addUsers(store: Store, staging: Staging): Promise<Replaced> {
  const replaced: Replaced = new Map();
  for await (const user of staging.documents<User>('users')) {
    const known = await store.users.findOne({ login: user.login }, { collation: ANY_CASE, projection: { _id: 1 } });
    if (known) replaced.set(user._id, known._id);
    else await store.users.insertOne(user);
  }
  return replaced;
}

async function addTerms(store: Store, staging: Staging): Promise<Replaced> {
  const replaced: Replaced = new Map();
  for await (const term of staging.documents<Term>('terms')) {
    const { taxonomy, slug } = term;
    const known = await store.terms.findOne({ taxonomy, slug }, { projection: { _id: 1 } });
    if (known) replaced.set(term._id, known._id);
    else await store.terms.insertOne({ ...term, parent: replaced.get(term.parent) ?? term.parent });
  }
  return replaced;
}

const replaceIds = (terms: Post['terms'], replaced: Replaced): Post['terms'] =>
  Object.fromEntries(Object.entries(terms).map(([taxonomy, ids]) => [taxonomy, ids.map((id) => replaced.get(id) ?? id)]));

interface Refused {
  index: number;
}

async function addPosts(store: Store, posts: readonly Post[]): Promise<void> {
  if (posts.length === 0) return;
  // What a run before this one has added is there already.
  const ids = posts.map(({ _id }) => _id);
  const present = new Set((await store.posts.find({ _id: { $in: ids } }, { projection: { _id: 1 } }).toArray()).map(({ _id }) => _id));
  const missing = posts.filter(({ _id }) => !present.has(_id));
  if (missing.length === 0) return;
  let refused = await insertAll(store, missing);
  for (let first = 2; refused.size > 0; first += NUMBERS) {
    const rivals = missing.filter(({ _id }) => refused.has(_id));
    refused = await insertAll(store, await underOtherSlugs(store, rivals, first));
  }
}

/** Inserts posts. @returns the ids of those that were refused for their slugs */
async function insertAll(store: Store, posts: readonly Post[]): Promise<Set<number>> {
  try {
    await store.posts.insertMany([...posts], { ordered: false });
    return new Set();
  } catch (error) {
    const { code, writeErrors = [] } = error as { code?: number; writeErrors?: Refused | Refused[] };
    const refused = [writeErrors].flat();
    if (code !== 11_000 || refused.length === 0) throw error;
    return new Set(refused.map(({ index }) => posts[index]._id));
  }
}

/** How many numbered slugs are asked for at once. */
const NUMBERS = 10;

const slugKeyOf = ({ type }: Post, slug: string): string => `${type} ${slug}`;

/** Posts under the first of ten numbered slugs that nobody has; where there is none, the last of them, which is refused again. */
async function underOtherSlugs(store: Store, posts: readonly Post[], first: number): Promise<Post[]> {
  const numbered = ({ slug }: Post): string[] => Array.from({ length: NUMBERS }, (_, index) => truncateSlug(slug, `-${first + index}`));
  const wanted = [...new Set(posts.flatMap(numbered))];
  const types = [...new Set(posts.map(({ type }) => type))];
  const holders = await store.posts.find({ type: { $in: types }, slug: { $in: wanted } }, { projection: { type: 1, slug: 1 } }).toArray();
  const taken = new Set(holders.map((post) => slugKeyOf(post, post.slug)));
  return posts.map((post) => {
    const slugs = numbered(post);
    const slug = slugs.find((candidate) => !taken.has(slugKeyOf(post, candidate))) ?? slugs[NUMBERS - 1];
    taken.add(slugKeyOf(post, slug));
    return derive({ ...post, slug });
  });
}

/** Puts what lies ready beside what is there. */
async function addAll(store: Store, staging: Staging): Promise<void> {
  const users = await addUsers(store, staging);
  const terms = await addTerms(store, staging);
  const inPlace = (post: Post): Post =>
    users.size === 0 && terms.size === 0
      ? post
      : { ...post, author: users.get(post.author) ?? post.author, terms: replaceIds(post.terms, terms) };
  let batch: Post[] = [];
  for await (const post of staging.documents<Post>('posts')) {
    batch.push(inPlace(post));
    if (batch.length < BATCH) continue;
    await addPosts(store, batch);
    batch = [];
  }
  await addPosts(store, batch);
  await recountTerms(store);
}

/**
 * The last step of a load, once it is settled that it is made: what lies ready comes into force. May be done again when it is cut short.
 */
export async function settleLoad(store: Store, note: Underway & { staging: string }, place: SitePlace): Promise<void> {
  const staging = Staging.of(store, note.staging);
  const folder = stagedFolder(place.uploads, note.staging);
  const replaces = note.settled === 'replace';
  await settleFiles(folder, place.uploads, replaces);
  if (replaces) await settleFiles(folder, place.pristine, true);
  await (replaces ? staging.swapIn(PRISTINE) : addAll(store, staging));
  await forgetLoad(store, note, place);
}

/** Throws away what lies ready, and the note of it. */
export async function forgetLoad(store: Store, note: Underway & { staging: string }, place: SitePlace): Promise<void> {
  const folder = stagedFolder(place.uploads, note.staging);
  // Half a folder must never pass for all the files of a load.
  await rename(folder, `${folder}.done`).catch(() => undefined);
  await rm(`${folder}.done`, { recursive: true, force: true });
  await Staging.of(store, note.staging).drop();
  await store.workLog.end(note);
}

/**
 * Ends loads that a crash has cut short: those of which all lay ready are made, of others nothing is left. To be called at a start, before
 * anything else is looked at.
 * @returns what was found and what became of it, a sentence each
 */
export async function recoverLoads(store: Store, place: SitePlace): Promise<string[]> {
  const found: string[] = [];
  for (const note of stagedLoads(await store.workLog.unfinished())) {
    if (note.settled) {
      await settleLoad(store, note, place);
      found.push('A load was cut short when all of it was ready: it was brought to its end.');
    } else {
      await forgetLoad(store, note, place);
      found.push('A load was cut short: nothing of it is left.');
    }
  }
  return found;
}
