import {
  askLoaded,
  askNothing,
  namedAttachments,
  namedPatterns,
  NO_REFERENCES,
  questionKey,
  showsLibrary,
  type Ask,
  type Questions,
  type References,
  type SiteFacts,
} from '../formatting/references.js';
import { Counters } from '../formatting/block-parts/counters.js';
import { asksQuestions } from '../formatting/blocks.js';
import { filterContent, excerptOf } from '../formatting/content.js';
import { archiveUrl, authorUrl, avatarUrl, datesUrl } from '../links.js';
import { attachmentUrl } from '../media/attachments.js';
import { ATTACHMENT, BLOCK, metaValue, thumbnailOf, CATEGORY, type Post, type Term, type User } from '../model.js';
import { firstRows } from '../query/bounded-queue.js';
import { APPROVED } from '../query/comments.js';
import { classesOfPost } from './post-classes.js';
import { permalink } from './permalinks.js';
import { countPosts, findPosts, listPosts } from './posts.js';
import { readOptions, type Options } from '../options.js';
import type { Registry } from '../types/registry.js';
import type { Site } from '../site.js';
import type { Store } from '../store.js';
import { termUrl, findTerms, listTerms, withAncestors, slugPath } from '../terms/terms.js';
import { isoWithOffset } from '../timezones.js';

/** Content that the texts of some posts refer to. */
export interface LoadedReferences {
  /** Attachments and patterns by id, and what they are attached to. */
  posts: ReadonlyMap<number, Post>;
  /** Ids of attachments by what they are attached to. */
  attached: ReadonlyMap<number, readonly number[]>;
  /** Answers to the questions of blocks, by `questionKey`. */
  answers: ReadonlyMap<string, unknown>;
}

export const NO_LOADED_REFERENCES: LoadedReferences = { posts: new Map(), attached: new Map(), answers: new Map() };

const PUBLISHED = 'publish';

/** WP: in the order of the menu, then as they were uploaded. */
async function attachedIds(store: Store, parent: number): Promise<number[]> {
  const filter = { type: ATTACHMENT, parent, status: { $ne: 'trash' } };
  const find = (): Promise<Pick<Post, '_id'>[]> =>
    store.posts.find(filter, { sort: { menuOrder: 1, _id: 1 }, projection: { _id: 1 } }).toArray();
  return (await store.cache.remember(`attached ${parent}`, find, 'posts')).map(({ _id }) => _id);
}

const known = async (store: Store, terms: Term[]): Promise<Questions['terms']['get']> => ({
  terms,
  known: await withAncestors(store, terms),
});

type Loaders = { readonly [Kind in keyof Questions]: (store: Store, question: Questions[Kind]['ask']) => Promise<Questions[Kind]['get']> };

/** The most posts whose order is found as a database does. */
const MOST_TOLD = 200;

const LOADERS: Loaders = {
  posts: async (store, query) => {
    const total = await countPosts(store, query);
    const { sort, limit, offset } = query;
    // Posts of one second are in the order in which a database happens to find them; with many posts it takes too long to tell.
    if (typeof sort === 'string' || sort.by !== 'date' || !sort.descending || total > MOST_TOLD)
      return { posts: await listPosts(store, query), total };
    const rows = await listPosts(store, { ...query, sort: { by: 'date', descending: false }, limit: total, offset: 0 });
    const inOrder = rows.toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : a._id - b._id));
    const first = firstRows(inOrder, offset + limit, (a, b) => (a.date < b.date ? 1 : a.date > b.date ? -1 : 0));
    return { posts: first.slice(offset), total };
  },
  terms: async (store, query) => known(store, await listTerms(store, query)),
  termIds: async (store, ids) => known(store, await findTerms(store, [...ids])),
  post: async (store, id) => (await findPosts(store, [id])).at(0) ?? null,
  user: (store, id) => store.users.findOne({ _id: id }),
  comments: async (store, count) => {
    if (count === 0) return [];
    const comments = await store.comments
      .find({ approved: APPROVED, type: 'comment' }, { sort: { dateGmt: -1, _id: -1 }, limit: count })
      .toArray();
    const posts = new Map(
      (
        await findPosts(
          store,
          comments.map(({ post }) => post),
        )
      ).map((post) => [post._id, post]),
    );
    return comments.flatMap((comment) => {
      const post = posts.get(comment.post);
      return post?.status === PUBLISHED ? [{ comment, post }] : [];
    });
  },
  commentCount: (store, post) => store.comments.countDocuments({ post, approved: APPROVED }),
  branches: async (store, ids) => {
    const found = await findTerms(store, [...ids]);
    const [taxonomy = ''] = found.map((term) => term.taxonomy);
    const filter = { [`terms.${taxonomy}`]: { $in: [...ids] }, status: PUBLISHED };
    const parents = new Map(found.map(({ _id, parent }) => [_id, parent]));
    return store.cache.remember(
      `branches ${found.map(({ _id, parent }) => `${_id}/${parent}`).join()}`,
      async () => {
        const counts = new Map<number, number>();
        for (const { terms } of await store.posts.find(filter, { projection: { terms: 1 } }).toArray()) {
          const branch = new Set<number>();
          for (const term of terms[taxonomy] ?? [])
            for (let id = term; id > 0 && !branch.has(id); id = parents.get(id) ?? 0) branch.add(id);
          for (const id of branch) counts.set(id, (counts.get(id) ?? 0) + 1);
        }
        return counts;
      },
      'posts',
    );
  },
  dates: async (store, type) => {
    const filter = { type, status: PUBLISHED };
    const find = (): Promise<Pick<Post, 'date'>[]> =>
      store.posts.find(filter, { sort: { date: -1, _id: -1 }, projection: { date: 1 } }).toArray();
    return store.cache.remember(`dates ${type}`, async () => (await find()).map(({ date }) => date), 'posts');
  },
};

