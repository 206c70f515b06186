import { absint, toBool, toStr } from '../../../base/php/cast.js';
import { lookup } from '../../../base/values/records.js';
import { RestResponse, RestError, Refused } from '../../rest/route.js';
import type { CallContext, Json, Permission, Arg, Args, Route } from '../../rest/route.js';
import { can } from '../../users/capabilities.js';
import { ksesPost, PAGE_RULES } from '../../formatting/kses/kses.js';
import { escHtml } from '../../formatting/sanitize.js';
import { stripTags } from '../../formatting/strip-tags.js';
import type { Site } from '../../site.js';
import { withLock } from '../../../database/store/locks.js';
import { checkValue, isRefused } from '../../rest/check.js';
import * as shared from '../args.js';
import { resourceSchema, described, edit, get, route } from '../declare.js';

/** WP: a setting registered without a label shows an empty one. */
const labelled = (arg: Arg, label = ''): Arg => ({ title: label, ...arg });

/** WP: null removes a setting of any type. */
const orNull =
  (name: string, arg: Arg): Exclude<Arg['sanitize'], 'raw'> =>
  (value) => {
    const checked = value === null ? { value } : checkValue(value, arg, name);
    return isRefused(checked) ? new Refused(checked) : checked.value;
  };

const SETTING_ARGS: Args = {
  title: labelled(shared.text('Name of the site.'), 'Title'),
  description: labelled(shared.text('Tagline of the site.'), 'Tagline'),
  url: labelled(shared.text('URL of the site.', { format: 'uri' })),
  email: labelled(shared.text('Email address of the administrator.', { format: 'email' })),
  timezone: labelled(shared.text('Time zone of the site, such as Europe/Berlin.')),
  date_format: labelled(shared.text('Format of dates.')),
  time_format: labelled(shared.text('Format of times.')),
  start_of_week: labelled(shared.integer('First day of the week; 0 is Sunday.')),
  language: labelled(shared.text('Locale of the site.')),
  use_smilies: labelled(shared.flag('Whether to convert emoticons to images.')),
  default_category: labelled(shared.integer('ID of the default category of posts.')),
  default_post_format: labelled(shared.text('Default format of posts.')),
  posts_per_page: labelled(shared.integer('Maximum number of posts per page of the blog.'), 'Maximum posts per page'),
  show_on_front: labelled(shared.text('What the front page shows.'), 'Show on front'),
  page_on_front: labelled(shared.integer('ID of the static front page.'), 'Page on front'),
  page_for_posts: labelled(shared.integer('ID of the page that shows the latest posts.')),
  default_ping_status: labelled(shared.choice('Whether pings are open on new posts.', shared.OPEN_OR_CLOSED)),
  default_comment_status: labelled(
    shared.choice('Whether comments are open on new posts.', shared.OPEN_OR_CLOSED),
    'Allow comments on new posts',
  ),
  site_logo: labelled(shared.integer('ID of the image used as logo.'), 'Logo'),
  site_icon: labelled(shared.integer('ID of the image used as icon.'), 'Icon'),
};

const SETTING_FIELDS: Args = Object.fromEntries(
  Object.entries(SETTING_ARGS).map(([name, arg]) => [name, { ...shared.checkedFirst(name, arg), sanitize: orNull(name, arg) }]),
);

/** WP: the defaults that settings are registered with; others have null. */
const DEFAULTS = new Map<string, Json>(Object.entries({ language: 'en_US', use_smilies: true, posts_per_page: 10 }));

/** WP: settings are in no context. */
const SETTINGS_SCHEMA = resourceSchema(
  'settings',
  Object.fromEntries(Object.entries(SETTING_ARGS).map(([name, arg]) => [name, { ...arg, default: DEFAULTS.get(name) ?? null }])),
  {},
);

declare module '../../types/hooks.js' {
  interface Hooks {
    /** Settings of plugins, which are shown after all others. What is sent for them is ignored. */
    shownSettings: Readonly<Record<string, Json>>;
  }
}

type Kind = 'text' | 'number' | 'flag';

/** A setting: its option, its default, and how a new value is stored. */
interface Setting {
  option: string;
  kind: Kind;
  /** The value if it was never set. */
  usual: Json | ((site: Site) => Json);
  /** The value after it was deleted (WP: the default of registered settings). */
  deleted?: Json;
  /** Whether it has no row until it is set (WP). */
  isAbsent?: boolean;
  /** The value to store; undefined for one that is ignored (WP). */
  clean?: (value: Json, site: Site) => string | undefined;
}

const text = (option: string, usual: Setting['usual'], more: Partial<Setting> = {}): Setting => ({ option, kind: 'text', usual, ...more });

const stored = (value: Json): string => (typeof value === 'boolean' ? (value ? '1' : '') : toStr(value));

const count = (option: string, usual: Json, more: Partial<Setting> = {}): Setting => ({
  option,
  kind: 'number',
  usual,
  clean: (value) => String(absint(value)),
  ...more,
});

const html = (value: Json): string => escHtml(toStr(value));

/** WP: date formats keep everything but markup. */
const letters = (value: Json): string => ksesPost(stripTags(toStr(value)), PAGE_RULES);

/** WP: only identifiers of zones and empty values are accepted; others are ignored. */
function cleanZone(value: Json, { zones }: Site): string | undefined {
  const name = toStr(value);
  return name === '' || zones.resolve(name)?.kind === 'identifier' ? name : undefined;
}

/** WP: an invalid number of posts becomes 1; -1 means all. */
function cleanPageSize(value: Json): string {
  const size = Math.trunc(Number(value));
  if (size === 0 || Number.isNaN(size)) return '1';
  return String(size < -1 ? -size : size);
}

