import { firstRows } from '../../../../src/wordpress/query/bounded-queue.js';
import { fluidSize } from '../../../../src/wordpress/formatting/block-parts/styles.js';
import { TagEditor } from '../../../../src/wordpress/formatting/block-parts/tags.js';
import { THEMES } from '../../../../src/wordpress/formatting/block-parts/types.js';
import { renderContent } from '../../../../src/wordpress/formatting/content.js';
import { NO_REFERENCES, type References } from '../../../../src/wordpress/formatting/references.js';
import { NO_REFERENCES_OF_OLDEST } from '../../../support/rules.js';

const newest = (): References => ({ ...NO_REFERENCES });
const classic = (): References => ({ ...NO_REFERENCES, theme: 'classic' });
const oldest = (): References => ({ ...NO_REFERENCES_OF_OLDEST });

const block = (name: string, attributes: object, html: string): string =>
  `<!-- wp:${name} ${JSON.stringify(attributes)} -->${html}<!-- /wp:${name} -->`;
const group = (attributes: object, inner = block('spacer', {}, '')): string =>
  block('group', attributes, `<div class="wp-block-group">${inner}</div>`);
const shown = (text: string, references = newest()): string => renderContent(text, { references });
const classesOf = (html: string): string => /class="([^"]*)"/.exec(html)?.[1] ?? '';

const ROW = { type: 'flex', flexWrap: 'nowrap' };

describe('layouts', () => {
  test.each<[attributes: object, classes: string]>([
    [{}, 'is-layout-flow wp-block-group-is-layout-flow'],
    [{ layout: { type: 'constrained' } }, 'has-global-padding is-layout-constrained wp-block-group-is-layout-constrained'],
    [{ layout: { inherit: true } }, 'has-global-padding is-layout-constrained wp-block-group-is-layout-constrained'],
    [{ layout: ROW }, 'is-nowrap is-layout-flex wp-container-core-group-is-layout-3a88641f wp-block-group-is-layout-flex'],
    [
      { layout: { type: 'grid', minimumColumnWidth: '12rem' } },
      'is-layout-grid wp-container-core-group-is-layout-715b57f2 wp-block-group-is-layout-grid',
    ],
    [
      { layout: { type: 'flex', justifyContent: 'center' } },
      'is-content-justification-center is-layout-flex wp-container-core-group-is-layout-b29d4327 wp-block-group-is-layout-flex',
    ],
  ])('%j', (attributes, classes) => {
    expect(classesOf(shown(group(attributes)))).toBe(`wp-block-group ${classes}`);
  });

  test('a gap makes a rule where the theme has gaps, and padding where there is a width', () => {
    const flow = (spacing: object, type = 'default'): object => ({ layout: { type }, style: { spacing } });
    const hasRule = (attributes: object, references: References): boolean => shown(group(attributes), references).includes('wp-container-');
    expect([hasRule(flow({ blockGap: '0' }), newest()), hasRule(flow({ blockGap: '0' }), classic())]).toEqual([true, false]);
    const padded = flow({ padding: { left: '1px' } }, 'constrained');
    expect([newest(), classic()].map((references) => hasRule(padded, references))).toEqual([true, true]);
    expect(hasRule(flow({ padding: { top: '1px' } }, 'constrained'), newest())).toBe(false);
    expect(hasRule(flow({ blockGap: 'calc(1px + 2px)' }), newest())).toBe(false);
  });

  test('a place in the layout around it', () => {
    const child = (layout: object): string => block('paragraph', { style: { layout } }, '<p>a</p>');
    const inner = (layout: object, around: object): string => shown(group({ layout: around }, child(layout)));
    expect(inner({ selfStretch: 'fixed', flexSize: '120px' }, ROW)).toContain(
      '<p class="wp-container-content-d50df0bc wp-block-paragraph">',
    );
    expect(inner({ columnSpan: 2 }, { type: 'grid', minimumColumnWidth: '12rem' })).toContain('wp-container-content-ee860f63');
    expect(inner({ selfStretch: 'fit' }, ROW)).toContain('<p class="wp-block-paragraph">');
  });

  test('the innermost element before the blocks in a block has them', () => {
    const cover = block(
      'cover',
      {},
      '<div class="wp-block-cover"><span></span><div class="wp-block-cover__inner-container"><!-- wp:spacer /--></div></div>',
    );
    expect(shown(cover)).toContain('<div class="wp-block-cover"><span>');
    expect(shown(cover)).toContain('wp-block-cover__inner-container is-layout-flow wp-block-cover-is-layout-flow');
  });

  test('in a classic theme, a group has an element of its own for the blocks in it', () => {
    const [open, inner] = [
      '<div class="wp-block-group">',
      '<div class="wp-block-group__inner-container is-layout-flow wp-block-group-is-layout-flow">',
    ];
    expect(shown(group({}, 'x'), classic())).toBe(`${open}${inner}x</div></div>`);
    expect(shown(group({ layout: ROW }), classic())).not.toContain('inner-container');
    expect(shown(group({}, group({}, 'x')), classic())).toBe(`${open}${inner}${open}${inner}x</div></div></div></div>`);
  });
});

