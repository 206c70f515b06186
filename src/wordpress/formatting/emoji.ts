/** WP: where the images of emoji are, by the release of the set. */
const IMAGES = 'https://s.w.org/images/core/emoji';

const JOINER = '\u200d';
const AS_EMOJI = '\ufe0f';

/** Emoji with their variants and sequences; digits and signs that are only emoji in a sequence are none by themselves. */
// Pattern as text, since the flag is newer than the target of the compiler.
const EMOJI = String.raw`\p{RGI_Emoji}|(?![#*\d])\p{Emoji}`;

/** Made on first use: that takes as long as loading hundreds of modules. */
let pattern: RegExp | undefined;

/** The name of an image: code points in hexadecimal. The selector of variants is only part of joined sequences. */
const nameOf = (emoji: string): string =>
  Array.from(emoji.includes(JOINER) ? emoji : emoji.replaceAll(AS_EMOJI, ''), (sign) => sign.codePointAt(0)?.toString(16)).join('-');

/**
 * Emoji outside tags as images, for readers that may lack them. WP: `wp_staticize_emoji`.
 * @param set the release of the set, such as `16.0.1`
 */
export function emojiImages(html: string, set: string): string {
  const image = (emoji: string): string =>
    `<img src="${IMAGES}/${set}/72x72/${nameOf(emoji)}.png" alt="${emoji}" class="wp-smiley" style="height: 1em; max-height: 1em;" />`;
  pattern ??= new RegExp(EMOJI, 'gv');
  const signs = pattern;
  return html.replace(/<[^>]*>|[^<]+/g, (part) => (part.startsWith('<') ? part : part.replace(signs, image)));
}
