import { filterContent } from '../wp/formatting/content.js';
import { trimWords } from '../wp/formatting/excerpt.js';
import { ksesPost } from '../wp/formatting/kses/kses.js';
import { escHtml, stripAllTags } from '../wp/formatting/sanitize.js';
import { metaValue, type Post } from '../wp/model.js';
import { renderOptions, shownTitle, type Place } from '../wp/rendered.js';
import type { Site } from '../wp/site.js';
import type { Image } from '../types.js';
import { trusted, type Html } from './html.js';

/** HTML as a line of text: its signs as they are shown, without tags. Good within attributes too. */
export const lineOf = (html: string): Html => trusted(escHtml(stripAllTags(html)));

/** The name of the site. WP: it is stored with its signs escaped, though not by everything that stores it. */
export const siteName = ({ options }: Site): Html => trusted(escHtml(options.name));

/** What the site says of itself, stored in the same way. */
export const siteDescription = ({ options }: Site): Html => trusted(escHtml(options.description));

/** A title as a line of a page. */
export const titleOf = (post: Pick<Post, 'title' | 'content' | 'excerpt' | 'rendered'>): Html => lineOf(shownTitle(post));

/** What authors wrote, without whatever could run. */
export function contentOf(post: Post, place: Place): Html {
  const shown = post.rendered?.content ?? filterContent(post.content, renderOptions(place, post._id));
  return trusted(ksesPost(shown));
}

/** Words of a text that a list shows. */
const TEASER_WORDS = 24;

/** The beginning of a text, as one line. */
export const teaserOf = (html: string): Html => trusted(escHtml(trimWords(html, TEASER_WORDS).replace(' [&hellip;]', '…')));

/** A picture as pages show it. */
export interface Picture {
  url: string;
  width: number | undefined;
  height: number | undefined;
  /** Other sizes of it, as `srcset` has them. */
  sources: string;
  alt: string;
}

/** Sizes that keep the shape of the picture. */
const SAME_SHAPE = ['medium', 'medium_large', 'large'];

/** A picture out of its image object. @param wanted the size that stands for it where a browser does not choose */
export function pictureOf(image: Image | false, attachment: Post | undefined, wanted: 'medium' | 'large'): Picture | null {
  if (!image) return null;
  const sizes = SAME_SHAPE.flatMap((name) => image.sizes?.[name] ?? []);
  const chosen = image.sizes?.[wanted] ?? image;
  const full = image.width === undefined ? [] : [{ url: image.url, width: image.width }];
  return {
    url: chosen.url,
    width: chosen.width,
    height: chosen.height,
    sources: [...sizes, ...full].map(({ url, width }) => `${url} ${width}w`).join(', '),
    alt: (attachment && metaValue(attachment, '_wp_attachment_image_alt')) ?? '',
  };
}