/** The URL of a site is set when the server is started. */
const never = (): undefined => undefined;

/** The settings of a site by their names in the API. */
const SETTINGS: Record<string, Setting> = lookup({
  title: text('blogname', (site) => site.options.name, { clean: html }),
  description: text('blogdescription', (site) => site.options.description, { clean: html }),
  url: text('siteurl', (site) => site.coreUrl, { clean: never }),
  email: text('admin_email', 'admin@example.org'),
  timezone: text('timezone_string', (site) => site.options.timezoneString, { clean: cleanZone }),
  date_format: text('date_format', 'F j, Y', { clean: letters }),
  time_format: text('time_format', 'g:i a', { clean: letters }),
  start_of_week: count('start_of_week', 1),
  // WP: only installed languages are accepted.
  language: text('WPLANG', 'en_US', { deleted: 'en_US', isAbsent: true, clean: (value) => (value === '' ? '' : undefined) }),
  use_smilies: { option: 'use_smilies', kind: 'flag', usual: true, deleted: true },
  default_category: count('default_category', 1),
  default_post_format: text('default_post_format', '0'),
  posts_per_page: count('posts_per_page', 10, { deleted: 10, clean: cleanPageSize }),
  show_on_front: text('show_on_front', 'posts'),
  page_on_front: count('page_on_front', 0),
  page_for_posts: count('page_for_posts', 0),
  default_ping_status: text('default_ping_status', 'open'),
  default_comment_status: text('default_comment_status', 'open'),
  site_logo: count('site_logo', null, { isAbsent: true }),
  site_icon: count('site_icon', 0),
});

/** The settings of a site. WP: in a network, the API has neither its address nor that of the administrator. */
const settingsOf = ({ options }: Site): [name: string, setting: Setting][] =>
  Object.entries(SETTINGS).filter(([name]) => !options.isInNetwork || (name !== 'url' && name !== 'email'));

/** The settings in the API, each with its row of the options table. */
export const SETTING_ROWS = Object.entries(SETTINGS).map(([name, { option }]) => ({ name, option }));

function cast(value: unknown, kind: Kind): Json {
  if (kind === 'number') return Math.trunc(Number(value));
  // WP: a flag that is off is stored as an empty text, which is not a boolean when it is read back.
  if (kind === 'flag') return value === '' ? null : toBool(value);
  return toStr(value);
}

function shownValue({ option, kind, usual, deleted = null }: Setting, rows: Map<string, unknown>, site: Site): Json {
  if (option === 'siteurl' || !rows.has(option) || rows.get(option) === false) return typeof usual === 'function' ? usual(site) : usual;
  const value = rows.get(option);
  return value === null || value === undefined ? deleted : cast(value, kind);
}

async function storedRows({ site }: CallContext): Promise<Map<string, unknown>> {
  return new Map((await site.store.options.find({}).toArray()).map(({ _id, value }) => [_id, value]));
}

async function showSettings(context: CallContext): Promise<RestResponse> {
  const { site } = context;
  const rows = await storedRows(context);
  const shown = Object.fromEntries(settingsOf(site).map(([name, setting]) => [name, shownValue(setting, rows, site)]));
  return new RestResponse(Object.assign(shown, ...site.registry.hooks('shownSettings')));
}

/** The sent value of a setting, including null; undefined if it was not sent. */
const sent = ({ request }: CallContext, name: string): Json | undefined =>
  request.orderedSources.find((source) => Object.hasOwn(source, name))?.[name];

/** WP: a setting that is not stored cannot be deleted. @throws RestError */
function refuseAbsent(name: string, { option, isAbsent = false }: Setting, rows: Map<string, unknown>): void {
  const value = rows.has(option) ? rows.get(option) : isAbsent ? null : '';
  if (value !== null && value !== undefined && value !== false) return;
  const message = `The ${name} property has an invalid stored value, and cannot be updated to null.`;
  throw new RestError('rest_invalid_stored_value', message, 500);
}

/** Stores the sent settings. WP: null deletes a setting; unknown settings and invalid values are silently ignored. */
async function updateSettings(context: CallContext): Promise<RestResponse> {
  const { site } = context;
  const rows = await storedRows(context);
  const changes = settingsOf(site).flatMap(([name, setting]) => {
    const { option, clean = stored } = setting;
    const value = sent(context, name);
    if (value === undefined || (value === null && clean === never)) return [];
    if (value === null) refuseAbsent(name, setting, rows);
    const next = value === null ? null : clean(value, site);
    return next === undefined ? [] : [{ collection: 'options', update: option, change: { $set: { value: next } }, upsert: true }];
  });
  if (changes.length > 0) {
    // Serialized, so that the result of an earlier read does not overwrite a later one.
    await withLock(site.store, 'settings', async () => {
      await site.store.writeTogether(changes);
      await site.reload();
    });
  }
  const response = await showSettings(context);
  // WP: within the request that switches a flag off, its value is still a boolean.
  const off = Object.keys(SETTINGS).filter((name) => SETTINGS[name].kind === 'flag' && sent(context, name) === false);
  Object.assign(response.body as object, Object.fromEntries(off.map((name) => [name, false])));
  return response;
}

const mayManageSettings: Permission = ({ request: { user } }) => can(user, 'manage_options');

/** Routes of the settings of the site, for administrators. */
export const settingsRoutes = (): Route[] => [
  described(
    route(
      '/settings',
      get({}, { permission: mayManageSettings, handler: showSettings }),
      edit(SETTING_FIELDS, { permission: mayManageSettings, handler: updateSettings }),
    ),
    SETTINGS_SCHEMA,
  ),
];