describe('what is counted', () => {
  const styled = (name: string): string => group({ className: `is-style-${name}` }, 'x');

  test('style variations with a design, together with other unique names', () => {
    const html = shown(`${styled('section-1')}${styled('unknown')}<!-- wp:search /-->${styled('section-2')}`);
    expect(html.match(/is-style-[\w-]+--\d+|search__input-\d+/g)).toEqual([
      'is-style-section-1--1',
      'search__input-2',
      'search__input-2',
      'is-style-section-2--3',
    ]);
    expect(shown(styled('section-1'), classic())).not.toContain('--1');
  });

  test('colors of links: by number, before by hash', () => {
    const html = '\n<p class="has-link-color">With a <a href="https://example.org/a">link</a>.</p>\n';
    const text = block('paragraph', { style: { elements: { link: { color: { text: 'var:preset|color|accent-2' } } } } }, html);
    expect(shown(text + text).match(/wp-elements-\d+/g)).toEqual(['wp-elements-1', 'wp-elements-2']);
    expect(shown(text, oldest())).toContain('wp-elements-c869e12cebbb341c75e4fd7fa71493d4');
    expect(shown(block('paragraph', { style: { elements: { link: { color: {} } } } }, '<p>a</p>'), oldest())).not.toContain('wp-elements');
  });

  test('positions, also of themes without them', () => {
    const sticky = group({ style: { position: { type: 'sticky', top: '0px' } } }, 'x');
    expect(shown(sticky)).toContain('wp-container-1 is-position-sticky');
    expect(shown(`${sticky}<!-- wp:search /-->`, classic())).toContain('search__input-2');
  });
});

test.each([
  ['22px', 'clamp(14.642px, 0.915rem + ((1vw - 3.2px) * 0.721), 22px)'],
  ['14px', '14px'],
  ['0.5rem', '0.5rem'],
  ['50%', '50%'],
  ['var:preset|font-size|large', 'var:preset|font-size|large'],
])('a size of %s in a theme with fluid sizes', (size, fluid) => {
  expect(fluidSize(size, THEMES.block)).toBe(fluid);
  expect(fluidSize(size, THEMES.classic)).toBe(size);
});

test.each<[name: string, text: string, html: string]>([
  ['an empty button', block('button', {}, '<div class="wp-block-button"><a class="wp-block-button__link"></a></div>'), ''],
  [
    'a background',
    group({ style: { background: { backgroundImage: { url: '/a.jpg' } } } }, 'x'),
    '<div style="background-image:url(&apos;/a.jpg&apos;);background-size:cover;"',
  ],
  [
    'a proportion',
    block('cover', { style: { dimensions: { aspectRatio: '16/9' } } }, '<div class="wp-block-cover"></div>'),
    'style="aspect-ratio:16/9;height:unset;min-height:unset;"',
  ],
  [
    'a preset of two colors',
    block('image', { style: { color: { duotone: 'var:preset|duotone|grayscale' } } }, '<figure><img src="/a.jpg"/></figure>'),
    'wp-duotone-grayscale',
  ],
  [
    'two colors',
    block('image', { style: { color: { duotone: ['#000', '#FFF'] } } }, '<figure><img src="/a.jpg"/></figure>'),
    'wp-duotone-000-fff-1',
  ],
  [
    'a link without a scheme',
    '<!-- wp:social-link {"url":"example.org","service":"x","rel":"me"} /-->',
    '<a rel="me" href="https://example.org" class="wp-block-social-link-anchor">',
  ],
  [
    'colors, sizes and spaces around a block with a renderer',
    '<!-- wp:search {"align":"left","className":"own"} /-->',
    'class="wp-block-search__button-outside wp-block-search__text-button alignleft own wp-block-search"',
  ],
])('%s', (_, text, html) => {
  expect(shown(text)).toContain(html);
  if (html === '') expect(shown(text)).toBe('');
});

test('new attributes follow the name of the tag, sorted; removed ones leave their space', () => {
  const tag = new TagEditor('<a class="x" id=y href="/">');
  expect(tag.next({ tag: 'a', withClass: 'x' })).toBe(true);
  expect(tag.set('target', '_blank').set('rel', 'a&b').set('id', null).addClass('z').html()).toBe(
    '<a rel="a&amp;b" target="_blank" class="x z"  href="/">',
  );
});

test('of equal rows, those are first that a queue of the size of the limit keeps', () => {
  const rows = [1, 2, 3, 4, 5].map((id) => ({ id, date: 8 })).concat({ id: 6, date: 12 });
  const first = (limit: number): number[] => firstRows(rows, limit, (a, b) => b.date - a.date).map(({ id }) => id);
  expect([first(2), first(10)]).toEqual([
    [6, 2],
    [6, 1, 2, 3, 4, 5],
  ]);
});
