import { saveTermName, sanitizeTitle, truncateSlug } from '../../../../src/wordpress/formatting/sanitize.js';
import { examples, measured } from './cleaning-cases.js';

/** Slugs from titles. An empty slug becomes the id of the post, which is not tested here. */
const fromTitles = examples('slugs-from-title').flatMap(({ input, output }): [string, string][] =>
  typeof input === 'string' && typeof output === 'string' ? [[input, output === '{{id}}' ? '' : output]] : [],
);

/** Explicit slugs. Two of them become empty, so the title `Zed` is used, and one was already taken on the recorded site. */
const explicit = examples('slugs-explicit').map(({ input, output }): [string, string] => [
  String(input),
  output === 'zed' ? '' : String(output).replace(/^bake-sale-2$/, 'bake-sale'),
]);

/** A term's slug is generated from its stored name. */
const fromTermNames = [...examples('term-names-category'), ...examples('term-names-tag')].flatMap(
  ({ input, output }): [string, string][] => {
    const slug = (output as { slug?: string }).slug;
    return slug === undefined ? [] : [[String(input), slug === '{{id}}' ? '' : slug]];
  },
);

test.each(fromTermNames)('example of a term %j', (name, slug) => {
  expect(sanitizeTitle(saveTermName(name))).toBe(slug);
});

test.each([...fromTitles, ...explicit])('example %j', (text, slug) => {
  expect(sanitizeTitle(text)).toBe(slug);
});

test.each(measured('sanitizeTitle'))('sanitizeTitle %j', (text, slug) => {
  expect(sanitizeTitle(text)).toBe(slug);
});

/** WP: truncation may split an escape in a long text, whose `%` the next call removes. */
const uncut = measured('sanitizeTitle').filter(([, slug]) => slug.length < 195);

test.each(uncut)('a slug made of %j is the slug of itself', (text) => {
  const slug = sanitizeTitle(text);
  expect(sanitizeTitle(slug)).toBe(slug);
});

test.each(measured('truncateSlug'))('truncateSlug %j', (base, slug) => {
  expect(truncateSlug(base, '-2')).toBe(slug);
});

test('a longer suffix leaves less of the base', () => {
  expect(truncateSlug('x'.repeat(200), '__trashed')).toBe(`${'x'.repeat(191)}__trashed`);
});
