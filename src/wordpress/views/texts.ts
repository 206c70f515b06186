import { trimWords } from '../formatting/strip-tags.js';
import { filterContent } from '../formatting/content.js';
import { ksesPost, PAGE_RULES } from '../formatting/kses/kses.js';
import { escHtml, stripAllTags } from '../formatting/sanitize.js';
import { metaValue, type Post, type Comment } from '../model.js';
import { renderOptions, shownTitle, type TextPlace } from '../posts/rendered.js';
import type { Site } from '../site.js';
import type { Image } from '../../sdk/types/responses.js';
import { trusted, type Html } from './html.js';
import { decodeEntities } from '../formatting/decode-entities.js';
import { renderComment } from '../formatting/comments/comment-text.js';
import { anyPermalink } from '../media/attachments.js';
import { atComment } from '../links.js';
import type { KnownPosts } from '../posts/permalinks.js';
import { APPROVED, withoutNotes } from '../query/comments.js';
import type { Reading } from './reading.js';

/** Comments as a reader sees them. */

/** The name of an author. WP: one without a name is anonymous. */
export const commentAuthor = ({ authorName }: Comment, { texts }: Reading): string => decodeEntities(authorName) || texts.anonymous;

/** The content of a comment, sanitized. */
export const commentText = ({ content }: Comment, { site }: Reading): Html =>
  trusted(ksesPost(renderComment(content, site.storedUrl), PAGE_RULES));

/** The address of a comment on the page of its post. */
export function commentUrl({ _id }: Comment, post: Post, site: Site, known: KnownPosts): string {
  return atComment(anyPermalink(post, site, known), _id, site);
}

/** The approved comments of a post, the oldest first. */
export const commentsOn = ({ _id }: Post, { store, quirks }: Site): Promise<Comment[]> =>
  store.comments.find({ post: _id, approved: APPROVED, ...withoutNotes(quirks) }, { sort: { dateGmt: 1, _id: 1 } }).toArray();

/** Converts HTML to escaped plain text, also for attributes. */
export const lineOf = (html: string): Html => trusted(escHtml(stripAllTags(html)));

/** The name of the site. WP: usually stored escaped, but not always. */
export const siteName = ({ options }: Site): Html => trusted(escHtml(options.name));

/** The description of the site, stored like its name. */
export const siteDescription = ({ options }: Site): Html => trusted(escHtml(options.description));

/** The title of a post as plain text. */
export const titleOf = (post: Pick<Post, 'title' | 'content' | 'excerpt' | 'rendered'>): Html => lineOf(shownTitle(post));

export function contentOf(post: Post, place: TextPlace): Html {
  const shown = post.rendered?.content ?? filterContent(post.content, renderOptions(place, post));
  return trusted(ksesPost(shown, PAGE_RULES));
}

const TEASER_WORDS = 24;

/** The beginning of a text as plain text. */
export const teaserOf = (html: string): Html => trusted(escHtml(trimWords(html, TEASER_WORDS).replace(' [&hellip;]', '…')));

export interface Picture {
  url: string;
  width: number | undefined;
  height: number | undefined;
  /** `srcset`. */
  sources: string;
  alt: string;
  title: Html;
}

/** Sizes that are not cropped. */
const SAME_SHAPE = ['medium', 'medium_large', 'large'];

/** Creates a picture from an image object. @param wanted size for `src` */
export function pictureOf(image: Image | false, attachment: Post | undefined, wanted: 'large' | 'full'): Picture | null {
  if (!image) return null;
  const sizes = SAME_SHAPE.flatMap((name) => image.sizes?.[name] ?? []);
  const chosen = (wanted === 'full' ? undefined : image.sizes?.[wanted]) ?? image;
  const full = image.width === undefined ? [] : [{ url: image.url, width: image.width }];
  return {
    url: chosen.url,
    width: chosen.width,
    height: chosen.height,
    sources: [...sizes, ...full].map(({ url, width }) => `${url} ${width}w`).join(', '),
    alt: (attachment && metaValue(attachment, '_wp_attachment_image_alt')) ?? '',
    title: attachment ? titleOf(attachment) : trusted(''),
  };
}
