import { balanceTags } from '../../../../src/wordpress/formatting/comments/balance-tags.js';
import { makeClickable, relUgc } from '../../../../src/wordpress/formatting/comments/clickable.js';
import { renderComment } from '../../../../src/wordpress/formatting/comments/comment-text.js';

/** Comment texts. */

const HERE = 'http://here.example:8100';
const out = (url: string): string => `<a href="${url}" rel="nofollow ugc">${url}</a>`;

test.each([
  ['See https://example.org/x.', `See ${out('https://example.org/x')}.`],
  ['(https://example.org/a_(b))', `(${out('https://example.org/a_(b)')})`],
  ['https://example.org/?a=1&b=2', out('https://example.org/?a=1&#038;b=2')],
  ['http://HERE.example/x', '<a href="http://HERE.example/x" rel="ugc">http://HERE.example/x</a>'],
  ['www.example.org, or not', `${out('http://www.example.org')}, or not`],
  ['to me@example.org.', 'to <a href="mailto:me@example.org">me@example.org</a>.'],
  ['<a href="https://example.org">https://example.org</a>', '<a href="https://example.org">https://example.org</a>'],
  ['<code>https://example.org</code>', '<code>https://example.org</code>'],
  ['foo://example.org', 'foo://example.org'],
  ['ahttps://', 'ahttps://'],
])('%s has links', (text, html) => {
  expect(makeClickable(text, HERE)).toBe(html);
});

test.each([
  ['<a href="https://example.org/">x</a>', '<a href="https://example.org/" rel="nofollow ugc">x</a>'],
  ['<a href="http://here.example/">x</a>', '<a href="http://here.example/" rel="ugc">x</a>'],
  ['<a title=\'T\' rel="me" href="https://example.org/">x</a>', '<a title="T" href="https://example.org/" rel="me nofollow ugc">x</a>'],
])('%s says who wrote it', (html, marked) => {
  expect(relUgc(html, HERE)).toBe(marked);
});

test.each([
  ['<b>x', '<b>x</b>'],
  ['<b><i>x</b>y', '<b><i>x</i></b>y'],
  ['x</b>', 'x'],
  ['<li>a<li>b', '<li>a</li><li>b</li>'],
  ['<div>a<div>b', '<div>a<div>b</div></div>'],
  ['<br>a<BR/>', '<br />a<br />'],
  ['<span/>x', '<span></span>x'],
  ['I <3 this', 'I &lt;3 this'],
  ['<img src="x" >a', '<img src="x"/>a'],
])('%s is balanced', (html, balanced) => {
  expect(balanceTags(html)).toBe(balanced);
});

test('a comment is shown with all of this', () => {
  expect(renderComment('<b>See https://example.org/\nnow', HERE)).toBe(`<p><b>See ${out('https://example.org/')}<br />\nnow</b></p>\n`);
});

test('the time that long texts take grows with their length', () => {
  const started = performance.now();
  for (const text of ['<a ', 'http://', 'a@', '<', '(http://a.b/(', 'www.'].map((part) => part.repeat(65_000 / part.length))) {
    renderComment(text, HERE);
    relUgc(text, HERE);
  }
  expect(performance.now() - started).toBeLessThan(4_000);
});
