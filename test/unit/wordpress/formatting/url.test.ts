import { antispam } from '../../../../src/wordpress/formatting/email.js';
import { escUrl, escUrlRaw, isValidUrl } from '../../../../src/wordpress/formatting/url.js';
import { cleanMetaText, escHtml } from '../../../../src/wordpress/formatting/sanitize.js';
import { examples, measured, measuredVerdicts } from './cleaning-cases.js';
import { spentSince } from '../../../support/cpu.js';

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

/** Values that are handled before the URL validation. */
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
  const decode = (html: string): string => html.replace(/&#(\d+);/g, (_, point: string) => String.fromCodePoint(Number(point)));

  test.each(['a@b.c', 'é@ü.x', '', `${'long'.repeat(200)}@example.org`])('%j', (email) => {
    const written = antispam(email);
    expect(decode(written)).toBe(email);
    expect(written).not.toContain('@');
    expect(antispam(email)).toBe(written);
  });

  test('some characters are references, others among different addresses', () => {
    const emails = Array.from({ length: 50 }, (_, i) => `person-${i}@example.org`);
    const isReference = emails.map((email) => antispam(email).startsWith('&#112;'));
    expect([isReference.includes(true), isReference.includes(false)]).toEqual([true, true]);
  });
});
