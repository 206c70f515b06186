import { trimWords } from '../../formatting/strip-tags.js';
import { fileUrl } from '../../media/attachments.js';
import { ALT_TEXT, imageTag, isImage } from '../../media/pictures.js';
import { capitalP, filterContent, filterExcerpt, type RenderOptions } from '../../formatting/content.js';
import { EXCERPT_WORDS } from '../../formatting/excerpt.js';
import { scheduleImage } from '../../formatting/media-tags.js';
import { NO_REFERENCES } from '../../formatting/references.js';
import { mediaPlayer } from '../../formatting/shortcodes/media-players.js';
import { stripShortcodes } from '../../formatting/shortcodes/shortcode-syntax.js';
import { escUrl } from '../../formatting/sanitize.js';
import { convertSmilies } from '../../formatting/smilies.js';
import type { Post } from '../../model.js';
import type { Site } from '../../site.js';

export { ALT_TEXT, isImage };

/** The HTML before the description of an attachment: the picture, a player, or a link (WP). */
function preface(post: Post, site: Site): string {
  const url = fileUrl(post, site);
  const kind = /^(audio|video)\//.exec(post.mimeType ?? '')?.[1];
  if (kind === 'audio' || kind === 'video')
    return mediaPlayer(kind, { src: url }, '', { postId: post._id, references: NO_REFERENCES, shown: { audio: 0, video: 0, gallery: 0 } });
  if (isImage(post))
    return `<p class="attachment"><a href='${escUrl(url)}'>${scheduleImage(imageTag(post, 'medium', site.uploadsUrl))}</a></p>`;
  const name = post.title || url.slice(url.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '');
  // WP: only the last filters of texts see the link.
  return convertSmilies(capitalP(`<p class="attachment"><a href='${escUrl(url)}'>${name}</a></p>`), site.url);
}

const optionsOf = (post: Post, site: Site): RenderOptions => ({
  siteUrl: site.url,
  postId: post._id,
  references: { ...NO_REFERENCES, quirks: site.quirks },
});

/** The description of an attachment as HTML. */
export const renderDescription = (post: Post, site: Site): string =>
  `${preface(post, site)}\n${filterContent(post.content, optionsOf(post, site))}`;

/** The caption of an attachment as HTML. WP: by default the first words of its description, including the link. */
export function renderCaption(post: Post, site: Site): string {
  const described = (): string => renderDescription({ ...post, content: stripShortcodes(post.content) }, site).replaceAll(']]>', ']]&gt;');
  return filterExcerpt(post.excerpt || trimWords(described(), EXCERPT_WORDS), optionsOf(post, site));
}
