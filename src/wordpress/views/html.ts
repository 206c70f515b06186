/** Safe HTML, which is inserted into pages unescaped. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = string | number | Html | null | undefined | false | Part[];

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#039;' };

/** Escapes plain text for HTML content and quoted attributes. */
export const escapeText = (text: string): string => text.replace(/[&<>"']/g, (char) => ENTITIES[char]);

function write(part: Part): string {
  if (part === null || part === undefined || part === false) return '';
  if (Array.isArray(part)) return part.map(write).join('');
  return part instanceof Html ? part.text : escapeText(String(part));
}

/** The texts of templates without the indentation of the source, which is a third of a page. */
const squeezed = new WeakMap<TemplateStringsArray, readonly string[]>();

function squeeze(strings: TemplateStringsArray): readonly string[] {
  const known = squeezed.get(strings);
  if (known) return known;
  const made = strings.map((string) => string.replace(/\s+/g, ' '));
  squeezed.set(strings, made);
  return made;
}

/**
 * A template tag for HTML. Values are escaped unless they are `Html`. Arrays are joined; null, undefined and false are empty. White space
 * of the template becomes one space.
 */
export const html = (strings: TemplateStringsArray, ...parts: Part[]): Html =>
  new Html(squeeze(strings).reduce((text, string, index) => text + write(parts[index - 1]) + string));

/** Marks HTML as safe. Only for text that has been sanitized. */
export const trusted = (text: string): Html => new Html(text);
