import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { lookup } from '../base/values/records.js';
import type { Post, Term } from '../wordpress/model.js';
import type { SourceFile, SourceItem, DatasetSource } from './source.js';
import { withReferences } from './references.js';
import { kindOfPost } from './writing.js';

/** An item of content, to be compared with another version of it. */
interface Entry {
  /** Its kind in messages: `event`. */
  noun: string;
  /** Its name in messages. */
  label: string;
  digest: string;
}

/** The items of a source by key. Ids are not used: assigned ones shift when an item is added before. */
export type ContentDigest = ReadonlyMap<string, Entry>;

const digestOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('base64');

const postKey = ({ type, slug, title }: Post): string => `${type} ${slug || title}`;
const termKey = ({ taxonomy, slug }: Term): string => `${taxonomy} ${slug}`;

/** The keys of referenced items, by id. */
interface ImportNames {
  users: Map<number, string>;
  terms: Map<number, string>;
  posts: Map<number, string>;
}

async function namesIn(source: DatasetSource): Promise<ImportNames> {
  const names: ImportNames = { users: new Map(), terms: new Map(), posts: new Map() };
  for await (const item of source.items(() => undefined)) {
    if (item.kind === 'user') names.users.set(item.user._id, item.user.login);
    if (item.kind === 'term') names.terms.set(item.term._id, termKey(item.term));
    if (item.kind === 'post') names.posts.set(item.post._id, postKey(item.post));
  }
  return names;
}

function postDigest(post: Post, names: ImportNames): string {
  const { _id, author, parent, terms, meta, ...rest } = post;
  return digestOf({
    ...rest,
    author: names.users.get(author) ?? author,
    parent: names.posts.get(parent) ?? parent,
    terms: Object.entries(terms).map(([taxonomy, ids]) => [taxonomy, ids.map((id) => names.terms.get(id) ?? id)]),
    meta: withReferences(
      meta,
      (id) => names.posts.get(id) ?? id,
      (id) => names.terms.get(id) ?? id,
    ),
  });
}

const termDigest = ({ _id, termTaxonomyId: _taxonomyId, parent, ...rest }: Term, names: ImportNames): string =>
  digestOf({ ...rest, parent: names.terms.get(parent) ?? parent });

const fileDigest = async ({ data, source }: SourceFile): Promise<string> =>
  createHash('sha256')
    .update(data ?? (await readFile(source).catch(() => '')))
    .digest('base64');

async function entryOf(item: SourceItem, names: ImportNames): Promise<[key: string, entry: Entry]> {
  switch (item.kind) {
    case 'options':
      return ['options', { noun: 'site', label: '', digest: digestOf(item.options) }];
    case 'user': {
      // Hashes of the same password differ.
      const { _id, passwordHash: _hash, applicationPasswords: _passwords, ...user } = item.user;
      return [`user ${user.login}`, { noun: 'user', label: user.login, digest: digestOf(user) }];
    }
    case 'term':
      return [`term ${termKey(item.term)}`, { noun: 'term', label: item.term.name, digest: termDigest(item.term, names) }];
    case 'post':
      return [`post ${postKey(item.post)}`, { noun: kindOfPost(item.post), label: item.post.title, digest: postDigest(item.post, names) }];
    case 'comment':
      return [`comment ${item.comment._id}`, { noun: 'comment', label: item.comment.content.slice(0, 40), digest: digestOf(item.comment) }];
    case 'file':
      return [`file ${item.file.target}`, { noun: 'file', label: item.file.target, digest: await fileDigest(item.file) }];
  }
}

/** Reads a source, and describes each of its items. @throws the errors of `items`, and the first problem */
export async function digestContent(source: DatasetSource): Promise<ContentDigest> {
  const names = await namesIn(source);
  const found = new Map<string, Entry>();
  for await (const item of source.items(() => undefined)) found.set(...(await entryOf(item, names)));
  return found;
}

const IRREGULAR: Readonly<Record<string, string>> = lookup({ medium: 'media' });

/** `3 events added`, or `event "Flea market" added`. */
function phrase(entries: readonly Entry[], verb: string): string {
  const [{ noun, label }] = entries;
  if (entries.length > 1) return `${entries.length} ${IRREGULAR[noun] ?? `${noun}s`} ${verb}`;
  return `${noun}${label === '' ? '' : ` ${JSON.stringify(label)}`} ${verb}`;
}

/** Describes what differs between two versions of a dataset: `2 events added, venue "Town Hall" removed`; '' if nothing does. */
export function describeChanges(before: ContentDigest, after: ContentDigest): string {
  const changes: [verb: string, entries: Entry[]][] = [
    ['added', [...after].flatMap(([key, entry]) => (before.has(key) ? [] : [entry]))],
    ['changed', [...after].flatMap(([key, entry]) => ([undefined, entry.digest].includes(before.get(key)?.digest) ? [] : [entry]))],
    ['removed', [...before].flatMap(([key, entry]) => (after.has(key) ? [] : [entry]))],
  ];
  const nouns = [...new Set(changes.flatMap(([, entries]) => entries.map(({ noun }) => noun)))];
  const phrases = nouns.flatMap((noun) =>
    changes.flatMap(([verb, entries]) => {
      const own = entries.filter((entry) => entry.noun === noun);
      return own.length === 0 ? [] : [phrase(own, verb)];
    }),
  );
  return phrases.join(', ');
}
