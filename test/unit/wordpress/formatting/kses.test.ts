import { normalizeEntities } from '../../../../src/wordpress/formatting/entities.js';
import * as kses from '../../../../src/wordpress/formatting/kses/kses.js';
import { cutBadProtocol, safeCss as safeCssBy } from '../../../../src/wordpress/formatting/kses/values.js';
import { measured } from './cleaning-cases.js';
import { testHostileText } from './kses-hostile.js';
import { NEWEST_RULES, OLDEST_RULES } from '../../../support/rules.js';

const [ksesPost, ksesComment, ksesTitle, ksesTermDescription] = [
  kses.ksesPost,
  kses.ksesComment,
  kses.ksesTitle,
  kses.ksesTermDescription,
].map((clean) => (html: string) => clean(html, OLDEST_RULES));
const safeCss = (style: string): string => safeCssBy(style, OLDEST_RULES.css);

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

describe('the newest release', () => {
  test.each([
    ['<time datetime="2026-07-01">July</time><wbr><search>s</search>', '<time datetime="2026-07-01">July</time><wbr><search>s</search>'],
    ['<meter min="0" max="9" value="3" onclick="x">', '<meter min="0" max="9" value="3">'],
    [
      '<button popovertarget="a" commandfor="b" command="close" formaction="x">',
      '<button popovertarget="a" commandfor="b" command="close">',
    ],
    ['<math display="block"><mi mathvariant="x" href="y">x</mi></math>', '<math display="block"><mi mathvariant="x">x</mi></math>'],
    [
      "<a HREF='https://example.org/?a=1&b=2' Title=\"It's &quot;new&quot;\">",
      '<a href="https://example.org/?a=1&amp;b=2" title="It&apos;s &quot;new&quot;">',
    ],
    ['<p class=a id=b CLASS="c">', '<p class="a" id="b">'],
    ['<p title="&nbsp;&eacute;&#8230;&#039;&lt;&copy">', '<p title="\u00a0é…&apos;&lt;&amp;copy">'],
    ['<img src=a.png/>', '<img src="a.png/" />'],
    ['<p title="a\'b title=c', '&lt;p title=&quot;a&#039;b title=c'],
    ['<p title=\'a" id=b>', '<p>'],
    ['<a href="java&#115;cript:x" download="y" download>', '<a href="x">'],
    ['<p tabindex="0" hidden HIDDEN="x">', '<p tabindex="0" hidden>'],
    ['<b style="font-family:\'A\'">', '<b style="font-family:&apos;A&apos;">'],
    ['<b style="behavior:x" style="color:red">', '<b>'],
  ])('ksesPost %j', (html, cleaned) => {
    expect(kses.ksesPost(html, NEWEST_RULES)).toBe(cleaned);
    expect(kses.ksesPost(cleaned, NEWEST_RULES)).toBe(cleaned);
  });

  test.each([
    ['display:grid;opacity:.5;white-space:pre', 'display:grid;opacity:.5;white-space:pre'],
    ['fill:url(#a);stroke:red;clip-path:circle(50%)', 'fill:url(#a);stroke:red;clip-path:circle(50%)'],
    ['fill:url(javascript:x)', ''],
    ['transform:rotateX(1deg) translate3d(0,calc(1px + 2px),0)', 'transform:rotateX(1deg) translate3d(0,calc(1px + 2px),0)'],
    ['transform:expression(x)', ''],
    ['background:linear-gradient(var(--a),hsl(1 2 3)),url(a.png)', 'background:linear-gradient(var(--a),hsl(1 2 3)),url(a.png)'],
    ['background:linear-gradient(a(b(c)))', ''],
    ['color:linear-gradient(red,blue)', ''],
  ])('safeCss %j', (style, safe) => {
    expect(safeCssBy(style, NEWEST_RULES.css)).toBe(safe);
  });

  test('WP: quotes in CSS are written differently if a part of it was removed', () => {
    expect(kses.ksesPost(`<b style="font-family:'A';behavior:x">`, NEWEST_RULES)).toBe('<b style="font-family:&#039;A&#039;">');
  });

  test('CSS of blocks is removed, and the rest of their attributes stays', () => {
    const cleaned = (attributes: object): string =>
      kses.ksesPost(`<!-- wp:group ${JSON.stringify(attributes)} --><div></div><!-- /wp:group -->`, NEWEST_RULES).split(' -->')[0];
    expect(cleaned({ style: { css: 'color:red' }, align: 'wide' })).toBe('<!-- wp:group {"align":"wide"}');
    expect(cleaned({ style: { css: 'color:red', color: { text: 'red' } } })).toBe('<!-- wp:group {"style":{"color":{"text":"red"}}}');
    expect(cleaned({ style: { css: 'color:red' } })).toBe('<!-- wp:group');
  });
});

describe('hostile text in the newest release', () => testHostileText(NEWEST_RULES, 4));
