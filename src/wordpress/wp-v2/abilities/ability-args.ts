import { toStr } from '../../../base/php/cast.js';
import type { Args, ArgType, Json } from '../../rest/route.js';
import { sanitizeKey } from '../../formatting/sanitize.js';
import * as shared from '../args.js';
import { field, schema } from '../registry/schemas.js';
import { EVERYWHERE, NOT_EMBEDDED } from '../declare.js';

const SLUG = '[a-z0-9]+(?:-[a-z0-9]+)*';
const NAME = '[a-zA-Z0-9\\-\\/]+';

export const [SLUG_PATH, NAME_PATH] = [`(?P<slug>${SLUG})`, `(?P<name>${NAME})`];
/** Pattern that matches as little as possible: the rest of the path follows. */
export const NAME_BEFORE = `(?P<name>${NAME}?)`;

/** WP: other than in most lists, the page is checked together with the filters. */
export const CATEGORY_FILTERS = {
  context: shared.context,
  page: shared.integer('Page of results to return.', { default: 1, minimum: 1 }),
  per_page: shared.integer('Number of results per page.', { default: 50, minimum: 1, maximum: 100 }),
};

const key = <const Name extends string>(name: Name, description: string) =>
  shared.checkedFirst(name, shared.text(description, { sanitize: (value: Json): string => sanitizeKey(toStr(value)) }));

const annotation = (description: string) => ({ description, type: ['boolean', 'null'] as ArgType[] });

export const ABILITY_FILTERS = {
  ...CATEGORY_FILTERS,
  category: key('category', 'Only abilities of this category.'),
  namespace: { ...key('namespace', 'Only abilities of this namespace.'), absentUnder: 'abilities-by-category-only' },
  meta: {
    absentUnder: 'abilities-by-category-only',
    description: 'Only abilities with all of these values in their meta.',
    type: 'object',
    properties: {
      annotations: {
        description: 'What the abilities do.',
        type: 'object',
        properties: {
          readonly: annotation('Whether they change nothing.'),
          destructive: annotation('Whether they may destroy something.'),
          idempotent: annotation('Whether repeated calls have no further effect.'),
        },
        additionalProperties: true,
      },
    },
    additionalProperties: true,
  },
} as const;

export const CATEGORY_ARGS = { slug: shared.text('Slug of the category.', { captured: true, pattern: `^${SLUG}$` }) };

export const ABILITY_ARGS = { name: shared.text('Name of the ability.', { captured: true, pattern: `^${NAME}$` }) };

/** WP: what an ability takes and returns may be anything. */
const ANYTHING: ArgType[] = ['integer', 'number', 'boolean', 'string', 'array', 'object', 'null'];

export const RUN_ARGS = {
  ...ABILITY_ARGS,
  input: {
    description: 'Input of the ability.',
    type: ANYTHING,
    default: null,
  },
} satisfies Args;

/** Contexts of the fields, by name. */
type Contexts = Readonly<Record<string, readonly string[]>>;

const CATEGORY_CONTEXTS: Contexts = { slug: EVERYWHERE, label: EVERYWHERE, description: NOT_EMBEDDED, meta: NOT_EMBEDDED };

const ABILITY_CONTEXTS: Contexts = {
  name: EVERYWHERE,
  label: EVERYWHERE,
  description: NOT_EMBEDDED,
  category: EVERYWHERE,
  input_schema: NOT_EMBEDDED,
  output_schema: NOT_EMBEDDED,
  meta: NOT_EMBEDDED,
};

const OBJECTS = ['input_schema', 'output_schema', 'meta'];

const resource = (title: string, contexts: Contexts): Record<string, Json> =>
  schema(
    title,
    Object.fromEntries(
      Object.entries(contexts).map(([name, shownIn]) => [name, field(OBJECTS.includes(name) ? 'object' : 'string', [...shownIn])]),
    ),
  );

export const CATEGORY_SCHEMA = resource('ability-category', CATEGORY_CONTEXTS);
export const ABILITY_SCHEMA = resource('ability', ABILITY_CONTEXTS);

/** The fields of an object in a context. WP: a context that does not exist has none. */
const fieldsIn = (contexts: Contexts, item: Record<string, Json>, context: Json): Record<string, Json> =>
  Object.fromEntries(Object.entries(item).filter(([name]) => contexts[name].includes(context as string)));

export const categoryIn = (context: Json, item: Record<string, Json>): Record<string, Json> => fieldsIn(CATEGORY_CONTEXTS, item, context);
export const abilityIn = (context: Json, item: Record<string, Json>): Record<string, Json> => fieldsIn(ABILITY_CONTEXTS, item, context);

export const RESULT_SCHEMA = schema('ability-execution', { result: field(ANYTHING, NOT_EMBEDDED) });
