import type { Args, Route } from '../../rest/route.js';
import * as shared from '../args.js';
import { can } from '../../users/capabilities.js';
import { listResponse } from '../../rest/lists.js';
import { edit, get, post, removal, route, type Action } from '../declare.js';
import { FONT_COLLECTIONS, NO_PARENT, NO_POST, unbuilt } from './access.js';

/** No families are installed. */
const FAMILIES: Action<Args> = {
  ...unbuilt((user) => can(user, 'edit_theme_options'), 'rest_cannot_read', 'access font families'),
  handler: (call) => listResponse(call, '/wp/v2/font-families', { items: [], total: 0, pages: 0, page: 1 }),
};
const FAMILY_WRITES = unbuilt((user) => can(user, 'edit_theme_options'), 'rest_cannot_create', 'create posts as this user');

const FONT_FILTERS: Args = {
  ...shared.paged(10),
  exclude: shared.exclude,
  include: shared.include,
  search_semantics: shared.searchSemantics,
  offset: shared.offset,
  order: shared.order('desc'),
  orderby: shared.orderby('id', ['id', 'include']),
};

const THEME_JSON_VERSION = shared.integer('Version of the theme.json schema.', {
  default: 3,
  minimum: 2,
  maximum: 3,
});

/** WP: the same for creation and update; the settings come as text because they may arrive in a form with files. */
const FAMILY_FIELDS: Args = {
  theme_json_version: THEME_JSON_VERSION,
  font_family_settings: shared.text('Font family declaration in theme.json format, encoded as JSON.', { required: true }),
};

const FACE_FIELDS: Args = {
  theme_json_version: THEME_JSON_VERSION,
  font_face_settings: shared.text('Font face declaration in theme.json format, encoded as JSON.', { required: true }),
};

/** Routes of installed font families and their faces. */
export function fontRoutes(): Route[] {
  const id = shared.id('font family');
  const face = { font_family_id: { ...id, required: true }, id: { ...shared.id('font face'), required: true } };
  const faces = '/font-families/(?P<font_family_id>[\\d]+)/font-faces';
  return [
    route('/font-families', get({ ...FONT_FILTERS, slug: shared.slugs }, FAMILIES), post(FAMILY_FIELDS, FAMILY_WRITES)),
    route(
      '/font-families/(?P<id>[\\d]+)',
      get({ id, context: shared.context }, NO_POST),
      edit({ id, ...FAMILY_FIELDS }, NO_POST),
      removal({ id, force: shared.force }, NO_POST),
    ),
    route(
      faces,
      get({ font_family_id: face.font_family_id, ...FONT_FILTERS }, NO_PARENT),
      post({ font_family_id: face.font_family_id, ...FACE_FIELDS }, NO_PARENT),
    ),
    route(
      `${faces}/(?P<id>[\\d]+)`,
      get({ ...face, context: shared.context }, NO_PARENT),
      removal({ ...face, force: shared.force }, NO_PARENT),
    ),
  ];
}

/** Routes of collections of fonts that may be installed. */
export const fontCollectionRoutes = (): Route[] => [
  route('/font-collections', get(shared.paged(10), FONT_COLLECTIONS)),
  route('/font-collections/(?P<slug>[\\/\\w-]+)', get({ context: shared.context }, FONT_COLLECTIONS)),
];
