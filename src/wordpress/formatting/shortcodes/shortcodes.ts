import { intval } from '../../../base/php/cast.js';
import { escHtml, escUrl } from '../entities.js';
import { mapMarkup, WORD_SPACE } from '../html-tokens.js';
import { gallery, mediaPlayer, playerShortcode, writeAttributes, type Attribute, type RenderState } from './media-players.js';
import { parseAttributes, replaceShortcodes, ShortcodeScanner, shortcodesIn } from './shortcode-syntax.js';
import type { Shortcode, ShortcodeAttributes, ShortcodeName } from './shortcode-syntax.js';

/** Runs the shortcodes that WordPress registers; unknown ones stay. Behavior of do_shortcode. */
export function runShortcodes(text: string, state: RenderState): string {
  const names = shortcodesIn(text);
  if (names.length === 0) return text;
  const render = (shortcode: Shortcode): string => RENDERERS[shortcode.name](shortcode, state);
  return unguardBrackets(replaceShortcodes(guardBrackets(text, names, render), render, names));
}

/** Runs `[embed]` and bare addresses of media files, which come before everything else. */
export function runEmbeds(text: string): string {
  const embedded = shortcodesIn(text).includes('embed')
    ? unguardBrackets(replaceShortcodes(guardBrackets(text), renderEmbed, ['embed']))
    : text;
  return /(?:^|[\s>])https?:\/\//i.test(embedded) ? embedMediaLines(embedded) : embedded;
}

type Render = (shortcode: Shortcode) => string;

const SOUND_TAG =
  /^<\s*[a-zA-Z0-9]+(?:\s+(?:[_a-zA-Z][-\w:.]*|\[\[?[^[\]]+\]\]?)(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+(?=[\s>])))?)*\s*\/?\s*>?$/;
