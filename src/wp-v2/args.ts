import { checkValue, isRefused } from '../rest/check.js';
import type { TextParts } from '../rest/posts/post-types.js';
import type { Arg, Args, Json, Schema } from '../rest/route.js';
import { sanitizeTextField } from '../wp/formatting/sanitize.js';
import { oddSchema } from './declare.js';

/** Shorthands for the shapes of arguments that return all over `wp/v2`. `more` adds or replaces keywords. */
export const text = (description: string, more: Partial<Arg> = {}): Arg => ({ description, type: 'string', ...more });
export const integer = (description: string, more: Partial<Arg> = {}): Arg => ({ description, type: 'integer', ...more });
export const flag = (description: string, more: Partial<Arg> = {}): Arg => ({ description, type: 'boolean', ...more });
export const choice = (description: string, choices: Json[], more: Partial<Arg> = {}): Arg => text(description, { enum: choices, ...more });
export const instant = (description: string, more: Partial<Arg> = {}): Arg => text(description, { format: 'date-time', ...more });
export const list = (description: string, items: Schema, more: Partial<Arg> = {}): Arg => ({ description, type: 'array', items, ...more });
export const ids = (description: string, more: Partial<Arg> = {}): Arg => list(description, { type: 'integer' }, more);
export const texts = (description: string, more: Partial<Arg> = {}): Arg => list(description, { type: 'string' }, more);
export const idFilter = (description: string): Arg => ids(description, { default: [] });

export const OPEN_OR_CLOSED = ['open', 'closed'];

const EDITOR_STATUSES = ['publish', 'future', 'draft', 'pending', 'private'];

const INTERNAL_STATUSES = ['trash', 'auto-draft', 'inherit', 'request-pending', 'request-confirmed', 'request-failed', 'request-completed'];

/** WP, TEC: registered for requests and imports, but writable for every post. */
const OTHER_STATUSES = [
  'in-progress',
  'failed',
  'tribe-ea-success',
  'tribe-ea-failed',
  'tribe-ea-schedule',
  'tribe-ea-pending',
  'tribe-ea-draft',
  'tribe-ignored',
];

/** Statuses that a client may give to a post. */
export const WRITABLE_STATUSES = [...EDITOR_STATUSES, ...OTHER_STATUSES];

/** Statuses that a list of posts may be asked for. */
export const LISTED_STATUSES = [...EDITOR_STATUSES, ...INTERNAL_STATUSES, ...OTHER_STATUSES, 'any'];

/** The contexts of a field that is always shown. */
export const ALL_CONTEXTS = ['view', 'edit', 'embed'];

/** WP: a few arguments of lists are checked before any is cleaned, so that their refusals never come with those of the others. */
export const checkedFirst = (name: string, arg: Arg): Arg => ({
  ...arg,
  validate: (value) => {
    const checked = checkValue(value, arg, name);
    return isRefused(checked) ? checked : true;
  },
});

/** `context` with the choices of one controller; most have all three. */
export const contextOf = (...contexts: string[]): Arg =>
  checkedFirst('context', choice('How much of each object to show, and for which use.', contexts, { default: 'view' }));

export const context = contextOf('view', 'embed', 'edit');

export const page = checkedFirst('page', integer('Number of the page of results.', { default: 1, minimum: 1 }));

/** `per_page` with its default; revisions have none and come all at once. */
export const perPage = (size?: number): Arg =>
  checkedFirst(
    'per_page',
    integer('Number of results on a page.', { ...(size === undefined ? {} : { default: size }), minimum: 1, maximum: 100 }),
  );

export const search = checkedFirst(
  'search',
  text('Words that results have to contain.', {
    sanitize: (value) => (typeof value === 'string' ? sanitizeTextField(value) : ''),
  }),
);
export const exclude = idFilter('IDs of objects to leave out.');
export const include = idFilter('IDs of objects to keep; all others are left out.');
export const offset = integer('Number of results to skip from the start.');
export const slugs = texts('Slugs of objects to keep.');
export const after = instant('Keep what was published later than this ISO 8601 date.');
export const before = instant('Keep what was published earlier than this ISO 8601 date.');
export const modifiedAfter = instant('Keep what was last changed later than this ISO 8601 date.');
export const modifiedBefore = instant('Keep what was last changed earlier than this ISO 8601 date.');
export const searchSemantics = choice('Whether the words of the search have to match exactly.', ['exact']);
export const order = (first: 'asc' | 'desc'): Arg => choice('Direction of the sorting.', ['asc', 'desc'], { default: first });
export const orderby = (first: string, choices: string[]): Arg => choice('Property to sort the results by.', choices, { default: first });

export const POST_ORDERS = ['author', 'date', 'id', 'include', 'modified', 'parent', 'relevance', 'slug', 'include_slugs', 'title'];

/** `id` as it is captured from the path. */
export const id = (of: string): Arg => integer(`ID of the ${of}.`);
export const force = flag('Delete for good instead of moving to the trash.', { default: false });

/** `context` and the two arguments of paging that start nearly every list. */
export const paged = (size?: number): Args => ({ context, page, per_page: perPage(size) });

export const author = integer('ID of the user who wrote it.');
export const title = (more: Partial<TextParts> = {}): Arg => textParts('Title', { raw: ['edit'], rendered: ALL_CONTEXTS, ...more });

/** A text that is written as its `raw` part (or as a plain string, which the handler takes) and read as HTML. */
export function textParts(name: string, parts: TextParts, more: Partial<Arg> = {}): Arg {
  const shown = (what: string, type: 'string' | 'integer' | 'boolean', contexts?: string[]): Schema | undefined =>
    contexts && { description: `${name}: ${what}.`, type, context: contexts, readonly: true };
  const properties: Record<string, Schema | undefined> = {
    raw: { description: `${name}: the text as stored.`, type: 'string', context: parts.raw },
    rendered: shown('the HTML to display', 'string', parts.rendered),
    block_version: shown('version of its block markup', 'integer', parts.blockVersion),
    protected: shown('whether a password hides it', 'boolean', parts.protected),
  };
  const declared = Object.entries(properties).filter((entry): entry is [string, Schema] => entry[1] !== undefined);
  return { description: `${name} of the object.`, type: 'object', properties: Object.fromEntries(declared), sanitize: 'raw', ...more };
}

/** A `meta` field with the keys that were registered for it. PHP: a map without any is written as a list. */
export const metaField = (registered: Record<string, Schema>): Arg => ({
  description: 'Custom fields by their key.',
  type: 'object',
  properties: Object.keys(registered).length > 0 ? registered : NO_PROPERTIES,
  // PHP: a list is a map as well.
  validate: (value) => typeof value === 'object',
  sanitize: 'raw',
});

const NO_PROPERTIES: Schema['properties'] = oddSchema({ properties: [] }).properties;
