import { isEmpty, toStr } from '../../../base/php/cast.js';
import { formatWall, parseMysqlDate } from '../../../base/php/date.js';
import type { Post, User } from '../../model.js';
import { safeCss } from '../kses/values.js';
import { phpTrim } from '../strip-tags.js';
import { renderTitle } from '../title.js';
import { escAttr, escHtml, escUrl } from '../entities.js';
import { htmlRules, ksesPost } from '../kses/kses.js';
import { wrapper, type Frame } from './frame.js';
import { at } from './styles.js';
import { joined } from './tags.js';
import table from './templates.json' with { type: 'json' };

/** HTML with values in braces. A list is left out if its first value is empty; with `!` before that value, if it is not. */
export type Part = string | readonly Part[];

/** How a block is shown whose HTML is always the same. */
interface Template {
  /** The values without which nothing is shown. */
  readonly needs?: readonly string[];
  /** The element of the block; absent: `html` has it. */
  readonly tag?: string;
  readonly class?: readonly Part[];
  /** Whether the alignment of texts and the color of links have no class. */
  readonly isPlain?: boolean;
  readonly label?: string;
  readonly style?: readonly Part[];
  /** Attributes after those that every block has. */
  readonly attributes?: readonly Part[];
  readonly html: readonly Part[];
}

const TEMPLATES: ReadonlyMap<string, Template> = new Map(Object.entries(table as Record<string, Template>));

export const TEMPLATE_BLOCKS = [...TEMPLATES.keys()].filter((name) => name.startsWith('core/'));

/** Values of a template. Others are common ones, or attributes of the block. */
export type Values = Readonly<Record<string, string | number | boolean | undefined>>;

/** Dates as a site writes them. @param format default: that of the site */
export function dateIn(frame: Frame, local: string, format = ''): string {
  const wall = parseMysqlDate(local);
  const { site } = frame.references;
  return wall && site ? formatWall(format || site.options.dateFormat, wall) : '';
}

/** A drawing of ours in place of the one of WordPress. */
export const svg = (attributes = ''): string =>
  `<svg${attributes} width="24" height="24" viewBox="0 0 24 24" xmlns="http://www.w3.org/2000/svg" aria-hidden="true"><path d="M4 4h16v16H4z"></path></svg>`;

export const kept = (frame: Frame, html: string): string => ksesPost(html, htmlRules(frame.references.quirks));

/** CSS for an attribute `style`, without what WordPress takes out of it. */
export const safeStyle = (frame: Frame, rules: readonly string[]): string =>
  escAttr(safeCss(rules.filter((rule) => rule !== '').join(' '), htmlRules(frame.references.quirks).css));

export const linkColor = ({ attributes }: Frame): string[] =>
  (at(attributes, 'style.elements.link.color.text') ?? null) === null ? [] : ['has-link-color'];

const aligned = (frame: Frame): string[] => (frame.text('textAlign') === '' ? [] : [`has-text-align-${frame.text('textAlign')}`]);

export const classesOf = (frame: Frame, ...first: string[]): string => [...first, ...aligned(frame), ...linkColor(frame)].join(' ');

/** Contents of posts in a response: lists of posts with lists of posts would have millions. */
const MOST_CONTENTS = 300;

/** The content of a post in a block. WP: a post in itself is shown once. */
export function contentOf({ references }: Frame, post: Post): string {
  const { shownPatterns = [], site, counters } = references;
  if (!site || shownPatterns.includes(post._id) || (counters.listed.contents += 1) > MOST_CONTENTS) return '';
  return site.content(post, { ...references, shownPatterns: [...shownPatterns, post._id] });
}

/** A picture of a user. */
export function avatar({ references: { site } }: Frame, address: string, size: number, { alt = '', classes = '', more = '' } = {}): string {
  if (!site?.options.showsAvatars) return '';
  const [one, two] = [size, size * 2].map((each) => escUrl(site.avatarUrl(address, each)));
  const names = ['avatar', `avatar-${size}`, 'photo', ...(classes === '' ? [] : [classes])].join(' ');
  return `<img alt='${escAttr(alt)}' src='${one}' srcset='${two} 2x' class='${escAttr(names)}' height='${size}' width='${size}' ${more}/>`;
}

const authorOf = ({ references: { post, ask } }: Frame): User | null => (post ? ask('user', post.author) : null);

const authorUrl = (frame: Frame): string => {
  const user = authorOf(frame);
  return user ? escUrl(frame.references.site?.authorUrl(user) ?? '') : '';
};

