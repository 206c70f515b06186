import type { RestType } from '../../rest/posts/post-types.js';
import { autosaveSlug, currentAutosave } from '../../query/autosaves.js';
import type { Post } from '../../model.js';
import { insertRevision, updatePost } from '../../posts/post-save.js';
import { withDerivedColumns } from '../../posts/posts.js';
import { invalidPostId } from './post-permissions.js';
import { changedPost, sentOf, type PostWrite } from './post-write.js';
import { withoutUndefined } from '../../../base/values/records.js';

/*
 * Unsaved changes of an editor, stored separately from the post, once for each user, and shown by previews. WP: a user's own draft is saved
 * directly.
 */

/** WP: the fields of an autosave. */
const TEXTS = ['title', 'content', 'excerpt'] as const;

type Texts = Partial<Pick<Post, (typeof TEXTS)[number]>>;

/** WP: texts that differ only in white space are equal. */
const normalized = (text: string): string =>
  text
    .trim()
    .replace(/\r/g, '\n')
    .replace(/\n+/g, '\n')
    .replace(/[ \t]+/g, ' ');

const isDifferent = (texts: Texts, post: Post): boolean =>
  TEXTS.some((name) => texts[name] !== undefined && normalized(texts[name]) !== normalized(post[name]));

/** The steps of an update after storing the columns. WP: not for the user's own draft. */
const MORE = ['featured_media', 'format', 'meta', 'sticky', 'template'];

const columnsOf = (call: PostWrite): PostWrite => {
  const columns = Object.entries(call.params).filter(([name]) => !MORE.includes(name));
  return { ...call, params: Object.fromEntries(columns) as unknown as PostWrite['params'] };
};

/** WP: footnotes are the only meta of a revision. */
function footnotesOf({ meta: known }: RestType, { params: { meta } }: PostWrite): Post['meta'] | undefined {
  const value = 'footnotes' in known && meta !== null && typeof meta === 'object' && 'footnotes' in meta ? meta.footnotes : undefined;
  return typeof value === 'string' ? [{ key: 'footnotes', value }] : undefined;
}

/** Stores an autosave of a post. @returns the autosave, or the updated draft @throws RestError if WordPress rejects it */
export async function saveBeside(post: Post, type: RestType, call: PostWrite): Promise<Post> {
  const { site, request } = call;
  const user = request.user?._id ?? 0;
  if (post.author === user && ['draft', 'auto-draft'].includes(post.status)) {
    const change = await changedPost(post, type, columnsOf(call));
    const stored = await updatePost(site, post._id, 'keep', (current) => ({ ...change(current), terms: current.terms }));
    if (!stored) throw invalidPostId();
    return stored;
  }
  const { title, content, excerpt } = await sentOf(type, call, post);
  const texts: Texts = withoutUndefined({ title, content, excerpt });
  const meta = footnotesOf(type, call);
  const earlier = await currentAutosave(post, site, user);
  if (!earlier) return insertRevision(site, post, autosaveSlug(post._id), { author: user, ...texts, meta: meta ?? [] });
  if (!isDifferent(texts, post) && meta === undefined) return earlier;
  const dates = { date: site.nowLocal, dateGmt: site.nowUtc, modified: site.nowLocal, modifiedGmt: site.nowUtc };
  const stored = await site.store.changePost(earlier._id, (current) =>
    withDerivedColumns({ ...current, ...texts, ...(meta && { meta }), ...dates }, site.registry),
  );
  if (!stored) throw invalidPostId();
  return stored.after;
}
