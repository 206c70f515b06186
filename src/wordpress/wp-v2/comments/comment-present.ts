import { lookup, asJson } from '../../../base/values/records.js';
import type { Context } from '../../rest/params.js';
import { withRestFields } from '../../rest/rest-fields/shown.js';
import type { CallContext, Json } from '../../rest/route.js';
import { renderComment } from '../../formatting/comments/comment-text.js';
import { anyPermalink } from '../../media/attachments.js';
import type { Comment, Post, User } from '../../model.js';
import { atComment, pictured } from '../../links.js';
import { canEdit, canRead } from '../../users/capabilities.js';
import { allowHints, type PostLinks } from '../posts/post-links.js';
import { avatars } from '../users/user-write.js';
import { canChange, isNote } from './comment-permissions.js';

/** The related data of comments: posts, parents, authors, and which have replies. */
export interface CommentView {
  call: CallContext;
  context: Context;
  posts: ReadonlyMap<number, Post>;
  users: ReadonlyMap<number, User>;
  repliedTo: ReadonlySet<number>;
}

const STATUS: Record<string, string> = lookup({ '0': 'hold', '1': 'approved' });

/** A comment without its links. */
export function commentFields(comment: Comment, view: CommentView): Record<string, Json> {
  const { call, context, posts, users } = view;
  const { site } = call;
  const { _id: id, author, content } = comment;
  const post = posts.get(comment.post);
  const full = context !== 'embed';
  const editing = context === 'edit';
  const fields = {
    id,
    ...(full ? { post: comment.post } : {}),
    parent: comment.parent,
    author,
    author_name: comment.authorName,
    ...(editing ? { author_email: comment.authorEmail } : {}),
    author_url: comment.authorUrl,
    ...(editing ? { author_ip: comment.authorIp, author_user_agent: comment.agent } : {}),
    date: comment.date.replace(' ', 'T'),
    ...(full ? { date_gmt: comment.dateGmt.replace(' ', 'T') } : {}),
    content: { rendered: renderComment(content, site.storedUrl), ...(editing ? { raw: content } : {}) },
    // WP: with a slash, also after a query.
    link: atComment(post ? anyPermalink(post, site, posts, canRead(call.request.user, post, site.registry)) : '', id, site),
    ...(full ? { status: STATUS[comment.approved] ?? comment.approved } : {}),
    type: comment.type,
    ...(site.options.showsAvatars ? { author_avatar_urls: avatars(pictured(users.get(author) ?? { email: comment.authorEmail })) } : {}),
    ...(full ? { meta: site.quirks.has('no-notes') ? [] : { _wp_note_status: comment.noteStatus ?? null } } : {}),
  };
  const { user } = call.request;
  return withRestFields(fields, comment, 'comment', { site, context, user }, () => canChange(user, post ?? null, site.registry));
}

function links(comment: Comment, { call, posts, repliedTo }: CommentView): PostLinks {
  const { site, request } = call;
  const { _id: id, author, parent, post: postId } = comment;
  const href = (path: string): string => site.restUrl(`/wp/v2/${path}`);
  const post = posts.get(postId);
  const base = post && site.registry.findPostType(post.type)?.base;
  const mayChange = canChange(request.user, post ?? null, site.registry);
  // WP: hints ignore the password.
  const isHidden = post !== undefined && post.password !== '' && !canEdit(request.user, post, site.registry);
  const hints: Record<string, Json> = isHidden ? {} : { targetHints: { allow: allowHints(mayChange, mayChange) } };
  return {
    self: [{ href: href(`comments/${id}`), ...hints }],
    collection: [{ href: href('comments') }],
    ...(author === 0 ? {} : { author: [{ embeddable: true, href: href(`users/${author}`) }] }),
    ...(post && base !== undefined ? { up: [{ embeddable: true, post_type: post.type, href: href(`${base}/${postId}`) }] } : {}),
    ...(parent === 0 ? {} : { 'in-reply-to': [{ embeddable: true, href: href(`comments/${parent}`) }] }),
    ...(repliedTo.has(id)
      ? { children: [{ embeddable: true, href: href(`comments?parent=${id}${isNote(comment, site) ? '&type=note&status=all' : ''}`) }] }
      : {}),
  };
}

/** A comment as the core API shows it. */
export const presentComment = (comment: Comment, view: CommentView): Json => ({
  ...commentFields(comment, view),
  _links: asJson(links(comment, view)),
});
