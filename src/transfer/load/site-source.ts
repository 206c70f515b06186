import path from 'node:path';
import { ATTACHMENT, type Post } from '../../wordpress/model.js';
import type { Store } from '../../wordpress/store.js';
import { addedPlugins } from '../../plugins/register.js';
import { PLUGINS_OPTION } from '../../wordpress/quirks.js';
import { DECLARED_OPTION } from '../../wordpress/types/declared.js';
import { HOME_OPTION, storedClock, storedHome } from './options.js';
import { uploadAt } from '../../wordpress/media/files.js';
import { withoutDerived } from '../../wordpress/posts/posts.js';
import type { SourceItem, DatasetSource } from '../source.js';

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
