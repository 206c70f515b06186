import { toStr } from '../../php/cast.js';
import { Refused, type Args, type Json, type Schema } from '../../rest/route.js';
import type { PostType } from '../../wp/types/post-type.js';
import { postTypes } from '../../wp/types/registry.js';
import * as shared from '../args.js';
import { fields as writable, oddSchema } from '../declare.js';
import { EDIT_ONLY, NOT_EMBEDDED, resourceSchema, shown } from '../schemas.js';

const anyOfTypes = (types: readonly PostType[]): Schema =>
  oddSchema({ type: 'string', enum: Object.fromEntries(types.map(({ name }) => [name, name])) });

export const userFilters = () =>
  ({
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
      items: anyOfTypes(postTypes()),
      under: Object.fromEntries(
        postTypes().flatMap(({ absentUnder }) =>
          absentUnder ? [[absentUnder, { items: anyOfTypes(postTypes().filter((type) => type.absentUnder !== absentUnder)) }]] : [],
        ),
      ),
    },
    search_columns: shared.list(
      'Columns in which to search.',
      { enum: ['email', 'name', 'id', 'username', 'slug'], type: 'string' },
      { default: [] },
    ),
  }) satisfies Args;

const refused = (code: string, message: string): Refused => new Refused({ code, message, data: { status: 400 } });

/** WP: logins are made of a few signs only. */
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
  username: shared.text('Name to sign in with.', { required: true, sanitize: cleanUsername }),
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
  password: shared.text('Password; it is never shown.', { required: true, sanitize: cleanPassword }),
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
});

export const DELETION_ARGS = {
  force: shared.flag('Must be true: users cannot be trashed.', { default: false }),
  reassign: shared.integer('ID of the user who inherits the posts.', { required: true }),
};

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
    link: shown('Address of the page of the author.', { format: 'uri' }),
    locale,
    nickname,
    slug,
    registered_date: shown('When the account was created.', { format: 'date-time' }),
    roles,
    password,
    capabilities: shown('All capabilities of the user.', { type: 'object' }),
    extra_capabilities: shown('Additional capabilities of the user, including roles.', { type: 'object' }),
    avatar_urls: shown('Addresses of pictures of the user, by size.', { type: 'object' }),
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
