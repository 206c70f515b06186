import * as yup from 'yup';
import { isTimezoneOrEmpty } from '../../../wp/timezones.js';
import { normalisePassword } from '../../../wp/users/users.js';
import { readClock } from '../../dates.js';
import type { Problems } from '../../problems.js';
import { check, describedAs, filled, flag, id, listOf, oneOf, pathBelow, record, text } from '../schema.js';

/**
 * The project's own dataset format: what a person writes. JSON; ids are optional, references are slugs (or the names they come from),
 * dates may be relative to the clock (`dates.ts`). Fields are called as in the API wherever it has them.
 */

const references = () => listOf(filled());
const zone = () =>
  text().test('zone', 'is not a time zone, such as "Europe/Berlin" or "UTC+5.5"', (value) => isTimezoneOrEmpty(value ?? ''));

export const POSITIONS = ['prefix', 'postfix'] as const;
const POST_STATUSES = ['publish', 'draft', 'pending', 'private', 'future', 'trash'] as const;
export const ROLES = ['administrator', 'editor', 'author', 'contributor', 'subscriber'] as const;

const currency = () =>
  record({ symbol: text(), code: text(), position: oneOf(POSITIONS) })
    .optional()
    .default(undefined);

const metaValues = yup.lazy((value: unknown) => (Array.isArray(value) ? listOf(text().defined()).defined() : text().defined()));
/** Further rows of post meta: `{ "key": "value" }` or `{ "key": ["first", "second"] }`. */
const meta = () => describedAs(META, metaOf());
const META = {
  type: 'object',
  additionalProperties: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
};
const metaOf = () =>
  yup.lazy((value: unknown) => {
    const keys = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
    return yup
      .object(Object.fromEntries(keys.map((key) => [key, metaValues])))
      .typeError('must be an object')
      .nonNullable('must not be null; leave it out instead')
      .optional()
      .default(undefined);
  });

/** Fields that every post-like item has. */
const item = {
  id: id(),
  slug: text(),
  /** Login of the author. */
  author: text(),
  status: oneOf(POST_STATUSES),
  /** When it was published; the clock's time when absent. */
  date: text(),
  password: text(),
  meta: meta(),
};

const page = {
  ...item,
  description: text(),
  excerpt: text(),
  /** Slug of an entry of `media`. */
  image: text(),
  website: text(),
};

const site = record({
  name: text(),
  description: text(),
  admin_email: text(),
  timezone: zone(),
  posts_per_page: id(),
  currency: currency(),
})
  .optional()
  .default(undefined);

const user = record({
  id: id(),
  login: filled(),
  email: text(),
  name: text(),
  url: text(),
  role: oneOf(ROLES).required('is missing'),
  password: filled().optional(),
  application_password: filled()
    .optional()
    .test('letters', 'needs letters or digits', (value) => value === undefined || normalisePassword(value) !== ''),
});

const tag = record({ id: id(), slug: text(), name: filled(), description: text() });
const category = record({ id: id(), slug: text(), name: filled(), description: text(), parent: text() });

const medium = record({
  id: id(),
  slug: text(),
  author: text(),
  date: text(),
  /** Path below the folder `uploads` beside the dataset, and of the copy below the site's uploads. */
  file: pathBelow(),
  title: text(),
  alt: text(),
  caption: text(),
  description: text(),
});

/** Degrees, at most so many either way. */
const degrees = (most: number) =>
  yup
    .number()
    .strict()
    .typeError('must be a number of degrees')
    .nonNullable('must not be null; leave it out instead')
    .test('degrees', `must be between -${most} and ${most}`, (value) => value === undefined || Math.abs(value) <= most);

const venue = record({
  ...page,
  name: filled(),
  /** Coordinates in degrees, north and east of zero; both or none. */
  lat: degrees(90),
  lng: degrees(180),
  address: text(),
  city: text(),
  country: text(),
  state: text(),
  province: text(),
  stateprovince: text(),
  zip: text(),
  phone: text(),
  show_map: flag(),
  show_map_link: flag(),
});

const organizer = record({ ...page, name: filled(), phone: text(), email: text() });

const ONE_PRICE = { anyOf: [{ type: 'string' }, { type: 'number', minimum: 0 }] };
const cost = describedAs(
  { anyOf: [...ONE_PRICE.anyOf, { type: 'array', items: ONE_PRICE }] },
  yup.lazy((value: unknown) => {
    if (Array.isArray(value)) return listOf(yup.lazy((part: unknown) => price(part)));
    return price(value);
  }),
);
const price = (value: unknown) => (typeof value === 'number' ? yup.number().strict().min(0, 'must not be negative') : text());

const event = record({
  ...page,
  title: filled(),
  start: filled(),
  end: text(),
  duration: text(),
  timezone: zone(),
  all_day: flag(),
  venue: text(),
  organizers: references(),
  categories: references(),
  tags: references(),
  /** A price, a text or several of them: `12`, `"€12"`, `"Free"`, `[8, 12]`. */
  cost,
  currency: currency(),
  featured: flag(),
  sticky: flag(),
  hidden: flag(),
  /** There are tickets for it. */
  ticketed: flag(),
  show_map: flag(),
  show_map_link: flag(),
  /** Slug of another event. */
  parent: text(),
});

/** A whole file. */
export const file = record({
  $schema: text(),
  site,
  /** The moment the dataset is about; without it relative dates follow the real time. */
  clock: text().test('clock', 'is not a date such as "2026-06-15T12:00:00Z"', (value) => value === undefined || readClock(value) !== null),
  users: listOf(user),
  categories: listOf(category),
  tags: listOf(tag),
  media: listOf(medium),
  venues: listOf(venue),
  organizers: listOf(organizer),
  events: listOf(event),
});

export type FriendlyFile = yup.InferType<typeof file>;
export type FriendlySite = yup.InferType<typeof site>;
export type FriendlyUser = yup.InferType<typeof user>;
export type FriendlyMedium = yup.InferType<typeof medium>;
export type FriendlyVenue = yup.InferType<typeof venue>;
export type FriendlyOrganizer = yup.InferType<typeof organizer>;
export type FriendlyEvent = yup.InferType<typeof event>;
export type FriendlyCategory = yup.InferType<typeof category>;

/** Whether a value is a file of this format, structure only; references are resolved by `read.ts`. */
export const isDatasetFile = (value: unknown, problems: Problems): value is FriendlyFile => check(file, value, problems);
