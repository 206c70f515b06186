import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { Staging, type StagedLoad, type SlugConflict } from '../../database/store/staging.js';
import { withLock } from '../../database/store/locks.js';
import { DatabaseCrashed } from '../../database/store/errors.js';
import type { Store } from '../../wordpress/store.js';
import { type DatasetSource, SourceProblems, type SourceItem } from '../source.js';
import { commitLoad, discardLoad } from './commit.js';
import { PRISTINE, requireSpace, stagedFolder } from './mirror.js';
import { registryAfter } from './registered.js';
import { Loader, type LoadOptions, type LoadResult, type StagedContent } from './loader.js';
import { PRIVATE } from '../../base/system/private-folder.js';
import { ANY_CASE } from '../../database/store/indexes.js';
import { sanitizeTitle, truncateSlug } from '../../wordpress/formatting/sanitize.js';
import { type Term, type User, ATTACHMENT, type Post } from '../../wordpress/model.js';
import { hasNestedSlugs, slugKeyOf, withoutDerived } from '../../wordpress/posts/posts.js';
import { declaredOption, DECLARED_OPTION } from '../../wordpress/types/declared.js';
import type { Registry } from '../../wordpress/types/registry.js';
import { branchSums } from '../../wordpress/terms/term-save.js';
import { deriveTerm } from '../../wordpress/terms/terms.js';
import { PAGE_SETTINGS, withSettings, type Settings } from '../settings/settings.js';
import { admitAdministrator, makeAdministrator, type Administrator } from './administrator.js';
import { userKey } from './inventory.js';
import { CLOCK_OPTION, HOME_OPTION, SOURCE_OPTION, storedClock, storedHome } from './options.js';
import { BATCH } from './post-batches.js';
import path from 'node:path';
import { addedPlugins } from '../../plugins/register.js';
import { PLUGINS_OPTION } from '../../wordpress/quirks.js';
import { uploadAt } from '../../wordpress/media/files.js';

/** Internal options, which are not exported. */
const OWN_OPTION = /^understudy_/;

const filesOf = ({ file, image }: Post): string[] => {
  if (file === undefined) return [];
  const folder = path.posix.dirname(file);
  const besides = [...Object.values(image?.sizes ?? {}).map((size) => size.file), ...(image?.original_image ? [image.original_image] : [])];
  return [...new Set([file, ...besides.map((name) => path.posix.join(folder, name))])];
};

async function* itemsOf(store: Store, uploads: string, batchSize = 1_000): AsyncGenerator<SourceItem> {
  const rows = await store.options.find({}).sort({ _id: 1 }).toArray();
  const kept = rows.filter(({ _id }) => _id !== HOME_OPTION && _id !== DECLARED_OPTION && !OWN_OPTION.test(_id));
  const plugins = addedPlugins(store.registry.plugins);
  const named = plugins.length > 0 ? { [PLUGINS_OPTION]: plugins } : {};
  yield { kind: 'options', options: { ...Object.fromEntries(kept.map(({ _id, value }) => [_id, value])), ...named } };
  for await (const user of store.users.find({}, { sort: { _id: 1 } })) yield { kind: 'user', user };
  for await (const term of store.terms.find({}, { sort: { _id: 1 } })) yield { kind: 'term', term };
  for await (const comment of store.comments.find({}, { sort: { _id: 1 } })) yield { kind: 'comment', comment };
  for await (const post of store.posts.find({}, { sort: { _id: 1 }, batchSize })) {
    yield { kind: 'post', post: withoutDerived(post, store.registry) };
    if (post.type !== ATTACHMENT) continue;
    for (const target of filesOf(post)) {
      const source = uploadAt(uploads, target);
      if (source !== null) yield { kind: 'file', file: { source, target, optional: true } };
    }
  }
}

/**
 * Wraps the content of a site as a source.
 * @param uploads folder of the media library
 */
export async function storeSource(store: Store, uploads: string): Promise<DatasetSource> {
  const [home, clock, users, terms, posts, lastPost, lastTerm] = await Promise.all([
    storedHome(store),
    storedClock(store),
    store.users.countDocuments({}),
    store.terms.countDocuments({}),
    store.posts.estimatedDocumentCount(),
    store.sequences.last('posts'),
    store.sequences.last('terms'),
  ]);
  return {
    name: 'the site',
    siteUrl: home ?? '',
    clock,
    keepsIds: true,
    plugins: addedPlugins(store.registry.plugins),
    declarations: store.registry.declarations,
    nextIds: { posts: lastPost + 1, terms: lastTerm + 1 },
    count: 1 + users + terms + posts,
    items: () => itemsOf(store, uploads),
  };
}

