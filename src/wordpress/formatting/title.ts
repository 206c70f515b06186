import { memoized } from './memo.js';
import { phpTrim } from './strip-tags.js';
import { texturize } from './texturize.js';

/** A title as shown: typographic pass, `&` outside entities → `&#038;`, trimmed, WordPress spelled with its capital P. */
export const renderTitle = memoized((raw) => phpTrim(escapeAmpersands(texturize(raw))).replaceAll('Wordpress', 'WordPress'));

/** The typographic pass keeps `&x;`, which it treats as an entity. Behavior of convert_chars. */
export function escapeAmpersands(text: string): string {
  return text.includes('&') ? text.replace(/&([^#])(?![a-z1-4]{1,8};)/gi, '&#038;$1') : text;
}
