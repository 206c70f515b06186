import { lookup } from '../../../base/values/records.js';
import { renderComment } from '../../../wordpress/formatting/comments/comment-text.js';
import { escHtml } from '../../../wordpress/formatting/entities.js';
import { renderContent, renderExcerpt, renderTitle } from '../../../wordpress/formatting/content.js';
import { jsonLdDescription } from '../../../wordpress/formatting/json-ld-text.js';
import type { RenderedTexts } from '../../../wordpress/model.js';

/*
 * Converts rendered texts back to the stored ones, unless these are known. A candidate is accepted only if rendering it produces exactly the
 * rendered text; if none does, the rendered text is stored in addition to the best candidate.
 */

/** Typographic characters as WordPress renders them, and the characters that people type. */
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

/** Replaces typographic characters with typed ones, outside tags. */
const plainMarks = (html: string): string =>
  html.replace(/<[^>]*>|[^<]+/g, (part) =>
    part.startsWith('<') ? part : MARKS.reduce((text, [mark, typed]) => text.replace(mark, typed), part),
  );

/** Replaces paragraphs with blank lines, and `<br />` with line breaks. */
const plainParagraphs = (html: string): string =>
  html
    .replace(/<p>([\s\S]*?)<\/p>\n?/g, '$1\n\n')
    .replace(/<br \/>\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();

/** The first candidate that renders to the shown text, or undefined. */
const findExact = (candidates: readonly string[], shown: string, render: (raw: string) => string): string | undefined =>
  candidates.find((candidate) => render(candidate) === shown);

interface Stored {
  /** The text to store. */
  text: string;
  /** Whether it renders to the shown text. */
  exact: boolean;
}

function stored(shown: string, candidates: readonly string[], render: (raw: string) => string): Stored {
  const text = findExact(candidates, shown, render);
  return text === undefined ? { text: candidates[0], exact: false } : { text, exact: true };
}

const titleOf = (shown: string, raw: string | undefined): Stored =>
  stored(shown, raw === undefined ? [plainMarks(shown), shown.replaceAll('&#038;', '&'), shown] : [raw], renderTitle);

const htmlOf = (shown: string, raw: string | undefined, render: (text: string) => string): Stored =>
  stored(shown, raw === undefined ? [plainMarks(plainParagraphs(shown)), plainMarks(shown), plainParagraphs(shown), shown] : [raw], render);

/** The stored text of a comment, as exactly as it can be found. */
export const storedComment = (shown: string, raw: string | undefined, siteUrl: string): string =>
  htmlOf(shown, raw, (text) => renderComment(text, siteUrl)).text;

/** The rendered texts of an item. */
interface ShownTexts {
  title: string;
  description: string;
  excerpt: string;
  /** `json_ld.description`, which is also rendered from the stored texts; no text if unknown. */
  jsonLd?: unknown;
}

/** The stored texts, if the API shows them. */
export type RawTexts = Partial<Record<'title' | 'content' | 'excerpt', string>>;

/** Finds the texts to store. `rendered` contains the shown texts that they do not render to. */
export function storedTexts(shown: ShownTexts, raw: RawTexts = {}) {
  const title = titleOf(shown.title, raw.title);
  const content = htmlOf(shown.description, raw.content, renderContent);
  const excerpt = htmlOf(shown.excerpt, raw.excerpt, renderExcerpt);
  const jsonLd = jsonLdDescription({ content: content.text, excerpt: excerpt.text });
  const rendered: RenderedTexts = {
    ...(title.exact ? {} : { title: shown.title }),
    ...(content.exact ? {} : { content: shown.description }),
    ...(excerpt.exact ? {} : { excerpt: shown.excerpt }),
    ...(typeof shown.jsonLd !== 'string' || shown.jsonLd === jsonLd ? {} : { jsonLd: shown.jsonLd }),
  };
  return {
    title: title.text,
    content: content.text,
    excerpt: excerpt.text,
    ...(Object.keys(rendered).length > 0 ? { rendered } : {}),
  };
}

const ENTITIES: Readonly<Record<string, string>> = lookup({ '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#039;': "'", '&amp;': '&' });

/** Reverses `escHtml`; returns the text unchanged if that is not possible. */
export function unescapedHtml(shown: string): string {
  const plain = shown.replace(/&(?:lt|gt|quot|#039|amp);/g, (entity) => ENTITIES[entity]);
  return escHtml(plain) === shown ? plain : shown;
}
