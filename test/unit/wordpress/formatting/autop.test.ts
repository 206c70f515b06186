import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { autop } from '../../../../src/wordpress/formatting/autop.js';
import { spentSince } from '../../../support/cpu.js';

interface Row {
  readonly input: string;
  readonly output: string;
}

const here = path.dirname(fileURLToPath(import.meta.url));
const measured = JSON.parse(readFileSync(path.join(here, 'data/autop-measured.json'), 'utf8')) as Row[];

describe('autop', () => {
  test.each(measured)('measured: $input', ({ input, output }) => {
    expect(autop(input)).toBe(output);
  });

  test('keeps the lines of every preformatted block', () => {
    const twelve = Array.from({ length: 12 }, (_, index) => `<pre>${index}\n\n-</pre>`).join('\n');
    expect(autop(twelve)).toBe(`${twelve}\n`);
  });

  test('line ends in a formula are no breaks', () => {
    expect(autop('<p>a <math>\n<mi>x</mi>\n</math></p>')).not.toContain('<br');
  });

  test.each([
    '<',
    '<p>',
    '<div',
    '<p><li',
    '<p><div ',
    '<pre',
    '</pre>',
    '<script>',
    ' ',
    '\n',
    ' \n',
    '<object',
    '</object><param',
    '<source',
  ])('%j repeated is handled in linear time', (unit) => {
    const spent = spentSince();
    autop(unit.repeat(Math.ceil(200_000 / unit.length)) + '>');
    expect(spent()).toBeLessThan(3000);
  });
});
