import { newestZones } from '../dist/base/php/zone-data.js';
import { toUtc } from '../dist/wordpress/timezones.js';

/** The time of the frozen clock: every run measures the same windows. */
export const NOW = '2026-06-15T12:00:00Z';

const DAY = 86_400_000;
const HOUR = 3_600_000;
/** Days before and after `NOW` over which the events are spread evenly. */
const SPREAD = { before: 180, after: 700 };

export const WORDS =
  'river garden evening music market bread open harbour workshop winter painting choir lantern bicycle library summer theatre walking poetry coffee family history science dance orchestra repair science village festival kitchen photography lecture puppet mountain archive ceramics'.split(
    ' ',
  );
/** Zone of the site and of all its events. */
export const ZONE = 'Europe/Berlin';

/** A word that one event in a hundred has in its title. */
export const RARE_WORD = 'zeppelin';

/** The same numbers in every run (mulberry32). */
function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const mysql = (ms) => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
const rows = (meta) => Object.entries(meta).flatMap(([key, value]) => [value].flat().map((text) => ({ key, value: String(text) })));

const COMMON = { author: 1, excerpt: '', password: '', parent: 0, menuOrder: 0, terms: {}, version: 1 };

function sentence(random, length) {
  const words = Array.from({ length }, () => WORDS[Math.floor(random() * WORDS.length)]);
  return `${words[0][0].toUpperCase()}${words.join(' ').slice(1)}.`;
}

const paragraphs = (random, count) =>
  Array.from({ length: count }, () => `${sentence(random, 12)} "${sentence(random, 6)}" -- ${sentence(random, 8)}`).join('\n\n');

function terms(categories, tags) {
  const term = (_id, taxonomy, name, parent) => ({
    _id,
    taxonomy,
    name,
    slug: name.toLowerCase().replaceAll(' ', '-'),
    description: '',
    parent,
    termGroup: 0,
    termTaxonomyId: _id,
    count: 0,
    branchCount: 0,
    nameKey: name.toLowerCase(),
    search: name.toLowerCase(),
  });
  return [
    // Every fifth category is at the top, the four after it below it.
    ...categories.map((id, i) => term(id, 'tribe_events_cat', `Category ${i}`, i % 5 === 0 ? 0 : categories[i - (i % 5)])),
    ...tags.map((id, i) => term(id, 'post_tag', `Tag ${i}`, 0)),
  ];
}

function attachment(_id, published) {
  const file = `2026/06/picture-${_id}.jpg`;
  const size = (width, height) => ({
    file: `picture-${_id}-${width}x${height}.jpg`,
    width,
    height,
    'mime-type': 'image/jpeg',
    filesize: width * 40,
  });
  const sizes = { medium: size(300, 200), large: size(1024, 683), thumbnail: size(150, 150), medium_large: size(768, 512) };
  return {
    ...COMMON,
    ...published,
    _id,
    type: 'attachment',
    status: 'inherit',
    title: `Picture ${_id}`,
    content: '',
    slug: `picture-${_id}`,
    mimeType: 'image/jpeg',
    file,
    image: { width: 1600, height: 1067, file, filesize: 123_456, sizes },
    meta: [],
  };
}

/** Three of four venues are on a grid about 18 km wide; the others have no coordinates. */
const coordinates = (id) => (id % 4 === 0 ? {} : { _VenueLat: 47 + (id % 50) * 0.16, _VenueLng: 6 + (Math.floor(id / 50) % 40) * 0.25 });

function venue(_id, random, published) {
  const meta = {
    _VenueAddress: `${_id} Long Street`,
    _VenueCity: 'Springfield',
    _VenueZip: '12345',
    _VenueCountry: 'Germany',
    _VenuePhone: '030 123',
    ...coordinates(_id),
  };
  return {
    ...COMMON,
    ...published,
    _id,
    type: 'tribe_venue',
    status: 'publish',
    title: `House ${_id}`,
    content: paragraphs(random, 1),
    slug: `house-${_id}`,
    meta: rows(meta),
  };
}

function organizer(_id, random, published) {
  const meta = { _OrganizerPhone: '030 456', _OrganizerEmail: `mail${_id}@example.org`, _OrganizerWebsite: 'https://example.org/' };
  return {
    ...COMMON,
    ...published,
    _id,
    type: 'tribe_organizer',
    status: 'publish',
    title: `Group ${_id}`,
    content: paragraphs(random, 1),
    slug: `group-${_id}`,
    meta: rows(meta),
  };
}

/** Nine of ten are published; the others show the cost of a filter on the status. */
const STATUSES = ['draft', 'pending', 'private', 'future'];

