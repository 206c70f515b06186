import { REVISION, type Comment, type Post, type Term } from '../../wordpress/model.js';
import { autosaveSlug } from '../../wordpress/query/autosaves.js';
import { withPatterns, withReferences } from '../references.js';
import type { SourceItem } from '../source.js';
import type { FileNames } from './file-names.js';
import type { PostId } from './inventory.js';
import type { NewIds } from './new-ids.js';

/** Maps the items of a source to the items of the site. */
export interface Mapping {
  /** The item with its ids on the site; null if it exists already. */
  item(item: SourceItem): SourceItem | null;
  postId: PostId;
}

/** Keeps all items unchanged, for an empty site. */
export const KEEP: Mapping = { item: (item) => item, postId: (id) => id };

/**
 * Gives the items of a source their ids and file names on the site, and updates references.
 * @param elsewhere new ids of the posts of an earlier source of the same site
 */
export function mappingTo({ users, terms, posts, comments, fallbackAuthor }: NewIds, files: FileNames, elsewhere: PostId): Mapping {
  const postId: PostId = (id) => posts.ids.get(id);
  const reference: PostId = (id) => postId(id) ?? elsewhere(id);
  const termId = (id: number): number | undefined => terms.ids.get(id);

  function mapTerm(term: Term): Term {
    const _id = termId(term._id) ?? term._id;
    return { ...term, _id, termTaxonomyId: _id, parent: termId(term.parent) ?? 0 };
  }

  function mapPost(post: Post): Post {
    const parent = reference(post.parent) ?? 0;
    const ofTaxonomies = Object.entries(post.terms).map(([taxonomy, ids]) => [taxonomy, ids.flatMap((id) => termId(id) ?? [])] as const);
    return files.rename({
      ...post,
      ...(post.type === REVISION ? { slug: autosaveSlug(parent) } : {}),
      content: withPatterns(post.content, reference),
      _id: postId(post._id) ?? post._id,
      author: users.ids.get(post.author) ?? fallbackAuthor,
      parent,
      meta: withReferences(post.meta, reference, termId),
      terms: Object.fromEntries(ofTaxonomies),
    });
  }

  const mapComment = (comment: Comment): Comment => ({
    ...comment,
    _id: comments.ids.get(comment._id) ?? comment._id,
    post: reference(comment.post) ?? 0,
    parent: comments.ids.get(comment.parent) ?? 0,
    author: users.ids.get(comment.author) ?? 0,
  });

  function mapItem(item: SourceItem): SourceItem | null {
    if (item.kind === 'options') return item;
    if (item.kind === 'file') return { ...item, file: { ...item.file, target: files.of(item.file.target) } };
    if (item.kind === 'comment') return { ...item, comment: mapComment(item.comment) };
    if (item.kind === 'post') return posts.existing.has(item.post._id) ? null : { ...item, post: mapPost(item.post) };
    if (item.kind === 'term') return terms.existing.has(item.term._id) ? null : { ...item, term: mapTerm(item.term) };
    const { _id } = item.user;
    return users.existing.has(_id) ? null : { ...item, user: { ...item.user, _id: users.ids.get(_id) ?? _id } };
  }

  return { item: mapItem, postId };
}
