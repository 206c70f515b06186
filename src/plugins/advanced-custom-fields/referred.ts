import { pictured } from '../../wordpress/links.js';
import { anyPermalink, fileUrl } from '../../wordpress/media/attachments.js';
import { storedSize } from '../../wordpress/media/file-sizes.js';
import { ALT_TEXT, isImage } from '../../wordpress/media/pictures.js';
import { ATTACHMENT, metaValue, type Post, type Term, type User } from '../../wordpress/model.js';
import { guidPath } from '../../wordpress/posts/permalinks.js';
import { discussionOf } from '../../wordpress/rest/posts/discussion.js';
import { canEdit, canRead } from '../../wordpress/users/capabilities.js';
import { utc } from '../../wordpress/utc.js';
import { avatars } from '../../wordpress/wp-v2/users/user-write.js';
import type { Json } from '../../base/values/records.js';
import columns from './columns.json' with { type: 'json' };
import { asList, namesIn, type Field, type Referred } from './field-type.js';

/** Things that values of fields refer to, as WordPress and ACF have them in PHP (`acf_format=standard`). */

/** The columns of a document under their names there. */
const named = (document: object, names: Readonly<Record<string, string>>): Record<string, Json> =>
  Object.fromEntries(Object.entries(names).map(([name, own]) => [name, (document as Record<string, Json | undefined>)[own] ?? '']));

/** The posts of a value in its order; those that are gone, in the trash or of other types are left out (ACF: `acf_get_posts`). */
export function postsOf(value: Json, field: Field, { posts, site: { quirks, registry }, user }: Referred): Post[] {
  const types = namesIn(field, 'post_type');
  const mayRead = (post: Post): boolean => canRead(user, post, registry) && (post.password === '' || canEdit(user, post, registry));
  return asList(value)
    .flatMap((id) => posts.get(Number(id)) ?? [])
    .filter(({ type, status }) => !['trash', 'auto-draft'].includes(status) && (types.length === 0 || types.includes(type)))
    .filter((post) => quirks.has('acf-shows-hidden-objects') || post.type === ATTACHMENT || mayRead(post));
}

/** A post with its columns (WP: `WP_Post`). */
export function rawPost(post: Post, { site, comments }: Referred): Json {
  const discussion = discussionOf(post, site);
  const hasComments = site.registry.findPostType(post.type)?.supports.includes('comments');
  return {
    ...named(post, columns.post),
    post_author: String(post.author),
    comment_status: discussion.comments,
    // WP: posts of types without comments are closed to pings, too.
    ping_status: hasComments ? discussion.pings : 'closed',
    ...{ to_ping: '', pinged: '', post_content_filtered: '' },
    guid: `${site.url}${guidPath(post, site)}`,
    post_mime_type: post.mimeType ?? '',
    comment_count: String(comments.filter((id) => id === post._id).length),
    filter: 'raw',
  };
}

/** A term of a taxonomy (WP: `WP_Term`); nothing if it is gone. */
export const rawTerm = (term: Term | undefined, taxonomy: string): Json[] =>
  term?.taxonomy === taxonomy ? [{ ...named(term, columns.term), filter: 'raw' }] : [];

/** WP: the picture of a user as an element. */
function avatar(email: string): string {
  const [small, large] = Object.values(avatars(email, [96, 192])).map((url) => url.replaceAll('&', '&#038;'));
  const attributes = "class='avatar avatar-96 photo' height='96' width='96' loading='lazy' decoding='async'";
  return `<img alt='' src='${small}' srcset='${large} 2x' ${attributes}/>`;
}

export const rawUser = (user: User, { site: { options, quirks }, user: caller }: Referred): Json => ({
  ...named({ ...user, nickname: user.nickname ?? user.login }, columns.user),
  ...(caller || quirks.has('acf-shows-hidden-objects') ? {} : { user_email: '' }),
  user_registered: utc((user.registered ?? 0) * 1000).format('YYYY-MM-DD HH:mm:ss'),
  user_avatar: options.showsAvatars ? avatar(pictured(user)) : false,
});

/** The URL of a medium; false if it is gone. */
export const urlOf = (medium: Post | undefined, { site }: Referred): Json => (medium?.type === ATTACHMENT ? fileUrl(medium, site) : false);

/** ACF: the sizes of an image are next to each other; one that it lacks has the full file. */
function sizesOf({ image }: Post, url: string, { site }: Referred): Json {
  const full = { width: image?.width ?? 0, height: image?.height ?? 0 };
  return Object.fromEntries(
    site.registry.registeredSizes.flatMap(({ name }) => {
      const made = image?.sizes[name];
      const { width, height } = made ?? full;
      const at = made ? url.replace(/[^/]*$/, made.file) : url;
      return [[name, at] as const, [`${name}-width`, width] as const, [`${name}-height`, height] as const];
    }),
  );
}

/** A medium with all that ACF knows of it; false if it is gone. */
export function mediumOf(medium: Post | undefined, referred: Referred): Json {
  if (medium?.type !== ATTACHMENT) return false;
  const { site, fileSizes } = referred;
  const { file = '', mimeType = '', image } = medium;
  const [type, subtype = ''] = mimeType.split('/');
  const url = fileUrl(medium, site);
  const icon = ['text', 'audio', 'video'].includes(type) ? type : 'default';
  return {
    ...named(medium, columns.medium),
    filename: file.replace(/^.*\//, ''),
    filesize: storedSize(medium) ?? fileSizes.get(medium._id) ?? 0,
    url,
    link: anyPermalink(medium, referred.site, referred.posts),
    alt: metaValue(medium, ALT_TEXT) ?? '',
    author: String(medium.author),
    ...{ mime_type: mimeType, type, subtype },
    icon: `${site.coreUrl}/wp-includes/images/media/${icon}.png`,
    ...(isImage(medium) ? { width: image?.width ?? 0, height: image?.height ?? 0, sizes: sizesOf(medium, url, referred) } : {}),
  };
}