/** Most formats contain no passwords: a user without one keeps that of the user with the same login. */
async function withKnownPassword(user: User, store: Store): Promise<User> {
  if (user.passwordHash !== undefined || user.applicationPasswords.length > 0) return user;
  const before = await store.users.findOne({ login: user.login }, { collation: ANY_CASE });
  if (!before) return user;
  const { passwordHash, applicationPasswords } = before;
  return { ...user, ...(passwordHash === undefined ? {} : { passwordHash }), applicationPasswords };
}

/** Adds a user of the store, with another id if that is in use. */
function keepUser(users: Map<string, User>, user: User): void {
  if (users.has(userKey(user))) return;
  const ids = [...users.values()].map(({ _id }) => _id);
  users.set(userKey(user), { ...user, _id: ids.includes(user._id) ? Math.max(...ids) + 1 : user._id });
}

/**
 * Ensures that a site has an administrator: keeps the existing ones, or creates one. The password given is the first one's.
 * @param loaded the users of the new content
 */
async function withAdministrator(
  loaded: ReadonlyMap<string, User>,
  store: Store,
  { keepsAccounts = true, siteUrl, now, adminPassword }: LoadOptions,
): Promise<{ users: User[]; administrator: Administrator | null }> {
  const users = new Map(loaded);
  const administrators = (): User[] => [...users.values()].filter(({ role }) => role === 'administrator');
  if (keepsAccounts) {
    for (const [key, user] of loaded) users.set(key, await withKnownPassword(user, store));
    if (administrators().length === 0)
      for (const user of await store.users.find({ role: 'administrator' }).toArray()) keepUser(users, user);
  }
  const those = administrators();
  const ready =
    those.length === 0
      ? makeAdministrator([...users.values()], siteUrl, now, adminPassword)
      : adminPassword === undefined
        ? null
        : admitAdministrator(those, adminPassword, now);
  if (ready) users.set(userKey(ready.user), ready.user);
  return { users: [...users.values()], administrator: ready?.administrator ?? null };
}

function countedTerms({ terms, termUse }: StagedContent): Term[] {
  const counted = [...terms.values()].map((term) => deriveTerm({ ...term, count: (termUse.get(term._id) ?? 0) + (term.elsewhere ?? 0) }));
  const sums = branchSums(counted);
  return counted.map((term) => ({ ...term, branchCount: sums.get(term._id) ?? 0 }));
}

function optionDocuments(
  { options, clock, origin }: StagedContent,
  siteUrl: string,
  { declarations }: Registry,
): { _id: string; value: unknown }[] {
  const all = {
    ...options,
    ...declaredOption(declarations),
    [HOME_OPTION]: siteUrl,
    ...(clock === null ? {} : { [CLOCK_OPTION]: clock }),
    ...(origin === '' ? {} : { [SOURCE_OPTION]: origin }),
  };
  return Object.entries(all).map(([_id, value]) => ({ _id, value }));
}

const lastId = (documents: readonly { _id: number }[], least = 0): number =>
  documents.reduce((last, { _id }) => Math.max(last, _id), least);

/** Settings with the ids of pages, which may be named by slug or title. */
function withPageIds(settings: Settings, pages: ReadonlyMap<string, number>, problems: SourceProblems): Settings {
  const found = PAGE_SETTINGS.flatMap((name) => {
    const page = settings[name];
    if (typeof page !== 'string') return [];
    const id = pages.get(page) ?? pages.get(sanitizeTitle(page));
    if (id === undefined) problems.add(`the settings of the server: ${name}: there is no page with the slug ${JSON.stringify(page)}`);
    return [[name, id] as const];
  });
  return { ...settings, ...Object.fromEntries(found) };
}

