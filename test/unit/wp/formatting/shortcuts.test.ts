import { hasDigits } from '../../../../src/php/json.js';
import { autop, autopMarkup } from '../../../../src/wp/formatting/autop.js';
import { convertSmilies } from '../../../../src/wp/formatting/smilies.js';
import { splitHtml } from '../../../../src/wp/formatting/html-tokens.js';

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

test('paragraphs of plain texts are those that all steps make', () => {
  for (const text of texts(20_000)) if (!/^[ \t\n\r\0\v]*$/.test(text)) expect([text, autop(text)]).toEqual([text, autopMarkup(text)]);
});

test('smilies are found wherever one stands alone', () => {
  const alone = /(?<=^|[\r\n\t \u00a0]|&nbsp;)(?::\)|;\)|8-\)|8O|:D|:mrgreen:)(?=$|[\r\n\t \u00a0]|&nbsp;)/;
  for (const text of texts(20_000)) {
    if (/<code>/.test(text)) continue;
    const isThere = splitHtml(text).some((token) => token.kind === 'text' && alone.test(token.text));
    expect([text, convertSmilies(text) !== text]).toEqual([text, isThere]);
  }
});

test('long rows of digits are found wherever they stand', () => {
  for (let length = 1; length <= 5; length += 1)
    for (let number = 0; number < 2 ** 12; number += 1) {
      const text = number.toString(2).replaceAll('0', 'a');
      expect([text, hasDigits(text, length)]).toEqual([text, text.includes('1'.repeat(length))]);
    }
});
