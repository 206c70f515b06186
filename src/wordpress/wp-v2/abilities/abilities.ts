import type { CallContext, Json, Schema } from '../../rest/route.js';
import type { QuirkName } from '../../quirks.js';
import type { Site } from '../../site.js';
import type { User } from '../../model.js';
import { can } from '../../users/capabilities.js';
import { localeOf, rolesOf } from '../users/user-write.js';

/** A field in the result of an ability. */
interface ResultField {
  title: string;
  description: string;
  /** Default: a text. */
  schema?: Schema;
}

/** Action that programs can request from a site. WP: its own abilities only read. */
export interface Ability {
  name: string;
  label: string;
  description: string;
  category: string;
  result: Readonly<Record<string, ResultField>>;
  /** Whether a caller may run it. */
  isAllowed: (user: User | null) => boolean;
  /** The whole result. @param user who may run it */
  run: (site: Site, user: User) => Record<string, Json>;
  /** The quirk under which it does not exist. */
  absentUnder?: QuirkName;
  /** The quirk under which it takes no input, and its result promises all fields. */
  fixedUnder?: QuirkName;
}

export interface AbilityCategory {
  slug: string;
  label: string;
  description: string;
}

const SITE = 'site';
const USER = 'user';

export const CATEGORIES: readonly AbilityCategory[] = [
  { slug: SITE, label: 'Site', description: 'What concerns the site and its settings.' },
  { slug: USER, label: 'User', description: 'What concerns users and their settings.' },
];

const field = (title: string, description: string, schema?: Schema): ResultField => ({ title, description, ...(schema && { schema }) });

const ENVIRONMENTS = ['production', 'staging', 'development', 'local'];

/** Runtime of the recorded site. */
const RUNTIME = { environment: 'local', php_version: '8.2.36', db_server_info: '10.11.19-MariaDB-0+deb12u1' };

const managesSite = (user: User | null): boolean => can(user, 'manage_options');

/** In order of registration. */
const ABILITIES: readonly Ability[] = [
  {
    name: 'core/get-site-info',
    label: 'Get Site Information',
    description: 'Returns what is set for the site: all fields, or those that are named.',
    category: SITE,
    result: {
      name: field('Site Title', 'Title of the site.'),
      description: field('Tagline', 'Tagline of the site.'),
      url: field('Site URL', 'URL of the home page.'),
      wpurl: field('WordPress URL', 'URL of the WordPress installation.'),
      admin_email: field('Administrator Email', 'Email address of the administrator.'),
      charset: field('Charset', 'Character encoding of the site.'),
      language: field('Language', 'Language tag of the site.'),
      version: field('WordPress Version', 'Version of WordPress.'),
    },
    isAllowed: managesSite,
    run: ({ options, url, wordpressRelease }) => ({
      name: options.name,
      description: options.description,
      url,
      wpurl: url,
      admin_email: options.adminEmail,
      charset: 'UTF-8',
      language: (options.locale || 'en_US').replaceAll('_', '-'),
      version: wordpressRelease,
    }),
  },
  {
    name: 'core/get-user-info',
    label: 'Get User Information',
    description: 'Returns the profile of the signed-in user: all fields, or those that are named.',
    category: USER,
    result: {
      id: field('User ID', 'ID of the user.', { type: 'integer' }),
      display_name: field('Display Name', 'Name that others see.'),
      user_nicename: field('User Nicename', 'Name in URLs.'),
      user_login: field('Username', 'Name for signing in.'),
      roles: field('Roles', 'Roles of the user.', { type: 'array', items: { type: 'string' } }),
      locale: field('Language', 'Locale of the user, such as en_US.'),
      first_name: field('First Name', 'First name.'),
      last_name: field('Last Name', 'Last name.'),
      nickname: field('Nickname', 'Nickname; by default the username.'),
      description: field('Biographical Info', 'What users say about themselves.'),
      user_url: field('Website', 'Website of the user.'),
    },
    isAllowed: (user) => user !== null,
    run: (site, user) => ({
      id: user._id,
      display_name: user.displayName,
      user_nicename: user.nicename,
      user_login: user.login,
      roles: rolesOf(user),
      locale: localeOf(user, site),
      first_name: user.firstName ?? '',
      last_name: user.lastName ?? '',
      nickname: user.nickname ?? user.login,
      description: user.description ?? '',
      user_url: user.url,
    }),
    absentUnder: 'no-user-info-ability',
  },
  {
    name: 'core/get-environment-info',
    label: 'Get Environment Info',
    description: 'Returns what the site runs on: all fields, or those that are named.',
    category: SITE,
    result: {
      environment: field('Environment', 'Kind of environment.', { type: 'string', enum: ENVIRONMENTS }),
      php_version: field('PHP Version', 'Version of PHP.'),
      db_server_info: field('Database Server', 'Vendor and version of the database.'),
      wp_version: field('WordPress Version', 'Version of WordPress.'),
    },
    isAllowed: managesSite,
    run: ({ wordpressRelease }) => ({ ...RUNTIME, wp_version: wordpressRelease }),
    fixedUnder: 'environment-takes-no-input',
  },
];

const isUnder = (quirk: QuirkName | undefined, { quirks }: Site): boolean => quirk !== undefined && quirks.has(quirk);

/** The abilities of a site, in order of registration. */
export const abilitiesOf = (site: Site): Ability[] => ABILITIES.filter(({ absentUnder }) => !isUnder(absentUnder, site));

export const namedAbility = ({ request, site }: CallContext): Ability | undefined =>
  abilitiesOf(site).find(({ name }) => name === request.get('name'));

export const inputSchema = ({ result, fixedUnder }: Ability, site: Site): Schema | null =>
  isUnder(fixedUnder, site)
    ? null
    : {
        type: 'object',
        properties: {
          fields: {
            type: 'array',
            items: { type: 'string', enum: Object.keys(result) },
            description: 'The fields to return; all of them if none is named.',
          },
        },
        additionalProperties: false,
        default: {},
      };

export function outputSchema({ result, fixedUnder }: Ability, site: Site): Json {
  const isTitled = !site.quirks.has('untitled-ability-results');
  const properties = Object.entries(result).map(([name, { title, description, schema }]): [string, Json] => [
    name,
    { type: 'string', ...(isTitled ? { title } : {}), description, ...(schema as Record<string, Json> | undefined) },
  ]);
  return {
    type: 'object',
    ...(isUnder(fixedUnder, site) ? { required: Object.keys(result) } : {}),
    properties: Object.fromEntries(properties),
    additionalProperties: false,
  };
}

/** Facts about an ability besides its schemas. */
export const metaOf = ({ quirks }: Site): Record<string, Json> => ({
  annotations: { readonly: true, destructive: false, idempotent: true },
  ...(quirks.has('no-public-abilities') ? {} : { public: true }),
  show_in_rest: true,
});
