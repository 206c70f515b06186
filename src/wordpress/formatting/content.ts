import { autop } from './autop.js';
import { hasBlocks, renderBlocks, excerptBlocks } from './blocks.js';
import { completeMedia } from './media-tags.js';
import { NO_REFERENCES, type References } from './references.js';
import { runEmbeds, runShortcodes, unwrapShortcodes } from './shortcodes/shortcodes.js';
import { convertSmilies } from './smilies.js';
import { phpTrim, trimWords } from './strip-tags.js';
import { texturize } from './texturize.js';
import { escapeAmpersands } from './title.js';
import { stripShortcodes } from './shortcodes/shortcode-syntax.js';

export { renderTitle } from './title.js';

/** The context of a text. */
export interface RenderOptions {
  /** Address of the site without a slash at the end; only the smiley that is an image needs it. */
  readonly siteUrl?: string;
  /** Id of the post, part of the ids of audio and video players. */
  readonly postId?: number;
  readonly references?: References;
}

/** A description as the calendar API shows it: `filterContent`, trimmed. */
export const renderContent = (raw: string, options: RenderOptions = {}): string => phpTrim(filterContent(raw, options));

/** An excerpt as the calendar API shows it: `filterExcerpt`, trimmed. */
export const renderExcerpt = (raw: string, options: RenderOptions = {}): string => phpTrim(filterExcerpt(raw, options));

/** The chain behind WordPress's `the_content`, in its order. The core API shows it untrimmed. */
export function filterContent(raw: string, { siteUrl, postId = 0, references = { ...NO_REFERENCES } }: RenderOptions = {}): string {
  if (raw === '') return '';
  const typographic = texturize(renderBlocks(runEmbeds(raw), references));
  // WP: block markup has paragraphs already.
  const paragraphs = hasBlocks(raw) ? typographic : autop(typographic);
  const state = { postId, references, shown: references.counters.shown };
  const shown = runShortcodes(capitalP(unwrapShortcodes(paragraphs)), state);
  return convertSmilies(completeMedia(shown, references), siteUrl);
}

/** The chain behind `the_excerpt`: neither blocks nor shortcodes, and `Wordpress` stays. The core API shows it untrimmed. */
export function filterExcerpt(raw: string, { siteUrl, references = NO_REFERENCES }: RenderOptions = {}): string {
  if (raw === '') return '';
  const typographic = escapeAmpersands(convertSmilies(texturize(raw), siteUrl));
  return completeMedia(unwrapShortcodes(autop(typographic)), references);
}

/** `Wordpress` → `WordPress` at the start of a word. Behavior of capital_P_dangit outside titles. */
export function capitalP(text: string): string {
  return text.includes('Wordpress') ? text.replace(/(?<= |&#8216;|&#8220;|>|\()Wordpress/g, 'WordPress') : text;
}

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