const termUrl = ({ scope: { term }, references: { site, ask } }: Frame): string =>
  term ? escUrl(site?.termUrl(term, ask('termIds', [term._id]).known) ?? '') : '';

const commentsOf = ({ references: { post, ask } }: Frame): number => (post ? ask('commentCount', post._id) : 0);

/** Values that templates share. */
const COMMON = new Map<string, (frame: Frame) => string | number | boolean>([
  ['old', (frame) => frame.isOld],
  ['inner', (frame) => phpTrim(joined(frame.html)) && joined(frame.html)],
  ['svg', () => svg()],
  ['heading', (frame) => (frame.number('level') === 0 ? 'p' : `h${frame.number('level')}`)],
  ['id', ({ references: { post } }) => post?._id ?? 0],
  ['title', ({ references: { post } }) => (post ? renderTitle(post.title) : '')],
  ['link', ({ references: { post, linkTo } }) => (post ? escUrl(linkTo(post)) : '')],
  ['author', (frame) => authorOf(frame)?.displayName ?? ''],
  ['bio', (frame) => authorOf(frame)?.description ?? ''],
  ['avatar', (frame) => avatar(frame, authorOf(frame)?.avatar ?? authorOf(frame)?.email ?? '', frame.number('avatarSize'))],
  ['authorUrl', authorUrl],
  ['comments', commentsOf],
  ['comment', (frame) => (commentsOf(frame) === 1 ? '1 comment' : `${commentsOf(frame)} comments`)],
  ['siteName', ({ references: { site } }) => escHtml(site?.options.name ?? '')],
  ['tagline', ({ references: { site } }) => site?.options.description ?? ''],
  ['home', ({ references: { site } }) => escUrl(site?.url ?? '')],
  ['loginUrl', ({ references: { site } }) => escUrl(`${site?.coreUrl ?? ''}/wp-login.php`)],
  ['termName', ({ scope: { term } }) => term?.name ?? ''],
  ['termText', ({ scope: { term } }) => term?.description ?? ''],
  ['termCount', ({ scope: { term } }) => (term ? String(term.count) : '')],
  ['termUrl', termUrl],
]);

const KSES = 'kses ';

const textOf = (value: unknown): string => (value === true || ['string', 'number'].includes(typeof value) ? toStr(value) : '');

/** Finds values by name. A name after `kses` is an attribute with HTML. */
function reader(frame: Frame, values: Values): (name: string) => string {
  return (name) => {
    if (name.startsWith(KSES)) return kept(frame, frame.text(name.slice(KSES.length)));
    if (Object.hasOwn(values, name)) return textOf(values[name]);
    const common = COMMON.get(name);
    return common ? textOf(common(frame)) : escAttr(textOf(frame.attributes[name]));
  };
}

/** Texts of templates, split: every other piece is the name of a value. */
const pieces = new Map<string, readonly string[]>();

function piecesOf(text: string): readonly string[] {
  const found = pieces.get(text) ?? text.split(/\{([\w ]+)\}/);
  pieces.set(text, found);
  return found;
}

export const fill = (parts: readonly Part[], read: (name: string) => string): string =>
  parts
    .map((part) => {
      if (typeof part === 'string')
        return piecesOf(part).reduce((text, piece, index) => text + (index % 2 === 1 ? read(piece) : piece), '');
      const [condition, ...rest] = part as readonly [string, ...Part[]];
      const isTurned = condition.startsWith('!');
      return isEmpty(read(isTurned ? condition.slice(1) : condition)) === isTurned ? fill(rest, read) : '';
    })
    .join('');

/** The HTML of a template with values. @param name of a block, or of a part of one */
export function filled(frame: Frame, name: string, values: Values = {}): string {
  const { tag, html, ...template } = TEMPLATES.get(name) ?? { html: [] };
  const read = reader(frame, values);
  if (template.needs?.some((need) => isEmpty(read(need)))) return '';
  if (tag === undefined) return fill(html, read);
  const own = [fill(template.class ?? [], read).trim()].filter((text) => text !== '');
  const classes = template.isPlain ? own.join(' ') : classesOf(frame, ...own);
  const set = { class: classes, style: fill(template.style ?? [], read), 'aria-label': template.label ?? '' };
  const element = fill([tag], read);
  return `<${element} ${wrapper(frame, set)}${fill(template.attributes ?? [], read)}>${fill(html, read)}</${element}>`;
}
