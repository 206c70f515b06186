import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  filterContent,
  filterExcerpt,
  renderContent,
  renderExcerpt,
  renderTitle,
  excerptOf,
} from '../../../../src/wordpress/formatting/content.js';
import { savePostContent, savePostExcerpt, savePostTitle, type TextAuthor } from '../../../../src/wordpress/formatting/sanitize.js';
import { authorOf, NO_REFERENCES_OF_OLDEST } from '../../../support/rules.js';
import { testHostileContent } from './content-hostile.js';

interface Row {
  readonly input: string;
  readonly output: string;
}

interface ExampleRow {
  readonly input: string;
  readonly output: unknown;
  readonly as?: string;
}

const here = path.dirname(fileURLToPath(import.meta.url));
const siteUrl = 'http://127.0.0.1:8100';
const measured = JSON.parse(readFileSync(path.join(here, 'data/content-measured.json'), 'utf8')) as Record<
  'titles' | 'excerpts' | 'contents',
  Row[]
>;

type Save = (raw: string, author: TextAuthor) => string;

/** Rows of [author, stored text, rendered text]. */
const exampleRows = (file: string, save: Save): [string, string, string][] => {
  const rows = JSON.parse(readFileSync(path.join(here, `../../../examples/${file}.json`), 'utf8')) as ExampleRow[];
  return rows.flatMap(({ input, output, as = 'admin' }): [string, string, string][] =>
    typeof output === 'string' ? [[as, save(input, authorOf(as === 'admin')), output]] : [],
  );
};

describe('titles', () => {
  test.each([...exampleRows('titles', savePostTitle), ...exampleRows('titles-as-roles', savePostTitle)])(
    'example by %s: %j',
    (_, stored, shown) => {
      expect(renderTitle(stored)).toBe(shown);
    },
  );

  test.each(measured.titles)('measured: $input', ({ input, output }) => {
    expect(renderTitle(input)).toBe(output);
  });
});

