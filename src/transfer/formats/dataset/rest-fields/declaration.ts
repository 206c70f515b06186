import * as yup from 'yup';
import { CALENDAR_V1, TEC_V1 } from '../../../../plugins/the-events-calendar/model/index.js';
import { CORE } from '../../../../wordpress/rest/rest-fields/shown.js';
import { FIELD_CONTEXTS } from '../../../../wordpress/types/declared-fields.js';
import { didYouMean } from '../../../../base/text/suggest.js';
import { filled, flagRule, listRule, mapOf, oneOf, record, about } from '../../schema.js';
import { schemaProblem } from './schema-problem.js';

/** Fields of the REST API that other plugins add: their values in items, and how they are shown. */

/** The namespaces whose responses may have them. */
const FIELD_NAMESPACES: readonly string[] = [CORE, CALENDAR_V1, TEC_V1];

/** Members that no field replaces. */
const RESERVED: readonly string[] = ['id', '_links', '_embedded'];

/** A map by names of which only some are allowed. */
const named = (problemOf: (name: string) => string | null): yup.TestFunction =>
  function (value) {
    for (const name of Object.keys(value ?? {})) {
      const problem = problemOf(name);
      if (problem !== null) return this.createError({ message: problem });
    }
    return true;
  };

const namespaceProblem = (name: string): string | null =>
  FIELD_NAMESPACES.includes(name)
    ? null
    : `has fields of the namespace ${JSON.stringify(name)}${didYouMean(name, FIELD_NAMESPACES) || `. Namespaces: ${FIELD_NAMESPACES.join(', ')}`}`;

/** @param example the right form, for what has a name of its own instead of a namespace */
const withExample =
  (example: string) =>
  (name: string): string | null => {
    const problem = namespaceProblem(name);
    return problem?.includes('Namespaces:') ? `${problem}. Write ${example.replace('NAME', () => JSON.stringify(name))}` : problem;
  };

const itemProblem = withExample('{ "wp/v2": { NAME: … } }');
const typeProblem = withExample('{ "tribe_events": { "wp/v2": { "acf": {} } } }, and values in the fields of items');

const nameProblem = (name: string): string | null => {
  if (name === '') return 'has a field without a name';
  return RESERVED.includes(name) ? `has a field ${name}, which no plugin can replace` : null;
};

/** The map of a rule, with a test of its names. */
const checked = <T>(values: yup.ISchema<T>, problemOf: (name: string) => string | null) => {
  const map = mapOf(values);
  return yup.lazy((value: unknown) => map.resolve({ value }).test('names', '', named(problemOf)));
};

/** Any value, null too. */
const anything = () => yup.lazy(() => yup.mixed().nullable());

const valuesOfItem = checked(checked(anything(), nameProblem), itemProblem);

export const itemFields = () =>
  valuesOfItem.meta({
    ...about('Fields of other plugins by namespace, as responses show them: { "wp/v2": { "acf": { "entry": "18:30" } } }.'),
    jsonSchema: {
      type: 'object',
      propertyNames: { enum: FIELD_NAMESPACES },
      additionalProperties: { type: 'object', additionalProperties: {} },
    },
  });

const schema = yup
  .lazy(() =>
    yup.mixed().test('schema', function (value) {
      const problem = value === undefined ? null : schemaProblem(value);
      return problem === null || this.createError({ message: problem });
    }),
  )
  .meta({
    ...about('JSON Schema as WordPress knows it, which OPTIONS shows and what is sent must fit. Default: the types of the values.'),
    jsonSchema: { type: 'object' },
  });

const how = {
  default: anything().meta(about('Value of items without one. Default: they do not have the field.')),
  contexts: listRule(oneOf(FIELD_CONTEXTS)).meta(about('Contexts that show it. Default: all of them.')),
  after: filled().optional().meta(about('Member of the item that it follows. Default: the last one.')),
  edit_only: flagRule().meta(about('Whether only users who may edit the item see it. Default: false.')),
  writable: flagRule().meta(about('Whether what is sent is stored. Default: false.')),
  schema,
};

const byTypeOf = (field: yup.ObjectSchema<object>) => {
  const byName = checked(field, nameProblem).meta({ values: field });
  const byNamespace = checked(byName, typeProblem).meta({ values: byName });
  return mapOf(byNamespace).meta({ values: byNamespace });
};

/** How fields are shown, as it is stored: with what was guessed. */
export const storedFields = () => byTypeOf(record({ ...how, guessed: schema }));

/** How fields are shown. */
export const declaredFields = () =>
  byTypeOf(record(how)).meta({
    ...about(
      'How fields of other plugins are shown, by type, namespace and name, in their order: { "tribe_events": { "wp/v2": { "acf": { "default": [] } } } }. Types are post types, taxonomies, user and comment. Fields that only items have are shown everywhere.',
    ),
  });
