import type { Args, Route } from '../../rest/route.js';
import * as shared from '../args.js';
import { edit, get, post, remove, route } from '../declare.js';

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
    route('/font-families', get({ ...FONT_FILTERS, slug: shared.slugs }), post(FAMILY_FIELDS)),
    route(
      '/font-families/(?P<id>[\\d]+)',
      get({ id, context: shared.context }),
      edit({ id, ...FAMILY_FIELDS }),
      remove({ id, force: shared.force }),
    ),
    route(
      faces,
      get({ font_family_id: face.font_family_id, ...FONT_FILTERS }),
      post({ font_family_id: face.font_family_id, ...FACE_FIELDS }),
    ),
    route(`${faces}/(?P<id>[\\d]+)`, get({ ...face, context: shared.context }), remove({ ...face, force: shared.force })),
  ];
}

/** Routes of collections of fonts that may be installed. */
export const fontCollectionRoutes = (): Route[] => [
  route('/font-collections', get(shared.paged(10))),
  route('/font-collections/(?P<slug>[\\/\\w-]+)', get({ context: shared.context })),
];
