import { normalizeEntities } from '../../../../src/wordpress/formatting/entities.js';
import { ksesComment, ksesPost, ksesTermDescription, ksesTitle } from '../../../../src/wordpress/formatting/kses/kses.js';
import { cutBadProtocol, safeCss } from '../../../../src/wordpress/formatting/kses/values.js';
import { measured } from './cleaning-cases.js';
import { spentSince } from '../../../support/cpu.js';

test.each(measured('ksesPost'))('ksesPost %j', (html, cleaned) => {
  expect(ksesPost(html)).toBe(cleaned);
});

test.each(measured('ksesComment'))('inline set %j', (html, cleaned) => {
  expect([ksesComment(html), ksesTitle(html), ksesTermDescription(html)]).toEqual([cleaned, cleaned, cleaned]);
});

test.each(measured('blocks'))('block comments %j', (html, cleaned) => {
  expect(ksesPost(html)).toBe(cleaned);
});

test.each(measured('safeCss'))('safeCss %j', (style, safe) => {
  expect(safeCss(style)).toBe(safe);
});

test.each(measured('normalizeEntities'))('normalizeEntities %j', (text, normal) => {
  expect(normalizeEntities(text)).toBe(normal);
});

test.each([
  ['javascript&#58alert(1)', 'alert(1)'],
  ['javascript&#x3Alert(1)', 'lert(1)'],
  ['javascript&#x3a(1)', '(1)'],
  ['https&#0058//a', 'https://a'],
  ['https://a/&#58b', 'https://a/&#58;b'],
  ['\\0java\\000script:x', 'x'],
  ['feed:javascript:x', 'feed:x'],
])('cutBadProtocol %j', (url, safe) => {
  expect(cutBadProtocol(url)).toBe(safe);
});

test.each([
  ['<object data="x">t</object>', '<object>t</object>'],
  ['<object data="x"/>t', 't'],
  ['<OBJECT />t</OBJECT>', 't</OBJECT>'],
])('elements that require attributes: %s', (html, cleaned) => {
  expect(ksesPost(html)).toBe(cleaned);
});

describe('newer than the measured version', () => {
  test.each([
    ['a</%bit>b', 'a</%bit>b'],
    ['a<//x & y>b', 'a<//x &amp; y>b'],
    ['a</>b', 'ab'],
    ['<b data-wp-on--click="x" data--y="1" data-z-="2">', '<b data-wp-on--click="x" data--y="1" data-z-="2">'],
    ['<b data-x.y="1" data-="2">', '<b>'],
    ['<p aria-expanded="true" aria-live="polite" hidden>', '<p aria-expanded="true" aria-live="polite" hidden>'],
  ])('ksesPost %j', (html, cleaned) => {
    expect(ksesPost(html)).toBe(cleaned);
  });

  test.each([
    ['position:sticky;top:0;z-index:2', 'position:sticky;top:0;z-index:2'],
    ['grid-template-columns:repeat(2, minmax(0,1fr))', 'grid-template-columns:repeat(2, minmax(0,1fr))'],
    ['filter:url(#x)', 'filter:url(#x)'],
    ['filter:url(javascript:x)', ''],
    ['display:none', ''],
  ])('safeCss %j', (style, safe) => {
    expect(safeCss(style)).toBe(safe);
  });
});

describe('hostile text', () => {
  const SIZE = 200_000;
  const fill = (piece: string): string => piece.repeat(Math.ceil(SIZE / piece.length));
  const whole = [
    '<',
    '<a ',
    '&',
    '"',
    "'",
    '<a href="',
    "<a x='",
    '<!--',
    '<!-->',
    '<!--x>\n',
    '--->',
    '<!-- wp:x -->',
    '<!-- wp:x {',
    '</',
    '</%',
    '<a style="background:url(',
    '<a style="color:calc(',
    '<?php ',
    '&#0',
    '<b x y z ',
    '\\"',
    '<!-- wp:x --><!-- /wp:x -->',
    '<b>',
  ].map(fill);
  const inside = ['x=y ', '"', "' ", ' /', 'href="javascript:'].map((piece) => `<a ${fill(piece)}>`);
  const values = ['url(x)', 'url(', 'calc(', 'var(a)', 'a:b;', 'rgb('].map((piece) => `<a style="background:${fill(piece)}">`);

  test.each([...whole, ...inside, ...values].map((html) => [html.slice(0, 30), html] as const))(
    'repeated %j is handled quickly',
    (_, html) => {
      const spent = spentSince();
      ksesPost(html);
      ksesComment(html);
      expect(spent()).toBeLessThan(4000);
    },
  );

  test.each([
    ['dashes that end no comment', `<!--${'-'.repeat(SIZE)}x--->`],
    ['comments before the only end', `${'<!-- '.repeat(40_000)}--->`],
    ['blocks inside blocks', '<!-- wp:x -->'.repeat(7000) + '<!-- /wp:x -->'.repeat(7000)],
  ])('%s are handled quickly', (_, html) => {
    const spent = spentSince();
    ksesPost(html);
    expect(spent()).toBeLessThan(4000);
  });

  test('many blocks that are never closed do not blow the text up', () => {
    const html = fill('<!-- wp:x -->');
    expect(ksesPost(html).length).toBeLessThan(html.length * 2);
  });

  test('attributes nested without end are dropped', () => {
    expect(ksesPost(`<!-- wp:x {"a":${'['.repeat(2000)}${']'.repeat(2000)}} /-->`)).toBe('<!-- wp:x /-->');
  });
});
