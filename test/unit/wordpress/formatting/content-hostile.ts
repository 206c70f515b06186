import { renderContent, renderExcerpt, renderTitle } from '../../../../src/wordpress/formatting/content.js';
import { spentSince } from '../../../support/cpu.js';

/** Declares tests of texts that would take seconds to show if the time grew with the square of their length. @param every only every n-th */
export function testHostileContent(every = 1): void {
  const units = [
    '<',
    '[',
    "'",
    '"',
    '-',
    ':',
    '<img ',
    '<p>[caption',
    '[caption]',
    '<a [',
    '[audio a=',
    '<!-- wp:a {',
    '<!-- wp:a -->',
    'http://a.mp3\n',
  ];

  test.each(units.filter((_unit, index) => index % every === 0))('%j repeated', (unit) => {
    const text = unit.repeat(Math.ceil(100_000 / unit.length));
    const spent = spentSince();
    renderContent(text);
    renderExcerpt(text);
    renderTitle(text);
    expect(spent()).toBeLessThan(2500);
  });
}
