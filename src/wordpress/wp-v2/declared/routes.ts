import type { Arg, Args, Method, Route } from '../../rest/route.js';
import * as shared from '../args.js';
import { batched, declaredEndpoint, route, edit, editing, get, post, removal, type Action } from '../declare.js';
import * as access from './access.js';
import { NO_TEMPLATE, TEMPLATE_WRITES, TEMPLATES } from './access.js';
import DATA from './routes.json' with { type: 'json' };
import type { RestType } from '../../rest/posts/post-types.js';
import type { Registry } from '../../types/registry.js';
import { autosaveRoutes, revisionRoutes, type ParentPath } from '../posts/revision-routes.js';

/** Arguments of other routes too, by the names that stand for them in `routes.json`. */
const SHARED = new Map<string, Arg>(
  Object.entries({
    ...shared,
    perPage10: shared.perPage(10),
    perPage100: shared.perPage(100),
    pageSize: shared.pagedOnDemand.per_page,
    viewContext: shared.contextOf('view'),
    search: { ...shared.search, minLength: 1 },
  } as unknown as Record<string, Arg>),
);

/** A route in `routes.json`; `access` is the name of an action. */
interface DeclaredRoute extends Pick<Route, 'absentUnder' | 'only'> {
  path: string;
  /** WP: whether it may be part of a batch request, where the controller says so. */
  allowBatch?: boolean;
  endpoints: readonly { methods: readonly Method[]; access: keyof typeof access; args: Readonly<Record<string, Arg | string>> }[];
}

const ACTIONS = new Map<string, Action<Args>>(Object.entries(access));

const GROUPS = DATA as unknown as Readonly<Record<keyof typeof DATA, readonly DeclaredRoute[]>>;

const argOf = (stated: Arg | string): Arg => (typeof stated === 'string' ? SHARED.get(stated)! : stated);

/** Routes that are only declared, and so respond with 501 to callers with permission. */
export const declaredRoutes = (group: keyof typeof DATA): Route[] =>
  GROUPS[group].map(({ path, endpoints, allowBatch, ...facts }) => {
    const declared = endpoints.map(({ methods, access: name, args }) =>
      declaredEndpoint(methods, Object.fromEntries(Object.entries(args).map(([arg, stated]) => [arg, argOf(stated)])), ACTIONS.get(name)),
    );
    const all = { ...route(path, ...declared), ...facts };
    return allowBatch === undefined ? all : batched(all, allowBatch);
  });

/** Folder of a theme, with at most one folder above it. */
const STYLESHEET_PATTERN = '[^\\/:<>\\*\\?"\\|]+(?:\\/[^\\/:<>\\*\\?"\\|]+)?';

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
    ...revisionRoutes(base, { listRevisions: NO_TEMPLATE, readRevision: NO_TEMPLATE, deleteRevision: NO_TEMPLATE }, TEMPLATE_PATH),
    ...autosaveRoutes(
      base,
      fields,
      { listAutosaves: NO_TEMPLATE, readAutosave: NO_TEMPLATE, createAutosave: TEMPLATE_WRITES },
      TEMPLATE_PATH,
    ),
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
