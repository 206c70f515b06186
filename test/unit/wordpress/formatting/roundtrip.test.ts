import { renderContent, renderExcerpt, renderTitle } from '../../../../src/wordpress/formatting/content.js';
import { savePostContent, savePostExcerpt, savePostTitle, type TextAuthor } from '../../../../src/wordpress/formatting/sanitize.js';
import { authorOf, NO_REFERENCES_OF_OLDEST } from '../../../support/rules.js';
import { examples } from './cleaning-cases.js';

type Step = (text: string) => string;
type Save = (text: string, author: TextAuthor) => string;

/** Rows of [author, sent text, returned text]. */
const rows = (file: string): [string, string, string][] =>
  examples(file).flatMap(({ input, output, as = 'admin' }): [string, string, string][] =>
    typeof input === 'string' && typeof output === 'string' ? [[as, input, output]] : [],
  );

const answered = (as: string, sent: string, save: Save, render: Step): string =>
  render(save(sent, authorOf(as === 'admin' || as === 'editor')));

test.each([...rows('titles'), ...rows('titles-as-roles')])('a title written as %s round-trips: %j', (as, sent, shown) => {
  expect(answered(as, sent, savePostTitle, renderTitle)).toBe(shown);
});

const siteUrl = 'http://127.0.0.1:8100';

test.each(rows('descriptions'))('a description written as %s round-trips: %j', (as, sent, shown) => {
  expect(answered(as, sent, savePostContent, (text) => renderContent(text, { siteUrl, references: NO_REFERENCES_OF_OLDEST }))).toBe(shown);
});

test.each(rows('excerpts'))('an excerpt written as %s round-trips: %j', (as, sent, shown) => {
  expect(answered(as, sent, savePostExcerpt, (text) => renderExcerpt(text, { siteUrl }))).toBe(shown);
});
