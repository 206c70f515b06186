import type { ArgType, Json, Schema } from '../../rest/route.js';
import { EDIT_ONLY, EVERYWHERE, NOT_EMBEDDED } from '../declare.js';
import { asJsonObject } from '../../../base/values/records.js';

const SEARCHED = ['view', 'embed'];

/** A read-only field: its types, contexts and further keywords. */
export const field = (type: ArgType | ArgType[], context: string[], more: Schema = {}): Schema => ({
  type,
  context,
  readonly: true,
  ...more,
});

const texts = (context: string[]): Schema => field('array', context, { items: { type: 'string' } });

const flags = (...names: string[]): Schema =>
  field('object', EDIT_ONLY, { properties: Object.fromEntries(names.map((name) => [name, { type: 'boolean' }])) });

export const schema = (title: string, properties: Record<string, Schema>): Record<string, Json> =>
  asJsonObject({ $schema: 'http://json-schema.org/draft-04/schema#', title, type: 'object', properties });

const NAMES: Record<string, Schema> = {
  name: field('string', EVERYWHERE),
  slug: field('string', EVERYWHERE),
  rest_base: field('string', EVERYWHERE),
  rest_namespace: field('string', EVERYWHERE),
  description: field('string', NOT_EMBEDDED),
  hierarchical: field('boolean', NOT_EMBEDDED),
  capabilities: field('object', EDIT_ONLY),
  labels: field('object', EDIT_ONLY),
};

export const TYPE_SCHEMA = schema('type', {
  ...NAMES,
  viewable: field('boolean', EDIT_ONLY),
  supports: field('object', EDIT_ONLY),
  has_archive: field(['string', 'boolean'], NOT_EMBEDDED),
  taxonomies: texts(NOT_EMBEDDED),
  visibility: flags('show_ui', 'show_in_nav_menus'),
  icon: field(['string', 'null'], EVERYWHERE),
  template: field('array', EVERYWHERE),
  template_lock: field(['string', 'boolean'], EVERYWHERE, { enum: ['all', 'insert', 'contentOnly', false] }),
});

export const TAXONOMY_SCHEMA = schema('taxonomy', {
  ...NAMES,
  show_cloud: field('boolean', EDIT_ONLY),
  types: texts(NOT_EMBEDDED),
  visibility: flags('public', 'publicly_queryable', 'show_ui', 'show_admin_column', 'show_in_nav_menus', 'show_in_quick_edit'),
});

export const STATUS_SCHEMA = schema('status', {
  name: field('string', EVERYWHERE),
  slug: field('string', EVERYWHERE),
  ...Object.fromEntries(['private', 'protected', 'show_in_list'].map((name) => [name, field('boolean', EDIT_ONLY)])),
  ...Object.fromEntries(['public', 'queryable', 'date_floating'].map((name) => [name, field('boolean', NOT_EMBEDDED)])),
});

/** The schema of a search result. @param types kinds of things @param subtypes post types and taxonomies */
export const searchSchema = (types: readonly Json[], subtypes: readonly Json[]): Record<string, Json> =>
  schema('search-result', {
    id: field(['integer', 'string'], SEARCHED),
    title: field('string', SEARCHED),
    url: field('string', SEARCHED, { format: 'uri' }),
    type: field('string', SEARCHED, { enum: types }),
    subtype: field('string', SEARCHED, { enum: subtypes }),
  });
