import type { Args, ArgType, Route } from '../../rest/route.js';
import type { RestType } from '../../rest/posts/post-types.js';
import type { Registry } from '../../types/registry.js';
import * as shared from '../args.js';
import { batched, edit, editing, get, post, removal, route, type Action } from '../declare.js';
import { autosaveRoutes, revisionRoutes } from '../posts/revision-routes.js';
import {
  BLOCK_DIRECTORY,
  BLOCK_TYPES,
  NO_NAMED_STYLES,
  NO_PARENT,
  NO_STYLES,
  PATTERN_CATEGORIES,
  PATTERN_DIRECTORY,
  PATTERNS,
  STYLES,
  TEMPLATE_WRITES,
  TEMPLATES,
} from './access.js';
import { blockRendererRoute } from '../block-renderer.js';
import type { ParentPath } from '../posts/revision-routes.js';

/** Folder of a theme, with at most one folder above it. */
export const STYLESHEET_PATTERN = '[^\\/:<>\\*\\?"\\|]+(?:\\/[^\\/:<>\\*\\?"\\|]+)?';

/** A template is named by its theme and slug: `theme//slug`. */
const TEMPLATE_PATTERN = `(${STYLESHEET_PATTERN})[\\/\\w%-]+`;

const TEMPLATE_ID = shared.text('ID of the template, in the form theme//slug.');
const TEMPLATE_PATH: ParentPath = { pattern: TEMPLATE_PATTERN, parent: TEMPLATE_ID };

const templateFields = (registry: Registry): Args => ({
  slug: shared.text('Slug of the template.', { minLength: 1, pattern: '[a-zA-Z0-9_\\%-]+', required: true }),
  theme: shared.text('Theme of the template.'),
  type: shared.text('Type of the template.'),
  content: {
    ...shared.textParts('Content', { raw: ['view', 'edit'], blockVersion: ['edit'] }),
    type: ['object', 'string'],
    default: '',
  },
  title: { ...shared.title({ raw: shared.ALL_CONTEXTS }), type: ['object', 'string'], default: '' },
  description: shared.text('Description of the template.', { default: '' }),
  status: shared.choice('Status of the template.', shared.writableStatuses(registry), { default: 'publish' }),
  author: shared.author,
});

const AREA = shared.text('Area of the page in which the template part is used.');

const TEMPLATE_FILTERS: Args = {
  context: shared.context,
  wp_id: shared.integer('Only the template stored as this post, by ID.'),
  area: AREA,
  post_type: shared.text('Only templates for this post type.'),
};

const LOOKUP_ARGS: Args = {
  slug: shared.text('Slug of the template to get the fallback for.', { required: true }),
  is_custom: shared.flag('Whether the template was created by a user.'),
  template_prefix: shared.text('Prefix of the slug, for templates of a post type or taxonomy.'),
};

/** Routes of templates or of template parts (`base`). WP: revisions are registered before the templates, whose pattern would take them. */
function routesOf(base: string, fields: Args): Route[] {
  return [
    ...revisionRoutes(base, {}, TEMPLATE_PATH),
    ...autosaveRoutes(base, fields, {}, TEMPLATE_PATH),
    route(`/${base}`, get(TEMPLATE_FILTERS, TEMPLATES), post(fields, TEMPLATE_WRITES)),
    route(`/${base}/lookup`, get(LOOKUP_ARGS, TEMPLATES)),
    route(
      `/${base}/(?P<id>${TEMPLATE_PATTERN})`,
      get({ id: TEMPLATE_ID, context: shared.context }, TEMPLATES),
      edit({ id: TEMPLATE_ID, ...editing(fields) }, TEMPLATE_WRITES),
      removal({ id: TEMPLATE_ID, force: shared.force }, TEMPLATE_WRITES),
    ),
  ];
}

export const templateRoutes = ({ registry }: RestType): Route[] => routesOf('templates', templateFields(registry));

