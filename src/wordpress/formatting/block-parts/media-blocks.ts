import { toStr } from '../../../base/php/cast.js';
import { createHash } from 'node:crypto';
import { ALT_TEXT, fileAddress, imageTag, sizedAddress } from '../../media/pictures.js';
import { metaValue, thumbnailOf, type Post } from '../../model.js';
import { isRecord } from '../../../base/values/records.js';
import { autop } from '../autop.js';
import { stripTags } from '../strip-tags.js';
import { escAttr, escUrl } from '../entities.js';
import type { Frame, Renderer } from './frame.js';

import directives from './directives.json' with { type: 'json' };
import { at, cssValue } from './styles.js';
import { filled, svg } from './template.js';
import { classed, edited, joined, NO_HTML, TagEditor, whole, type Html } from './tags.js';

const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];

const EMPTY_CAPTION = /<figcaption\b[^>]*>(?:<!--.*?-->|\s)*<\/figcaption>/s;

/** WP: an image block without an image is not shown; one in a gallery has its id. */
const image: Renderer = (frame, html) => {
  const tags = new TagEditor(joined(html), frame.isOld);
  if (!tags.next({ tag: 'img' }) || tags.textOf('src') === '') return NO_HTML;
  const { id } = frame.attributes;
  const isInGallery = frame.parent?.block.name === 'core/gallery';
  const shown = isInGallery && id !== undefined && id !== null ? whole(tags.set('data-id', toStr(id)).html()) : html;
  return frame.isOld ? shown : joined(shown).replace(EMPTY_CAPTION, '');
};

/** WP: the image block of a classic theme has an element around it if it is aligned. */
function inContainer({ attributes }: Frame, html: Html): Html {
  const text = joined(html);
  const figure = new TagEditor(text);
  if (!figure.next({ tag: 'figure' })) return html;
  const { classes } = figure;
  if (!classes.has('wp-block-image') || !['alignleft', 'aligncenter', 'alignright'].some((name) => classes.has(name))) return html;
  const own = typeof attributes.className === 'string' ? attributes.className.split(/\s+/).filter((name) => name !== '') : [];
  figure.removeClass('wp-block-image', ...own);
  const outer = ['wp-block-image', ...own].join(' ');
  return whole(`<div class="${outer}">${figure.html()}</div>`);
}

/** WP: a new one with every request. */
const ID_LENGTH = 13;

function withLightbox(frame: Frame, html: Html): Html {
  const { attributes, isOld, references } = frame;
  if (at(attributes, 'lightbox.enabled') !== true || !['none', ''].includes(frame.text('linkDestination'))) return html;
  const tags = new TagEditor(joined(html), isOld);
  if (!tags.next({ tag: 'figure' })) return html;
  const seed = `${references.post?._id ?? 0} ${references.counters.nextOf('lightbox')}`;
  const id = createHash('md5').update(seed).digest('hex').slice(0, ID_LENGTH);
  tags.addClass('wp-lightbox-container').setAll({
    'data-wp-interactive': 'core/image',
    'data-wp-context': JSON.stringify({ imageId: id }),
    ...(isOld ? {} : { 'data-wp-key': id }),
  });
  if (!tags.next({ tag: 'img' })) return html;
  const age = isOld ? 'old' : 'new';
  tags.setAll(directives.image[age]);
  const lines = directives.trigger[age].map((line) => `\t\t\t${line}\n`).join('');
  const trigger = `<button\n${lines}\t\t>\n\t\t\t${svg()}\n\t\t</button>`;
  return whole(tags.html().replace(/<img[^>]+>/, (tag) => tag + trigger));
}

const gallery: Renderer = ({ references }, html) => classed(html, [references.counters.next('wp-block-gallery-')]);

const percent = (value: unknown): string => `${Math.round(Number(value) * 100)}%`;

/** The part of a picture that stays in view; null if the block names none. */
const focus = ({ attributes: { focalPoint } }: Frame): string | null =>
  isRecord(focalPoint) ? `${percent(focalPoint.x)} ${percent(focalPoint.y)}` : null;

/** The featured image of the post that is shown. */
function featured({ references: { post, attachment } }: Frame): Post | undefined {
  const id = post ? thumbnailOf(post) : 0;
  return id > 0 ? attachment(id) : undefined;
}

const altOf = (picture: Post): string => stripTags(metaValue(picture, ALT_TEXT) ?? '').trim();