/** Rounds of questions: what one round found may lead to more. */
const MOST_ROUNDS = 6;

/** Answers what renderers ask for. They are called again until they ask nothing new. */
async function answersTo(store: Store, render: (ask: Ask) => void): Promise<Map<string, unknown>> {
  const answers = new Map<string, unknown>();
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const open = new Map<string, () => Promise<unknown>>();
    render((kind, question) => {
      const key = questionKey(kind, question);
      const load = LOADERS[kind] as (store: Store, question: unknown) => Promise<unknown>;
      if (!answers.has(key)) open.set(key, () => load(store, question));
      return askLoaded(answers)(kind, question);
    });
    if (open.size === 0) break;
    await Promise.all([...open].map(async ([key, load]) => answers.set(key, await load())));
  }
  return answers;
}

type Texts = Pick<Post, '_id' | 'content' | 'excerpt'>;

/** Loads what the texts of some posts refer to; reads nothing where they refer to nothing. */
export async function loadReferences(store: Store, posts: readonly (Texts | Post)[]): Promise<LoadedReferences> {
  const own = posts.flatMap(({ content, excerpt }) => [content, excerpt]);
  const patterns = await patternsIn(store, own);
  const texts = [...own, ...[...patterns.values()].map(({ content }) => content)];
  const named = texts.flatMap(namedAttachments);
  // TEC: the texts of its API belong to no post, and show what is attached to none.
  const parents = texts.some(showsLibrary) ? [0, ...posts.map(({ _id }) => _id)] : [];
  const asking = posts.filter(
    ({ content }) => asksQuestions(content) || [...patterns.values()].some((pattern) => asksQuestions(pattern.content)),
  );
  if (own.every((text) => namedPatterns(text).length === 0) && named.length === 0 && parents.length === 0 && asking.length === 0)
    return NO_LOADED_REFERENCES;
  const lists = await Promise.all(parents.map(async (parent) => [parent, await attachedIds(store, parent)] as const));
  const attachments = await findPosts(store, [...new Set([...named, ...lists.flatMap(([, ids]) => ids)])]);
  const owners = await findPosts(
    store,
    [...new Set(attachments.map(({ parent }) => parent))].filter((id) => id > 0),
  );
  const loaded = new Map([...patterns.values(), ...owners, ...attachments].map((post) => [post._id, post]));
  return { posts: loaded, attached: new Map(lists), answers: asking.length > 0 ? await answersFor(store, asking, loaded) : new Map() };
}

/** Answers the questions of texts, which are rendered for them. */
async function answersFor(store: Store, texts: readonly (Texts | Post)[], posts: ReadonlyMap<number, Post>): Promise<Map<string, unknown>> {
  const { registry } = store;
  const rows = await store.allOptions();
  const options = readOptions(Object.fromEntries(rows.map(({ _id, value }) => [_id, value])), registry.optionReaders);
  const common = { ...NO_REFERENCES, theme: options.theme, blocks: registry.blocks, site: dryFacts(registry, options) };
  return answersTo(store, (ask) => {
    const counted = { ...common, counters: NO_REFERENCES.counters };
    for (const text of texts)
      filterContent(text.content, { references: { ...counted, ...lookups(posts, ask), ask, post: 'type' in text ? text : undefined } });
  });
}

/** The patterns that texts show, and those that these show. */
async function patternsIn(store: Store, texts: readonly string[]): Promise<Map<number, Post>> {
  const found = new Map<number, Post>();
  const seen = new Set<number>();
  for (let next = texts.flatMap(namedPatterns); next.length > 0;) {
    const ids = [...new Set(next)].filter((id) => !seen.has(id));
    for (const id of ids) seen.add(id);
    const read = ids.length === 0 ? [] : (await findPosts(store, ids)).filter(({ type }) => type === BLOCK);
    for (const post of read) found.set(post._id, post);
    next = read.flatMap(({ content }) => namedPatterns(content));
  }
  return found;
}

/** Attachments and patterns by id: those that were named, and others on demand. */
function lookups(posts: ReadonlyMap<number, Post>, ask: Ask): Pick<References, 'attachment' | 'pattern'> {
  return {
    attachment: (id) => {
      const post = posts.get(id) ?? (id > 0 ? ask('post', id) : null);
      return post?.type === ATTACHMENT ? post : undefined;
    },
    pattern: (id) => {
      const post = posts.get(id);
      return post?.type === BLOCK && post.status === PUBLISHED && post.password === '' ? post : undefined;
    },
  };
}

