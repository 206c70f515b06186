import type { Json } from '../../rest/route.js';
import { ANYTHING } from './ability-args.js';
import { field, schema } from '../registry/schemas.js';
import { EVERYWHERE, NOT_EMBEDDED } from '../schemas.js';

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
