import { PLUGINS_OPTION, releaseOption, WORDPRESS } from '../../../wordpress/quirks.js';
import { CALENDAR } from '../../../plugins/the-events-calendar/quirks/version.js';
import { decodeEntities } from '../../../wordpress/formatting/decode-entities.js';
import { escHtml } from '../../../wordpress/formatting/entities.js';
import type { User } from '../../../wordpress/model.js';
import { CALENDAR_OPTION } from '../../../plugins/the-events-calendar/model/options.js';
import { hashDatasetPassword, newApplicationPassword } from '../../../wordpress/users/users.js';
import type { Problems } from '../../source.js';
import { IN_SITE, PAGE_SETTINGS, settingsIn, withSettings, type Settings } from '../../settings/settings.js';
import { fieldsOfItem } from './rest-fields/declared.js';
import { NO_ROLE, type DeclaredSite, type DeclaredUser } from './declaration.js';

export type Entries = Record<string, unknown>;

/** Removes undefined and empty values. */
export const omitEmpty = (fields: Entries): Entries =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)),
  );

/** Removes undefined options, so that the defaults of WordPress and the plugin apply. */
const given = (options: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));

/** The settings of comments: switches and lists of words. */
const FLAGS = ['comment_moderation', 'comment_previously_approved', 'require_name_email'] as const;
const WORDS = ['moderation_keys', 'disallowed_keys'] as const;

/** The settings of comments in the `site` of a file. */
function commentSettings(options: Record<string, unknown>): Record<string, unknown> {
  const links = Number(options['comment_max_links'] ?? NaN);
  const words = (value: unknown): string[] => (typeof value === 'string' ? value.split('\n').filter((word) => word.trim() !== '') : []);
  return given({
    ...Object.fromEntries(FLAGS.map((flag) => [flag, options[flag] === undefined ? undefined : Number(options[flag]) === 1])),
    comment_max_links: Number.isInteger(links) && links >= 0 ? links : undefined,
    ...Object.fromEntries(WORDS.map((list) => [list, words(options[list])])),
  });
}

/** The option with the plugins of a site. @param needed those that its content needs */
export const pluginsOption = (site: DeclaredSite, needed: readonly string[]): Record<string, unknown> => ({
  [PLUGINS_OPTION]: [...new Set([...(site?.plugins ?? []), ...needed])],
});

/** A name or tagline of a site in the form of the database. WP: escaped, as `sanitize_option` leaves it. */
export const storedText = (text: string | undefined): string | undefined => (text === undefined ? undefined : escHtml(text));

/** The inverse of `storedText`; a text that it does not make remains as it is. */
export function plainText(stored: unknown): string | undefined {
  if (typeof stored !== 'string') return undefined;
  const plain = decodeEntities(stored);
  return escHtml(plain) === stored ? plain : stored;
}

/** The time zone of a site, for its dates. */
export const zoneOfSite = (site: DeclaredSite): string => site?.timezone || (site?.settings?.['timezone'] as string | undefined) || 'UTC';

/**
 * The settings of a file, with the ids of pages.
 * @param pageOf finds a page by its slug, title or id; undefined after a problem
 */
export function siteSettings(site: DeclaredSite, pageOf: (reference: string | number, at: string) => number | undefined): Settings {
  const { settings = {}, ...besides } = site ?? {};
  const pages = PAGE_SETTINGS.flatMap((name) =>
    settings[name] === undefined ? [] : [[name, pageOf(settings[name] as string | number, `site.settings.${name}`)]],
  );
  const own = IN_SITE.map((name) => [name, besides[name] === '' ? undefined : besides[name]]);
  return given({ ...settings, ...Object.fromEntries(pages), ...given(Object.fromEntries(own) as Settings) });
}

/** The `settings` of a file for some options. @param pageOf how a file refers to the page with an id */
function settingsEntry(options: Record<string, unknown>, pageOf: (id: number) => string | number | undefined): Settings | undefined {
  const entries = Object.entries(settingsIn(options)).flatMap(([name, value]) => {
    const shown = PAGE_SETTINGS.includes(name) ? pageOf(value as number) : value;
    return shown === undefined || IN_SITE.some((other) => other === name) ? [] : [[name, shown]];
  });
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as Settings);
}

