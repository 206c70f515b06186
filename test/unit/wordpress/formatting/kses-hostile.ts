import { ksesComment, ksesPost, type HtmlRules } from '../../../../src/wordpress/formatting/kses/kses.js';
import { spentSince } from '../../../support/cpu.js';

/**
 * Declares tests of texts that would take seconds if the time grew with the square of their length.
 * @param every only every n-th of the repeated pieces
 */
export function testHostileText(rules: HtmlRules, every = 1): void {
  const ksesOf = (html: string): string => ksesPost(html, rules);
  const SIZE = 100_000;
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
  const inside = ['x=y ', '"', "' ", ' /', 'href="javascript:', 'x=', 'x = ', '=', '&amp;', 'title="&#1;'].map(
    (piece) => `<a ${fill(piece)}>`,
  );
  const values = ['url(x)', 'url(', 'calc(', 'var(a)', 'a:b;', 'rgb(', 'linear-gradient(', 'linear-gradient(a(', 'linear-gradient(a'].map(
    (piece) => `<a style="background:${fill(piece)}">`,
  );

  const texts = [...whole, ...inside, ...values].filter((_text, index) => index % every === 0);

  test.each(texts.map((html) => [html.slice(0, 30), html] as const))('repeated %j is handled quickly', (_, html) => {
    const spent = spentSince();
    ksesOf(html);
    ksesComment(html, rules);
    expect(spent()).toBeLessThan(2000);
  });

  test.each([
    ['dashes that end no comment', `<!--${'-'.repeat(SIZE)}x--->`],
    ['comments before the only end', `${'<!-- '.repeat(20_000)}--->`],
    ['blocks inside blocks', '<!-- wp:x -->'.repeat(7000) + '<!-- /wp:x -->'.repeat(7000)],
  ])('%s are handled quickly', (_, html) => {
    const spent = spentSince();
    ksesOf(html);
    expect(spent()).toBeLessThan(2000);
  });

  test('many blocks that are never closed do not blow the text up', () => {
    const html = fill('<!-- wp:x -->');
    expect(ksesOf(html).length).toBeLessThan(html.length * 2);
  });

  test('attributes nested without end are dropped', () => {
    expect(ksesOf(`<!-- wp:x {"a":${'['.repeat(2000)}${']'.repeat(2000)}} /-->`)).toBe('<!-- wp:x /-->');
  });
}
