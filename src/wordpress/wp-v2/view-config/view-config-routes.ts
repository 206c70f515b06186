import { RestResponse, type Permission, type Route, type Schema, RestError, refusal } from '../../rest/route.js';
import { withParams, type EndpointCall } from '../../rest/params.js';
import { can, canManageTerms, canWithPosts } from '../../users/capabilities.js';
import * as shared from '../args.js';
import { described, get, notBuilt, route } from '../declare.js';
import { schema } from '../registry/schemas.js';
import { otherConfig, typeConfig } from './view-config.js';

const ARGS = {
  kind: shared.text('Kind of things: postType, taxonomy, root or another one.', { required: true }),
  name: shared.text('Name of the post type or taxonomy, or of other things.', { required: true }),
};

type Call = EndpointCall<typeof ARGS>;

/** Types whose configuration depends on the theme and on registered patterns. */
const NOT_BUILT: ReadonlySet<string> = new Set(['wp_template', 'wp_template_part', 'wp_block']);

/** Whether a caller may see the configuration; null if there is nothing of that name. */
function isAllowed({ params: { kind, name }, request: { user }, site }: Call): boolean | null {
  const { registry } = site;
  const type = registry.findRegisteredType(name, site.quirks);
  switch (kind) {
    case 'postType':
      return type ? canWithPosts(user, 'edit', type) : null;
    case 'taxonomy':
      return registry.findTaxonomy(name) ? canManageTerms(user, name, registry) : null;
    case 'root':
      return can(user, 'manage_options');
    default:
      return canWithPosts(user, 'edit');
  }
}

const mayRead: Permission = withParams(ARGS, (call: Call) => {
  const allowed = isAllowed(call);
  if (allowed === null) return new RestError('rest_view_config_invalid_entity', 'Invalid entity kind or name.', 404);
  return allowed || refusal(call.request.user, 'rest_cannot_read', 'Sorry, you are not allowed to read view config.');
});

function read({ params: { kind, name }, site }: Call): RestResponse {
  const type = kind === 'postType' ? site.registry.findRegisteredType(name, site.quirks) : undefined;
  if (type && NOT_BUILT.has(type.name)) return notBuilt();
  const { default_view, default_layouts, view_list, form } = type ? typeConfig(type) : otherConfig();
  return new RestResponse({ kind, name, version: 1, default_view, default_layouts, view_list, form });
}

const OBJECT: Schema = { type: 'object', readonly: true };

const SCHEMA = schema('view-config', {
  kind: { type: 'string', readonly: true },
  name: { type: 'string', readonly: true },
  version: { type: 'integer', readonly: true },
  default_view: OBJECT,
  default_layouts: OBJECT,
  view_list: { type: 'array', readonly: true },
  form: OBJECT,
});

/** The route of what editors need to show lists and forms. */
export const viewConfigRoutes = (): Route[] => [
  { ...described(route('/view-config', get(ARGS, { permission: mayRead, handler: read })), SCHEMA), absentUnder: 'no-view-config' },
];
