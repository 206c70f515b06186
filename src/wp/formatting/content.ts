import { autop } from './autop.js';
import { hasBlocks, renderBlocks } from './blocks.js';
import type { RenderState } from './shortcodes/media-players.js';
import { scheduleMedia } from './media-tags.js';
import { remembering } from './memo.js';
import { runEmbeds, runShortcodes, unwrapShortcodes } from './shortcodes/shortcodes.js';
import { convertSmilies } from './smilies.js';
import { phpTrim } from './strip-tags.js';
import { texturize } from './texturize.js';

/** What a text may refer to beside itself. */
export interface RenderOptions {
  /** Address of the site without a slash at the end; only the smiley that is an image needs it. */
  readonly siteUrl?: string;
  /** Id of the post, part of the ids of audio and video players. */
  readonly postId?: number;
}

/** A title as shown: typographic pass, `&` outside entities → `&#038;`, trimmed, WordPress spelled with its capital P. */
export const renderTitle = remembering((raw) => phpTrim(escapeAmpersands(texturize(raw))).replaceAll('Wordpress', 'WordPress'));

const plainContent = remembering((raw) => phpTrim(filterContent(raw)));
const plainExcerpt = remembering((raw) => phpTrim(filterExcerpt(raw)));

/** A description as the calendar API shows it: `filterContent`, trimmed. */
export function renderContent(raw: string, options?: RenderOptions): string {
  return options ? phpTrim(filterContent(raw, options)) : plainContent(raw);
}

/** An excerpt as the calendar API shows it: `filterExcerpt`, trimmed. */
export function renderExcerpt(raw: string, options?: RenderOptions): string {
  return options ? phpTrim(filterExcerpt(raw, options)) : plainExcerpt(raw);
}

/** The chain behind WordPress's `the_content`, in its order. The core API shows it untrimmed. */
export function filterContent(raw: string, options: RenderOptions = {}): string {
  if (raw === '') return '';
  const state: RenderState = { postId: options.postId ?? 0, players: { audio: 0, video: 0 } };
  const typographic = texturize(renderBlocks(runEmbeds(raw)));
  // WP: block markup brings its own paragraphs.
  const paragraphs = hasBlocks(raw) ? typographic : autop(typographic);
  const shown = runShortcodes(capitalP(unwrapShortcodes(paragraphs)), state);
  return convertSmilies(scheduleMedia(shown), options.siteUrl);
}

/** The chain behind `the_excerpt`: neither blocks nor shortcodes, and `Wordpress` stays. The core API shows it untrimmed. */
export function filterExcerpt(raw: string, options: RenderOptions = {}): string {
  if (raw === '') return '';
  const typographic = escapeAmpersands(convertSmilies(texturize(raw), options.siteUrl));
  return scheduleMedia(unwrapShortcodes(autop(typographic)));
}

/** What the typographic pass leaves: `&x;` looks like an entity to it, but not here. Behaviour of convert_chars. */
function escapeAmpersands(text: string): string {
  return text.includes('&') ? text.replace(/&([^#])(?![a-z1-4]{1,8};)/gi, '&#038;$1') : text;
}

/** `Wordpress` → `WordPress` at the start of a word. Behaviour of capital_P_dangit outside titles. */
export function capitalP(text: string): string {
  return text.includes('Wordpress') ? text.replace(/(?<= |&#8216;|&#8220;|>|\()Wordpress/g, 'WordPress') : text;
}