/** The `site` of a file for some options. @param zone of the site, for its dates @param pageOf how a file refers to the page with an id */
export function siteEntry(options: Entries, zone: string, pageOf: (id: number) => string | number | undefined): Entries | undefined {
  const calendar = (options[CALENDAR_OPTION] ?? {}) as Entries;
  const position = calendar['reverseCurrencyPosition'];
  const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
  const currency = omitEmpty({
    symbol: text(calendar['defaultCurrencySymbol']),
    code: text(calendar['defaultCurrencyCode']),
    position: position === undefined ? undefined : position ? 'postfix' : 'prefix',
  });
  const perPage = Number(options['posts_per_page']);
  const plugins = options[PLUGINS_OPTION];
  const site = omitEmpty({
    name: plainText(options['blogname']),
    description: plainText(options['blogdescription']),
    admin_email: text(options['admin_email']),
    timezone: options['timezone_string'] === undefined && options['gmt_offset'] === undefined ? undefined : zone,
    posts_per_page: Number.isInteger(perPage) && perPage > 0 ? perPage : undefined,
    currency: Object.keys(currency).length > 0 ? currency : undefined,
    ...commentSettings(options),
    settings: settingsEntry(options, pageOf),
    plugins: Array.isArray(plugins) ? plugins : undefined,
    jwt_secret: text(options['jwt_secret']),
    wordpress: text(options[releaseOption(WORDPRESS.name)]),
    tec_version: text(options[releaseOption(CALENDAR)]),
    zones: text(options['zone_release']),
  });
  return Object.keys(site).length > 0 ? site : undefined;
}

/** The `site` of a file, with the address of the site if the content has links to it. Readers rewrite them. */
export function withAddress(site: unknown, content: Entries, siteUrl: string): Entries {
  const url = siteUrl !== '' && JSON.stringify(content).includes(siteUrl) ? { url: siteUrl } : {};
  const all = { ...(site as Entries | undefined), ...url };
  return Object.keys(all).length > 0 ? { site: all } : {};
}

/** Converts the `site` of a file to options. */
export function siteOptions(site: DeclaredSite, settings: Settings): Record<string, unknown> {
  const { name, description, admin_email, currency, tec_version, wordpress, zones, plugins, jwt_secret } = site ?? {};
  const calendar = given({
    defaultCurrencySymbol: currency?.symbol,
    defaultCurrencyCode: currency?.code,
    reverseCurrencyPosition: currency?.position === undefined ? undefined : currency.position === 'postfix',
  });
  const comments = Object.fromEntries(FLAGS.map((flag) => [flag, site?.[flag] === undefined ? undefined : site[flag] ? '1' : '0']));
  return withSettings(settings, {
    ...given(comments),
    ...given({
      comment_max_links: site?.comment_max_links,
      ...Object.fromEntries(WORDS.map((list) => [list, site?.[list]?.join('\n')])),
    }),
    ...given({
      blogname: storedText(name),
      blogdescription: storedText(description),
      admin_email,
      zone_release: zones,
      jwt_secret,
      [PLUGINS_OPTION]: plugins,
    }),
    ...given({ [releaseOption(CALENDAR)]: tec_version, [releaseOption(WORDPRESS.name)]: wordpress }),
    [CALENDAR_OPTION]: calendar,
  });
}

/**
 * Converts the users of a file to documents. Only hashes of the passwords are stored.
 * @param now creation date of users and application passwords, epoch seconds
 */
export function userDocuments(
  users: readonly DeclaredUser[],
  ids: readonly number[],
  slugs: readonly string[],
  now: number,
  problems: Problems,
): Promise<User[]> {
  return Promise.all(
    users.map(
      async ({ login, email, name, url, avatar, role, super_admin, password, application_password, fields }, index): Promise<User> => ({
        _id: ids[index],
        login,
        email: email ?? `${slugs[index]}@example.org`,
        displayName: name ?? login,
        nicename: slugs[index],
        url: url ?? '',
        ...given({ avatar }),
        role: role === NO_ROLE ? '' : role,
        ...(super_admin ? { superAdmin: true } : {}),
        registered: now,
        ...fieldsOfItem({ fields }, 'user', `users[${index}]`, problems),
        ...(password === undefined ? {} : { passwordHash: await hashDatasetPassword(login, password) }),
        applicationPasswords: application_password === undefined ? [] : [newApplicationPassword('Dataset', application_password, now)],
      }),
    ),
  );
}
