import { checkValue, isRefused } from '../../rest/check.js';
import { Refused, type Arg, type Args, type Json, type Route } from '../../rest/route.js';
import * as shared from '../args.js';
import { described, edit, get, post, remove, route } from '../declare.js';
import { searchSchema, STATUS_SCHEMA, TAXONOMY_SCHEMA, TYPE_SCHEMA } from '../registry/registry-schemas.js';
import { resourceSchema } from '../schemas.js';
import type { Answers } from '../declare.js';
import { STYLESHEET_PATTERN } from './site-editor.js';

/** A registry of WordPress that can only be read: a list, and one entry by name. `name` is the argument captured from the path. */
function registryRoutes(
  base: string,
  name: string,
  filters: Args,
  schema: Record<string, Json>,
  answers: Answers<'list' | 'read'>,
): Route[] {
  const one = { [name]: shared.text(`Name of the ${name}.`), context: shared.context };
  return [
    route(`/${base}`, get({ context: shared.context, ...filters }, answers.list)),
    route(`/${base}/(?P<${name}>[\\w-]+)`, get(one, answers.read)),
  ].map((each) => described(each, schema));
}

export const typeRoutes = (answers: Answers<'list' | 'read'> = {}): Route[] => registryRoutes('types', 'type', {}, TYPE_SCHEMA, answers);

export const statusRoutes = (answers: Answers<'list' | 'read'> = {}): Route[] =>
  registryRoutes('statuses', 'status', {}, STATUS_SCHEMA, answers);

export const taxonomyRoutes = (answers: Answers<'list' | 'read'> = {}): Route[] =>
  registryRoutes('taxonomies', 'taxonomy', { type: shared.text('Keep taxonomies of this post type.') }, TAXONOMY_SCHEMA, answers);

const SEARCH_TYPES = ['post', 'term', 'post-format'];
const SEARCH_SUBTYPES = ['post', 'page', 'tribe_events', 'category', 'post_tag', 'tribe_events_cat'];

const SEARCH_ARGS: Args = {
  context: shared.contextOf('view', 'embed'),
  page: shared.page,
  per_page: shared.perPage(10),
  search: shared.search,
  type: shared.choice('Kind of thing to look for.', SEARCH_TYPES, { default: 'post' }),
  subtype: shared.list('Post types or taxonomies to look in.', { enum: [...SEARCH_SUBTYPES, 'any'], type: 'string' }, { default: 'any' }),
  exclude: shared.exclude,
  include: shared.include,
};

/** Routes of the search across kinds of content. */
export const searchRoutes = (answers: Answers<'list'> = {}): Route[] => [
  described(route('/search', get(SEARCH_ARGS, answers.list)), searchSchema(SEARCH_TYPES, SEARCH_SUBTYPES)),
];

/** WP: a setting registered without a label shows an empty one. */
const setting = (arg: Arg, label = ''): Arg => ({ title: label, ...arg });

/** WP: null takes a setting away, whatever its type. */
const orNull =
  (name: string, arg: Arg): Exclude<Arg['sanitize'], 'raw'> =>
  (value) => {
    const checked = value === null ? { value } : checkValue(value, arg, name);
    return isRefused(checked) ? new Refused(checked) : checked.value;
  };

const SETTING_ARGS: Args = {
  title: setting(shared.text('Name of the site.'), 'Title'),
  description: setting(shared.text('What the site is about, in a few words.'), 'Tagline'),
  url: setting(shared.text('Address of the site.', { format: 'uri' })),
  email: setting(shared.text('Where mail to the administrator goes.', { format: 'email' })),
  timezone: setting(shared.text('Time zone of the site, as a city.')),
  date_format: setting(shared.text('Letters in which dates are written.')),
  time_format: setting(shared.text('Letters in which times are written.')),
  start_of_week: setting(shared.integer('Day on which weeks begin; 0 is Sunday.')),
  language: setting(shared.text('Locale of the site.')),
  use_smilies: setting(shared.flag('Whether smilies become pictures.')),
  default_category: setting(shared.integer('ID of the category of posts without one.')),
  default_post_format: setting(shared.text('Format of new posts.')),
  posts_per_page: setting(shared.integer('Most posts shown on a page of the blog.'), 'Maximum posts per page'),
  show_on_front: setting(shared.text('What the front page shows.'), 'Show on front'),
  page_on_front: setting(shared.integer('ID of the page shown as front page.'), 'Page on front'),
  page_for_posts: setting(shared.integer('ID of the page that lists the blog.')),
  default_ping_status: setting(shared.choice('Whether new posts take pings.', shared.OPEN_OR_CLOSED)),
  default_comment_status: setting(shared.choice('Whether new posts take comments.', shared.OPEN_OR_CLOSED), 'Allow comments on new posts'),
  site_logo: setting(shared.integer('ID of the picture used as logo.'), 'Logo'),
  site_icon: setting(shared.integer('ID of the picture used as icon.'), 'Icon'),
};

const SETTINGS: Args = Object.fromEntries(
  Object.entries(SETTING_ARGS).map(([name, arg]) => [name, { ...shared.checkedFirst(name, arg), sanitize: orNull(name, arg) }]),
);

/** WP: settings are in no context. */
const SETTINGS_SCHEMA = resourceSchema('settings', SETTING_ARGS, {});

/** Routes of the settings of the site. */
export const settingsRoutes = (answers: Answers<'read' | 'update'> = {}): Route[] => [
  described(route('/settings', get({}, answers.read), edit(SETTINGS, answers.update)), SETTINGS_SCHEMA),
];

const THEME_STATUSES = shared.list('Statuses to keep.', { enum: ['active', 'inactive'], type: 'string' });

/** Routes of the installed themes. */
export const themeRoutes = (): Route[] => [
  route('/themes', get({ status: THEME_STATUSES })),
  route(`/themes/(?P<stylesheet>${STYLESHEET_PATTERN})`, get({ stylesheet: shared.text('Folder of the theme.') })),
];

const PLUGIN_STATUSES = ['inactive', 'active'];
const PLUGIN_PATTERN = '[^.\\/]+(?:\\/[^.\\/]+)?';

/** Routes of the installed plugins. */
export function pluginRoutes(): Route[] {
  const { context } = shared;
  const plugin = shared.text('', { pattern: PLUGIN_PATTERN });
  const status = shared.choice('Whether the plugin is switched on.', PLUGIN_STATUSES);
  const slug = shared.text('Name of the plugin in the directory of WordPress.', { pattern: '[\\w\\-]+', required: true });
  const statuses = shared.list('Statuses to keep.', { type: 'string', enum: PLUGIN_STATUSES });
  return [
    route(
      '/plugins',
      get({ context, search: shared.search, status: statuses }),
      post({ slug, status: { ...status, default: 'inactive' } }),
    ),
    route(
      `/plugins/(?P<plugin>${PLUGIN_PATTERN})`,
      get({ context, plugin }),
      edit({ context, plugin, status }),
      remove({ context, plugin }),
    ),
  ];
}