export const templatePartRoutes = ({ registry }: RestType): Route[] =>
  routesOf('template-parts', { ...templateFields(registry), area: AREA });

const STYLE_FIELDS: Args = {
  styles: { description: 'Styles in theme.json format.', type: ['object'] },
  settings: { description: 'Settings in theme.json format.', type: ['object'] },
  title: { ...shared.title({ raw: shared.ALL_CONTEXTS }), type: ['object', 'string'] },
};

const stylesRoute = (pattern: string, type: ArgType, action: Action<Args>): Route =>
  batched(
    route(
      `/global-styles/(?P<id>${pattern})`,
      get({ id: { description: 'ID of the global styles.', type } }, action),
      edit(STYLE_FIELDS, action),
    ),
    false,
  );

/** Routes of the styles that users set on top of a theme. WP: these do not allow batches. */
export function globalStylesRoutes(): Route[] {
  const parent = shared.id('global styles');
  const revisions = '/global-styles/(?P<parent>[\\d]+)/revisions';
  const stylesheet = shared.text('Directory name of the theme.');
  return [
    route(revisions, get({ parent, ...shared.pagedOnDemand, offset: shared.offset }, NO_PARENT)),
    route(`${revisions}/(?P<id>[\\d]+)`, get({ parent, id: shared.id('revision'), context: shared.context }, NO_PARENT)),
    batched(
      route('/global-styles/themes/(?P<stylesheet>[\\/\\s%\\w\\.\\(\\)\\[\\]\\@_\\-]+)/variations', get({ stylesheet }, STYLES)),
      false,
    ),
    batched(route(`/global-styles/themes/(?P<stylesheet>${STYLESHEET_PATTERN})`, get({ stylesheet }, STYLES)), false),
    { ...stylesRoute('[\\/\\d+]+', 'integer', NO_STYLES), absentUnder: 'global-styles-by-name' },
    { ...stylesRoute('[\\/\\w-]+', 'string', NO_NAMED_STYLES), only: 'global-styles-by-name' },
  ];
}

/** Routes of block types and of the rendering of a single block. */
export function blockTypeRoutes(): Route[] {
  const { context } = shared;
  const namespace = shared.text('Namespace of the blocks.');
  const path = '/block-types/(?P<namespace>[a-zA-Z0-9_-]+)';
  return [
    blockRendererRoute(),
    route('/block-types', get({ context, namespace }, BLOCK_TYPES)),
    route(path, get({ context, namespace }, BLOCK_TYPES)),
    route(
      `${path}/(?P<name>[a-zA-Z0-9_-]+)`,
      get({ name: shared.text('Name of the block in its namespace.'), namespace, context }, BLOCK_TYPES),
    ),
  ];
}

const PATTERN_FILTERS: Args = {
  ...shared.paged(100),
  search: { ...shared.search, minLength: 1 },
  category: shared.integer('Only patterns of this category, by ID.', { minimum: 1 }),
  keyword: shared.integer('Only patterns with this keyword, by ID.', { minimum: 1 }),
  slug: { description: 'Only patterns with these slugs.', type: 'array' },
  offset: shared.offset,
  order: shared.order('desc'),
  orderby: shared.orderby('date', [...shared.POST_ORDERS, 'favorite_count']),
};

/** Routes of available blocks and patterns: the directories of wordpress.org, and the patterns of the site. */
export const directoryRoutes = (): Route[] => [
  route(
    '/block-directory/search',
    get(
      {
        context: shared.contextOf('view'),
        page: shared.page,
        per_page: shared.perPage(10),
        term: shared.text('Search term for blocks.', { minLength: 1, required: true }),
      },
      BLOCK_DIRECTORY,
    ),
  ),
  route('/pattern-directory/patterns', get(PATTERN_FILTERS, PATTERN_DIRECTORY)),
  route('/block-patterns/patterns', get({}, PATTERNS)),
  route('/block-patterns/categories', get({}, PATTERN_CATEGORIES)),
];
