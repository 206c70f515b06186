import { describeTimes, NOW, problemsOf, read } from './read.js';

/** Recurring events. The clock is Monday, 2026-06-15, 14:00 in Berlin. */

const SITE = { timezone: 'Europe/Berlin' };
const jazz = (repeat: unknown, more: object = {}) => ({
  site: SITE,
  events: [{ title: 'Jazz', start: '2026-06-16 19:30', duration: '2h', repeat, ...more }],
});

describe('dates', () => {
  const days = async (repeat: unknown, more: object = {}): Promise<string[]> =>
    describeTimes(await read(jazz(repeat, more))).map(({ start }) => start.slice(0, 10));

  test.each([
    ['weekly × 3', ['2026-06-16', '2026-06-23', '2026-06-30']],
    ['weekly x3', ['2026-06-16', '2026-06-23', '2026-06-30']],
    ['every 2 weeks * 2', ['2026-06-16', '2026-06-30']],
    ['Every week 2 times', ['2026-06-16', '2026-06-23']],
    ['daily until 2026-06-18', ['2026-06-16', '2026-06-17', '2026-06-18']],
    ['daily until +3d', ['2026-06-16', '2026-06-17', '2026-06-18']],
    ['weekdays × 5', ['2026-06-16', '2026-06-17', '2026-06-18', '2026-06-19', '2026-06-22']],
    ['weekly on tue, thursday × 3', ['2026-06-16', '2026-06-18', '2026-06-23']],
    ['weekly on sat and sun × 2', ['2026-06-20', '2026-06-21']],
    ['monthly × 2', ['2026-06-16', '2026-07-16']],
    ['monthly on 2nd wed × 2', ['2026-07-08', '2026-08-12']],
    ['monthly on first sat × 2', ['2026-07-04', '2026-08-01']],
    ['monthly on second tue, fourth thu × 3', ['2026-06-25', '2026-07-14', '2026-07-23']],
    ['monthly on last fri × 2', ['2026-06-26', '2026-07-31']],
    ['monthly on -1 × 2', ['2026-06-30', '2026-07-31']],
    ['yearly × 2', ['2026-06-16', '2027-06-16']],
  ])('%s', async (repeat, expected) => {
    expect(await days(repeat)).toEqual(expected);
  });

  test('an object excludes dates, which count', async () => {
    const repeat = { every: '2 weeks', on: ['tue', 'thu'], until: '+3M', except: ['2026-06-30', '2026-07-16'] };
    expect(await days(repeat)).toEqual([
      ...['2026-06-16', '2026-06-18', '2026-07-02', '2026-07-14', '2026-07-28', '2026-07-30'],
      ...['2026-08-11', '2026-08-13', '2026-08-25', '2026-08-27', '2026-09-08', '2026-09-10'],
    ]);
    expect(await days({ every: 'week', times: 3, except: ['2026-06-23'] })).toEqual(['2026-06-16', '2026-06-30']);
  });

  // RFC 5545: a month without that day has no event.
  test('the 31st', async () => {
    expect(await days('monthly × 3', { start: '2026-07-31 10:00' })).toEqual(['2026-07-31', '2026-08-31', '2026-10-31']);
  });
});

test('each event is at the same local time and as long, over a change of clocks', async () => {
  const content = await read(jazz('weekly × 3', { start: '2026-10-17 23:00', end: '01:00', duration: undefined }));
  expect(describeTimes(content)).toEqual([
    { start: '2026-10-17 23:00:00', end: '2026-10-18 01:00:00', utc: '2026-10-17 21:00:00' },
    { start: '2026-10-24 23:00:00', end: '2026-10-25 01:00:00', utc: '2026-10-24 21:00:00' },
    { start: '2026-10-31 23:00:00', end: '2026-11-01 01:00:00', utc: '2026-10-31 22:00:00' },
  ]);
  const skipped = await read(jazz('daily × 2', { start: '2027-03-27 02:30', duration: '1h' }));
  expect(describeTimes(skipped).map(({ start }) => start)).toEqual(['2027-03-27 02:30:00', '2027-03-28 03:30:00']);
  const days = await read(jazz('weekly × 2', { start: '2026-07-03', all_day: true, duration: '2d' }));
  expect(describeTimes(days).map(({ start, end }) => [start, end])).toEqual([
    ['2026-07-03 00:00:00', '2026-07-04 23:59:59'],
    ['2026-07-10 00:00:00', '2026-07-11 23:59:59'],
  ]);
});

