import { postFields, type PostView } from '../../rest/posts/post-fields.js';
import type { RestType } from '../../rest/posts/post-types.js';
import type { Json } from '../../rest/route.js';
import type { Post } from '../../model.js';
import { thumbnail } from '../../posts/related.js';
import { canReadMedia } from '../media/media-present.js';
import { postLinks } from './post-links.js';

/** The featured image to which a post links; 0: none. */
function linkedImage(post: Post, { related, site, user, imageParents: parents = new Map() }: PostView): number {
  const image = thumbnail(post, related);
  if (!image) return 0;
  return site.quirks.has('links-to-hidden-images') || canReadMedia(user, image, { parents, site }) ? image._id : 0;
}

/** A post as the core API shows it. */
export const presentPost = (post: Post, type: RestType, view: PostView): Json => ({
  ...postFields(post, type, view),
  _links: postLinks(post, type, view, linkedImage(post, view)),
});