const BRACKET_TAG = /^<\s*\[\[?[^[\]]+\]/;

/** WP: brackets in tags are escaped while shortcodes are searched; shortcodes in tags run separately before. */
function guardBrackets(text: string, names: readonly ShortcodeName[] = [], render?: Render): string {
  const spelled = text.replaceAll('&#91;', '&#091;').replaceAll('&#93;', '&#093;');
  return mapMarkup(spelled, (markup) => {
    if (!markup.includes('[') && !markup.includes(']')) return markup;
    const shown = render ? runInTag(markup, names, render) : markup;
    return shown.replaceAll('[', '&#91;').replaceAll(']', '&#93;');
  });
}

function runInTag(markup: string, names: readonly ShortcodeName[], render: Render): string {
  if (!markup.includes('[') || !markup.includes(']')) return markup;
  if (SOUND_TAG.test(markup)) {
    return replaceShortcodes(markup, (shortcode) => plainOrAsWritten(shortcode, markup, render), names);
  }
  return BRACKET_TAG.test(markup) ? replaceShortcodes(markup, render, names) : markup;
}

/** A shortcode inside a tag stays if its markup could end the tag. */
function plainOrAsWritten(shortcode: Shortcode, markup: string, render: Render): string {
  const shown = render(shortcode);
  return /["'<>]/.test(shown) ? markup.slice(shortcode.start, shortcode.end) : shown;
}

function unguardBrackets(text: string): string {
  return text.replaceAll('&#91;', '[').replaceAll('&#93;', ']');
}

const BLANKS_AT = new RegExp(`${WORD_SPACE}*`, 'y');

/** Removes the paragraph around a shortcode that fills it. Behavior of shortcode_unautop. */
export function unwrapShortcodes(html: string): string {
  if (!html.includes('[') || !html.includes('<p>')) return html;
  const scanner = new ShortcodeScanner(html);
  let out = '';
  let copied = 0;
  for (let at = html.indexOf('<p>'); at !== -1; at = html.indexOf('<p>', at)) {
    const start = skipBlanks(html, at + 3);
    const found = scanner.match(start);
    const ends = found ? [found.end, found.openEnd] : [];
    const end = ends.find((position) => html.startsWith('</p>', skipBlanks(html, position)));
    if (end === undefined) {
      at += 3;
      continue;
    }
    out += html.slice(copied, at) + html.slice(start, end);
    copied = skipBlanks(html, end) + 4;
    at = copied;
  }
  return out + html.slice(copied);
}

function skipBlanks(text: string, at: number): number {
  BLANKS_AT.lastIndex = at;
  BLANKS_AT.test(text);
  return BLANKS_AT.lastIndex;
}

type Renderer = (shortcode: Shortcode, state: RenderState) => string;

const nothing: Renderer = () => '';
const caption: Renderer = (shortcode, state) => renderCaption(shortcode, state);

const RENDERERS: Readonly<Record<ShortcodeName, Renderer>> = {
  caption,
  wp_caption: caption,
  gallery: ({ attributes }, state) => gallery(parseAttributes(attributes), state),
  playlist: nothing,
  audio: ({ attributes, content }, state) => mediaPlayer('audio', parseAttributes(attributes), content ?? '', state),
  video: ({ attributes, content }, state) => mediaPlayer('video', parseAttributes(attributes), content ?? '', state),
  // WP: embeds run earlier; a remaining one renders nothing.
  embed: nothing,
};

function renderCaption(shortcode: Shortcode, state: RenderState): string {
  const given = parseAttributes(shortcode.attributes);
  const { image, text } = captionParts(shortcode.content ?? '', given);
  const width = intval(given.width ?? '');
  if (width < 1 || text === '') return image;
  const id = sanitizeClass(given.id ?? '');
  const captionId = sanitizeClass(given.caption_id ?? '') || (id === '' ? '' : `caption-${id.replaceAll('_', '-')}`);
  const figure: Attribute[] = [
    ['id', id || undefined],
    ['aria-describedby', captionId || undefined],
    ['style', `width: ${width}px`],
    ['class', ['wp-caption', given.align ?? 'alignnone', given.class ?? ''].join(' ').trim()],
  ];
  const label = writeAttributes([
    ['id', captionId || undefined],
    ['class', 'wp-caption-text'],
  ]);
  return `<figure ${writeAttributes(figure)}>${runShortcodes(image, state)}<figcaption ${label}>${text}</figcaption></figure>`;
}

/** The caption is the text after the image, unless an attribute sets it. WP: text before the image is dropped. */
function captionParts(content: string, given: ShortcodeAttributes): { image: string; text: string } {
  if (given.caption !== undefined) return { image: content, text: given.caption };
  const opening = /<img /i.exec(content);
  const close = opening ? content.indexOf('>', opening.index + 6) : -1;
  if (!opening || close === -1) return { image: content, text: '' };
  const closingLink = /^[ \t\n\v\f\r]*<\/a>/i.exec(content.slice(close + 1))?.[0] ?? '';
  const end = close + 1 + closingLink.length;
  return { image: content.slice(linkStart(content, opening.index), end), text: content.slice(end).trim() };
}

/** Start of the `<a …>` right before the image, else of the image. */
function linkStart(content: string, imageAt: number): number {
  const before = content.slice(0, imageAt).trimEnd();
  if (!before.endsWith('>')) return imageAt;
  const previous = before.lastIndexOf('>', before.length - 2);
  const link = before.toLowerCase().indexOf('<a ', previous + 1);
  return link === -1 || link > before.length - 5 ? imageAt : link;
}

function sanitizeClass(name: string): string {
  return name.replace(/%[a-fA-F0-9]{2}/g, '').replace(/[^A-Za-z0-9_-]/g, '');
}

function renderEmbed(shortcode: Shortcode): string {
  const given = parseAttributes(shortcode.attributes);
  const url = (shortcode.content ?? '') === '' ? (given.src ?? '') : (shortcode.content ?? '');
  return url === '' ? '' : (playerShortcode(url) ?? `<a href="${escUrl(url)}">${escHtml(url)}</a>`);
}

function embedMediaLines(text: string): string {
  const show = (whole: string, before: string, url: string, after: string): string => {
    const player = playerShortcode(url);
    return player === undefined ? whole : before + player + after;
  };
  return text
    .replace(/^([ \t\v\f\r]*)(https?:\/\/[^\s<>"]+)([ \t\v\f\r]*)$/gim, show)
    .replace(/(<p>\s*)(https?:\/\/[^\s<>"]+)(\s*<\/p>)/gi, show);
}
