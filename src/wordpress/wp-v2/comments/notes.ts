import { metaValue, NOTE, isNoteStatus, type Comment, type MetaRow, type NoteStatus, type Post, type User } from '../../model.js';
import { RestError } from '../../rest/error.js';
import { refusal } from '../../rest/permissions.js';
import { writeMeta } from '../../rest/posts/post-meta.js';
import type { CallContext, Param } from '../../rest/route.js';
import type { Site } from '../../site.js';
import { hasNotes } from '../../types/registry.js';
import { canEdit } from '../../users/capabilities.js';
import { COMMENT_META } from './comment-args.js';

/*
 * WP 6.9: notes are comments for the editors of a post. Users who may edit the post read and write them, moderators or not.
 */

/** Whether a type is notes. @param type of a stored comment, or as it is sent */
export const isNoteType = (type: Param, { quirks }: Site): boolean => type === NOTE && !quirks.has('no-notes');

export const isNote = ({ type }: Pick<Comment, 'type'>, site: Site): boolean => isNoteType(type, site);

const STATUS_KEY = '_wp_note_status';

const notOnType = (): RestError =>
  new RestError('rest_comment_not_supported_post_type', 'Sorry, this post type does not support notes.', 403);

/** Whether notes can be on a post of this type. */
export const notesRefusal = ({ type }: Post, { quirks, registry }: Site): RestError | null =>
  hasNotes(registry.findPostType(type), quirks) ? null : notOnType();

/** Why a user may not create notes on a post. @param post undefined: there is none */
export const noteRefusal = (user: User | null, post: Post | undefined, { registry }: Site): RestError | null =>
  post && canEdit(user, post, registry)
    ? null
    : refusal(user, 'rest_cannot_create_note', 'Sorry, you are not allowed to create notes for this post.');

/** The status that a request sends for a new note; undefined if it is none. */
export function sentNoteStatus({ request }: CallContext): NoteStatus | undefined {
  const meta = request.get('meta');
  const status = meta !== null && typeof meta === 'object' && !Array.isArray(meta) ? meta[STATUS_KEY] : undefined;
  return isNoteStatus(status) ? status : undefined;
}

const rowsOf = ({ noteStatus }: Comment): MetaRow[] => (noteStatus === undefined ? [] : [{ key: STATUS_KEY, value: noteStatus }]);

/**
 * The changes by the meta that a request sends. WP: made after all others, which stay if this one fails.
 * @param mayEdit whether the caller may edit the post of the comment
 * @throws RestError
 */
export function noteStatusChange(comment: Comment, mayEdit: boolean, { request, site }: CallContext): Partial<Comment> {
  if (site.quirks.has('no-notes')) return {};
  const status = metaValue({ meta: writeMeta(rowsOf(comment), request.get('meta'), COMMENT_META) }, STATUS_KEY);
  if (status === comment.noteStatus) return {};
  if (mayEdit) return { noteStatus: isNoteStatus(status) ? status : undefined };
  const code = status === undefined ? 'rest_cannot_delete' : 'rest_cannot_update';
  const message = `Sorry, you are not allowed to edit the ${STATUS_KEY} custom field.`;
  throw new RestError(code, message, request.user ? 403 : 401, { key: STATUS_KEY });
}
