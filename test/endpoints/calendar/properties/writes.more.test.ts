import * as fc from 'fast-check';
import { checkConsistency } from '../../../../src/wordpress/check.js';
import { TAG } from '../../../../src/wordpress/model.js';
import { EVENT, EVENT_CATEGORY, ORGANIZER, VENUE } from '../../../../src/plugins/the-events-calendar/model/index.js';
import { type Answer } from '../../../support/people.js';
import {
  countsFromPosts,
  danglingTerms,
  readEverything,
  scanEvents,
  scanLinked,
  scanTerms,
  sharedSlugs,
  staleColumns,
  type EventFilter,
  type Everything,
} from '../../../support/scan.js';
import { runs, LIMIT, server, call, TERM_NAMES, STATUSES, WRITERS, DAYS, ZONES, title, optional, queryOf } from './properties.js';

/** Reference to the n-th existing item of a type. */
interface Ref {
  ref: number;
}
const ref = (): fc.Arbitrary<Ref> => fc.record({ ref: fc.nat(9) });

const dateTime = fc
  .tuple(fc.constantFrom(...DAYS), fc.nat(23), fc.constantFrom('00', '30'))
  .map(([day, hour, minute]) => `${day} ${String(hour).padStart(2, '0')}:${minute}:00`);
const status = fc.constantFrom(...STATUSES);
const termValue = fc.array(fc.oneof(fc.constantFrom(...TERM_NAMES), ref()), { maxLength: 3 });

const EVENT_EXTRAS = {
  status,
  description: fc.constantFrom('A market by the river', 'Doors at noon', ' '),
  excerpt: fc.constantFrom('market', 'short'),
  slug: fc.constantFrom('alpha', 'own-slug', 'own-slug-2', '!!!'),
  date: fc.constantFrom('2026-05-01 10:00:00', '2026-08-01 10:00:00'),
  timezone: fc.constantFrom(...ZONES),
  all_day: fc.boolean(),
  hide_from_listings: fc.boolean(),
  featured: fc.boolean(),
  sticky: fc.boolean(),
  categories: termValue,
  tags: termValue,
  venue: fc.oneof(ref(), fc.record({ venue: title })),
  organizer: fc.array(fc.oneof(ref(), fc.record({ organizer: title })), { maxLength: 3 }),
};
const dates = { start_date: dateTime, end_date: dateTime };
const newEvent = fc.record({ title, ...dates, ...EVENT_EXTRAS }, { requiredKeys: ['title', 'start_date', 'end_date'] });
const changedEvent = fc.record({ title, ...dates, ...EVENT_EXTRAS }, optional);
const linkedExtras = { status, description: fc.constantFrom('A hall', ''), phone: fc.constantFrom('1', ''), date: EVENT_EXTRAS.date };
const newVenue = fc.record({ venue: title, city: fc.constantFrom('Lincoln', ''), ...linkedExtras }, { requiredKeys: ['venue'] });
const newOrganizer = fc.record({ organizer: title, ...linkedExtras }, { requiredKeys: ['organizer'] });
const newTerm = fc.record(
  { name: fc.constantFrom(...TERM_NAMES), slug: fc.constantFrom('music', 'rock'), description: fc.constant('x'), parent: ref() },
  { requiredKeys: ['name'] },
);

interface Write {
  login: string;
  collection: string;
  operation: 'create' | 'update' | 'delete';
  by: 'id' | 'slug';
  target: number;
  fields: object;
}

const writes = (collection: string, fresh: fc.Arbitrary<object>, changes: fc.Arbitrary<object> = fresh): fc.Arbitrary<Write> => {
  const common = {
    login: fc.constantFrom(...WRITERS),
    collection: fc.constant(collection),
    by: fc.constantFrom('id' as const, 'id' as const, 'slug' as const),
    target: fc.nat(9),
  };
  return fc.oneof(
    { weight: 4, arbitrary: fc.record({ ...common, operation: fc.constant('create' as const), fields: fresh }) },
    { weight: 3, arbitrary: fc.record({ ...common, operation: fc.constant('update' as const), fields: changes }) },
    { weight: 1, arbitrary: fc.record({ ...common, operation: fc.constant('delete' as const), fields: fc.constant({}) }) },
  );
};

const write = fc.oneof(
  { weight: 5, arbitrary: writes('events', newEvent, changedEvent) },
  { weight: 1, arbitrary: writes('venues', newVenue) },
  { weight: 1, arbitrary: writes('organizers', newOrganizer) },
  { weight: 1, arbitrary: writes('categories', newTerm) },
  { weight: 1, arbitrary: writes('tags', newTerm) },
);

/** Sequence of steps. The writes of one step are concurrent. */
const steps = fc.array(fc.array(write, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 8 });

const KINDS: Record<string, { type?: string; taxonomy?: string }> = {
  events: { type: EVENT },
  venues: { type: VENUE },
  organizers: { type: ORGANIZER },
  categories: { taxonomy: EVENT_CATEGORY },
  tags: { taxonomy: TAG },
};

const PLURAL: Record<string, string> = { venue: 'venues', organizer: 'organizers', parent: 'categories' };

type Item = { _id: number; slug: string };

const itemsOf = ({ posts, terms }: Everything, collection: string): Item[] => {
  const { type, taxonomy } = KINDS[collection];
  return type ? posts.filter((post) => post.type === type) : terms.filter((term) => term.taxonomy === taxonomy);
};

/** The n-th item, modulo the length. Undefined if there are no items. */
const pick = (items: Item[], n: number): Item | undefined => items[n % items.length];

const isRef = (value: unknown): value is Ref => typeof value === 'object' && value !== null && 'ref' in value;

