import { copiedCalendar, copiedWordPress, type CalendarSigns } from '../../../src/transfer/live/version/copied.js';
import { isKnownVersion, spansOf } from '../../../src/plugins/the-events-calendar/quirks/version.js';
import { WORDPRESS } from '../../../src/wordpress/quirks.js';
import { compareVersions } from '../../../src/wordpress/quirks/version.js';

const NEWEST: CalendarSigns = { stated: null, hasTecV1: true, hasCustomFields: true, missingEvent: 404 };

test.each<[string, Partial<CalendarSigns>, string, string]>([
  ['a stated release', { stated: '6.15.16' }, '6.15.16', 'runs The Events Calendar 6.15.16, and the copy behaves like it'],
  ['a newer release than those known', { stated: '6.20.1' }, '6.17.2', 'runs The Events Calendar 6.20.1, whose behavior is not known'],
  ['an older release than those known', { stated: '5.16.0' }, '6.6.4.2', 'the copy behaves like 6.6.4.2'],
  ['nothing but the newest behavior', {}, '6.17.2', 'does not state its release'],
  ['an invalid id for a missing event', { missingEvent: 400 }, '6.17.1', 'behaves like 6.17.1, which fits'],
  ['no tec/v1', { missingEvent: 400, hasTecV1: false }, '6.14.2', ''],
  ['no additional fields', { missingEvent: 400, hasTecV1: false, hasCustomFields: false }, '6.9.1', ''],
  ['no events to look at', { missingEvent: 400, hasTecV1: false, hasCustomFields: null }, '6.14.2', ''],
  ['signs that contradict each other', { hasTecV1: false }, '6.17.2', ''],
])('%s', (_, signs, version, note) => {
  const copied = copiedCalendar({ ...NEWEST, ...signs });
  expect(copied.release).toBe(version);
  expect(copied.note).toContain(note);
});

const [NEWEST_WORDPRESS] = WORDPRESS.releases;
const ABILITIES = ['/', '/wp-abilities/v1'];

test.each<[string, string | null, string[], string, string]>([
  ['a stated release', '7.0.2', [], '7.0.2', 'runs WordPress 7.0.2, and the copy behaves like it'],
  [
    'a newer release than those known',
    '99.1',
    [],
    NEWEST_WORDPRESS,
    `runs WordPress 99.1, whose behavior is not known: the copy behaves like ${NEWEST_WORDPRESS}`,
  ],
  ['an older release than those known', '5.9.3', [], '6.8.12', 'the copy behaves like 6.8.12'],
  ['the routes of 7.1', null, [...ABILITIES, '/wp/v2/icons', '/wp/v2/view-config'], '7.1.4', 'behaves like 7.1.4, which fits'],
  ['the routes of 7.0', null, [...ABILITIES, '/wp/v2/icons'], '7.0.4', ''],
  ['the routes of 6.9', null, ABILITIES, '6.9.7', ''],
  ['none of them', null, ['/'], '6.8.12', 'does not state its release of WordPress'],
])('WordPress: %s', (_, stated, routes, release, note) => {
  const copied = copiedWordPress({ stated, routes });
  expect(copied.release).toBe(release);
  expect(copied.note).toContain(note);
});

test.each([
  ['6.9.1', '6.10.0', -1],
  ['6.10', '6.10.0', 0],
  ['6.15.16.1', '6.15.16', 1],
  ['6.6.4.2', '6.17', -1],
])('%s and %s', (a, b, sign) => {
  expect(Math.sign(compareVersions(a, b))).toBe(sign);
  expect(Math.sign(compareVersions(b, a))).toBe(sign === 0 ? 0 : -sign);
});

test('releases in the range are known', () => {
  expect(['6.6.4.2', '6.7.0', '6.17.2', '6.10'].map(isKnownVersion)).toEqual([true, true, true, true]);
  expect(['6.6.4.1', '6.17.3', '7', '6', '6.x', ' 6.10', '6.10.'].map(isKnownVersion)).toEqual(Array(7).fill(false));
});

test('ranges divide the releases into spans', () => {
  expect(spansOf([{ until: '6.10.1' }, { since: '6.15.0', until: '6.15.15' }, { until: '6.15.0' }])).toEqual([
    { since: '6.6.4.2', until: '6.10.1' },
    { since: '6.10.1', until: '6.15.0' },
    { since: '6.15.0', until: '6.15.15' },
    { since: '6.15.15', until: null },
  ]);
});