const statusOf = (i) => (i % 10 === 9 ? STATUSES[Math.floor(i / 10) % STATUSES.length] : 'publish');

/** Scheduled posts are never due, since the clock is frozen. */
const LATER = '2027-06-01 10:00:00';

/** One of ten venues and organizers has no events. */
const busy = (ids) => ids.slice(0, Math.ceil(ids.length * 0.9));

function event(i, ids, random, published) {
  const _id = ids.events[i];
  const pick = (from) => from[Math.floor(random() * from.length)];
  const day = Math.floor((i / ids.events.length) * (SPREAD.before + SPREAD.after)) - SPREAD.before;
  const start = Date.parse(NOW) + day * DAY + Math.floor(random() * 20) * HOUR;
  const end = start + (1 + Math.floor(random() * (random() < 0.05 ? 240 : 5))) * HOUR;
  const meta = {
    _EventStartDate: mysql(start),
    _EventEndDate: mysql(end),
    _EventStartDateUTC: toUtc(newestZones(), mysql(start), ZONE),
    _EventEndDateUTC: toUtc(newestZones(), mysql(end), ZONE),
    _EventTimezone: ZONE,
    _EventTimezoneAbbr: 'CET',
    _EventDuration: (end - start) / 1000,
    _EventCost: ['8', '12'],
    _EventCurrencySymbol: '$',
    _EventURL: 'https://example.org/',
    _EventVenueID: pick(busy(ids.venues)),
    _EventOrganizerID: [...new Set([pick(busy(ids.organizers)), ...(random() < 0.2 ? [pick(busy(ids.organizers))] : [])])],
    ...(random() < 0.5 ? { _thumbnail_id: pick(ids.images) } : {}),
    ...(random() < 0.05 ? { _tribe_featured: '1' } : {}),
    ...(random() < 0.03 ? { _EventHideFromUpcoming: 'yes' } : {}),
    ...(i % 4 === 1 ? { _tribe_ticket_capacity: '50' } : {}),
  };
  return {
    ...COMMON,
    ...published,
    _id,
    type: 'tribe_events',
    status: statusOf(i),
    ...(statusOf(i) === 'future' ? { date: LATER, dateGmt: LATER } : {}),
    title: `${sentence(random, 4).slice(0, -1)}${i % 100 === 50 ? ` ${RARE_WORD}` : ''} & more`,
    content: paragraphs(random, 2),
    excerpt: sentence(random, 10),
    slug: `event-${i}`,
    parent: i % 50 === 48 ? ids.events[0] : 0,
    meta: rows(meta),
    terms: { tribe_events_cat: [pick(ids.categories)], post_tag: [...new Set([pick(ids.tags), pick(ids.tags)])] },
  };
}

const range = (from, length) => Array.from({ length }, (_, i) => from + i);

/**
 * A site of so many events, the same in every run.
 * @returns posts without their derived columns, to be made one by one (once), their number, terms, and all ids by kind
 */
export function makeSite(size) {
  const random = randomFrom(size);
  const linked = Math.max(10, Math.floor(size / 50));
  const ids = {
    categories: range(1, 20),
    tags: range(101, 40),
    images: range(1000, 40),
    venues: range(2000, linked),
    organizers: range(2000 + linked, linked),
    events: range(Math.max(10_000, 2000 + 2 * linked), size),
  };
  const published = {
    date: '2026-06-01 10:00:00',
    dateGmt: '2026-06-01 10:00:00',
    modified: '2026-06-01 10:00:00',
    modifiedGmt: '2026-06-01 10:00:00',
  };
  function* posts() {
    for (const id of ids.images) yield attachment(id, published);
    for (const id of ids.venues) yield venue(id, random, published);
    for (const id of ids.organizers) yield organizer(id, random, published);
    for (let i = 0; i < size; i += 1) yield event(i, ids, random, published);
  }
  const count = ids.images.length + ids.venues.length + ids.organizers.length + size;
  return { posts, count, terms: terms(ids.categories, ids.tags), ids };
}

/** A generated site as a source of a load. @param note is told how far it is */
export function sourceOf(site, note = () => {}) {
  const count = site.count + site.terms.length + 1;
  async function* items() {
    yield { kind: 'options', options: { timezone_string: ZONE } };
    for (const term of site.terms) yield { kind: 'term', term };
    let done = 0;
    for (const post of site.posts()) {
      yield { kind: 'post', post };
      done += 1;
      if (done % 50_000 === 0) note(`${done} of ${site.count} loaded`);
    }
    note('indexes, and the copy for resets');
  }
  return { name: 'made up', siteUrl: '', clock: null, keepsIds: true, count, items };
}