const COVER_INNER = /<div\b[^>]+wp-block-cover__inner-container[\s|"][^>]*>/;

/** WP: the featured image as a background goes before the blocks in it. */
const cover: Renderer = (frame, html) => {
  const picture = frame.text('backgroundType') === 'image' && frame.attributes.useFeaturedImage !== false ? featured(frame) : undefined;
  if (!picture) return html;
  const { uploadsUrl } = frame.references;
  const position = focus(frame);
  const isFixed = frame.is('hasParallax') || frame.is('isRepeated');
  const shown = (): string =>
    imageTag(picture, frame.text('sizeSlug') || 'post-thumbnail', uploadsUrl, {
      class: 'wp-block-cover__image-background wp-post-image',
      'data-object-fit': 'cover',
      ...(position === null ? {} : { 'data-object-position': position, style: `object-position:${position};` }),
    });
  const behind = (): string => {
    const [size, alt] = [frame.text('sizeSlug') || 'full', escAttr(altOf(picture))];
    const values = { alt, picture: picture._id, position: position ?? '50% 50%', url: escUrl(sizedAddress(picture, size, uploadsUrl)) };
    return filled(frame, 'cover-picture', values);
  };
  const place = (text: string): string => text.replace(COVER_INNER, (tag) => (isFixed ? behind() : shown()) + tag);
  return COVER_INNER.test(html.head) ? { ...html, head: place(html.head) } : whole(place(joined(html)));
};

const MEDIA = 'wp-block-media-text__media';

/** WP: the featured image in the first figure, or in the last one if it is on the right. */
const mediaText: Renderer = (frame, html) => {
  const picture = frame.is('useFeaturedImage') ? featured(frame) : undefined;
  if (!picture) return html;
  const { references } = frame;
  references.counters.next('');
  const isFilled = frame.is('imageFill');
  const text = joined(
    edited(
      html,
      { tag: 'div', withClass: 'wp-block-media-text' },
      (tag) => isFilled && tag.removeClass('is-image-fill').addClass('is-image-fill-element'),
    ),
  );
  const tags = new TagEditor(text);
  let end = -1;
  while (tags.next({ tag: 'figure', withClass: MEDIA })) {
    end = tags.end;
    if (frame.text('mediaPosition') !== 'right') break;
  }
  const open = text.slice(0, end).lastIndexOf('<figure');
  if (end === -1 || !/^<figure\s+class="wp-block-media-text__media"\s*>$/.test(text.slice(open, end))) return whole(text);
  const size = frame.text('mediaSizeSlug') || 'full';
  const img = filled(frame, 'media-picture', {
    alt: escAttr(altOf(picture)),
    picture: picture._id,
    url: escUrl(fileAddress(picture, references.uploadsUrl)),
    size,
    position: isFilled ? (focus(frame) ?? '50% 50%') : '',
  });
  return whole(`${text.slice(0, open)}<figure  ${text.slice(open + '<figure '.length, end)}${img}${text.slice(end)}`);
};

/** WP: a document that is shown in the page stays hidden where browsers cannot. */
const file: Renderer = (frame, html) => {
  const tags = new TagEditor(joined(html), frame.isOld);
  if (!frame.is('displayPreview') || !tags.next()) return html;
  tags.set('data-wp-interactive', 'core/file');
  if (!tags.next({ tag: 'object' })) return html;
  const name = tags.textOf('aria-label');
  const label = name === '' || name === 'PDF embed' ? 'PDF embed' : `Embed of ${name}.`;
  return whole(tags.setAll({ 'data-wp-bind--hidden': '!state.hasPdfPreview', hidden: true, 'aria-label': label }).html());
};

/** WP: a button without a text is not shown. Since 7.1, a width is a style. */
const button: Renderer = (frame, html) => {
  const text = joined(html);
  const tags = new TagEditor(text);
  while (tags.next())
    if (tags.name === 'a' || tags.name === 'button') {
      if (new RegExp(`^(?:<!--.*?-->)*</${tags.name}\\b`, 'is').test(text.slice(tags.end))) return NO_HTML;
      break;
    }
  const width = at(frame.attributes, 'style.dimensions.width');
  if (frame.isOld || typeof width !== 'string' || width === '') return html;
  return edited(html, { withClass: 'wp-block-button' }, (tag) => {
    const ofWidth = width.endsWith('%') ? Number.parseFloat(width) : undefined;
    tag.addClass('has-custom-width', ...(ofWidth === undefined ? [] : ['wp-block-button__width']));
    if ([25, 50, 75, 100].includes(ofWidth ?? 0)) tag.addClass(`wp-block-button__width-${ofWidth}`);
    const rule = ofWidth === undefined ? `width: ${cssValue(width)};` : `--wp--block-button--width: ${ofWidth};`;
    tag.set('style', `${rule} ${tag.textOf('style')}`.trim());
  });
};

/** WP: pictures that are hidden at first are loaded after others. */
function withLatePictures(html: string): string {
  const tags = new TagEditor(html);
  while (tags.next({ tag: 'img' })) tags.set('fetchpriority', 'low');
  return tags.html();
}

const accordion: Renderer = (frame, html) =>
  edited(html, { withClass: 'wp-block-accordion' }, (tag) =>
    tag.setAll({
      'data-wp-interactive': 'core/accordion',
      'data-wp-context': `{ "autoclose": ${String(frame.is('autoclose'))}, "accordionItems": [] }`,
    }),
  );

/** WP: part of it is set by the directives of the page, which come before the other new attributes. */
const accordionItem: Renderer = (frame, html) => {
  const isOpen = frame.is('openByDefault');
  const id = frame.references.counters.next('accordion-item-');
  const tags = new TagEditor(joined(html));
  if (!tags.next({ withClass: 'wp-block-accordion-item' })) return html;
  tags.setAll(directives.accordionItem).set('data-wp-context', `{ "id": "${id}", "openByDefault": ${String(isOpen)} }`);
  if (!tags.next({ withClass: 'wp-block-accordion-heading__toggle' })) return html;
  tags.setAll({ ...directives.accordionToggle, id, 'aria-controls': `${id}-panel` });
  if (!tags.next({ withClass: 'wp-block-accordion-panel' })) return html;
  tags.setAll({ ...directives.accordionPanel, id: `${id}-panel`, 'aria-labelledby': id });
  const bound = new TagEditor(tags.html());
  if (bound.next({ withClass: 'wp-block-accordion-item' }) && isOpen) bound.addClass('is-open');
  if (bound.next({ withClass: 'wp-block-accordion-heading__toggle' })) bound.set('aria-expanded', String(isOpen));
  if (isOpen) return whole(bound.html());
  if (bound.next({ withClass: 'wp-block-accordion-panel' })) bound.set('hidden', 'until-found');
  return whole(withLatePictures(bound.html()));
};

const tabs: Renderer = (frame, html) => {
  const tabsId = frame.text('anchor') || frame.references.counters.next('tabs_');
  const context = JSON.stringify({ tabsId, activeTabIndex: frame.number('activeTabIndex') });
  return edited(html, { withClass: 'wp-block-tabs' }, (tag) => tag.setAll(directives.tabs).set('data-wp-context', context));
};

/** Blocks that are stored as HTML, which is changed when they are shown. */
export const MEDIA_BLOCKS: Readonly<Record<string, Renderer>> = {
  'core/heading': (_, html) => classed(html, ['wp-block-heading'], { tag: HEADINGS }),
  'core/list': (_, html) => classed(html, ['wp-block-list'], { tag: ['ul', 'ol'] }),
  'core/image': image,
  'core/gallery': gallery,
  'core/cover': cover,
  'core/media-text': mediaText,
  'core/file': file,
  'core/button': button,
  'core/shortcode': (_, html) => autop(joined(html)),
  'core/accordion': accordion,
  'core/accordion-item': accordionItem,
  'core/tabs': tabs,
};

/** WP: in a classic theme, the blocks in a group are in an element of their own, which has the layout. */
function inInnerContainer({ attributes }: Frame, html: Html): Html {
  if (['flex', 'grid'].includes(String(at(attributes, 'layout.type')))) return html;
  const group = new TagEditor(html.head);
  if (!group.next({ withClass: 'wp-block-group' }) || html.head.includes('wp-block-group__inner-container')) return html;
  const layout = [...group.classes].filter((name) => name.includes('is-layout-'));
  const name = typeof attributes.tagName === 'string' ? attributes.tagName : 'div';
  const head = group.removeClass(...layout).html();
  const open = `<div class="${['wp-block-group__inner-container', ...layout].join(' ')}">`;
  const all = html.inner === '' && html.tail === '';
  const last = all ? head : html.tail;
  const close = last.toLowerCase().lastIndexOf(`</${name}>`);
  const start = /^\s*<[^>]*wp-block-group[^>]*>/.exec(head)?.[0].length ?? -1;
  if (close === -1 || start === -1) return html;
  if (all) return whole(`${head.slice(0, start)}${open}${head.slice(start, close)}</div>${head.slice(close)}`);
  return {
    head: head.slice(0, start) + open + head.slice(start),
    inner: html.inner,
    tail: `${last.slice(0, close)}</div>${last.slice(close)}`,
  };
}

/** Changes after all that attributes give a block. WP: the filters `render_block_core/…`. */
export const LATE: ReadonlyMap<string, Renderer> = new Map<string, Renderer>(
  Object.entries({
    'core/details': (frame, html) => (frame.isOld || frame.is('showContent') ? html : withLatePictures(joined(html))),
    'core/paragraph': (frame, html) =>
      frame.references.quirks.has('paragraphs-have-no-class') ? html : classed(html, ['wp-block-paragraph'], { tag: 'p' }),
    'core/group': (frame, html) => (frame.references.theme === 'classic' ? inInnerContainer(frame, html) : html),
    'core/image': (frame, html) => withLightbox(frame, frame.references.theme === 'classic' ? inContainer(frame, html) : html),
  } satisfies Record<string, Renderer>),
);
