import { foldForSearch } from '../formatting/accents.js';
import { unslash } from '../formatting/sanitize.js';
import type { SearchClause } from './post-query.js';

/** Words that say nothing; measured on WordPress's English search. */
const STOP_WORDS = new Set(
  'about an are as at be by com for from how in is it of on or that the this to was what when where who will with www'.split(' '),
);

const MOST_WORDS = 9;

function splitWords(text: string): string[] {
  const words: string[] = [];
  const pattern = /".*?("|$)|(?<=[\t ",+]|^)[^\t ",+]+/g;
  for (const [match] of text.matchAll(pattern)) {
    const quoted = /^".+"$/s.test(match);
    words.push(match.replace(quoted ? /^["']+|(?<!["'])["']+$/g : /^["' ]+|(?<!["' ])["' ]+$/g, ''));
  }
  // PHP: the word `0` counts as none.
  return words.filter((word) => !/^[a-z0-]?$/i.test(word) && !STOP_WORDS.has(word.toLowerCase()));
}

/**
 * What a search for posts looks for (WP): words, quoted phrases, `-word` for what must not occur. Single letters and stop words
 * count only when nothing else is left; then, and with more than nine words, the whole text is one phrase.
 */
export function parseSearch(input: string): SearchClause {
  const text = unslash(input).replace(/[\r\n]/g, '');
  const found = splitWords(text);
  const words = found.length === 0 || found.length > MOST_WORDS ? [text] : found;
  const excluded = words.filter((word) => word.startsWith('-'));
  return {
    words: words.filter((word) => !word.startsWith('-')).map(foldForSearch),
    // WP: a lone `-` leaves out what holds nothing, which is all there is.
    without: excluded.map((word) => foldForSearch(word.slice(1))),
    inOneField: false,
  };
}
