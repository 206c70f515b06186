import * as sanitize from '../../../../src/wordpress/formatting/sanitize.js';
import { examples, measured } from './cleaning-cases.js';
import { spentSince } from '../../../support/cpu.js';
import { authorOf, OLDEST_RULES } from '../../../support/rules.js';

const { cleanMetaText, savePostContent, savePostExcerpt, savePostTitle, saveTermDescription, saveTermName, unslash } = sanitize;

const text = (value: unknown): value is string => typeof value === 'string';

describe('measured', () => {
  test.each(measured('sanitizeTextField'))('sanitizeTextField %j', (raw, stored) => {
    expect(sanitize.sanitizeTextField(raw)).toBe(stored);
  });
  test.each(measured('stripAllTags'))('stripAllTags %j', (raw, stored) => {
    expect(sanitize.stripAllTags(raw)).toBe(stored);
  });
  test.each(measured('saveTermName'))('saveTermName %j', (raw, stored) => {
    expect(saveTermName(raw)).toBe(stored);
  });
  test.each(measured('saveTermDescription'))('saveTermDescription %j', (raw, stored) => {
    expect(saveTermDescription(raw, OLDEST_RULES)).toBe(stored);
  });
  test.each(measured('escHtml'))('escHtml and escAttr %j', (raw, escaped) => {
    expect([sanitize.escHtml(raw), sanitize.escAttr(raw)]).toEqual([escaped, escaped]);
  });
  test.each(measured('savePostTitleTrusted'))('title of a trusted caller %j', (raw, stored) => {
    expect(savePostTitle(raw, authorOf(true))).toBe(stored);
  });
  test.each(measured('savePostTitleUntrusted'))('title of an untrusted caller %j', (raw, stored) => {
    expect(savePostTitle(raw, authorOf(false))).toBe(stored);
  });
  test.each(measured('savePostContentTrusted'))('content of a trusted caller %j', (raw, stored) => {
    expect(savePostContent(raw, authorOf(true))).toBe(stored);
    expect(savePostExcerpt(raw, authorOf(true))).toBe(stored);
  });
  test.each(measured('savePostContentUntrusted'))('content of an untrusted caller %j', (raw, stored) => {
    expect(savePostContent(raw, authorOf(false))).toBe(stored);
    expect(savePostExcerpt(raw, authorOf(false))).toBe(stored);
  });
});

/** A field that ends up empty is null in the response. */
const metaRows = [...examples('venue-text-fields'), ...examples('organizer-email')].flatMap(({ input, output }): [string, string][] =>
  text(input) ? [[input, text(output) ? output : '']] : [],
);
test.each(metaRows)('meta example %j', (raw, stored) => {
  expect(cleanMetaText(raw)).toBe(stored);
});

const termRows = [...examples('term-names-category'), ...examples('term-names-tag')].flatMap(
  ({ input, output }): [string, string, string][] => {
    const { name, description } = output as { name?: string; description?: string };
    return name === undefined || description === undefined ? [] : [[String(input), name, description]];
  },
);
test.each(termRows)('term example %j', (raw, name, description) => {
  expect([saveTermName(raw), saveTermDescription(raw, OLDEST_RULES)]).toEqual([name, description]);
});

test.each([
  ['a\\b', 'ab'],
  ['a\\\\b', 'a\\b'],
  ['a\\', 'a'],
  ['\\0', '\0'],
  ['\\\n', '\n'],
])('unslash %j', (raw, plain) => {
  expect(unslash(raw)).toBe(plain);
});

test('one removed triplet can bring the next together', () => {
  expect(cleanMetaText('a%4%411b %%%41')).toBe('ab %%');
});

test.each(['<', '%4', '<script', '<a "', '%', '\\', '<?php (', '<!DOCTYPE '])('100 KB of %j are cleaned quickly', (piece) => {
  const hostile = piece.repeat(100_000 / piece.length);
  const spent = spentSince();
  cleanMetaText(hostile);
  saveTermName(hostile);
  sanitize.stripAllTags(hostile);
  expect(spent()).toBeLessThan(2000);
});
