import * as yup from 'yup';
import { EVENT_FIELDS } from '../../../tec/event.js';
import type { Field, Fields } from '../../../tec/field.js';
import { LINKED, LINKED_KINDS, eachLinked, type LinkedKind } from '../../../tec/linked.js';
import { isTimezoneOrEmpty } from '../../../wp/timezones.js';
import { normalisePassword } from '../../../wp/users/users.js';
import { readClock } from '../../dates.js';
import { linkName } from '../../fields.js';
import type { Problems } from '../../problems.js';
import { check, filled, flag, id as number, listOf, oneOf, pathBelow, record, text } from '../schema.js';
import { datasetFields } from './fields.js';

/**
 * The project's own dataset format: what a person writes. JSON; ids are optional, references are slugs (or the names they come from),
 * dates may be relative to the clock (`dates.ts`). Fields are called as in the API wherever it has them. Editors show the descriptions.
 */

const about = (description: string): { description: string } => ({ description });

const references = () => listOf(filled());
const zone = () =>
  text()
    .test('zone', 'is not a time zone, such as "Europe/Berlin" or "UTC+5.5"', (value) => isTimezoneOrEmpty(value ?? ''))
    .meta(about('Such as "Europe/Berlin" or "UTC+5.5".'));

export const POSITIONS = ['prefix', 'postfix'] as const;
const POST_STATUSES = ['publish', 'draft', 'pending', 'private', 'future', 'trash'] as const;
export const ROLES = ['administrator', 'editor', 'author', 'contributor', 'subscriber'] as const;

const currency = () =>
  record({ symbol: text(), code: text(), position: oneOf(POSITIONS) })
    .optional()
    .default(undefined);

const metaValues = yup.lazy((value: unknown) => (Array.isArray(value) ? listOf(text().defined()).defined() : text().defined()));
/** `{ "key": "value" }` or `{ "key": ["first", "second"] }`. */
const meta = () =>
  yup
    .lazy((value: unknown) => {
      const keys = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
      return yup
        .object(Object.fromEntries(keys.map((key) => [key, metaValues])))
        .typeError('must be an object')
        .nonNullable('must not be null; leave it out instead')
        .optional()
        .default(undefined);
    })
    .meta({
      ...about('Further rows of post meta.'),
      jsonSchema: {
        type: 'object',
        additionalProperties: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
      },
    });

const id = () => number().meta(about('Number in the API; made up when absent.'));
const slug = () => text().meta(about('Name in addresses and in references; made of the name or title when absent.'));
const author = () => text().meta(about('Login of the author; the administrator when absent.'));
const date = () => text().meta(about('When it was published, such as "2026-08-01 19:30" or "-3d 10:00"; the present when absent.'));
const parent = () => text().meta(about('Slug of another entry of the same kind.'));

/** Fields that every post-like item has. */
const page = {
  id: id(),
  slug: slug(),
  author: author(),
  status: oneOf(POST_STATUSES).meta(about('publish when absent.')),
  date: date(),
  password: text().meta(about('What is to be entered before it is shown.')),
  meta: meta(),
  description: text(),
  excerpt: text(),
  image: text().meta(about('Slug of an entry of media.')),
};

const site = record({
  name: text(),
  description: text(),
  admin_email: text(),
  timezone: zone(),
  posts_per_page: number(),
  currency: currency(),
})
  .optional()
  .default(undefined)
  .meta(about('Settings of the site.'));

const user = record({
  id: id(),
  login: filled(),
  email: text(),
  name: text(),
  url: text(),
  role: oneOf(ROLES).required('is missing'),
  password: filled().optional().meta(about('Password of the account.')),
  application_password: filled()
    .optional()
    .test('letters', 'needs letters or digits', (value) => value === undefined || normalisePassword(value) !== '')
    .meta(about('What the user signs in to the REST API with.')),
});

const tag = record({ id: id(), slug: slug(), name: filled(), description: text() });
const category = record({ id: id(), slug: slug(), name: filled(), description: text(), parent: parent() });