/** Stages terms, users, comments, options and counters, which are known only at the end. */
async function stageRest(
  loaded: StagedContent,
  { store, registry, staging, problems }: { store: Store; registry: Registry; staging: Staging; problems: SourceProblems },
  given: LoadOptions,
): Promise<LoadResult> {
  const insert = async (collection: string, documents: readonly object[]): Promise<void> => {
    for (let start = 0; start < documents.length; start += BATCH.documents) {
      const rejected = await staging.insert(collection, documents.slice(start, start + BATCH.documents));
      for (const { message } of rejected) problems.add(`${collection}: ${message}`);
    }
  };
  const { nextIds, counts, clock, highest } = loaded;
  const { users, administrator } =
    given.mode === 'add' ? { users: [...loaded.users.values()], administrator: null } : await withAdministrator(loaded.users, store, given);
  const terms = countedTerms(loaded);
  const comments = [...loaded.comments.values()];
  await insert('terms', terms);
  await insert('users', users);
  await insert('comments', comments);
  if (given.mode === 'replace') {
    const settings = withPageIds(given.settings ?? {}, loaded.pages, problems);
    if (Object.keys(settings).length > 0) loaded.options = { ...withSettings(settings, loaded.options) };
    await insert('options', optionDocuments(loaded, given.siteUrl, registry));
    await insert('counters', [
      { _id: 'posts', value: Math.max(highest, nextIds.posts - 1) },
      { _id: 'terms', value: lastId(terms, nextIds.terms - 1) },
      { _id: 'comments', value: lastId(comments) },
      { _id: 'users', value: lastId(users) },
    ]);
  }
  return { ...counts, terms: terms.length, users: users.length, administrator, clock };
}

/** Finds another slug for a post whose slug is in use. WP: `-2`, `-3`, …. */
async function settleSlug(
  { type, slug, parent }: SlugConflict,
  isTaken: (slug: string) => Promise<boolean>,
  registry: Registry,
): Promise<object> {
  let free = slug;
  for (let n = 2; free === slug || (await isTaken(free)); n += 1) free = truncateSlug(slug, `-${n}`);
  return { slug: free, slugKey: slugKeyOf({ type, status: 'publish', slug: free, parent }, hasNestedSlugs(type, registry)) };
}

export { PRISTINE } from './mirror.js';
export type { LoadMode, LoadOptions, LoadResult } from './loader.js';

async function loadStaged(store: Store, sources: readonly DatasetSource[], options: LoadOptions): Promise<LoadResult> {
  const registry = registryAfter(sources, options.mode, options.registry ?? store.registry);
  const { mode, forOnce = false, place, signal, onProgress, alone = (work) => work() } = options;
  const snapshot = mode === 'add' || forOnce ? {} : { snapshot: PRISTINE };
  const note: StagedLoad = await store.workLog.begin({ staging: randomUUID(), ...snapshot });
  const problems = new SourceProblems();
  const folder = stagedFolder(place, note.staging);
  const staging = new Staging(store, note.staging);
  const load = new Loader(store, registry, staging, problems, folder, options);
  try {
    const { crashes } = store;
    await staging.create();
    await mkdir(folder, PRIVATE);
    if (store.isInFolder) requireSpace(place);
    for (const [index, source] of sources.entries()) await load.stageSource(source, index === 0);
    problems.throwIfAny();
    const result = await stageRest(load.loaded, { store, registry, staging, problems }, options);
    problems.throwIfAny();
    if (mode === 'replace') onProgress?.('Indexing', result.posts);
    const settled = mode === 'add' ? mode : await staging.finish(note.snapshot, (post, isTaken) => settleSlug(post, isTaken, registry));
    signal?.throwIfAborted();
    // Staging does not wait for the journal.
    if (store.crashes !== crashes) throw new DatabaseCrashed();
    // Recorded once this and all previous writes are in the journal of the database.
    const commit = async (): Promise<void> => {
      await store.workLog.complete(note, settled, () => commitLoad(store, { ...note, settled }, place));
      store.register(registry);
    };
    await store.workLog.alone('replace', () => alone(commit));
    return result;
  } catch (error) {
    await load.posts.settle();
    // Unknown without a database: the next recovery finds out.
    if (await store.workLog.isSettled(note).catch(() => true)) await store.workLog.abandon(note);
    else await discardLoad(store, note, place);
    throw error;
  }
}

/**
 * Loads content into a store, atomically: either all sources or nothing. All problems of the sources are reported together. If `signal` or a
 * crash interrupts the load, the old content is kept; after a crash, `recoverWork` cleans up at the next start. Once everything is staged, a
 * crash leads to the new content.
 *
 * With `add`, ids that are in use are replaced, existing users (by login) and terms (by taxonomy and slug) are reused, slugs are made unique,
 * and references are updated. References to documents that are not part of the source are dropped.
 * @throws DatasetError with all problems
 */
export const loadSources = (store: Store, sources: readonly DatasetSource[], options: LoadOptions): Promise<LoadResult> =>
  withLock(store, 'load', () => loadStaged(store, sources, options));

export const loadSource = (store: Store, source: DatasetSource, options: LoadOptions): Promise<LoadResult> =>
  loadSources(store, [source], options);
