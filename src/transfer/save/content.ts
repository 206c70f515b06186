import type { Snapshots } from '../../database/store/snapshots.js';
import type { Comment, Post, Term, User } from '../../wordpress/model.js';
import { withoutDerived } from '../../wordpress/posts/posts.js';
import type { Store } from '../../wordpress/store.js';
import { collect, type SourceContent } from '../formats/collect.js';
import { storeSource } from '../load/load.js';
import type { DatasetSource, SourceItem } from '../source.js';

const sourceFrom = (source: DatasetSource, { options, users, terms, posts, comments, files }: SourceContent): DatasetSource => ({
  ...source,
  async *items(): AsyncGenerator<SourceItem> {
    yield { kind: 'options', options };
    for (const user of users) yield { kind: 'user', user };
    for (const term of terms) yield { kind: 'term', term };
    for (const comment of comments) yield { kind: 'comment', comment };
    for (const post of posts) yield { kind: 'post', post };
    for (const file of files) yield { kind: 'file', file };
  },
});

/**
 * The content of a site as it was in a snapshot, and as it is.
 * @param uploads folder of the media library
 */
export async function contentSources(
  store: Store,
  uploads: string,
  snapshots: Snapshots,
  snapshot: string,
): Promise<{ before: DatasetSource; after: DatasetSource }> {
  const source = await storeSource(store, uploads);
  const now = await collect(source);
  /** The documents of a collection in the snapshot. */
  const earlier = async <Item extends { _id: number }>(collection: string, current: readonly Item[]): Promise<Item[]> => {
    const { strays, missing } = await store.snapshots.compare(snapshot, collection, snapshots);
    const ids = [...new Set([...strays, ...missing])];
    const differing = new Set<unknown>(ids);
    const kept = (await snapshots.documentsOf(snapshot, collection, ids)) as unknown as Item[];
    return [...current.filter(({ _id }) => !differing.has(_id)), ...kept].sort((a, b) => a._id - b._id);
  };
  const [users, terms, posts, comments] = await Promise.all([
    earlier<User>('users', now.users),
    earlier<Term>('terms', now.terms),
    earlier<Post>('posts', now.posts),
    earlier<Comment>('comments', now.comments),
  ]);
  const ids = await store.snapshots.compare(snapshot, 'options', snapshots);
  const changed = [...new Set([...ids.strays, ...ids.missing])].map(String);
  const rows = (await snapshots.documentsOf(snapshot, 'options', changed)) as unknown as { _id: string; value: unknown }[];
  const options = {
    ...Object.fromEntries(Object.entries(now.options).filter(([name]) => !changed.includes(name))),
    ...Object.fromEntries(rows.map(({ _id, value }) => [_id, value])),
  };
  const was = { ...now, options, users, terms, posts: posts.map((post) => withoutDerived(post, store.registry)), comments };
  return { before: sourceFrom(source, was), after: sourceFrom(source, now) };
}
