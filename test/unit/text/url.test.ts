import { antispam } from '../../../src/wp/formatting/email.js';
import { escUrl, escUrlRaw, isValidUrl } from '../../../src/wp/formatting/url.js';
import { cleanMetaText, escHtml } from '../../../src/wp/formatting/sanitize.js';
import { examples, measured, measuredVerdicts } from './cleaning-cases.js';
import { spentSince } from '../../support/cpu.js';

test.each(measured('escUrlRaw'))('escUrlRaw %j', (url, stored) => {
  expect(escUrlRaw(url)).toBe(stored);
});

test.each(measured('escUrl'))('escUrl %j', (url, shown) => {
  expect(escUrl(url)).toBe(shown);
});

test.each(measuredVerdicts('isValidUrl'))('isValidUrl %j', (url, verdict) => {
  expect(isValidUrl(url)).toBe(verdict);
});

test.each([[5], [true], [null], [undefined], [['https://a.example']], [{}], ['']])('%j is not a URL', (value) => {
  expect(isValidUrl(value)).toBe(false);
});

/** What the validator never sees or lets through before it looks for a URL. */
const isEmpty = (input: unknown): boolean => input === null || input === '0' || input === '';

const rowsOf = (file: string) => examples(file).filter(({ input }) => !isEmpty(input));

test.each(rowsOf('websites'))('event website $input', ({ input, output }) => {
  expect(isValidUrl(input)).toBe(typeof output === 'string');
  if (typeof output === 'string') expect(escHtml(cleanMetaText(String(input)))).toBe(output);
});

test.each(rowsOf('websites-venue'))('venue website $input', ({ input, output }) => {
  expect(isValidUrl(input)).toBe(typeof output === 'string');
  if (typeof output === 'string') expect(cleanMetaText(String(input))).toBe(output);
});

test('line ends put together from pieces are taken out quickly', () => {
  const spent = spentSince();
  expect(escUrlRaw(`https://a.example/${'%0'.repeat(60_000)}${'a'.repeat(60_000)}`)).toBe('https://a.example/');
  expect(spent()).toBeLessThan(4000);
});

describe('antispam', () => {
  const sequence = (...numbers: number[]) => {
    let at = 0;
    return () => numbers[at++ % numbers.length] ?? 0;
  };
  const decode = (html: string): string => html.replace(/&#(\d+);/g, (_, point: string) => String.fromCodePoint(Number(point)));

  test.each([
    ['a@b.c', () => 0.9, 'a&#64;b.c'],
    ['a@b.c', () => 0, '&#97;&#64;&#98;&#46;&#99;'],
    ['a@b.c', sequence(0, 0.9), '&#97;&#64;b&#46;c'],
    ['é@ü.x', () => 0, 'é&#64;ü&#46;&#120;'],
  ])('%j', (email, random, written) => {
    expect(antispam(email, random)).toBe(written);
    expect(decode(written)).toBe(email);
  });
});
