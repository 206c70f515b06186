import { RestResponse, RestError, refusal, type Permission, type Route, type Schema, type Json } from '../../rest/route.js';
import { withParams, type EndpointCall } from '../../rest/params.js';
import { can, canManageTerms, canWithPosts } from '../../users/capabilities.js';
import * as shared from '../args.js';
import { described, get, notBuilt, route } from '../declare.js';
import { schema } from '../registry/schemas.js';
import { PAGE } from '../../model.js';
import type { PostType } from '../../types/post-type.js';
import { allItemsLabel } from '../registry/labels.js';

/** How editors show a list of things, and a form for one of them. */
interface ViewConfig {
  default_view: Json;
  default_layouts: Json;
  view_list: Json[];
  form: Json;
}

const layout = (type: string, labelPosition: string): Json => ({ type, labelPosition });
const PLAIN = layout('regular', 'none');

/** WP: all fields that a post may have. Editors leave out what its type lacks. */
const POST_FORM: Json = {
  layout: { type: 'panel' },
  fields: [
    { id: 'featured_media', layout: PLAIN },
    { id: 'post-content-info', layout: PLAIN },
    { id: 'excerpt', layout: layout('panel', 'top') },
    { id: 'status', label: 'Status', children: [{ id: 'status', layout: PLAIN }, 'scheduled_date', 'password', 'sticky'] },
    ...['date', 'slug', 'author', 'template'],
    { id: 'discussion', label: 'Discussion', children: [{ id: 'comment_status', layout: PLAIN }, 'ping_status'] },
    ...['parent', 'format', 'revisions'],
  ],
};

const BY_TITLE: Json = { field: 'title', direction: 'asc' };

const COMMON = { filters: [], sort: BY_TITLE, perPage: 20, fields: ['author', 'status'], titleField: 'title' };

const base = (title: string, form: Json): ViewConfig => ({
  default_view: { type: 'table', ...COMMON },
  default_layouts: { table: {}, grid: {}, list: {} },
  view_list: [{ title, slug: 'all' }],
  form,
});

const AUTHOR_AT_START: Json = { styles: { author: { align: 'start' } } };

const PAGE_VIEWS: readonly [title: string, slug: string, status: string, table?: { [key: string]: Json }][] = [
  ['Published', 'published', 'publish'],
  ['Scheduled', 'future', 'future'],
  ['Drafts', 'drafts', 'draft'],
  ['Pending', 'pending', 'pending'],
  ['Private', 'private', 'private'],
  ['Trash', 'trash', 'trash', { type: 'table', layout: AUTHOR_AT_START }],
];

const pages = ({ view_list, form }: ViewConfig): ViewConfig => ({
  default_view: { type: 'list', ...COMMON, showLevels: true, mediaField: 'featured_media' },
  default_layouts: { table: { layout: AUTHOR_AT_START }, grid: {}, list: {} },
  view_list: [
    ...view_list,
    ...PAGE_VIEWS.map(([title, slug, status, table]) => ({
      title,
      slug,
      view: { ...table, filters: [{ field: 'status', operator: 'isAny', value: status, isLocked: true }] },
    })),
  ],
  form,
});

function typeConfig(type: PostType): ViewConfig {
  const ofType = base(allItemsLabel(type), POST_FORM);
  return type.name === PAGE ? pages(ofType) : ofType;
}

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
  const { default_view, default_layouts, view_list, form } = type ? typeConfig(type) : base('All items', {});
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
