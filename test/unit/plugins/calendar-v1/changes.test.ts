import { changedEvent, newEvent, type EventWrite, type Referred } from '../../../../src/plugins/the-events-calendar/calendar-v1/events.js';
import { changedLinked, newLinked } from '../../../../src/plugins/the-events-calendar/calendar-v1/linked/save.js';
import { readCalendarOptions } from '../../../../src/plugins/the-events-calendar/model/options.js';
import { newestZones } from '../../../../src/base/php/zone-data.js';
import { quirksOf } from '../../../../src/plugins/quirks.js';
import type { PostData } from '../../../../src/wordpress/posts/post-save.js';
import type { User } from '../../../../src/wordpress/model.js';
import { storedPost } from '../../../support/posts.js';

const ADMIN: User = {
  _id: 7,
  login: 'admin',
  email: '',
  displayName: 'Admin',
  nicename: 'admin',
  url: '',
  role: 'administrator',
  applicationPasswords: [],
};

const AUTHOR: User = { ...ADMIN, _id: 8, role: 'author' };

/** A call with a site, but without a database. */
const callOf = (params: Partial<EventWrite['params']>, user = ADMIN): EventWrite => ({
  params: params as EventWrite['params'],
  request: { user },
  site: {
    quirks: quirksOf('tec'),
    zones: newestZones(),
    clock: { seconds: () => Date.UTC(2026, 5, 15, 12) / 1000 },
    options: { timezone: 'Europe/Berlin', calendar: readCalendarOptions({}) },
  },
});

const NOTHING: Referred = {
  links: { venue: [], organizer: [] },
  categories: undefined,
  tags: undefined,
  image: null,
  cost: { values: [], symbol: null, position: null },
};

const DATES = { start_date: '2026-07-01 20:00:00', end_date: '2026-07-01 22:00:00' };

const metaOf = ({ meta }: PostData): Record<string, string[]> => {
  const rows: Record<string, string[]> = {};
  for (const { key, value } of meta) (rows[key] ??= []).push(value);
  return rows;
};

test('a new event is a function of its parameters, of what they refer to, and of the site', () => {
  const call = callOf({ title: 'Concert', ...DATES, show_map: true, sticky: true });
  const referred = { ...NOTHING, links: { venue: [3], organizer: [5, 4] }, categories: [9], image: 12 };
  const event = newEvent(call, referred);
  expect(event).toMatchObject({
    status: 'publish',
    author: 7,
    title: 'Concert',
    content: '',
    slug: undefined,
    date: null,
    menuOrder: -1,
    isUpdated: true,
    terms: { tribe_events_cat: [9] },
  });
  expect(metaOf(event)).toEqual({
    _EventOrigin: ['events-calendar'],
    _EventShowMap: ['1'],
    _EventShowMapLink: [''],
    _thumbnail_id: ['12'],
    _EventTimezone: ['Europe/Berlin'],
    _EventTimezoneAbbr: ['CEST'],
    _EventStartDate: ['2026-07-01 20:00:00'],
    _EventEndDate: ['2026-07-01 22:00:00'],
    _EventStartDateUTC: ['2026-07-01 18:00:00'],
    _EventEndDateUTC: ['2026-07-01 20:00:00'],
    _EventDuration: ['7200'],
    _EventVenueID: ['3'],
    _EventOrganizerID: ['5', '4'],
  });
  expect(newEvent(call, referred)).toEqual(event);
});

test('TEC: an update resets flags, organizers and the website, and keeps the venue, the dates and the texts', () => {
  const { meta } = newEvent(callOf({ title: 'Concert', ...DATES, all_day: true, featured: true, website: 'https://example.org/' }), {
    ...NOTHING,
    links: { venue: [3], organizer: [5] },
  });
  const stored = storedPost(1, { type: 'tribe_events', content: 'Text.', meta, terms: { post_tag: [2] } });
  const event = changedEvent(stored, callOf({ title: 'Other' }), NOTHING);
  expect(event).toMatchObject({ title: 'Other', content: 'Text.', menuOrder: 0, terms: { post_tag: [2] } });
  const before = metaOf({ meta } as PostData);
  const { _EventAllDay, _tribe_featured, _EventOrganizerID, ...kept } = before;
  expect([_EventAllDay, _tribe_featured, _EventOrganizerID, kept['_EventURL']]).toEqual([['1'], ['1'], ['5'], ['https://example.org/']]);
  expect(metaOf(event)).toEqual({ ...kept, _EventURL: [''] });
});

test('the author of an event is checked before anything is stored', () => {
  const call = callOf({ title: 'Concert', ...DATES, author: 7 }, AUTHOR);
  expect(newEvent(call, NOTHING).author).toBe(7);
  const strict = { ...call, site: { ...call.site, quirks: quirksOf('standard') } };
  expect(() => newEvent(strict, NOTHING)).toThrow('Sorry, you are not allowed to create posts as this user.');
});

test('a new venue derives its region, and an update keeps what is not sent', () => {
  const call = callOf({});
  const venue = newLinked('venue', { venue: 'Hall', city: 'Albany', state: 'NY', show_map: '1', show_map_link: '' }, null, call);
  expect(venue).toMatchObject({ title: 'Hall', slug: 'hall', status: 'publish', author: 7 });
  expect(metaOf(venue)).toMatchObject({
    _VenueStateProvince: ['NY'],
    _VenueShowMap: ['1'],
    _EventShowMapLink: [''],
    _VenueCity: ['Albany'],
  });
  const stored = storedPost(1, { type: 'tribe_venue', title: 'Hall', meta: venue.meta });
  const changed = changedLinked('venue', stored, { zip: '12207' }, 4, call);
  expect(changed.title).toBe('Hall');
  expect(metaOf(changed)).toMatchObject({ _VenueCity: ['Albany'], _VenueZip: ['12207'], _thumbnail_id: ['4'] });
});

test('a venue without a name cannot be created', () => {
  expect(() => newLinked('venue', { venue: ' ' }, null, callOf({}))).toThrow('The venue could not be created from the provided data');
});
