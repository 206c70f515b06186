import * as fc from 'fast-check';
import { editDistance, suggest } from '../../../../src/base/text/suggest.js';
import { spentSince } from '../../../support/cpu.js';

test.each([
  ['venue_id', ['venue', 'organizer', 'title'], 'venue'],
  ['perPage', ['page', 'per_page', 'start_date'], 'per_page'],
  ['startDate', ['start_date', 'end_date', 'starts_after'], 'start_date'],
  ['category', ['categories', 'tags', 'cost'], 'categories'],
  ['serach', ['search', 'status', 'page'], 'search'],
  ['tag', ['tags', 'page'], 'tags'],
  ['organiser', ['organizer', 'venue'], 'organizer'],
  ['zebra', ['organizer', 'venue', 'page'], undefined],
  ['x', [], undefined],
])('for %s and the names %j suggests the nearest name', (name, known, expected) => expect(suggest(name, known)).toBe(expected));

test('edit distances: symmetric, zero for the same, at most the longer text, and swapped neighbours count once', () => {
  expect(editDistance('serach', 'search')).toBe(1);
  fc.assert(
    fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), (a, b) => {
      const far = editDistance(a, b);
      return far === editDistance(b, a) && far <= Math.max(a.length, b.length) && (far === 0) === (a === b);
    }),
  );
});

test('a name of a file may be very long', () => {
  const known = Array.from({ length: 30 }, (_, index) => `field_${index}`);
  const spent = spentSince();
  expect(suggest('q'.repeat(3_000_000), known)).toBeUndefined();
  // Letter by letter, it takes ten times as long.
  expect(spent()).toBeLessThan(1500);
});
