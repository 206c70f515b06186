import { toStr } from '../../../base/php/cast.js';
import type { ArgError, Args, Json } from '../../rest/route.js';
import { sanitizeTextField } from '../../formatting/sanitize.js';
import * as shared from '../args.js';
import { fields as writable, onlyIf } from '../declare.js';
import { NOT_EMBEDDED, resourceSchema, shown } from '../schemas.js';
import { checkValue, isRefused } from '../../rest/check.js';
import { MENU, TAG } from '../../model.js';
import type { TaxonomyFacts } from '../../rest/posts/post-types.js';

export const MENU_FIELDS: Args = {
  locations: { ...shared.texts('Theme locations of the menu.'), validate: placeOfTheme },
  auto_add: shared.flag('Whether new top-level pages are added to the menu.'),
};

/** WP: the theme defines menu locations; this server's theme has none. */
function placeOfTheme(value: Json): boolean | ArgError {
  const checked = checkValue(value, { type: 'array', items: { type: 'string' } }, 'locations');
  if (isRefused(checked)) return checked;
  const [location] = Array.isArray(value)
    ? value
    : toStr(value)
        .split(/[\s,]+/)
        .filter((each) => each !== '');
  if (location === undefined) return true;
  return { code: 'rest_invalid_menu_location', message: 'Invalid menu location.', data: { location } };
}

const TERM_ORDERS = ['id', 'include', 'name', 'slug', 'include_slugs', 'term_group', 'description', 'count'] as const;

/** WP: lists of hierarchical taxonomies filter by parent, the others take an offset. */
export const termListFilters = ({ hierarchical }: TaxonomyFacts) => ({
  ...shared.paged(10),
  search: shared.search,
  exclude: shared.exclude,
  include: shared.include,
  ...onlyIf(!hierarchical, { offset: shared.offset }),
  order: shared.order('asc'),
  orderby: shared.orderby('name', TERM_ORDERS),
  hide_empty: shared.flag('Exclude terms without published posts.', { default: false }),
  ...onlyIf(hierarchical, { parent: shared.integer('Only direct children of this term, by ID.') }),
  post: shared.integer('Only terms of this post, by ID.', { default: null }),
  slug: shared.slugs,
});

/** @param more additional fields */
export const termFields = ({ hierarchical }: TaxonomyFacts, more: Args): Args =>
  writable({
    description: shared.text('Description of the term, as HTML.'),
    name: shared.text('Name of the term.', {
      required: true,
      sanitize: (value) => (typeof value === 'string' ? sanitizeTextField(value) : ''),
    }),
    slug: shared.text('Slug of the term.'),
    ...onlyIf(hierarchical, { parent: shared.integer('ID of the parent term.') }),
    meta: shared.metaField({}),
    ...more,
  });

export function termSchema(taxonomy: TaxonomyFacts, { name, slug, description, parent, meta, ...more }: Args): Record<string, Json> {
  const all = {
    id: shown('ID of the term.', { type: 'integer' }),
    count: shown('Number of published posts with the term.', { type: 'integer' }),
    description,
    link: shown('URL of the term.', { format: 'uri' }),
    name,
    slug,
    taxonomy: shown('Taxonomy of the term.', { enum: [taxonomy.name] }),
    ...(parent ? { parent } : {}),
    meta,
    ...more,
  };
  // WP: menus have no pages.
  const isShown = ([field]: [string, unknown]): boolean => taxonomy.name !== MENU || !['count', 'link', 'taxonomy'].includes(field);
  const fields = Object.fromEntries(Object.entries(all).filter(isShown));
  const contexts = Object.fromEntries(['count', 'description', 'parent', 'meta'].map((field) => [field, NOT_EMBEDDED]));
  // WP: the name of tags differs from the name of their taxonomy.
  return resourceSchema(taxonomy.name === TAG ? 'tag' : taxonomy.name, fields, contexts, ['view', 'embed', 'edit']);
}

export const TERM = { id: shared.id('term') };

export const TERM_DELETION = { ...TERM, force: shared.flag('Must be true: terms cannot be moved to the trash.', { default: false }) };
