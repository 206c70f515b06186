import type { Args, Route } from '../rest/route.js';
import * as shared from './args.js';
import { batched, edit, editing, get, oddSchema, post, remove, route } from './declare.js';
import type { Answers, Operation } from './declare.js';

export type UserOperation = Operation | 'readMe' | 'updateMe' | 'deleteMe';
export type ApplicationPasswordOperation = Operation | 'deleteAll' | 'introspect';

const TYPES_WITH_AUTHORS = [
  'post',
  'page',
  'attachment',
  'nav_menu_item',
  'wp_block',
  'wp_template',
  'wp_template_part',
  'wp_global_styles',
  'wp_navigation',
  'wp_font_family',
  'wp_font_face',
  'tribe_venue',
  'tribe_organizer',
  'tribe_events',
  'tec_calendar_embed',
];

const USER_FILTERS: Args = {
  ...shared.paged(10),
  search: shared.search,
  exclude: shared.exclude,
  include: shared.include,
  offset: shared.offset,
  order: shared.order('asc'),
  orderby: shared.orderby('name', ['id', 'include', 'name', 'registered_date', 'slug', 'include_slugs', 'email', 'url']),
  slug: shared.slugs,
  roles: shared.texts('Roles, one of which users must have.'),
  capabilities: shared.texts('Capabilities, one of which users must have.'),
  who: shared.choice('Keep users who count as authors.', ['authors']),
  has_published_posts: {
    description: 'Keep users who have published something, or something of these post types.',
    type: ['boolean', 'array'],
    items: oddSchema({ type: 'string', enum: Object.fromEntries(TYPES_WITH_AUTHORS.map((type) => [type, type])) }),
  },
  search_columns: shared.list(
    'Columns in which to search.',
    { enum: ['email', 'name', 'id', 'username', 'slug'], type: 'string' },
    { default: [] },
  ),
};

const USER_FIELDS: Args = {
  username: shared.text('Name to sign in with.', { required: true }),
  name: shared.text('Name to display.'),
  first_name: shared.text('First name.'),
  last_name: shared.text('Last name.'),
  email: shared.text('Email address.', { format: 'email', required: true }),
  url: shared.text('Website of the user.', { format: 'uri' }),
  description: shared.text('What the user says about themselves.'),
  locale: shared.choice('Language of the user.', ['', 'en_US']),
  nickname: shared.text('Nickname.'),
  slug: shared.text('Name of the user in addresses.'),
  roles: shared.texts('Roles of the user.'),
  password: shared.text('Password; it is never shown.', { required: true }),
  meta: shared.metaField({
    persisted_preferences: {
      type: 'object',
      title: '',
      description: '',
      default: [],
      context: ['edit'],
      properties: {
        _modified: { description: 'When the preferences were last changed.', type: 'string', format: 'date-time', readonly: false },
      },
      additionalProperties: true,
    },
  }),
};

const DELETION_ARGS: Args = {
  force: shared.flag('Has to be true: users know no trash.', { default: false }),
  reassign: shared.integer('ID of the user who inherits the posts.', { required: true }),
};

/** Routes of the users: the collection, one by number, and the caller as `me`. */
export function userRoutes(answers: Answers<UserOperation> = {}): Route[] {
  const id = shared.id('user');
  return [
    batched(route('/users', get(USER_FILTERS, answers.list), post(USER_FIELDS, answers.create))),
    batched(
      route(
        '/users/(?P<id>[\\d]+)',
        get({ id, context: shared.context }, answers.read),
        edit({ id, ...editing(USER_FIELDS) }, answers.update),
        remove({ id, ...DELETION_ARGS }, answers.delete),
      ),
    ),
    route(
      '/users/me',
      get({ context: shared.context }, answers.readMe),
      edit(editing(USER_FIELDS), answers.updateMe),
      remove(DELETION_ARGS, answers.deleteMe),
    ),
  ];
}

const APPLICATION_PASSWORD_FIELDS: Args = {
  app_id: shared.text('UUID that the application gave itself.', { format: 'uuid' }),
  name: shared.text('Name of the application.', { minLength: 1, pattern: '.*\\S.*', required: true }),
};

/** Routes of a user's application passwords. WP: the captures `user_id` and `uuid` are no declared arguments. */
export function applicationPasswordRoutes(answers: Answers<ApplicationPasswordOperation> = {}): Route[] {
  const path = '/users/(?P<user_id>(?:[\\d]+|me))/application-passwords';
  const context = { context: shared.context };
  return [
    route(path, get(context, answers.list), post(APPLICATION_PASSWORD_FIELDS, answers.create), remove({}, answers.deleteAll)),
    route(`${path}/introspect`, get(context, answers.introspect)),
    route(
      `${path}/(?P<uuid>[\\w\\-]+)`,
      get(context, answers.read),
      edit(editing(APPLICATION_PASSWORD_FIELDS), answers.update),
      remove({}, answers.delete),
    ),
  ];
}
