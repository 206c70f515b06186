/** Text that is HTML already and goes into a page as it is. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = string | number | Html | null | undefined | false | Part[];

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#039;' };

/** Plain text as HTML, for content and for attributes in quotes. */
export const escapeText = (text: string): string => text.replace(/[&<>"']/g, (char) => ENTITIES[char]);

function write(part: Part): string {
  if (part === null || part === undefined || part === false) return '';
  if (Array.isArray(part)) return part.map(write).join('');
  return part instanceof Html ? part.text : escapeText(String(part));
}

/** A template of HTML: whatever stands in it is escaped, unless it is `Html` itself. Lists are joined, nothing is left out. */
export const html = (strings: TemplateStringsArray, ...parts: Part[]): Html =>
  new Html(strings.reduce((text, string, index) => text + write(parts[index - 1]) + string));

/** HTML from elsewhere that was made safe before. */
export const trusted = (text: string): Html => new Html(text);