const medium = record({
  id: id(),
  slug: slug(),
  author: author(),
  date: date(),
  /** Path below the folder `uploads` beside the dataset, and of the copy below the site's uploads. */
  file: pathBelow().meta(about('Path below uploads.')),
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

const bare = (field: Field) => (field.kind === 'flag' ? flag() : field.kind === 'coordinate' ? degrees(field.most) : text());

const declared = (field: Field) => (field.definition === undefined ? bare(field) : bare(field).meta(about(field.definition)));

/** Declarations by name, which the types of files leave out: tables say what there is, and readers look each value up. */
type Declarations = object;

const tableFields = (table: Fields): Declarations =>
  Object.fromEntries(datasetFields(table).map(({ called, field }) => [called, declared(field)]));

const links = (): Declarations =>
  Object.fromEntries(
    LINKED_KINDS.map((kind) => [
      linkName(kind),
      LINKED[kind].many ? references().meta(about(`Slugs of ${LINKED[kind].column}.`)) : text().meta(about(`Slug of a ${kind}.`)),
    ]),
  );

const linked = (kind: LinkedKind) => record({ ...page, name: filled(), ...tableFields(LINKED[kind].fields) });

const ONE_PRICE = { anyOf: [{ type: 'string' }, { type: 'number', minimum: 0 }] };
const price = (value: unknown) => (typeof value === 'number' ? yup.number().strict().min(0, 'must not be negative') : text());
const cost = yup
  .lazy((value: unknown) => (Array.isArray(value) ? listOf(yup.lazy((part: unknown) => price(part))) : price(value)))
  .meta({
    ...about('A price, a text or several of them: 12, "€12", "Free", [8, 12].'),
    jsonSchema: { anyOf: [...ONE_PRICE.anyOf, { type: 'array', items: ONE_PRICE }] },
  });

const event = record({
  ...page,
  title: filled(),
  start: filled().meta(about('Such as "2026-08-01 19:30", "2026-08-01T19:30:00+02:00", "+3d 10:00 Europe/Berlin" or "next friday 19:30".')),
  end: text().meta(about('A date as in start, or a time of day: the first one after the start.')),
  duration: text().meta(about('In place of an end: "90min", "1h 30min", "2d".')),
  timezone: zone(),
  all_day: flag().meta(about('From the first to the last minute of its days.')),
  ...links(),
  categories: references().meta(about('Slugs of categories.')),
  tags: references().meta(about('Slugs of tags.')),
  cost,
  currency: currency(),
  sticky: flag().meta(about('Kept at the top of the month view.')),
  ticketed: flag().meta(about('There are tickets for it.')),
  ...tableFields(EVENT_FIELDS),
  parent: parent(),
});

/** A whole file. */
export const file = record({
  $schema: text().meta(about('Where this description is.')),
  site,
  clock: text()
    .test('clock', 'is not a date such as "2026-06-15T12:00:00Z"', (value) => value === undefined || readClock(value) !== null)
    .meta(about('The moment that the dataset is about, such as 2026-06-15T12:00:00Z; without it relative dates follow the real time.')),
  users: listOf(user).meta(about('Who may sign in.')),
  categories: listOf(category).meta(about('Categories of events; references are slugs.')),
  tags: listOf(tag).meta(about('Tags of events; references are slugs.')),
  media: listOf(medium).meta(about('Images and other files, which lie in a folder uploads beside this file.')),
  ...eachLinked((kind) => listOf(linked(kind))),
  events: listOf(event),
});

export type DatasetFile = yup.InferType<typeof file>;
export type DatasetSite = yup.InferType<typeof site>;
export type DatasetUser = yup.InferType<typeof user>;
export type DatasetMedium = yup.InferType<typeof medium>;
export type DatasetLinked = yup.InferType<ReturnType<typeof linked>>;
export type DatasetEvent = yup.InferType<typeof event>;
export type DatasetTerm = yup.InferType<typeof category>;

/** Whether a value is a file of this format, by its structure only; references are resolved by `read.ts`. */
export const isDatasetFile = (value: unknown, problems: Problems): value is DatasetFile => check(file, value, problems);
