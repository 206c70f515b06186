import { ASCII_SPACE, Seeker } from '../html-tokens.js';

/** The shortcodes WordPress itself registers; any other bracket is text. */
export const CORE_SHORTCODES = ['wp_caption', 'caption', 'gallery', 'playlist', 'audio', 'video', 'embed'] as const;

export type ShortcodeName = (typeof CORE_SHORTCODES)[number];

/** Attributes by lower-case name; values without a name under `0`, `1`, … */
export type ShortcodeAttributes = Readonly<Record<string, string>>;

/** One shortcode as found in a text. */
export interface Shortcode {
  readonly name: ShortcodeName;
  readonly attributes: string;
  /** Text between the opening and the closing tag; undefined without a closing tag. */
  readonly content: string | undefined;
  readonly start: number;
  /** Position after the opening tag when there is a closing tag too, else the same as `end`. */
  readonly openEnd: number;
  readonly end: number;
}

const BRACKETED_NAME = /\[([^<>&/[\] \t\n\v\f\r=]+)/g;

/** The registered shortcodes in a text. WP: `[video:)` has the name `video:)`, which is not registered. */
export function shortcodesIn(text: string): ShortcodeName[] {
  if (!text.includes('[')) return [];
  const named = new Set(Array.from(text.matchAll(BRACKETED_NAME), (match) => match[1]));
  return CORE_SHORTCODES.filter((name) => named.has(name));
}

/** Finds shortcodes of the given names at positions of one text, in time linear in the text. */
export class ShortcodeScanner {
  readonly #head: RegExp;
  readonly #brackets: Seeker;
  readonly #closers: Map<string, Seeker>;

  constructor(
    readonly text: string,
    names: readonly ShortcodeName[] = CORE_SHORTCODES,
  ) {
    this.#head = new RegExp(`\\[(${names.join('|')})(?![\\w-])`, 'y');
    this.#brackets = new Seeker(text, ']');
    this.#closers = new Map(names.map((name) => [name, new Seeker(text, `[/${name}]`)]));
  }

  /** The shortcode whose `[` is at `at`. */
  match(at: number): Shortcode | undefined {
    this.#head.lastIndex = at;
    const name = this.#head.exec(this.text)?.[1] as ShortcodeName | undefined;
    if (name === undefined) return undefined;
    const start = this.#head.lastIndex;
    const bracket = this.#brackets.next(start);
    if (bracket === -1) return undefined;
    const tagEnd = bracket + 1;
    const found = { name, attributes: this.text.slice(start, bracket), content: undefined, start: at, openEnd: tagEnd, end: tagEnd };
    if (bracket > start && this.text[bracket - 1] === '/') {
      return { ...found, attributes: this.text.slice(start, bracket - 1) };
    }
    const closer = this.#closers.get(name)?.next(tagEnd) ?? -1;
    if (closer === -1) return found;
    return { ...found, content: this.text.slice(tagEnd, closer), end: closer + name.length + 3 };
  }
}

/** Replaces every shortcode by the result of `render`; `[[name]]` only loses its outer brackets. */
export function replaceShortcodes(text: string, render: (shortcode: Shortcode) => string, names?: readonly ShortcodeName[]): string {
  const scanner = new ShortcodeScanner(text, names);
  let out = '';
  let copied = 0;
  for (let open = text.indexOf('['); open !== -1; open = text.indexOf('[', open)) {
    const doubled = text[open + 1] === '[';
    const found = scanner.match(doubled ? open + 1 : open);
    if (!found) {
      open += 1;
      continue;
    }
    const extra = text[found.end] === ']' ? 1 : 0;
    const end = found.end + extra;
    const shown = doubled && extra === 1 ? text.slice(open + 1, end - 1) : (doubled ? '[' : '') + render(found) + (extra ? ']' : '');
    out += text.slice(copied, open) + shown;
    copied = end;
    open = end;
  }
  return out + text.slice(copied);
}

/** Removes registered shortcodes together with what they enclose (WP: `strip_shortcodes`). */
export const stripShortcodes = (text: string): string => (text.includes('[') ? replaceShortcodes(text, () => '') : text);

const ATTRIBUTE = new RegExp(
  [
    `([\\w-]+)S*=S*"([^"]*)"(?:S|$)`,
    `([\\w-]+)S*=S*'([^']*)'(?:S|$)`,
    `([\\w-]+)S*=S*([^ \\t\\n\\v\\f\\r'"]+)(?:S|$)`,
    `"([^"]*)"(?:S|$)`,
    `'([^']*)'(?:S|$)`,
    `([^ \\t\\n\\v\\f\\r]+)(?:S|$)`,
  ]
    .join('|')
    .replaceAll('S', ASCII_SPACE),
  'g',
);

/** Reads the attribute part of a shortcode tag. Behavior of shortcode_parse_atts; values with an unclosed `<` become empty. */
export function parseAttributes(source: string): ShortcodeAttributes {
  const found: Record<string, string> = {};
  let position = 0;
  for (const match of source.replace(/[\u00a0\u200b]+/g, ' ').matchAll(ATTRIBUTE)) {
    const name = match[1] ?? match[3] ?? match[5];
    const value = match[2] ?? match[4] ?? match[6] ?? match[7] ?? match[8] ?? match[9] ?? '';
    const key = name === undefined ? String(position++) : name.toLowerCase();
    found[key] = hasOpenTag(value) ? '' : value.replace(/\\(.)/gs, '$1');
  }
  return found;
}

function hasOpenTag(value: string): boolean {
  return value.lastIndexOf('<') > value.lastIndexOf('>');
}
