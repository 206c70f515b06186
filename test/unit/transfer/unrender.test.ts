import { NO_LOADED_REFERENCES } from '../../../src/wordpress/posts/references.js';
import type { Site } from '../../../src/wordpress/site.js';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { storedCost } from '../../../src/transfer/live/pull/stored-cost.js';
import { storedTexts, unescapedHtml } from '../../../src/transfer/live/pull/unrender.js';
import { renderedAfter, shownContent, shownExcerpt, shownJsonLdDescription, shownTitle } from '../../../src/wordpress/posts/rendered.js';
import { registry } from '../../support/registry.js';

const here = path.dirname(fileURLToPath(import.meta.url));

interface Measured<T> {
  input: unknown;
  output: T;
}

const measured = <T = string>(name: string): Measured<T>[] => {
  const rows = JSON.parse(readFileSync(path.join(here, `../../examples/${name}.json`), 'utf8')) as (Measured<T> | { input: unknown })[];
  return rows.filter((row): row is Measured<T> => 'output' in row && row.output !== undefined);
};

const texts = (name: string): string[] =>
  measured(name)
    .map(({ output }) => output)
    .filter((output) => typeof output === 'string');

describe('rendered texts', () => {
  const place = {
    site: { url: 'http://127.0.0.1', registry, options: { theme: 'block' } } as Site,
    related: { references: NO_LOADED_REFERENCES },
  };
  const [titles, descriptions, excerpts] = ['titles', 'descriptions', 'excerpts'].map(texts);

  test('render to the same text', () => {
    const wrong = descriptions.filter((description, index) => {
      const [title, excerpt] = [titles[index % titles.length], excerpts[index % excerpts.length]];
      const post = storedTexts({ title, description, excerpt, jsonLd: `&lt;p&gt;${index}&lt;/p&gt;\\n` });
      return (
        shownTitle(post) !== title ||
        shownContent(post, place) !== description ||
        shownExcerpt(post, place) !== excerpt ||
        shownJsonLdDescription(post, place) !== `&lt;p&gt;${index}&lt;/p&gt;\\n`
      );
    });
    expect(wrong).toEqual([]);
    expect(descriptions.length).toBeGreaterThan(50);
  });

  test('are stored as a person would type them, where that renders the same', () => {
    const exact = (shown: string[], field: 'title' | 'description' | 'excerpt'): number =>
      shown.filter((text) => !storedTexts({ title: '', description: '', excerpt: '', [field]: text }).rendered).length / shown.length;
    expect(exact(titles, 'title')).toBeGreaterThan(0.9);
    expect(exact(descriptions, 'description')).toBeGreaterThan(0.75);
    expect(exact(excerpts, 'excerpt')).toBeGreaterThan(0.75);
  });

  test.each([
    ['Rock &#8216;n&#8217; roll &#038; more', "Rock 'n' roll & more"],
    ['It&#8217;s &#8220;on&#8221;', 'It\'s "on"'],
    ['Plain', 'Plain'],
  ])('%s is searched for as %s', (title, typed) => {
    expect(storedTexts({ title, description: '', excerpt: '' }).title).toBe(typed);
  });

  test('follow the raw values that the site returns', () => {
    const shown = { title: 'T', description: '<p>a</p>\n<p>b</p>', excerpt: '' };
    expect(storedTexts(shown, { content: '<p>a</p><p>b</p>' })).toEqual({ title: 'T', content: '<p>a</p><p>b</p>', excerpt: '' });
    expect(storedTexts(shown, { content: '[unknown]' })).toMatchObject({ content: '[unknown]', rendered: { content: shown.description } });
  });

  test('are replaced when the text changes', () => {
    const before = { title: 'a', content: 'b', excerpt: 'c', rendered: { title: 'A', content: 'B', excerpt: 'C', jsonLd: 'J' } };
    expect(renderedAfter(before, before)).toEqual(before.rendered);
    expect(renderedAfter(before, { ...before, title: 'x' })).toEqual({ content: 'B', excerpt: 'C', jsonLd: 'J' });
    expect(renderedAfter(before, { ...before, content: 'x' })).toEqual({ title: 'A', excerpt: 'C' });
    expect(renderedAfter(before, { title: 'x', content: 'x', excerpt: 'x' })).toBeUndefined();
  });
});

interface ShownCostRow {
  cost: string;
  symbol: string;
  position: string;
  values: string[];
}

test('costs are stored so that they render the same', () => {
  const rows = measured<ShownCostRow>('costs').flatMap(({ output }) => (typeof output.cost === 'string' ? [output] : []));
  const defaults = { symbol: '$', code: 'USD', reversePosition: false };
  const inexact = rows.filter(({ cost, symbol, position, values }) => {
    const cost_details = { currency_symbol: symbol, currency_position: position, currency_code: '', values };
    return !storedCost({ cost, cost_details }, defaults).exact;
  });
  expect(inexact).toEqual([]);
  expect(rows.length).toBeGreaterThan(60);
});

test.each([
  ['https://x.example/?a=1&amp;b=2', 'https://x.example/?a=1&b=2'],
  ['plain', 'plain'],
  ['&nbsp;', '&nbsp;'],
])('%s was escaped from %s', (shown, stored) => {
  expect(unescapedHtml(shown)).toBe(stored);
});
