import { lookup } from '../../base/values/records.js';
import CHARACTERS from './characters.json' with { type: 'json' };

/** Unicode blocks whose composed Latin letters WordPress folds to their base letter; others (Ȧ, Ḃ, ʹ …) keep the accent. */
const FOLDED_LETTERS = /[\u00c0-\u0180\u01a0\u01a1\u01af\u01b0\u01cd-\u01dc\u0218-\u021b\u1ea0-\u1ef9]/g;

/** Letters and signs that Unicode does not decompose, with their replacements in WordPress. */
const SPECIAL_LETTERS: Readonly<Record<string, string>> = lookup(CHARACTERS.specialLetters);
const SPECIAL = new RegExp(`[${Object.keys(SPECIAL_LETTERS).join('')}]`, 'gu');

const NON_ASCII = /[^\0-\x7f]/;

/** The letter without its diacritics; a letter that does not decompose stays. */
const baseLetter = (letter: string): string => letter.normalize('NFD').replace(/\p{M}/gu, '');

/**
 * WordPress `remove_accents` on a site without a locale: the accented letters of western, central European, Vietnamese
 * and Pinyin writing become ASCII, everything else stays. Decomposed text is composed first.
 */
export const removeAccents = (text: string): string => {
  if (!NON_ASCII.test(text)) return text;
  return text
    .normalize('NFC')
    .replace(SPECIAL, (letter) => SPECIAL_LETTERS[letter] ?? '')
    .replace(FOLDED_LETTERS, baseLetter);
};

/** Marks without a primary weight in the collation; vowel signs of the scripts of India and the like have one and are not here. */
const IGNORABLE_MARKS =
  '\\u0300-\\u0362\\u0483-\\u0489\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7\\u0610-\\u061a\\u064b-\\u065e\\u0670' +
  '\\u06d6-\\u06dc\\u06df-\\u06e4\\u06e7\\u06e8\\u06ea-\\u06ed\\u0711\\u0730-\\u074a\\u07eb-\\u07f3\\u0818\\u0819\\u081c-\\u082d' +
  '\\u0900-\\u0903\\u093c\\u0951-\\u0954\\u0981-\\u0983\\u09bc\\u0a01-\\u0a03\\u0a3c\\u0a70\\u0a71\\u0a81-\\u0a83\\u0abc' +
  '\\u0b01-\\u0b03\\u0b3c\\u0b82\\u0c01-\\u0c03\\u0c82\\u0c83\\u0cbc\\u0d02\\u0d03\\u0e47-\\u0e4e\\u0ec8-\\u0ecd\\u0f18\\u0f19' +
  '\\u0f35\\u0f37\\u0f39\\u0f7e\\u0f7f\\u0f82\\u0f83\\u0f86\\u0f87\\u1036-\\u1038\\u17c6-\\u17d1\\u17d3\\u17dd\\u1dc0-\\u1dc9' +
  '\\u1dcb-\\u1dd1\\u1dfd-\\u1dff\\u20d0-\\u20f0\\u302a-\\u302f\\u3099-\\u309a\\ufe00-\\ufe0f\\ufe20-\\ufe26';
const IGNORABLE_SIGNS =
  '\\u0001-\\u0008\\u000e-\\u001f\\u007f-\\u0084\\u0086-\\u009f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2064\\u206a-\\u206f\\ufeff';
const IGNORABLE = new RegExp(`[${IGNORABLE_MARKS}${IGNORABLE_SIGNS}]`, 'g');

/** Letters that the collation treats as others although Unicode does not decompose them (lower case). */
const COLLATED_LETTERS: Readonly<Record<string, string>> = lookup(CHARACTERS.collatedLetters);
/** The middle dot of the Catalan ŀ disappears with its compatibility decomposition. */
const CATALAN_L = /[ŀĿ]/g;
const COLLATED = new RegExp(`[${Object.keys(COLLATED_LETTERS).join('')}]`, 'gu');

/**
 * Composed letters that are separate letters in the collation (Cyrillic й, ї, ў …, Arabic alif with hamza), and the spacing accents
 * (¨, ´ …), which are not a space with a mark there. Ӣ and Ӯ do decompose.
 */
const UNDECOMPOSED =
  /[\u00a8\u00af\u00b4\u00b8\u02d8-\u02dd\u0384\u0385\u0403\u0407\u040c\u040e\u0419\u0439\u0453\u0457\u045c\u045e\u0476\u0477\u04d0-\u04e1\u04e4-\u04ed\u04f0-\u04f9\u0622-\u0626]/;

const SMALL_KANA = 'ぁぃぅぇぉっゃゅょゎゕゖ';
const FULL_KANA = 'あいうえおつやゆよわかけ';
const KATAKANA = /[\u30a1-\u30f6]/g;
const KATAKANA_SHIFT = 0x60;

const foldKana = (text: string): string =>
  text
    .replace(KATAKANA, (kana) => String.fromCharCode(kana.charCodeAt(0) - KATAKANA_SHIFT))
    .replace(new RegExp(`[${SMALL_KANA}]`, 'g'), (kana) => FULL_KANA[SMALL_KANA.indexOf(kana)] ?? kana);

/**
 * The value of a digit: decimal digits come in runs of ten, and a run starts after a character that is not a digit, or after another run.
 */
const digitValue = (digit: string): string => {
  const point = digit.codePointAt(0) ?? 0;
  let start = point;
  while (point - start < 9 && /\p{Nd}/u.test(String.fromCodePoint(start - 1))) start -= 1;
  return String(point - start);
};

const decompose = (letter: string): string => (UNDECOMPOSED.test(letter) ? letter : letter.normalize('NFKD')).toLowerCase();

/** The letters that the collation compares instead of a letter or sign; several for a ligature, a fraction or `ß`. */
const foldSign = (sign: string): string =>
  decompose(sign)
    .toLowerCase()
    .replace(COLLATED, (letter) => COLLATED_LETTERS[letter] ?? letter)
    .replace(IGNORABLE, '');

const foldDigits = (text: string): string => text.replace(/[^\0-\x7f]/gu, (sign) => (/\p{Nd}/u.test(sign) ? digitValue(sign) : sign));

const foldWith = (text: string, fold: (sign: string) => string): string => {
  if (!NON_ASCII.test(text)) return text.toLowerCase().replace(IGNORABLE, '');
  const letters = text.replace(CATALAN_L, 'l').replace(/[^\0-\x7f]/gu, fold);
  return foldDigits(foldKana(letters.toLowerCase().replace(IGNORABLE, '')));
};

/**
 * The key under which two texts are equal in MySQL's `utf8mb4_unicode_520_ci`: case, accents and invisible characters do not count, `ß`
 * equals `ss`. Blanks are kept: a comparison for equality drops the trailing ones.
 */
export const foldForEquality = (text: string): string => foldWith(text, foldSign);

/**
 * The key in which a folded needle is found where `LIKE` finds the raw one. MySQL: `LIKE` compares character by character, so `ß` equals
 * `ẞ` and not `ss`.
 */
export const foldForSearch = (text: string): string =>
  foldWith(text, (sign) => {
    const folded = foldSign(sign);
    return Array.from(folded).length > 1 ? sign.toLowerCase() : folded;
  });
