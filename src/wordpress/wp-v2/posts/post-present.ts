import { postFields, type PostView } from '../../rest/posts/post-fields.js';
import type { RestType } from '../../rest/posts/post-types.js';
import type { Json } from '../../rest/route.js';
import type { Post } from '../../model.js';
import { thumbnail } from '../../posts/related.js';
import { postLinks } from './post-links.js';

/** A post as the core API shows it. */
export const presentPost = (post: Post, type: RestType, view: PostView): Json => ({
  ...postFields(post, type, view),
  _links: postLinks(post, type, view, thumbnail(post, view.related)?._id ?? 0),
});
