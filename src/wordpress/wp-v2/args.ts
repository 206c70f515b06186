import { checkValue, isRefused } from '../rest/check.js';
import type { TextParts } from '../rest/posts/post-types.js';
import type { Arg, ArgType, Json, Schema } from '../rest/route.js';
import { sanitizeSearch } from '../formatting/sanitize.js';
import type { Registry } from '../types/registry.js';
import { oddSchema } from './declare.js';

type More = Partial<Arg>;

/** Not an interface, since declarations of other modules would have to name it. */
type Plain<Type> = { description: string; type: Type };

/** An argument of a type with additional keywords, which may replace the type. */
type Declared<Type, Own> = Omit<Plain<Type>, keyof Own> & Own;

interface Declare<Type> {
  (description: string): Plain<Type>;
  <const Own extends More>(description: string, more: Own): Declared<Type, NoInfer<Own>>;
}

const declare =
  <Type extends ArgType>(type: Type): Declare<Type> =>
  (description: string, more?: More) =>
    ({ description, type, ...more }) as never;

/** Shorthands for common arguments of `wp/v2`. `more` adds or replaces keywords. */
export const text = declare('string');
export const integer = declare('integer');
export const flag = declare('boolean');

export type Choice<Choices> = Plain<'string'> & { enum: Choices };

export function choice<const Choices extends readonly Json[]>(description: string, choices: Choices): Choice<Choices>;
export function choice<const Choices extends readonly Json[], const Own extends More>(
  description: string,
  choices: Choices,
  more: Own,
): Omit<Choice<Choices>, keyof Own> & NoInfer<Own>;
export function choice(description: string, choices: readonly Json[], more?: More): Arg {
  return { description, type: 'string', enum: choices, ...more };
}

export type List<Items> = Plain<'array'> & { items: Items };

export function list<const Items extends Schema>(description: string, items: Items): List<Items>;
export function list<const Items extends Schema, const Own extends More>(
  description: string,
  items: Items,
  more: Own,
): Omit<List<Items>, keyof Own> & NoInfer<Own>;
export function list(description: string, items: Schema, more?: More): Arg {
  return { description, type: 'array', items, ...more };
}

export const instant = (description: string) => text(description, { format: 'date-time' });
export const ids = (description: string) => list(description, { type: 'integer' });
export const texts = (description: string) => list(description, { type: 'string' });
export const idFilter = (description: string) => list(description, { type: 'integer' }, { default: [] });

export const OPEN_OR_CLOSED = ['open', 'closed'] as const;

/** Statuses that a client may set. */
export const writableStatuses = ({ statuses }: Registry): string[] =>
  statuses.flatMap(({ name, isInternal }) => (isInternal ? [] : [name]));

/** Statuses by which a list of posts can be filtered. */
export const listedStatuses = ({ statuses }: Registry): string[] => [...statuses.map(({ name }) => name), 'any'];

/** The contexts of a field that is always shown. */
export const ALL_CONTEXTS = ['view', 'edit', 'embed'];

/** WP: a few arguments of lists are validated before any is sanitized, so their errors are reported separately. */
export const checkedFirst = <A extends Arg>(name: string, arg: A): A => ({
  ...arg,
  validate: (value: Json) => {
    const checked = checkValue(value, arg, name);
    return isRefused(checked) ? checked : true;
  },
});

/** `context` with the choices of one controller; most have all three. */
export const contextOf = <const Contexts extends readonly string[]>(...contexts: Contexts) =>
  checkedFirst('context', choice('Scope of the request, which determines the returned fields.', contexts, { default: 'view' }));

export const context = contextOf('view', 'embed', 'edit');

export const page = checkedFirst('page', integer('Page of results to return.', { default: 1, minimum: 1 }));

const pageSize = integer('Number of results per page.', { minimum: 1, maximum: 100 });

export const perPage = <const Size extends number>(size: Size) => checkedFirst('per_page', { ...pageSize, default: size });

export const search = checkedFirst(
  'search',
  text('Only results that contain these words.', {
    sanitize: (value) => (typeof value === 'string' ? sanitizeSearch(value) : ''),
  }),
);
export const exclude = idFilter('Exclude results with these IDs.');
export const include = idFilter('Only results with these IDs.');
export const offset = integer('Number of results to skip.');
export const slugs = texts('Only results with these slugs.');
export const after = instant('Only results published after this date (ISO 8601).');
export const before = instant('Only results published before this date (ISO 8601).');
export const modifiedAfter = instant('Only results last changed after this date (ISO 8601).');
export const modifiedBefore = instant('Only results last changed before this date (ISO 8601).');
export const searchSemantics = choice('Whether search terms must match exactly.', ['exact']);
export const order = (first: 'asc' | 'desc') => choice('Sort order.', ['asc', 'desc'], { default: first });
export const orderby = <const Choices extends readonly string[]>(first: NoInfer<Choices[number]>, choices: Choices) =>
  choice('Field to sort by.', choices, { default: first });

export const POST_ORDERS = [
  'author',
  'date',
  'id',
  'include',
  'modified',
  'parent',
  'relevance',
  'slug',
  'include_slugs',
  'title',
] as const;

/** `id` as it is captured from the path. */
export const id = (of: string) => integer(`ID of the ${of}.`, { captured: true });

/** A name as it is captured from the path. */
export const capturedName = (of: string) => text(`Name of the ${of}.`, { captured: true });
export const force = flag('Delete permanently instead of moving to the trash.', { default: false });

/** `context` and the paging arguments, which come first in nearly every list. */
export const paged = <const Size extends number>(size: Size) => ({ context, page, per_page: perPage(size) });

/** The same for revisions, which are not paged unless a size is sent. */
export const pagedOnDemand = { context, page, per_page: checkedFirst('per_page', pageSize) };

export const author = integer('ID of the author.');
export const title = (more: Partial<TextParts> = {}) => textParts('Title', { raw: ['edit'], rendered: ALL_CONTEXTS, ...more });

/** A text that is written as its `raw` part (or as a plain string, which the handler takes) and read as HTML. */
export function textParts(name: string, parts: TextParts) {
  const shown = (what: string, type: 'string' | 'integer' | 'boolean', contexts?: string[]): Schema | undefined =>
    contexts && { description: `${name}: ${what}.`, type, context: contexts, readonly: true };
  const properties: Record<string, Schema | undefined> = {
    raw: { description: `${name}: the stored text.`, type: 'string', context: parts.raw },
    rendered: shown('the HTML to display', 'string', parts.rendered),
    block_version: shown('version of the block format', 'integer', parts.blockVersion),
    protected: shown('whether it is protected by a password', 'boolean', parts.protected),
  };
  const declared = Object.entries(properties).filter((entry): entry is [string, Schema] => entry[1] !== undefined);
  return {
    description: `${name} of the object.`,
    type: 'object',
    properties: Object.fromEntries(declared),
    sanitize: 'raw',
  } as const satisfies Arg;
}

/** A `meta` field with its registered keys. PHP: an empty map is written as a list. */
export const metaField = (registered: Record<string, Schema>) =>
  ({
    description: 'Custom fields by key.',
    type: 'object',
    properties: Object.keys(registered).length > 0 ? registered : NO_PROPERTIES,
    // PHP: a list is also a map.
    validate: (value: Json) => typeof value === 'object',
    sanitize: 'raw',
  }) as const satisfies Arg;

const NO_PROPERTIES: Schema['properties'] = oddSchema({ properties: [] }).properties;
