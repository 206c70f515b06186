import { escHtml } from '../../../wp/formatting/entities.js';
import { renderContent, renderExcerpt, renderTitle } from '../../../wp/formatting/content.js';
import { jsonLdDescription } from '../../../wp/formatting/json-ld-text.js';
import type { RenderedTexts } from '../../../wp/model.js';

/*
 * From texts as a site shows them back to what may be stored there. A guess counts only when rendering it gives exactly the text that is
 * shown; where none does, the shown text is kept beside the best guess.
 */

/** Typographic marks as WordPress writes them, and what people type for them. */
const MARKS: readonly (readonly [RegExp, string])[] = [
  [/ &#8211; /g, ' - '],
  [/&#8211;/g, '--'],
  [/&#8212;/g, '---'],
  [/&#82(?:16|17|42);/g, "'"],
  [/&#82(?:20|21|43);/g, '"'],
  [/&#8230;/g, '...'],
  [/(?<=\d)&#215;(?=\d)/g, 'x'],
  [/&#038;/g, '&'],
];

/** Plain marks in place of typographic ones, outside tags. */
const plainMarks = (html: string): string =>
  html.replace(/<[^>]*>|[^<]+/g, (part) =>
    part.startsWith('<') ? part : MARKS.reduce((text, [mark, typed]) => text.replace(mark, typed), part),
  );

/** Blank lines in place of paragraphs, line ends in place of breaks. */
const plainParagraphs = (html: string): string =>
  html
    .replace(/<p>([\s\S]*?)<\/p>\n?/g, '$1\n\n')
    .replace(/<br \/>\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();

/** The first of some guesses that is rendered as shown; undefined when there is none. */
const proved = (guesses: readonly string[], shown: string, render: (raw: string) => string): string | undefined =>
  guesses.find((guess) => render(guess) === shown);

interface Stored {
  /** What to store. */
  text: string;
  /** Whether rendering it gives what was shown. */
  exact: boolean;
}

function stored(shown: string, guesses: readonly string[], render: (raw: string) => string): Stored {
  const text = proved(guesses, shown, render);
  return text === undefined ? { text: guesses[0], exact: false } : { text, exact: true };
}

const titleOf = (shown: string, raw: string | undefined): Stored =>
  stored(shown, [...(raw === undefined ? [] : [raw]), plainMarks(shown), shown.replaceAll('&#038;', '&'), shown], renderTitle);

const htmlOf = (shown: string, raw: string | undefined, render: (text: string) => string): Stored =>
  stored(
    shown,
    [...(raw === undefined ? [] : [raw]), plainMarks(plainParagraphs(shown)), plainMarks(shown), plainParagraphs(shown), shown],
    render,
  );

/** What a site shows of an item. */
export interface ShownTexts {
  title: string;
  description: string;
  excerpt: string;
  /** `json_ld.description`, of which the stored texts are the source too; undefined where it is not known. */
  jsonLd?: string;
}

/** What it stores, where it says so. */
export type RawTexts = Partial<Record<'title' | 'content' | 'excerpt', string>>;

export interface StoredTexts {
  title: string;
  content: string;
  excerpt: string;
  rendered?: RenderedTexts;
}

/** Texts to store, and those of the shown ones that the stored ones do not give. */
export function storedTexts(shown: ShownTexts, raw: RawTexts = {}): StoredTexts {
  const title = titleOf(shown.title, raw.title);
  const content = htmlOf(shown.description, raw.content, renderContent);
  const excerpt = htmlOf(shown.excerpt, raw.excerpt, renderExcerpt);
  const jsonLd = jsonLdDescription({ content: content.text, excerpt: excerpt.text });
  const rendered: RenderedTexts = {
    ...(title.exact ? {} : { title: shown.title }),
    ...(content.exact ? {} : { content: shown.description }),
    ...(excerpt.exact ? {} : { excerpt: shown.excerpt }),
    ...(shown.jsonLd === undefined || shown.jsonLd === jsonLd ? {} : { jsonLd: shown.jsonLd }),
  };
  return {
    title: title.text,
    content: content.text,
    excerpt: excerpt.text,
    ...(Object.keys(rendered).length > 0 ? { rendered } : {}),
  };
}

const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#039;': "'", '&amp;': '&' };

/** The text that is escaped as shown; the shown one where that cannot be undone. */
export function unescaped(shown: string): string {
  const plain = shown.replace(/&(?:lt|gt|quot|#039|amp);/g, (entity) => ENTITIES[entity]);
  return escHtml(plain) === shown ? plain : shown;
}
