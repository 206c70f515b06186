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

/** A template tag for HTML. Values are escaped unless they are `Html`. Arrays are joined; null, undefined and false are empty. */
export const html = (strings: TemplateStringsArray, ...parts: Part[]): Html =>
  new Html(strings.reduce((text, string, index) => text + write(parts[index - 1]) + string));

/** Marks HTML as safe. Only for text that has been sanitized. */
export const trusted = (text: string): Html => new Html(text);
