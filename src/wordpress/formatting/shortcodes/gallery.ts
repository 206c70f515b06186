import { intval } from '../../../base/php/cast.js';
import { fileAddress, imageTag, isImage } from '../../media/pictures.js';
import type { Post } from '../../model.js';
import { escUrl } from '../esc-url.js';
import { texturize } from '../texturize.js';
import type { RenderState } from './media-players.js';
import type { ShortcodeAttributes } from './shortcode-syntax.js';

const DEFAULT_COLUMNS = '3';
const DEFAULT_SIZE = 'thumbnail';

const idsIn = (list: string): number[] => list.split(/[,\s]+/).map(intval);

/** The pictures of a gallery: the named ones, else those attached to a post. WP: `ids` also sets the order. */
function picturesOf(given: ShortcodeAttributes, { postId, references }: RenderState): Post[] {
  const named = given.ids || given.include;
  if (named) {
    const found = idsIn(named).flatMap((id) => references.attachment(id) ?? []);
    return (given.ids ? found : found.toSorted((a, b) => a.menuOrder - b.menuOrder || a._id - b._id)).filter(isImage);
  }
  const without = new Set(idsIn(given.exclude ?? ''));
  const attached = references.attachedTo(given.id === undefined ? postId : intval(given.id));
  const pictures = attached.filter((post) => isImage(post) && !without.has(post._id));
  return /^desc$/i.test(given.order ?? '') ? pictures.toReversed() : pictures;
}

function linked(post: Post, img: string, link: string | undefined, { references }: RenderState): string {
  if (link === 'none') return img;
  const url = link === 'file' ? fileAddress(post, references.uploadsUrl) : references.linkTo(post);
  return `<a href='${escUrl(url)}'>${img}</a>`;
}

const orientation = ({ image }: Post): string => (image ? (image.height > image.width ? 'portrait' : 'landscape') : '');

/** The pictures of the library or of a post. Behavior of `[gallery]` in a theme with HTML5 markup. */
export function gallery(given: ShortcodeAttributes, state: RenderState): string {
  state.shown.gallery += 1;
  const pictures = picturesOf(given, state);
  if (pictures.length === 0) return '';
  const size = given.size || DEFAULT_SIZE;
  const selector = `gallery-${state.shown.gallery}`;
  const items = pictures.map((post) => {
    const caption = post.excerpt.trim();
    const label = `${selector}-${post._id}`;
    const img = imageTag(post, size, state.references.uploadsUrl, caption === '' ? {} : { 'aria-describedby': label });
    const text =
      caption === ''
        ? ''
        : `\n\t\t\t\t<figcaption class='wp-caption-text gallery-caption' id='${label}'>\n\t\t\t\t${texturize(post.excerpt)}\n\t\t\t\t</figcaption>`;
    const icon = `<div class='gallery-icon ${orientation(post)}'>\n\t\t\t\t${linked(post, img, given.link, state)}\n\t\t\t</div>`;
    return `<figure class='gallery-item'>\n\t\t\t${icon}${text}</figure>`;
  });
  const id = given.id === undefined ? state.postId : intval(given.id);
  const sizeClass = size.replace(/[^A-Za-z0-9_-]/g, '');
  const classes = `gallery galleryid-${id} gallery-columns-${intval(given.columns ?? DEFAULT_COLUMNS)} gallery-size-${sizeClass}`;
  return `<div id='${selector}' class='${classes}'>${items.join('')}\n\t\t</div>\n`;
}
