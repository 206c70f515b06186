import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { texturize } from '../../../../src/wordpress/formatting/texturize.js';
import { spentSince } from '../../../support/cpu.js';

interface Row {
  readonly input: string;
  readonly output: string;
}

const here = path.dirname(fileURLToPath(import.meta.url));
const measured = JSON.parse(readFileSync(path.join(here, 'data/texturize-measured.json'), 'utf8')) as Row[];

describe('texturize', () => {
  test.each(measured)('measured: $input', ({ input, output }) => {
    expect(texturize(input)).toBe(output);
  });

  test.each([
    ['two digits before a double quote count as a year', `5'11" tall`, '5&#8217;11&#8221; tall'],
    ['one digit is a measure', `5'9" tall, "big"`, '5&#8217;9&#8243; tall, &#8220;big&#8221;'],
    ['the last mark closes, a digit before the others makes primes', `"a 5" and 6"`, '&#8220;a 5&#8243; and 6&#8221;'],
    ['a quotation may end in two marks', `"5' and 6""`, '&#8220;5&#8242; and 6&#8243;&#8221;'],
  ])('%s', (_, input, output) => {
    expect(texturize(input)).toBe(output);
  });

  test('a text without anything to change is the same text', () => {
    const plain = 'Nothing <b>special</b> here, 10 x 20.';
    expect(texturize(plain)).toBe(plain);
  });

  test('digits and signs in odd places leave other characters alone', () => {
    expect(texturize('Ünïcödé "ß" 日本 1x2 🎉')).toBe('Ünïcödé &#8220;ß&#8221; 日本 1&#215;2 🎉');
  });

  test.each(['<', '[', "'", '"', '-', '[caption ', '[caption <', '1.1x1', '&', '"1', "5'", '<!--'])(
    '%s repeated is handled in linear time',
    (unit) => {
      const spent = spentSince();
      texturize(unit.repeat(200_000 / unit.length));
      expect(spent()).toBeLessThan(3000);
    },
  );
});