describe('descriptions', () => {
  test.each(exampleRows('descriptions', savePostContent))('example by %s: %j', (_, stored, shown) => {
    expect(renderContent(stored, { siteUrl, references: NO_REFERENCES_OF_OLDEST })).toBe(shown);
  });

  test.each(measured.contents)('measured: $input', ({ input, output }) => {
    expect(filterContent(input, { siteUrl, references: NO_REFERENCES_OF_OLDEST })).toBe(output);
  });

  test.each([
    ['list', '<ul class="x"><li>a</li></ul>', '<ul class="x wp-block-list"><li>a</li></ul>'],
    ['heading', '<h2>a</h2>', '<h2 class="wp-block-heading">a</h2>'],
    ['heading', '<h2 class="wp-block-heading">a</h2>', '<h2 class="wp-block-heading">a</h2>'],
    ['list', '<p>a</p><ol><li>b</li></ol><ul></ul>', '<p>a</p><ol class="wp-block-list"><li>b</li></ol><ul></ul>'],
    ['list', '<p>a</p>', '<p>a</p>'],
    ['heading', '<p>a</p><h3>b</h3>', '<p>a</p><h3 class="wp-block-heading">b</h3>'],
    ['quote', '<blockquote class="q">a</blockquote>', '<blockquote class="q is-layout-flow wp-block-quote-is-layout-flow">a</blockquote>'],
    [
      'group {"layout":{"type":"constrained"}}',
      '<div>a</div>',
      '<div class="has-global-padding is-layout-constrained wp-block-group-is-layout-constrained">a</div>',
    ],
    ['buttons', '<div>a</div>', '<div class="is-layout-flex wp-block-buttons-is-layout-flex">a</div>'],
    [
      'columns',
      '<div>a</div>',
      '<div class="is-layout-flex wp-container-core-columns-is-layout-28f84493 wp-block-columns-is-layout-flex">a</div>',
    ],
    [
      'group {"layout":{"type":"flex","flexWrap":"nowrap"}}',
      '<div>a</div>',
      '<div class="is-nowrap is-layout-flex wp-container-core-group-is-layout-6c531013 wp-block-group-is-layout-flex">a</div>',
    ],
    ['image', '<figure></figure>', ''],
    ['image', '<figure><img src="/a.png"/></figure>', '<figure><img decoding="async" src="/a.png"/></figure>'],
    ['shortcode', 'a', '<p>a</p>'],
  ])('block %s around %s', (head, inner, shown) => {
    const block = `<!-- wp:${head} -->\n${inner}\n<!-- /wp:${head.split(' ')[0]} -->`;
    expect(renderContent(block, { references: NO_REFERENCES_OF_OLDEST })).toBe(shown);
  });

  test.each([
    ['columns', 'columns-is-layout-794e3cfa'],
    ['group {"layout":{"type":"flex","flexWrap":"nowrap"}}', 'group-is-layout-3a88641f'],
  ])('the container %s has the class %s for the gap of the theme', (head, name) => {
    expect(renderContent(`<!-- wp:${head} --><div></div><!-- /wp:${head.split(' ')[0]} -->`)).toContain(` wp-container-core-${name} `);
  });

  test.each([
    ['One.<!--more-->Two.', 'One.'],
    ['One.<!--more Read on-->Two.', 'One.'],
    ['One.\n<!--nextpage-->\nTwo.', 'One.'],
    ['<!-- wp:more -->\n<!--more-->\n<!-- /wp:more -->\n\nTwo.', ''],
    ['One. Two.', 'One. Two.'],
  ])('the automatic excerpt of %j is %j', (content, shown) => {
    expect(excerptOf(content)).toBe(shown);
  });

  test('the excerpt in a feed goes on after the mark', () => {
    expect(excerptOf('One.<!--more--> Two.', undefined, {}, true)).toBe('One. Two.');
  });

  test('blocks of the recorded site keep the blank lines between them', () => {
    const stored =
      '<!-- wp:paragraph -->\n<p>A block paragraph.</p>\n<!-- /wp:paragraph -->\n\n<!-- wp:list -->\n' +
      '<ul class="wp-block-list"><!-- wp:list-item -->\n<li>one</li>\n<!-- /wp:list-item --></ul>\n<!-- /wp:list -->';
    expect(renderContent(stored)).toBe(
      '<p class="wp-block-paragraph">A block paragraph.</p>\n\n\n\n<ul class="wp-block-list">\n<li>one</li>\n</ul>',
    );
  });

  test('a recorded description of everything', () => {
    const stored =
      '<h2>Heading</h2>\n<p>Para with <a href="https://example.org/?a=1&amp;b=2">link</a> &amp; entity.</p>\n<script>alert(1)</script>\n' +
      '[unknown_shortcode]\nhttps://example.org/plain\n\n"smart" quotes -- and... dots';
    expect(renderContent(stored)).toBe(
      '<h2>Heading</h2>\n<p>Para with <a href="https://example.org/?a=1&amp;b=2">link</a> &amp; entity.</p>\n' +
        '<p><script>alert(1)</script><br />\n[unknown_shortcode]<br />\nhttps://example.org/plain</p>\n' +
        '<p>&#8220;smart&#8221; quotes &#8212; and&#8230; dots</p>',
    );
  });

  test('players are numbered within a text and carry the id of the post', () => {
    const shown = renderContent('[audio src="a.mp3"][video mp4="/b.mp4" loop="1"][audio src="/c.ogg"]', { postId: 7 });
    expect([...shown.matchAll(/ id="([^"]+)"/g)].map((match) => match[1])).toEqual(['audio-7-1', 'video-7-1', 'audio-7-2']);
  });

  test('images are scheduled by what they say of themselves', () => {
    const image = (rest: string): string =>
      renderContent(`<b>x</b> <img src="/a.png"${rest}>`).slice('<p><b>x</b> '.length, -'</p>'.length);
    expect(image(' width="9" height="9"')).toBe('<img loading="lazy" decoding="async" src="/a.png" width="9" height="9">');
    expect(image(' width="50%" height="9"')).toBe('<img decoding="async" src="/a.png" width="50%" height="9">');
    expect(image(' width="9" height="9" loading="eager" decoding="sync"')).toBe(
      '<img src="/a.png" width="9" height="9" loading="eager" decoding="sync">',
    );
  });

  test('the size of an image that loads late is left to the browser', () => {
    const image = (rest: string): string => renderContent(`<img src="/a.png" ${rest}>`).slice('<p>'.length, -'</p>'.length);
    const sized = 'width="9" height="9"';
    expect(image(`sizes="100vw" ${sized}`)).toBe(`<img loading="lazy" decoding="async" src="/a.png" sizes="auto, 100vw" ${sized}>`);
    expect(image(`sizes="auto, 9px" ${sized}`)).toBe(`<img loading="lazy" decoding="async" src="/a.png" sizes="auto, 9px" ${sized}>`);
    expect(image(`loading="eager" sizes="9px" ${sized}`)).toBe(`<img decoding="async" src="/a.png" loading="eager" sizes="9px" ${sized}>`);
    expect(image('sizes="9px"')).toBe('<img decoding="async" src="/a.png" sizes="9px">');
  });

  test('deep nesting of blocks needs no stack, and blocks left open do not multiply the text', () => {
    expect(renderContent('<!-- wp:a -->'.repeat(20_000) + 'x' + '<!-- /wp:a -->'.repeat(20_000))).toBe('x');
    expect(renderContent('<!-- wp:a -->x'.repeat(20_000)).length).toBeLessThan(400_000);
  });
});

describe('excerpts', () => {
  test.each(exampleRows('excerpts', savePostExcerpt))('example by %s: %j', (_, stored, shown) => {
    expect(renderExcerpt(stored, { siteUrl })).toBe(shown);
  });

  test.each(measured.excerpts)('measured: $input', ({ input, output }) => {
    expect(filterExcerpt(input, { siteUrl })).toBe(output);
  });
});

describe('hostile texts are handled in linear time', () => testHostileContent(4));
