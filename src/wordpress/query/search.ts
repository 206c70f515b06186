import { foldForSearch } from '../formatting/accents.js';
import { unslash } from '../formatting/sanitize.js';
import type { SearchClause } from './post-query.js';

/** WP: stop words of the English search, measured. */
const STOP_WORDS = new Set(
  'about an are as at be by com for from how in is it of on or that the this to was what when where who will with www'.split(' '),
);

/** WP: bytes of the longest search; of a longer one nothing is searched. */
export const LONGEST_SEARCH = 1_600;

/** Whether a text is searched for (WP). */
export const isSearched = (text: string | undefined): text is string =>
  text !== undefined && text !== '' && (text.length <= LONGEST_SEARCH / 4 || Buffer.byteLength(text) <= LONGEST_SEARCH);

/** WP: with more words, the whole text is one phrase. */
const MAX_WORDS = 9;

function splitWords(text: string): string[] {
  const words: string[] = [];
  const pattern = /".*?("|$)|(?<=[\t ",+]|^)[^\t ",+]+/g;
  for (const [match] of text.matchAll(pattern)) {
    const quoted = /^".+"$/s.test(match);
    words.push(match.replace(quoted ? /^["']+|(?<!["'])["']+$/g : /^["' ]+|(?<!["' ])["' ]+$/g, ''));
  }
  // PHP: the word `0` is empty.
  return words.filter((word) => !/^[a-z0-]?$/i.test(word) && !STOP_WORDS.has(word.toLowerCase()));
}

/**
 * Parses a search for posts (WP): words, quoted phrases, and `-word` for exclusions. Single letters and stop words are ignored. If
 * nothing else is left, or there are more than nine words, the whole text is one phrase.
 */
export function parseSearch(input: string): SearchClause {
  const text = unslash(input).replace(/[\r\n]/g, '');
  const found = splitWords(text);
  const words = found.length === 0 || found.length > MAX_WORDS ? [text] : found;
  const excluded = words.filter((word) => word.startsWith('-'));
  return {
    words: words.filter((word) => !word.startsWith('-')).map(foldForSearch),
    // WP: a lone `-` excludes posts that contain the empty string, that is all posts.
    without: excluded.map((word) => foldForSearch(word.slice(1))),
    inOneField: false,
  };
}
