import { checkValue, isRefused } from '../../rest/check.js';
import { Refused, type Arg, type Args, type Json } from '../../rest/route.js';
import * as shared from '../args.js';
import { resourceSchema } from '../declare.js';

/** WP: a setting registered without a label shows an empty one. */
const setting = (arg: Arg, label = ''): Arg => ({ title: label, ...arg });

/** WP: null removes a setting of any type. */
const orNull =
  (name: string, arg: Arg): Exclude<Arg['sanitize'], 'raw'> =>
  (value) => {
    const checked = value === null ? { value } : checkValue(value, arg, name);
    return isRefused(checked) ? new Refused(checked) : checked.value;
  };

const SETTING_ARGS: Args = {
  title: setting(shared.text('Name of the site.'), 'Title'),
  description: setting(shared.text('Tagline of the site.'), 'Tagline'),
  url: setting(shared.text('URL of the site.', { format: 'uri' })),
  email: setting(shared.text('Email address of the administrator.', { format: 'email' })),
  timezone: setting(shared.text('Time zone of the site, such as Europe/Berlin.')),
  date_format: setting(shared.text('Format of dates.')),
  time_format: setting(shared.text('Format of times.')),
  start_of_week: setting(shared.integer('First day of the week; 0 is Sunday.')),
  language: setting(shared.text('Locale of the site.')),
  use_smilies: setting(shared.flag('Whether to convert emoticons to images.')),
  default_category: setting(shared.integer('ID of the default category of posts.')),
  default_post_format: setting(shared.text('Default format of posts.')),
  posts_per_page: setting(shared.integer('Maximum number of posts per page of the blog.'), 'Maximum posts per page'),
  show_on_front: setting(shared.text('What the front page shows.'), 'Show on front'),
  page_on_front: setting(shared.integer('ID of the static front page.'), 'Page on front'),
  page_for_posts: setting(shared.integer('ID of the page that shows the latest posts.')),
  default_ping_status: setting(shared.choice('Whether pings are open on new posts.', shared.OPEN_OR_CLOSED)),
  default_comment_status: setting(
    shared.choice('Whether comments are open on new posts.', shared.OPEN_OR_CLOSED),
    'Allow comments on new posts',
  ),
  site_logo: setting(shared.integer('ID of the image used as logo.'), 'Logo'),
  site_icon: setting(shared.integer('ID of the image used as icon.'), 'Icon'),
};

export const SETTING_FIELDS: Args = Object.fromEntries(
  Object.entries(SETTING_ARGS).map(([name, arg]) => [name, { ...shared.checkedFirst(name, arg), sanitize: orNull(name, arg) }]),
);

/** WP: the defaults that settings are registered with; others have null. */
const DEFAULTS = new Map<string, Json>(Object.entries({ language: 'en_US', use_smilies: true, posts_per_page: 10 }));

/** WP: settings are in no context. */
export const SETTINGS_SCHEMA = resourceSchema(
  'settings',
  Object.fromEntries(Object.entries(SETTING_ARGS).map(([name, arg]) => [name, { ...arg, default: DEFAULTS.get(name) ?? null }])),
  {},
);
