import { RARE_WORD } from './data.mjs';

/** @typedef {{ name: string, path: string, filter?: boolean }} Case a GET; `filter`: its query plan is shown too */

const list = (name, query, more = {}) => ({ name, path: `/events?${query}`, ...more });
const filter = (name, query) => list(name, query, { filter: true });

/**
 * Everything that is read, for a site of `makeSite`.
 * @returns {Case[]} paths below the namespace of the calendar
 */
export function readCases({ ids }) {
  const middle = ids.events.length / 2;
  const event = ids.events[middle];
  const parent = ids.events[0];
  const deep = Math.floor(ids.events.length * 0.06);
  return [
    filter('default list', ''),
    filter('page of 50', 'per_page=50'),
    filter('deep page', `page=${deep}`),
    filter('start_date', 'start_date=2027-01-01'),
    filter('end_date', 'end_date=2026-08-01'),
    filter('start_date + end_date', 'start_date=2027-01-01&end_date=2027-01-31'),
    filter('strict_dates', 'start_date=2027-01-01+10:00&strict_dates=true'),
    filter('starts_before', 'starts_before=2026-03-01'),
    filter('starts_after', 'starts_after=2027-01-01'),
    filter('ends_before', 'ends_before=2026-03-01'),
    filter('ends_after', 'ends_after=2027-01-01'),
    filter('all dates', 'starts_after=2026-07-01&starts_before=2027-07-01&ends_after=2026-08-01&ends_before=2027-06-01'),
    filter('search', 'search=garden'),
    filter('search, rare word', `search=${RARE_WORD}`),
    filter('search, nothing found', 'search=xyzzy'),
    filter('categories', 'categories=category-3'),
    filter('categories, a tree', 'categories=category-0'),
    filter('tags', 'tags=tag-7'),
    filter('venue', `venue=${ids.venues[3]}`),
    filter('venue, three of them', `venue=${ids.venues.slice(0, 3).join()}`),
    filter('organizer', `organizer=${ids.organizers[3]}`),
    filter('featured', 'featured=true'),
    filter('not featured', 'featured=false'),
    filter('post_parent', `post_parent=${parent}`),
    filter('include', `include=${ids.events.slice(middle, middle + 5).join()}`),
    filter('status', 'status=publish'),
    filter('category + tag', 'categories=category-0&tags=tag-7'),
    filter('venue + search', `venue=${ids.venues[3]}&search=garden`),
    { name: 'single, by id', path: `/events/${event}?` },
    { name: 'single, by slug', path: `/events/by-slug/event-${middle}?` },
    { name: 'venues', path: '/venues?', filter: true },
    { name: 'venues, search', path: '/venues?search=house', filter: true },
    { name: 'venue, by id', path: `/venues/${ids.venues[3]}?` },
    { name: 'organizers', path: '/organizers?', filter: true },
    { name: 'categories', path: '/categories?', filter: true },
    { name: 'tags, search', path: '/tags?search=tag', filter: true },
    { name: 'tag, by id', path: `/tags/${ids.tags[3]}?` },
  ];
}

/** Lists as those see them who may edit: other statuses. Only their plans are shown. */
export const editorCases = ({ ids }) => [
  filter('editor: default list', ''),
  filter('editor: status=draft', 'status=draft'),
  filter('editor: status=draft,pending', 'status=draft,pending'),
  filter('editor: starts_after', 'starts_after=2027-01-01'),
  filter('editor: category', 'categories=category-0'),
  filter('editor: venue', `venue=${ids.venues[3]}`),
  filter('editor: search', 'search=garden'),
  { name: 'editor: venues', path: '/venues?', filter: true },
];

const eventBody = (title) =>
  JSON.stringify({
    title,
    description: 'An evening of "music" -- with friends.\n\nBring a chair.',
    start_date: '2026-09-01 19:00:00',
    end_date: '2026-09-01 22:00:00',
    cost: '12',
    categories: [1],
    tags: [101],
    venue: 2003,
    organizer: [4003],
  });

/** Everything that is written, in this order. `{n}` is the number of the request, `limit` how many there may be. */
export const writeCases = ({ ids }) => [
  { name: 'create event', method: 'POST', path: '/events', body: eventBody('Bench event {n}'), limit: Number.MAX_SAFE_INTEGER, first: 1 },
  { name: 'create event, same title', method: 'POST', path: '/events', body: eventBody('Bench event'), limit: 200, first: 1 },
  {
    name: 'update event, title',
    method: 'POST',
    path: '/events/{n}',
    body: JSON.stringify({ title: 'New title {n}' }),
    limit: ids.events.length,
    first: ids.events[0],
  },
  {
    name: 'update one event',
    method: 'POST',
    path: `/events/${ids.events[0]}`,
    body: JSON.stringify({ title: 'New title {n}' }),
    limit: Number.MAX_SAFE_INTEGER,
    first: 1,
  },
  { name: 'delete event (to the trash)', method: 'DELETE', path: '/events/{n}', body: '', limit: ids.events.length, first: ids.events[0] },
];
