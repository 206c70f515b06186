import TABLES from './tables.json' with { type: 'json' };

/** Allowed elements, each with its allowed attributes (lower case). */
export type AllowedHtml = ReadonlyMap<string, ReadonlySet<string>>;

type Attributes = Readonly<Record<string, string>>;

/**
 * Names in words: elements with `align` and without attributes of their own, and the attributes of elements. `global` ones are those of all
 * elements; `data-*` means all custom ones. `newer` and `math` came with WordPress 6.9, `commands` with 7.1.
 */
const { post: POST, newer: NEWER, math: MATH, commands: COMMANDS } = TABLES;

export const words = (list: string): string[] => list.split(' ').filter(Boolean);

/**
 * The HTML allowed in descriptions and excerpts of users without unfiltered HTML.
 * @param newer what releases after 6.8 add: elements, among them MathML; attributes for buttons and the keyboard
 */
export function postSet(newer: { elements: boolean; commands: boolean }): AllowedHtml {
  const tables: Attributes[] = [
    POST.attributes,
    ...(newer.elements ? [NEWER, MATH.attributes] : []),
    ...(newer.commands ? [COMMANDS.attributes] : []),
  ];
  const math = new Set(newer.elements ? words(MATH.plain) : []);
  const names = new Set([...words(POST.aligned), ...words(POST.plain), ...math, ...tables.flatMap(Object.keys)]);
  const aligned = new Set(words(POST.aligned));
  const attributes = (name: string): Set<string> =>
    new Set([
      ...words(POST.global),
      ...(newer.commands ? words(COMMANDS.global) : []),
      ...(aligned.has(name) ? ['align'] : []),
      ...(math.has(name) ? words(MATH.global) : []),
      ...tables.flatMap((table) => words(table[name] ?? '')),
    ]);
  // WP: `object` is kept, but its attributes only when it shows a PDF of the site's own uploads. Here they always go.
  return new Map<string, ReadonlySet<string>>([...names].map((name) => [name, attributes(name)] as const)).set('object', new Set());
}

/** The HTML allowed in comments, term descriptions, and titles of users without unfiltered HTML. */
export const INLINE_HTML: AllowedHtml = new Map(
  Object.entries(TABLES.inline).map(([name, attributes]) => [name, new Set(words(attributes))]),
);

/** The HTML allowed in comments: the same, with mentions of users. */
export const COMMENT_HTML: AllowedHtml = new Map([...INLINE_HTML, ['span', new Set(['class'])]]);

/** The HTML allowed in descriptions of terms and users: the same, with more attributes of links. */
export const DESCRIPTION_HTML: AllowedHtml = new Map([...INLINE_HTML, ['a', new Set(words('href rel target title'))]]);

/** TEC: the HTML of an excerpt in `json_ld.description`. Paragraphs and line breaks come from its lines. */
export const TEASER_HTML: AllowedHtml = new Map(
  ['a', 'b', 'em', 'li', 'ol', 'span', 'strong', 'ul'].map((name) => [
    name,
    new Set(words(name === 'a' ? 'class href id rel style target' : 'class id style')),
  ]),
);

export const URL_ATTRIBUTES: ReadonlySet<string> = new Set(['cite', 'href', 'longdesc', 'poster', 'src', 'usemap']);

/** Attributes that are dropped when they have a value. */
export const VALUELESS: ReadonlySet<string> = new Set(['download']);

/** The allowed URL schemes. */
export const PROTOCOLS: ReadonlySet<string> = new Set(words(TABLES.protocols));
