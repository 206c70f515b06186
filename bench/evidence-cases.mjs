/**
 * @typedef {{ name: string, path: string, caller: 'anonymous' | 'editor', apart?: string }} Case a list; `apart`: why the limits do not
 * apply
 */

const SEARCH = 'search';
const TWO = 'two narrow filters';
const ORDER = 'no index has this order';

/** Each of the parameters of the event list alone. */
function eventFilters({ ids }) {
  const middle = Math.floor(ids.events.length / 2);
  return [
    ['page', `page=${Math.floor(ids.events.length * 0.06)}`],
    ['per_page', 'per_page=50'],
    ['start_date', 'start_date=2028-03-01'],
    ['end_date', 'end_date=2026-08-01'],
    ['starts_before', 'starts_before=2026-01-15'],
    ['starts_after', 'starts_after=2028-03-01'],
    ['ends_before', 'ends_before=2026-01-15'],
    ['ends_after', 'ends_after=2027-01-01'],
    ['ends_after, late', 'ends_after=2028-03-01'],
    ['strict_dates', 'start_date=2028-03-01+10:00&strict_dates=true'],
    ['search', 'search=garden', SEARCH],
    ['search, nothing found', 'search=xyzzy', SEARCH],
    ['categories', 'categories=category-3'],
    ['categories, a tree', 'categories=category-0'],
    ['tags', 'tags=tag-7'],
    ['tags, three', 'tags=tag-7,tag-8,tag-9'],
    ['venue', `venue=${ids.venues[3]}`],
    ['venue, three', `venue=${ids.venues.slice(0, 3).join()}`],
    ['organizer', `organizer=${ids.organizers[3]}`],
    ['featured', 'featured=true'],
    ['featured=false', 'featured=false'],
    ['status', 'status=publish'],
    ['geoloc', 'geoloc=true'],
    ['geoloc_lat, geoloc_lng', 'geoloc_lat=50.2&geoloc_lng=6.25'],
    ['include', `include=${ids.events.slice(middle, middle + 5).join()}`],
    ['post_parent', `post_parent=${ids.events[0]}`],
    ['ticketed', 'ticketed=true'],
    ['ticketed=false', 'ticketed=false'],
  ];
}

const HALF_YEAR = 'start_date=2027-01-01&end_date=2027-06-30';
const MONTH = 'start_date=2027-01-01&end_date=2027-01-31';

function combinations({ ids }) {
  return [
    ['start_date + end_date', MONTH],
    ['all four other dates', 'starts_after=2027-01-01&starts_before=2027-02-01&ends_after=2027-01-05&ends_before=2027-02-02'],
    ['a month + category', `${MONTH}&categories=category-3`],
    ['a month + tag', `${MONTH}&tags=tag-7`],
    ['half a year + venue', `${HALF_YEAR}&venue=${ids.venues[3]}`],
    ['half a year + organizer', `${HALF_YEAR}&organizer=${ids.organizers[3]}`],
    ['a month + featured', `${MONTH}&featured=true`],
    ['a month + ticketed', `${MONTH}&ticketed=true`],
    ['ends_before + category', 'ends_before=2026-03-01&categories=category-0'],
    ['starts_after + parent', `starts_after=2027-06-01&post_parent=${ids.events[0]}`],
    ['starts_after + featured=false + page', 'starts_after=2027-06-01&featured=false&page=20'],
    ['category + featured', 'categories=category-3&featured=true', TWO],
    ['category + featured=false', 'categories=category-3&featured=false'],
    ['category + ticketed', 'categories=category-3&ticketed=true', TWO],
    ['featured + ticketed', 'featured=true&ticketed=true', TWO],
    ['category + tag', 'categories=category-3&tags=tag-7', TWO],
    ['category + venue', `categories=category-3&venue=${ids.venues.slice(0, 3).join()}`, TWO],
    ['venue + organizer', `venue=${ids.venues.slice(0, 50).join()}&organizer=${ids.organizers.slice(0, 50).join()}`, TWO],
    ['venue + search', `venue=${ids.venues[3]}&search=river`, SEARCH],
  ];
}

const editorFilters = [
  ['status=draft', 'status=draft'],
  ['status=draft,pending', 'status=draft,pending'],
  ['status=draft + category', 'status=draft&categories=category-0'],
  ['status=private + tag', 'status=private&tags=tag-7'],
];

const linkedFilters = (event) => [
  ['no filter', ''],
  ['search', 'search=1234', SEARCH],
  ['event', `event=${event}`],
  ['has_events', 'has_events=true'],
  ['has_events=false', 'has_events=false'],
  ['only_with_upcoming', 'only_with_upcoming=true'],
  ['status', 'status=publish'],
  ['page', 'page=2'],
];

const termFilters = (event, own, parent) => [
  ['no filter', ''],
  ['search', 'search=3', SEARCH],
  ['include', `include=${own.slice(2, 5).join()}`],
  ['exclude', `exclude=${own.slice(2, 5).join()}`],
  ['hide_empty', 'hide_empty=true'],
  ['hide_empty=false', 'hide_empty=false'],
  ['event', `event=${event}`],
  ['post', `post=${event}`],
  ['slug', `slug=${parent === undefined ? 'tag-7' : 'category-3'}`],
  ...(parent === undefined ? [] : [['parent', `parent=${parent}`]]),
  ['orderby=slug', 'orderby=slug&order=desc'],
  ['orderby=count', 'orderby=count'],
  ['orderby=count&order=desc', 'orderby=count&order=desc', ORDER],
];

const of = (kind, callers, cases) =>
  cases.flatMap(([name, query, apart]) =>
    callers.map((caller) => ({ name: `${kind}: ${name}`, path: `/${kind}?${query}`, caller, apart })),
  );

const BOTH = ['anonymous', 'editor'];

/** Every filter of every list, and combinations of filters, for a site of `makeSite`. @returns {Case[]} */
export function evidenceCases(running) {
  const { ids } = running;
  const event = ids.events[Math.floor(ids.events.length / 2)];
  return [
    ...of('events', BOTH, [['no filter', ''], ...eventFilters(running), ...combinations(running)]),
    ...of('events', ['editor'], editorFilters),
    ...['venues', 'organizers'].flatMap((kind) => of(kind, BOTH, linkedFilters(event))),
    ...of('categories', ['anonymous'], termFilters(event, ids.categories, ids.categories[5])),
    ...of('tags', ['anonymous'], termFilters(event, ids.tags)),
  ];
}
