import { pageSize } from '../../model/options.js';
import { attachmentFor } from '../image-param.js';
import { LINKED_MESSAGES } from '../messages.js';
import { LINKED, writeLinks, type LinkedKind } from '../../model/linked.js';
import { canEdit, canRead, canWithPosts } from '../../../../wordpress/users/capabilities.js';
import type { Post } from '../../../../wordpress/model.js';
import { EVENT } from '../../model/index.js';
import { insertPost, trashPost, updatePost } from '../../../../wordpress/posts/post-save.js';
import { withDerivedColumns, equalityKey, listPosts } from '../../../../wordpress/posts/posts.js';
import { withLock } from '../../../../database/store/locks.js';
import { invalidParam } from '../../../../wordpress/rest/error.js';
import { optionalArgs, withParams } from '../../../../wordpress/rest/params.js';
import { changedLinked, newLinked, repeatedMeta, textOf, type LinkedData } from './changes.js';
import type { PostResource } from '../resource.js';
import type { Args, CallContext } from '../../../../wordpress/rest/route.js';

/**
 * An existing item that a creation would repeat. TEC: same title, and same description if one is sent, in any
 * status but the trash; the text is compared as sent, before any cleaning.
 */
async function findDuplicate(kind: LinkedKind, data: LinkedData, { site }: CallContext): Promise<Post | null> {
  const description = textOf(data.description) ?? '';
  const title = textOf(data[kind]) ?? '';
  const candidates = await site.store.posts
    .find({ type: LINKED[kind].type, titleKey: equalityKey(title), status: { $ne: 'trash' } })
    .sort({ _id: 1 })
    .toArray();
  return candidates.find(({ content }) => description === '' || equalityKey(content) === equalityKey(description)) ?? null;
}

/** Creates a venue or organizer, or overwrites the sent fields of an existing one (TEC). */
export async function createLinked(kind: LinkedKind, data: LinkedData, context: CallContext): Promise<Post> {
  const image = await attachmentFor(data.image, context);
  return withLock(context.site.store, kind, () => createOrTake(kind, data, image, context));
}

async function createOrTake(kind: LinkedKind, data: LinkedData, image: number | null, context: CallContext): Promise<Post> {
  const { site, request } = context;
  const found = await findDuplicate(kind, data, context);
  const overwrites = site.quirks.has('duplicates-overwrite-others');
  // A post that the caller may not read counts as missing, so that its id does not reveal it.
  const duplicate = found && (overwrites || canRead(request.user, found, site.registry)) ? found : null;
  if (duplicate && !overwrites && !canEdit(request.user, duplicate, site.registry)) return duplicate;
  if (duplicate) {
    // TEC: only the meta is written; the post itself, its dates included, stays as it is.
    const changed = await site.store.changePost(duplicate._id, (current) =>
      withDerivedColumns({ ...current, meta: repeatedMeta(kind, current, data, image, context) }, site.registry),
    );
    if (changed) return changed.after;
  }
  return insertPost(site, LINKED[kind].type, newLinked(kind, data, image, context));
}

/**
 * Unlinks a trashed venue or organizer from events. TEC: only from the first page of upcoming events that are published, or private and
 * readable. An event loses all of its organizers with one of them.
 */
async function unlink(kind: LinkedKind, id: number, { site, request }: CallContext): Promise<void> {
  const { column } = LINKED[kind];
  const statuses = ['publish', ...(canWithPosts(request.user, 'read_private') ? ['private'] : [])];
  const events = await listPosts(site.store, {
    type: EVENT,
    statuses,
    [column]: [id],
    dates: [{ column: 'end', operator: '$gte', value: site.nowLocal }],
    sort: 'start',
    limit: pageSize(site.options),
    offset: 0,
  });
  for (const event of events) {
    await site.store.changePost(event._id, (current) => ({ ...current, meta: writeLinks(current.meta, kind, []), [column]: [] }));
  }
}

/** The three writes of a kind. @param fields its writable fields */
export function linkedWrites(kind: LinkedKind, fields: Args): Pick<PostResource, 'create' | 'update' | 'trash'> {
  return {
    create: withParams(fields, async (call) => ({ post: await createLinked(kind, call.params, call), status: 201 })),
    update: withParams(optionalArgs(fields), async (call, { post, id }) => {
      if (!post) throw invalidParam('slug');
      const image = await attachmentFor(call.params.image, call);
      const stored = await updatePost(call.site, id, 'keep', (current) => changedLinked(kind, current, call.params, image, call));
      if (!stored) throw LINKED_MESSAGES[kind].couldNotUpdate();
      return stored;
    }),
    trash: async (context, { post, id }) => {
      if (!post) throw invalidParam('slug');
      if (post.status === 'trash') throw LINKED_MESSAGES[kind].alreadyTrashed();
      const trashed = await trashPost(context.site, id, context.request.user);
      if (!trashed) throw invalidParam('id');
      await unlink(kind, id, context);
      return trashed;
    },
  };
}