/** The references of texts as renderers ask for them. */
export function referencesOf({ posts, attached, answers }: LoadedReferences, site: Site): References {
  const ask = answers.size === 0 ? askNothing : askLoaded(answers);
  const found = lookups(posts, ask);
  const parentOf = (post: Post): Post | undefined => posts.get(post.parent) ?? ask('post', post.parent) ?? undefined;
  return {
    counters: new Counters(),
    request: NO_REFERENCES.request,
    post: undefined,
    quirks: site.quirks,
    release: site.wordpressRelease,
    theme: site.options.theme,
    uploadsUrl: site.uploadsUrl,
    blocks: site.registry.blocks,
    ...found,
    attachedTo: (id) => (attached.get(id) ?? []).flatMap((child) => found.attachment(child) ?? []),
    ask,
    linkTo: (post) =>
      post.type === ATTACHMENT ? attachmentUrl(post, parentOf(post), site, posts) : permalink(post, site, false, knownPages(post, ask)),
    site: factsOf(site),
  };
}

/** The pages above a page, for its address. */
function knownPages(post: Post, ask: Ask): Map<number, Post> {
  const pages = new Map<number, Post>();
  for (let id = post.parent; id > 0 && !pages.has(id);) {
    const parent = ask('post', id);
    if (!parent) break;
    pages.set(id, parent);
    id = parent.parent;
  }
  return pages;
}

type RegistryFacts = Pick<SiteFacts, 'classesOf' | 'taxonomy' | 'taxonomiesOf'>;

const registryFacts = (registry: Registry): RegistryFacts => ({
  classesOf: (post, terms) =>
    classesOfPost(post, registry, thumbnailOf(post) > 0, (name) => terms.filter(({ taxonomy }) => taxonomy === name)),
  taxonomy: (name) => {
    const taxonomy = registry.findTaxonomy(name);
    return taxonomy ? { label: taxonomy.label, singular: taxonomy.singular, isHierarchical: taxonomy.hierarchical } : null;
  },
  taxonomiesOf: (type) => registry.findPostType(type)?.taxonomies ?? [],
});

const noText = (): string => '';

/** The facts for a text that is rendered for its questions only: no question depends on the others. */
const dryFacts = (registry: Registry, options: Options): SiteFacts => ({
  url: '',
  coreUrl: '',
  options,
  today: () => '1970-01-01',
  now: () => '1970-01-01 00:00:00',
  iso: noText,
  authorUrl: noText,
  termUrl: noText,
  datesUrl: noText,
  archive: () => null,
  avatarUrl: noText,
  ...registryFacts(registry),
  meta: () => undefined,
  excerpt: noText,
  content: noText,
});

const facts = new WeakMap<Site, SiteFacts>();

function factsOf(site: Site): SiteFacts {
  const made = facts.get(site);
  if (made) return made;
  const { registry } = site;
  const textsOf = (post: Post): References => ({ ...referencesOf(NO_LOADED_REFERENCES, site), post });
  const all: SiteFacts = {
    get url() {
      return site.url;
    },
    get coreUrl() {
      return site.coreUrl;
    },
    get options() {
      return site.options;
    },
    today: () => site.today,
    now: () => site.nowUtc,
    iso: (local) => isoWithOffset(site.zones, local, site.options.timezone),
    authorUrl: (user) => authorUrl(site, user),
    termUrl: (term, terms) => termUrl(term, terms, site),
    datesUrl: (date) => datesUrl(date, site),
    archive: (name) => {
      const type = registry.findPostType(name);
      return type?.archive ? { url: archiveUrl(site, type), label: type.label } : null;
    },
    avatarUrl,
    ...registryFacts(registry),
    meta: (post, key) => (key === 'footnotes' || !key.startsWith('_') ? metaValue(post, key) : undefined),
    excerpt: (post, words) => post.excerpt || excerptOf(post.content, words, { siteUrl: site.url, references: textsOf(post) }),
    content: (post, references) =>
      filterContent(post.content, { siteUrl: site.url, postId: post._id, references: { ...references, post } }),
  };
  facts.set(site, all);
  return all;
}

/** Reads the categories and authors that addresses of blog posts name, if they do (`%category%`, `%author%`). */
export async function readNamed({ options: { rewrite }, store }: Site): Promise<void> {
  if (!rewrite.namesOthers) return;
  const categories = async (): Promise<Map<number, string>> => {
    const terms = new Map((await store.terms.find({ taxonomy: CATEGORY }).toArray()).map((term: Term) => [term._id, term]));
    return new Map([...terms].map(([id, term]) => [id, slugPath(term, terms).join('/')]));
  };
  const authors = async (): Promise<Map<number, string>> =>
    new Map((await store.users.find({}).toArray()).map(({ _id, nicename }: User) => [_id, nicename]));
  rewrite.named = {
    categories: await store.cache.remember('paths of categories', categories, 'terms'),
    authors: await store.cache.remember('names of authors', authors, 'users'),
  };
}
