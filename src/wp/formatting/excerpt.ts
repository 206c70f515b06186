import { filterContent, type RenderOptions } from './content.js';
import { stripAllTags } from './strip-tags.js';
import { stripShortcodes } from './shortcodes/shortcode-syntax.js';

/** WP: words of an excerpt that is made from the content. */
export const EXCERPT_WORDS = 55;

const MORE = ' [&hellip;]';

/** The first words of a text without its tags, with a sign where there are more (WP: `wp_trim_words`). */
export function trimWords(html: string, most: number): string {
  const words = stripAllTags(html)
    .split(/[\n\r\t ]+/)
    .filter((word) => word !== '');
  // WP: no words at all are asked for by a number that is none.
  return words.length > most ? `${words.slice(0, Math.max(most, 0)).join(' ')}${MORE}` : words.join(' ');
}

/**
 * The excerpt of a content that has none of its own, before it is filtered (WP: `wp_trim_excerpt`).
 * @param most number of words
 */
export const excerptOf = (content: string, most = EXCERPT_WORDS, options: RenderOptions = {}): string =>
  content === '' ? '' : trimWords(filterContent(stripShortcodes(content), options).replaceAll(']]>', ']]&gt;'), most);
