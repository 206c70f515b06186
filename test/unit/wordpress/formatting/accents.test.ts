import { foldForEquality, foldForSearch, removeAccents } from '../../../../src/wordpress/formatting/accents.js';
import { measured } from './cleaning-cases.js';

test.each(measured('removeAccents'))('removeAccents %j', (text, plain) => {
  expect(removeAccents(text)).toBe(plain);
});

describe('folding', () => {
  test.each([
    ['Für Kinder', 'fur kinder'],
    ['STRASSE', 'straße'],
    ['Ærø', 'aero'],
    ['Đặng Łódź', 'dang lodz'],
    ['Ĳsselmeer', 'ijsselmeer'],
    ['cafe\u0301', 'café'],
    ['soft\u00adhyphen', 'soft\u00adhyphen'],
    ['zero\u200bwidth', 'zerowidth'],
    ['ＦＵＬＬ ｗｉｄｔｈ', 'full width'],
    ['ΟΔΟΣ', 'οδος'],
    ['カタカナ', 'かたかな'],
    ['ッ', 'つ'],
    ['が', 'か'],
    ['٣', '3'],
    ['१२', '12'],
    ['ﬁne', 'fine'],
    ['½', '1⁄2'],
    ['paraŀlel', 'parallel'],
  ])('%j equals %j', (one, other) => {
    expect(foldForEquality(one)).toBe(foldForEquality(other));
  });

  test.each([
    ['straße', 'ss'],
    ['œuvre', 'oe'],
    ['ﬁne', 'fi'],
    ['æon', 'a'],
    ['½', '1'],
    ['…', '.'],
  ])('%j does not contain %j, though they compare as equal', (text, needle) => {
    expect(foldForSearch(text)).not.toContain(foldForSearch(needle));
    expect(foldForEquality(text)).toContain(foldForEquality(needle));
  });

  test.each([
    ['й', 'и'],
    ['Ї', 'І'],
    ['أ', 'ا'],
    ['ि', ''],
    ['´', ' '],
    ['a', 'b'],
    ['🎉', '🎊'],
    ['a b', 'ab'],
    ['-', '_'],
    ["'", '"'],
  ])('%j is not %j', (one, other) => {
    expect(foldForSearch(one)).not.toBe(foldForSearch(other));
  });

  test.each([
    ['Fürst', 'u'],
    ['FÜRST', 'fur'],
    ['naïve café', 'IVE CAF'],
    ['straße', 'ẞ'],
    ['Œuvre', 'œ'],
    ['Ǻngström', 'ang'],
  ])('%j contains %j', (text, needle) => {
    expect(foldForSearch(text)).toContain(foldForSearch(needle));
  });

  test('leaves blanks to the caller', () => {
    expect(foldForSearch(' A  ')).toBe(' a  ');
  });
});
