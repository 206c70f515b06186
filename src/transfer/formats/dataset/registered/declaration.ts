import * as yup from 'yup';
import { META_TYPES } from '../../../../wordpress/types/declared-meta.js';
import { declaredFields, itemFields, storedFields } from '../rest-fields/declaration.js';
import { filled, flagRule, idRule, listRule, mapOf, oneOf, record, textRule, about, anything, wholeFrom } from '../../schema.js';

/** Post types, taxonomies, image sizes and meta keys that a dataset declares, and the items of the types and terms of the taxonomies. */

/** A part of an address. */
const SEGMENT = /^[\w-]+$/;
const SEGMENTS = /^[\w-]+(?:\/[\w-]+)*$/;

const segment = (pattern = SEGMENT) =>
  textRule().matches(pattern, { message: 'must have letters, digits, - and _ only', excludeEmptyString: false });

const restBase = () => segment().meta(about('Last segment of its path in wp/v2. Default: its name.'));
const singularName = () => textRule().meta(about('Singular name. Default: name.'));
const isPublic = () => flagRule().meta(about('Whether it has pages and is found by searches. Default: true.'));

const metaKey = record({
  type: oneOf(META_TYPES).meta(about('Default: string.')),
  single: flagRule().meta(about('Whether a post has one value. Default: true.')),
  default: anything('Value of posts without one.'),
  description: textRule(),
  schema: yup
    .lazy(() => yup.object().optional().default(undefined))
    .meta({ ...about('Further keywords of its JSON schema, such as enum, items or properties.'), jsonSchema: { type: 'object' } }),
});

const metaKeys = () => mapOf(metaKey).meta({ ...about('Meta keys in wp/v2.'), values: metaKey });

const type = record({
  name: filled().meta(about('Plural name, such as Recipes.')),
  singular_name: singularName(),
  description: textRule(),
  rest_base: restBase(),
  hierarchical: flagRule().meta(about('Whether its posts have parents. Default: false.')),
  supports: listRule(filled()).meta(
    about('Such as title, editor, author, thumbnail, excerpt, comments, revisions, custom-fields. Default: title and editor.'),
  ),
  taxonomies: listRule(filled()).meta(about('Names of its taxonomies, such as post_tag.')),
  has_archive: yup
    .lazy((value: unknown) => (typeof value === 'boolean' ? flagRule() : segment(SEGMENTS)))
    .meta({
      ...about('Whether its posts have a list, or the first segment of its address. Default: false.'),
      jsonSchema: { anyOf: [{ type: 'boolean' }, { type: 'string' }] },
    }),
  slug: segment(SEGMENTS).meta(about('First segment of the addresses of its posts. Default: the name of the type.')),
  icon: textRule().meta(about('Such as dashicons-food.')),
  public: isPublic(),
  show_ui: flagRule().meta(about('Whether the administration shows it. Default: as public.')),
  show_in_nav_menus: flagRule().meta(about('Whether menus offer its posts. Default: as public.')),
  capability_type: segment().meta(about('Noun in the names of its capabilities. Default: post.')),
  meta: metaKeys(),
});

const taxonomy = record({
  name: filled().meta(about('Plural name, such as Courses.')),
  singular_name: singularName(),
  rest_base: restBase(),
  hierarchical: flagRule().meta(about('Whether its terms have parents. Default: false.')),
  types: listRule(filled()).meta(about('Names of the post types that have it, such as post or tribe_events.')),
  slug: segment(SEGMENTS).meta(about('First segment of the addresses of its terms. Default: its name.')),
  nested_slugs: flagRule().meta(about('Whether the addresses of its terms contain their parents. Default: false.')),
  public: isPublic(),
  show_admin_column: flagRule().meta(about('Whether lists of the administration show it. Default: false.')),
});

export const size = record({
  width: wholeFrom(0).meta(about('In pixels. 0: any.')),
  height: wholeFrom(0).meta(about('In pixels. 0: any.')),
  crop: flagRule().meta(about('Whether images are cropped to it. Default: false.')),
});

const term = record({
  id: idRule().meta(about('Id in the API. Assigned if absent.')),
  slug: textRule().meta(about('Used in URLs and references. Default: made from the name.')),
  name: filled(),
  description: textRule(),
  parent: textRule().meta(about('Slug of another term of the taxonomy.')),
  fields: itemFields(),
});

const termReferences = listRule(yup.lazy((value: unknown) => (typeof value === 'number' ? idRule().defined() : filled())));

/** The terms of an item, by taxonomy. */
export const itemTerms = () =>
  mapOf(termReferences).meta({
    ...about('Slugs, names or ids of its terms, by taxonomy: { "course": ["main"] }. Created on first mention.'),
    jsonSchema: {
      type: 'object',
      additionalProperties: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'integer' }] } },
    },
  });

/** A field group, whose other settings the plugin reads. */
const fieldGroup = yup.object({
  fields: yup.array().of(yup.object().required('must be an object')).required('is missing: the list of the fields'),
  location: yup
    .mixed()
    .test(
      'location',
      'must be the rules as they are exported, or the name of a type',
      (value) => typeof value === 'string' || Array.isArray(value),
    ),
});

export const registeredSections = {
  types: mapOf(type).meta({ ...about('Post types that other plugins register, by name.'), values: type }),
  taxonomies: mapOf(taxonomy).meta({ ...about('Taxonomies that other plugins register, by name.'), values: taxonomy }),
  image_sizes: mapOf(size).meta({ ...about('Image sizes besides the ones of WordPress, by name.'), values: size }),
  meta: mapOf(mapOf(metaKey).meta({ values: metaKey })).meta({
    ...about('Meta keys in wp/v2 of other post types, by type: { "tribe_events": { "parking": { "type": "string" } } }.'),
    values: mapOf(metaKey).meta({ values: metaKey }),
  }),
  fields: declaredFields(),
  acf_field_groups: mapOf(fieldGroup).meta({
    ...about('Field groups of Advanced Custom Fields, as they are exported: a list, or the path of a folder such as acf-json.'),
    jsonSchema: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'object' } }, { type: 'object' }] },
  }),
  routes: mapOf(listRule(filled())).meta({
    ...about(
      'Routes of other plugins without responses, for the indexes of routes: { "/acme/v1/seats": ["POST"] }. Those of stubs are there.',
    ),
    values: listRule(filled()),
  }),
};

/** Declarations alone. */
export const declarationsRule = record({ ...registeredSections, fields: storedFields() });

/** The lists of items by type, and of terms by taxonomy. @param item the fields of an item */
export const registeredLists = <Item extends yup.ObjectShape>(item: Item) => {
  const items = listRule(record(item));
  const terms = listRule(term);
  return {
    items: mapOf(items).meta({ ...about('Posts of the types in types, by type.'), values: items }),
    terms: mapOf(terms).meta({ ...about('Terms of the taxonomies in taxonomies, by taxonomy.'), values: terms }),
  };
};
