import { trimWords } from './strip-tags.js';
import { excerptBlocks } from './blocks.js';
import { filterContent, type RenderOptions } from './content.js';
import { NO_REFERENCES } from './references.js';
import { stripShortcodes } from './shortcodes/shortcode-syntax.js';

/** Number of words of a generated excerpt. TEC: of all posts while the plugin is active, not only of events. */
export const EXCERPT_WORDS = 30;

const MORE_MARK = /<!--more(?:.*?)?-->/;
const PAGE_BREAK = /\n?<!--nextpage-->\n?/;

/** WP: `get_the_content` uses the first page of a text, up to the mark "more"; a page break at the very beginning is ignored. */
function firstPart(content: string): string {
  const text = content.startsWith('<!--nextpage-->') ? content.slice('<!--nextpage-->'.length) : content;
  return text.split(PAGE_BREAK, 1)[0].split(MORE_MARK, 1)[0];
}

/**
 * The excerpt of a content without an explicit one, before it is filtered (WP: `wp_trim_excerpt`).
 * @param most number of words
 * @param isFeed WP: feeds go on after the mark
 */
export function excerptOf(content: string, most = EXCERPT_WORDS, options: RenderOptions = {}, isFeed = false): string {
  if (content === '') return '';
  // WP: an excerpt is generated from the first part of a text, up to the mark "more" or a page break.
  const first = isFeed ? content : firstPart(content);
  const fitting = excerptBlocks(stripShortcodes(first), options.references ?? { ...NO_REFERENCES });
  return trimWords(filterContent(fitting, options).replaceAll(']]>', ']]&gt;'), most);
}
