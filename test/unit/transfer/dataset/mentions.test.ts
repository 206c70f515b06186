import { EVENT, EVENT_CATEGORY } from '../../../../src/plugins/the-events-calendar/model/index.js';
import { LINKED } from '../../../../src/plugins/the-events-calendar/model/event.js';
import { metaValue, metaValues, TAG } from '../../../../src/wordpress/model.js';
import { isMisspelling } from '../../../../src/base/text/suggest.js';
import { bySlug, problemsOf, read } from './read.js';

/** Venues, organizers and terms that a dataset refers to but does not contain. */

const event = { title: 'Talk', start: '+3d 10:00', duration: '1h' };

test('are created, once each, with the name of the first mention', async () => {
  const { posts, terms } = await read({
    categories: [{ name: 'Jazz', parent: 'Music' }],
    venues: [{ name: 'Arena', id: 70 }],
    events: [
      { ...event, venue: 'Town Hall', organizers: ['Anna', 'Ben'], categories: ['Music', 'Talks'], tags: ['Free'] },
      { ...event, title: 'Encore', venue: 'town-hall', organizers: ['anna'], categories: ['talks'] },
      { ...event, title: 'Match', venue: 'arena' },
    ],
  });
  expect(posts.filter(({ type }) => type !== EVENT).map(({ _id, title, slug, status }) => [_id, title, slug, status])).toEqual([
    [70, 'Arena', 'arena', 'publish'],
    [71, 'Town Hall', 'town-hall', 'publish'],
    [72, 'Anna', 'anna', 'publish'],
    [73, 'Ben', 'ben', 'publish'],
  ]);
  const [talk, encore] = [bySlug({ posts } as never, 'talk'), bySlug({ posts } as never, 'encore')];
  expect(metaValue(talk, LINKED.venue.link.key)).toBe('71');
  expect(metaValues(talk, LINKED.organizer.link.key)).toEqual(['72', '73']);
  expect([metaValue(encore, LINKED.venue.link.key), metaValue(encore, LINKED.organizer.link.key)]).toEqual(['71', '72']);
  expect(terms.map(({ taxonomy, name, slug, count, parent }) => [taxonomy, name, slug, count, parent])).toEqual([
    [EVENT_CATEGORY, 'Jazz', 'jazz', 0, 2],
    [EVENT_CATEGORY, 'Music', 'music', 1, 0],
    [EVENT_CATEGORY, 'Talks', 'talks', 2, 0],
    [TAG, 'Free', 'free', 1, 0],
  ]);
});

test('are an error if they are probably misspelled, or if the name has no letter', async () => {
  const venues = [{ slug: 'town-hall', name: 'Town Hall' }];
  await expect(read({ venues, events: [{ ...event, venue: 'town-hal' }] })).rejects.toThrow(
    'events[0].venue: there is no venue with the slug "town-hal". Did you mean "town-hall"?',
  );
  await expect(read({ events: [{ ...event, tags: ['!'] }] })).rejects.toThrow('events[0].tags[0]: there is no tag with the slug "!"');
});

test('are an error if nothing may be created', async () => {
  const mentioning = { events: [{ ...event, venue: 'Town Hall', tags: ['Free'] }] };
  expect(await problemsOf(mentioning)).toEqual([
    'events[0].tags[0]: there is no tag with the slug "Free"',
    'events[0].venue: there is no venue with the slug "Town Hall"',
  ]);
  expect(await problemsOf({ ...mentioning, venues: [{ name: 'Town Hall' }], tags: [{ name: 'Free' }] })).toEqual([]);
});

test.each([
  ['hal', 'hall', true],
  ['halls', 'hall', true],
  ['town-hal', 'town-hall', true],
  ['twon-hlal', 'town-hall', true],
  ['hall-b', 'hall-a', false],
  ['room-2', 'room-1', false],
  ['hall-10', 'hall-1', false],
  ['ab', 'ac', false],
  ['park', 'hall', false],
  ['council', 'castle', false],
])('%s is a misspelling of %s: %s', (slug, known, expected) => expect(isMisspelling(slug, [known])).toBe(expected));