/** Replaces references with ids, and drops dangling ones. */
function resolve(fields: object, everything: Everything): object {
  const idOf = (field: string, value: unknown): unknown =>
    isRef(value) ? pick(itemsOf(everything, PLURAL[field] ?? field), value.ref)?._id : value;
  return Object.fromEntries(
    Object.entries(fields)
      .map(([field, value]) => [
        field,
        Array.isArray(value) ? value.map((one) => idOf(field, one)).filter((one) => one !== undefined) : idOf(field, value),
      ])
      .filter(([, value]) => value !== undefined),
  );
}

async function send({ login, collection, operation, by, target, fields }: Write, everything: Everything): Promise<void> {
  const body = resolve(fields, everything);
  if (operation === 'create') return wellAnswered(await call(login, 'POST', collection, body));
  const item = pick(itemsOf(everything, collection), target);
  if (!item) return;
  const bySlug = by === 'slug' && item.slug !== '' && KINDS[collection].type;
  const address = bySlug ? `${collection}/by-slug/${encodeURIComponent(item.slug)}` : `${collection}/${item._id}`;
  wellAnswered(operation === 'delete' ? await call(login, 'DELETE', address) : await call(login, 'PUT', address, body));
}

/** Server errors must be those of WordPress. WP: errors without a status are 500 without data. */
function wellAnswered({ status: code, body }: Answer): void {
  if (code >= 500) expect(body).toMatchObject({ data: null });
}

/** Ids of all pages of a list. */
async function listed(login: string, address: string): Promise<number[]> {
  const collection = address.slice(0, address.indexOf('?'));
  const ids: number[] = [];
  for (let page = 1; ; page += 1) {
    const { status: code, body } = await call(login, 'GET', `${address}&per_page=50&page=${page}`);
    expect([address, code]).toEqual([address, 200]);
    ids.push(...(body[collection] as { id: number }[]).map(({ id }) => id));
    if (page >= (body.total_pages as number)) return ids;
  }
}

const WIDE = 'start_date=2000-01-01&end_date=2100-01-01';

/** Converts a filter to a query. Terms are sent by slug, since a number could also be the slug of another term. */
const eventQuery = ({ categories, tags, ...filter }: EventFilter, { terms }: Everything): string => {
  const slug = (id: number | undefined): string | undefined => terms.find(({ _id }) => _id === id)?.slug;
  return queryOf({ ...filter, ...(categories ? { categories: slug(categories) } : {}), ...(tags ? { tags: slug(tags) } : {}) });
};

/** One filter of each type that the content supports. */
function filtersFor(everything: Everything): EventFilter[] {
  const [category, tag, venue, organizer] = ['categories', 'tags', 'venues', 'organizers'].map(
    // TEC: a numeric slug is validated as an id, but looked up as a slug.
    (collection) => itemsOf(everything, collection).find(({ slug }) => !/^\d+$/.test(slug))?._id,
  );
  return [
    {},
    ...STATUSES.map((one) => ({ status: one })),
    { featured: true },
    { featured: false },
    { search: 'market' },
    { search: 'alpha' },
    ...(category ? [{ categories: category }] : []),
    ...(tag ? [{ tags: tag }] : []),
    ...(venue ? [{ venue }] : []),
    ...(organizer ? [{ organizer }] : []),
    ...(category && venue ? [{ categories: category, venue, status: 'publish' }] : []),
  ];
}

const DATED: EventFilter[] = [{ start_date: DAYS[1], end_date: DAYS[3] }, { starts_after: DAYS[1] }, { ends_before: DAYS[2] }];

async function listsAgree(everything: Everything): Promise<void> {
  const asked = [
    ...filtersFor(everything).map((filter) => ({
      address: `events?${WIDE}${eventQuery(filter, everything)}`,
      ids: scanEvents(everything, filter),
    })),
    ...DATED.map((filter) => ({ address: `events?${queryOf(filter)}`, ids: scanEvents(everything, filter) })),
    ...[{}, { has_events: true }, { has_events: false }, { status: 'trash' }].flatMap((filter) => [
      { address: `venues?${queryOf(filter)}`, ids: scanLinked(everything, VENUE, '_EventVenueID', filter) },
      { address: `organizers?${queryOf(filter)}`, ids: scanLinked(everything, ORGANIZER, '_EventOrganizerID', filter) },
    ]),
    ...[true, false].flatMap((hide) => [
      { address: `categories?hide_empty=${hide}&orderby=id`, ids: scanTerms(everything, EVENT_CATEGORY, hide) },
      { address: `tags?hide_empty=${hide}&orderby=id`, ids: scanTerms(everything, TAG, hide) },
    ]),
  ];
  const found = await Promise.all(asked.map(async ({ address }) => ({ address, ids: await listed('editor', address) })));
  expect(found).toEqual(asked);
}

test(
  'any sequence of writes leaves counts, slugs, columns and indexes consistent',
  async () => {
    await fc.assert(
      fc
        .asyncProperty(steps, async (sequence) => {
          const { store, uploads } = server().site;
          for (const step of sequence) {
            const before = await readEverything(store);
            await Promise.all(step.map((one) => send(one, before)));
          }
          const everything = await readEverything(store);
          expect(Object.fromEntries(everything.terms.map(({ _id, count, branchCount }) => [_id, [count, branchCount]]))).toEqual(
            countsFromPosts(everything),
          );
          expect(sharedSlugs(everything)).toEqual([]);
          expect(danglingTerms(everything)).toEqual([]);
          expect(staleColumns(everything)).toEqual([]);
          expect(await checkConsistency(store, uploads)).toEqual([]);
          await listsAgree(everything);
        })
        .beforeEach(() => server().reset()),
      runs(15),
    );
  },
  LIMIT,
);