test('the events share everything but the id, the slug and the comments of the first', async () => {
  const more = { id: 40, slug: 'jazz', venue: 'Cellar', categories: ['Music'], comments: [{ content: 'Great' }], status: 'private' };
  const { posts, comments } = await read(jazz('weekly × 2', more));
  const events = posts.filter(({ type }) => type === 'tribe_events');
  expect(events.map(({ _id, slug, status }) => [_id, slug, status])).toEqual([
    [40, 'jazz', 'private'],
    [expect.any(Number), 'jazz-2', 'private'],
  ]);
  expect(events[0].terms).toEqual(events[1].terms);
  expect(events[0].meta.find(({ key }) => key === '_EventVenueID')).toEqual(events[1].meta.find(({ key }) => key === '_EventVenueID'));
  expect(comments?.map(({ post }) => post)).toEqual([40]);
});

describe('problems', () => {
  test.each([
    ['sometimes', 'events[0].repeat: invalid repetition "sometimes". Write one such as "weekly × 10", '],
    ['wekly × 3', 'events[0].repeat: invalid interval "wekly". Write one such as "week", "2 weeks", "monthly" or "weekdays"'],
    ['weekly on foo × 3', 'events[0].repeat: invalid day "foo". Write one such as "tue", "2nd tue", "last fri" or 15'],
    ['monthly on sixth sat × 3', 'events[0].repeat: invalid day "sixth sat". Write one such as "tue", "2nd tue", "last fri" or 15'],
    ['weekly until soon', 'events[0].repeat: invalid date "soon"'],
    ['weekly until 2026-01-01', 'events[0].repeat: makes no event'],
    ['daily × 501', 'events[0].repeat: makes more than 500 events. Write an earlier end'],
    ['daily × 100000', 'events[0].repeat: makes more than 500 events. Write an earlier end'],
    [{ every: 'week' }, 'events[0].repeat.times: a series needs an end: times or until'],
    [{ every: 'week', times: 2, except: ['never'] }, 'events[0].repeat.except: invalid date "never"'],
    [{ every: 'week', count: 2 }, 'events[0].repeat.count: unknown field'],
    [{ times: 2 }, 'events[0].repeat.every: is missing'],
    ['', 'events[0].repeat: is missing'],
  ])('%j', async (repeat, expected) => {
    expect(await problemsOf(jazz(repeat))).toEqual([expect.stringContaining(expected)]);
  });

  test('of an event are reported once, at its entry', async () => {
    expect(await problemsOf(jazz('weekly × 2', { venue: '', organizers: ['Nobody'], image: 'none' }))).toEqual([
      expect.stringMatching(/^events\[0\]\.image: /),
      expect.stringMatching(/^events\[0\]\.organizers\[0\]: /),
    ]);
    expect(await problemsOf({ events: [{ title: 'A', start: '+1d', all_day: true, rrule: 'FREQ=DAILY' }] })).toEqual([
      'events[0].rrule: unknown field. Did you mean "repeat"?',
    ]);
  });
});

test('relative dates follow the clock', async () => {
  const content = await read(jazz('weekly × 2', { start: 'next friday 20:00' }), NOW + 7 * 86_400_000);
  expect(describeTimes(content).map(({ start }) => start)).toEqual(['2026-06-26 20:00:00', '2026-07-03 20:00:00']);
});
