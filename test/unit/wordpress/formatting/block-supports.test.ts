import { createHash } from 'node:crypto';
import { classed, joined, TagEditor, whole } from '../../../../src/wordpress/formatting/block-parts/tags.js';
import { filterContent, renderContent, excerptOf } from '../../../../src/wordpress/formatting/content.js';
import { spentSince } from '../../../support/cpu.js';

const paragraph = (html: string, attributes = ''): string => `<!-- wp:paragraph ${attributes} -->${html}<!-- /wp:paragraph -->`;

describe('the class of paragraphs', () => {
  test.each([
    ['<p>a</p>', '<p class="wp-block-paragraph">a</p>'],
    ['<p></p>', '<p class="wp-block-paragraph"></p>'],
    ['<p id="x" style="color:red">a</p>', '<p class="wp-block-paragraph" id="x" style="color:red">a</p>'],
    ["<p id=x class='a  b '>a</p>", '<p id=x class="a  b wp-block-paragraph">a</p>'],
    ['<p class=lead>a</p>', '<p class="lead wp-block-paragraph">a</p>'],
    ['<p class>a</p>', '<p class="wp-block-paragraph">a</p>'],
    ['<P CLASS="a">a</P>', '<P class="a wp-block-paragraph">a</P>'],
    ['<p class="a wp-block-paragraph b">a</p>', '<p class="a wp-block-paragraph b">a</p>'],
    ["<p class='a\"b'>a</p>", '<p class="a&quot;b wp-block-paragraph">a</p>'],
    ['<p>a</p><p>b</p>', '<p class="wp-block-paragraph">a</p><p>b</p>'],
    ['<div title="<p>"><pre>x</pre><p>a</p></div>', '<div title="<p>"><pre>x</pre><p class="wp-block-paragraph">a</p></div>'],
    ['<!-- <p> --><p>a</p>', '<!-- <p> --><p class="wp-block-paragraph">a</p>'],
    ['<style><p></style><p>a</p>', '<style><p></style><p class="wp-block-paragraph">a</p>'],
    ['a < b <p title="', 'a < b <p title="'],
    ['text', 'text'],
  ])('%s', (html, shown) => {
    expect(joined(classed(whole(html), ['wp-block-paragraph'], { tag: 'p' }))).toBe(shown);
  });

  test('other blocks and HTML are left alone', () => {
    for (const html of ['<!-- wp:html --><p>a</p><!-- /wp:html -->', '<!-- wp:freeform --><p>a</p><!-- /wp:freeform -->', '<p>a</p>'])
      expect(renderContent(html)).toBe('<p>a</p>');
  });

  test.each(['<p ', '<p a="', '<!--', '<style>', '</', '<', '<p class=', '<p\n', '<p =', "<p a='x' "])(
    'repeated %j is handled quickly',
    (piece) => {
      const spent = spentSince();
      new TagEditor(piece.repeat(100_000)).next({ tag: 'q' });
      expect(spent()).toBeLessThan(4000);
    },
  );
});

describe('where a block is visible', () => {
  test.each<[visibility: unknown, shown: string]>([
    [false, ''],
    [true, '<p class="wp-block-paragraph">a</p>'],
    [{ viewport: { mobile: false } }, '<p class="wp-block-hidden-mobile wp-block-paragraph">a</p>'],
    [
      { viewport: { tablet: false, mobile: true, desktop: false, watch: false } },
      '<p class="wp-block-hidden-desktop wp-block-hidden-tablet wp-block-paragraph">a</p>',
    ],
    [{ viewport: [] }, '<p class="wp-block-paragraph">a</p>'],
    [{}, '<p class="wp-block-paragraph">a</p>'],
  ])('%j', (blockVisibility, shown) => {
    expect(renderContent(paragraph('<p>a</p>', JSON.stringify({ metadata: { blockVisibility } })))).toBe(shown);
  });

  test('with all that is in it, also in excerpts', () => {
    const hidden = '{"metadata":{"blockVisibility":false}}';
    const text = `${paragraph('<p>a</p>', hidden)}${paragraph('<p>b</p>')}<!-- wp:group ${hidden} --><div>${paragraph('<p>c</p>')}</div><!-- /wp:group -->`;
    expect(renderContent(text)).toBe('<p class="wp-block-paragraph">b</p>');
    expect(excerptOf(paragraph('<p>a</p>', hidden) + paragraph('<p>b</p>'))).toBe('b');
  });

  test('blocks that nobody knows are shown', () => {
    expect(renderContent('<!-- wp:a/b {"metadata":{"blockVisibility":false}} --><p>a</p><!-- /wp:a/b -->')).toBe('<p>a</p>');
  });
});

describe('CSS of a block', () => {
  const css = '{"style":{"css":"color:red"}}';
  const classOf = (parsed: object): string => {
    const json = JSON.stringify(parsed).replaceAll('/', '\\/');
    return `wp-custom-css-${createHash('md5').update(json).digest('hex').slice(0, 8)}`;
  };

  test('has a class that is derived from the block', () => {
    const name = classOf({
      blockName: 'core/paragraph',
      attrs: { style: { css: 'color:red' }, metadata: [] },
      innerBlocks: [],
      innerHTML: '<p>a</p>',
      innerContent: ['<p>a</p>'],
    });
    expect(renderContent(paragraph('<p>a</p>', '{"style":{"css":"color:red"},"metadata":{}}'))).toBe(
      `<p class="has-custom-css ${name} wp-block-paragraph">a</p>`,
    );
  });

  test('and from the blocks in it', () => {
    const inner = { blockName: 'core/paragraph', attrs: [], innerBlocks: [], innerHTML: '<p>a</p>', innerContent: ['<p>a</p>'] };
    const spacer = { blockName: 'core/spacer', attrs: [], innerBlocks: [], innerHTML: '', innerContent: [] };
    const name = classOf({
      blockName: 'core/group',
      attrs: { style: { css: 'color:red' } },
      innerBlocks: [inner, spacer],
      innerHTML: '<div></div>',
      innerContent: ['<div>', null, null, '</div>'],
    });
    const text = `<!-- wp:group ${css} --><div>${paragraph('<p>a</p>')}<!-- wp:spacer /--></div><!-- /wp:group -->`;
    expect(filterContent(text)).toContain(`wp-block-group-is-layout-flow has-custom-css ${name}"`);
  });

  test.each(['{"style":{"css":" "}}', '{"style":{"css":1}}', '{"style":[],"css":"a"}'])('%s is none', (attributes) => {
    expect(renderContent(paragraph('<p>a</p>', attributes))).toBe('<p class="wp-block-paragraph">a</p>');
  });

  test('blocks in blocks without end are handled quickly', () => {
    const spent = spentSince();
    renderContent(`<!-- wp:group ${css} --><div>`.repeat(3000) + '</div><!-- /wp:group -->'.repeat(3000));
    expect(spent()).toBeLessThan(8000);
  });
});
