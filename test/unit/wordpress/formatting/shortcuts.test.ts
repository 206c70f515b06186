import { hasDigits } from '../../../../src/base/php/json.js';
import { autop, autopMarkup } from '../../../../src/wordpress/formatting/autop.js';
import { convertSmilies } from '../../../../src/wordpress/formatting/smilies.js';
import { splitHtml } from '../../../../src/wordpress/formatting/html-tokens.js';

/* Most texts are plain, so the renderers have shortcuts for them. The results must be the same as without shortcuts. */

const PIECES = [
  ...['word', ' ', '\n', '\n\n', '\r\n', '\t', '\v', '\0', '\u00a0', '&nbsp;', '&#8220;', '&', ';', '>', '[x]', '\ufdd2'],
  ...[':)', ';)', '8-)', '8O', ':D', ':mrgreen:', '(', ')', '9', '8', '<b>', '</b>', '<code>', '</code>', '<div>', '</div>', '<br>'],
];

/** The same texts in every run. */
function* texts(count: number): Iterable<string> {
  let seed = 16;
  const upTo = (most: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (seed >> 8) % most;
  };
  // Few kinds of pieces per text, so that all neighboring pairs occur.
  for (let i = 0; i < count; i += 1) {
    const from = Array.from({ length: 5 }, () => PIECES[upTo(PIECES.length)]);
    yield Array.from({ length: 1 + upTo(10) }, () => from[upTo(from.length)]).join('');
  }
}

/** Texts for which a shortcut has another result. One comparison of all of them: `expect` takes longer than most of these functions. */
const differing = (all: Iterable<string>, differs: (text: string) => boolean): string[] => [...all].filter(differs);

test('paragraphs of plain texts are those that all steps make', () => {
  expect(differing(texts(20_000), (text) => !/^[ \t\n\r\0\v]*$/.test(text) && autop(text) !== autopMarkup(text))).toEqual([]);
});

test('smilies are found wherever one stands alone', () => {
  const alone = /(?<=^|[\r\n\t \u00a0]|&nbsp;)(?::\)|;\)|8-\)|8O|:D|:mrgreen:)(?=$|[\r\n\t \u00a0]|&nbsp;)/;
  const isThere = (text: string): boolean => splitHtml(text).some((token) => token.kind === 'text' && alone.test(token.text));
  expect(differing(texts(20_000), (text) => !/<code>/.test(text) && (convertSmilies(text) !== text) !== isThere(text))).toEqual([]);
});

test('long rows of digits are found wherever they stand', () => {
  const rows = Array.from({ length: 2 ** 12 }, (_, number) => number.toString(2).replaceAll('0', 'a'));
  for (let length = 1; length <= 5; length += 1)
    expect(differing(rows, (text) => hasDigits(text, length) !== text.includes('1'.repeat(length)))).toEqual([]);
});
