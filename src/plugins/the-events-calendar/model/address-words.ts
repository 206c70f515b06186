import type { Options } from '../../../wordpress/options.js';
import WORDS from './address-words.json' with { type: 'json' };

type Words = ReadonlyMap<string, string>;

const NONE: Words = new Map();
const TABLE = new Map(Object.entries<Record<string, string>>(WORDS).map(([locale, words]) => [locale, new Map(Object.entries(words))]));
const ENGLISH = new Map([...TABLE].map(([locale, words]) => [locale, new Map([...words].map(([english, word]) => [word, english]))]));

/** The entry of a language, such as `pt_BR` or `de` of `de_AT`. */
const inLanguage = (table: ReadonlyMap<string, Words>, { locale }: Options): Words =>
  table.get(locale) ?? table.get(locale.split('_')[0]) ?? NONE;

/** A word in addresses, in the language of the site and encoded. TEC: they are its translated texts as slugs. */
export const addressWord = (english: string, options: Options): string =>
  encodeURIComponent(inLanguage(TABLE, options).get(english) ?? english).toLowerCase();

/** The English word for a segment of a decoded address; other segments stay. TEC: addresses have either. */
export const englishWord = (segment: string, options: Options): string => inLanguage(ENGLISH, options).get(segment) ?? segment;
