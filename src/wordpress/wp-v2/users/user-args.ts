import { toStr } from '../../../base/php/cast.js';
import { Refused, type Args, type Json, type Schema } from '../../rest/route.js';
import type { PostType } from '../../types/post-type.js';
import type { Registry } from '../../types/registry.js';
import * as shared from '../args.js';
import { fields as writable, oddSchema, AVATAR_URLS, EDIT_ONLY, NOT_EMBEDDED, resourceSchema, shown } from '../declare.js';

const anyOfTypes = (types: readonly PostType[]): Schema =>
  oddSchema({ type: 'string', enum: Object.fromEntries(types.map(({ name }) => [name, name])) });

export const userFilters = ({ postTypes }: Registry) =>
  ({
    ...shared.paged(10),
    search: shared.search,
    exclude: shared.exclude,
    include: shared.include,
    offset: shared.offset,
    order: shared.order('asc'),
    orderby: shared.orderby('name', ['id', 'include', 'name', 'registered_date', 'slug', 'include_slugs', 'email', 'url']),
    slug: shared.slugs,
    roles: shared.texts('Only users with any of these roles.'),
    capabilities: shared.texts('Only users with any of these capabilities.'),
    who: shared.choice('Only users who are considered authors.', ['authors']),
    has_published_posts: {
      description: 'Only users with published posts, of any or of these post types.',
      type: ['boolean', 'array'],
      items: anyOfTypes(postTypes),
      under: Object.fromEntries(
        postTypes.flatMap(({ absentUnder }) =>
          absentUnder ? [[absentUnder, { items: anyOfTypes(postTypes.filter((type) => type.absentUnder !== absentUnder)) }]] : [],
        ),
      ),
    },
    search_columns: shared.list(
      'Columns to search.',
      { enum: ['email', 'name', 'id', 'username', 'slug'], type: 'string' },
      { default: [] },
    ),
  }) satisfies Args;

const refused = (code: string, message: string): Refused => new Refused({ code, message, data: { status: 400 } });

/** WP: the characters allowed in logins. */
function cleanUsername(value: Json): string | Refused {
  const login = toStr(value);
  if (/^[a-z0-9_.@-]+(?: [a-z0-9_.@-]+)*$/i.test(login)) return login;
  const message = 'This username is invalid because it uses illegal characters. Please enter a valid username.';
  return refused('rest_user_invalid_username', message);
}

function cleanPassword(value: Json): string | Refused {
  const secret = toStr(value);
  if (secret === '') return refused('rest_user_invalid_password', 'Passwords cannot be empty.');
  return secret.includes('\\') ? refused('rest_user_invalid_password', 'Passwords cannot contain the "\\" character.') : secret;
}

export const USER_FIELDS = writable({
  username: shared.text('Login name.', { required: true, sanitize: cleanUsername }),
  name: shared.text('Display name.'),
  first_name: shared.text('First name.'),
  last_name: shared.text('Last name.'),
  email: shared.text('Email address.', { format: 'email', required: true }),
  url: shared.text('URL of the user.', { format: 'uri' }),
  description: shared.text('Biographical information of the user.'),
  locale: shared.choice('Locale of the user.', ['', 'en_US']),
  nickname: shared.text('Nickname.'),
  slug: shared.text('Slug of the user.'),
  roles: shared.texts('Roles of the user.'),
  password: shared.text('Password, which is never returned.', { required: true, sanitize: cleanPassword }),
  meta: shared.metaField({
    persisted_preferences: {
      type: 'object',
      title: '',
      description: '',
      default: [],
      context: ['edit'],
      properties: {
        _modified: { description: 'Date of the last change of the preferences.', type: 'string', format: 'date-time', readonly: false },
      },
      additionalProperties: true,
    },
  }),
});

const { username, name, first_name, last_name, email, url, description, locale, nickname, slug, roles, password, meta } = USER_FIELDS;

export const USER_SCHEMA = resourceSchema(
  'user',
  {
    id: shown('ID of the user.', { type: 'integer' }),
    username,
    name,
    first_name,
    last_name,
    email,
    url,
    description,
    link: shown('URL of the author page.', { format: 'uri' }),
    locale,
    nickname,
    slug,
    registered_date: shown('Registration date of the user.', { format: 'date-time' }),
    roles,
    password,
    capabilities: shown('All capabilities of the user.', { type: 'object' }),
    extra_capabilities: shown('Additional capabilities of the user, including roles.', { type: 'object' }),
    avatar_urls: shown('Avatar URLs of the user by size.', AVATAR_URLS),
    meta,
  },
  {
    ...Object.fromEntries(
      ['id', 'name', 'url', 'description', 'link', 'slug', 'avatar_urls'].map((field) => [field, ['embed', 'view', 'edit']]),
    ),
    meta: NOT_EMBEDDED,
    password: [],
  },
  EDIT_ONLY,
);
