import { can } from '../../users/capabilities.js';
import { capabilitiesOf } from '../../users/roles.js';
import type { User } from '../../model.js';
import type { Site } from '../../site.js';
import { authorUrl, avatarUrl } from '../../links.js';
import { allowHints } from '../posts/post-links.js';
import { AVATAR_SIZES } from '../schemas.js';
import type { Context } from '../../rest/params.js';
import { withRestFields } from '../../rest/rest-fields/shown.js';
import type { Json } from '../../rest/route.js';

/** WP: pictures of users are at Gravatar, by the hash of their address. */
export const avatars = (email: string, sizes: readonly number[] = AVATAR_SIZES): Record<string, string> =>
  Object.fromEntries(sizes.map((size) => [size, avatarUrl(email, size)]));

/** WP: everybody edits themselves, administrators everybody. */
export const canEditUser = (caller: User | null, user: User): boolean => caller?._id === user._id || can(caller, 'edit_users');

export const canDeleteUser = (caller: User | null): boolean => can(caller, 'delete_users');

const flags = (names: string[]): Record<string, true> => Object.fromEntries(names.map((name) => [name, true]));

const iso = (epoch: number): string => new Date(epoch * 1000).toISOString().replace('.000Z', '+00:00');

/** WP: the language of the site, unless users have chosen another one. */
export const localeOf = ({ locale }: User, { options }: Site): string => locale || options.locale || 'en_US';

/** WP: roles of a user. */
export const rolesOf = ({ role }: User): string[] => (role === '' ? [] : [role]);

/** Fields that only callers see who may edit the user. */
const ownFields = (user: User, site: Site): Record<string, Json> => ({
  username: user.login,
  first_name: user.firstName ?? '',
  last_name: user.lastName ?? '',
  email: user.email,
  locale: localeOf(user, site),
  nickname: user.nickname ?? user.login,
  roles: rolesOf(user),
  registered_date: iso(user.registered ?? 0),
  capabilities: flags(capabilitiesOf(user.role, site.registry)),
  extra_capabilities: user.role === '' ? {} : { [user.role]: true },
});

/** How a user is shown: in which context, and to whom. `isReadable` says that the caller may also read the user alone. */
export interface UserView {
  site: Site;
  context: Context;
  caller: User | null;
  isReadable: boolean;
}

/** A user as the core API shows them. */
export function presentUser(user: User, view: UserView): Record<string, Json> {
  const { site, context, caller, isReadable } = view;
  const base = site.restUrl('/wp/v2/users');
  const editing = context === 'edit';
  const allow = allowHints(canEditUser(caller, user), canDeleteUser(caller));
  const fields = {
    id: user._id,
    name: user.displayName,
    url: user.url,
    description: user.description ?? '',
    link: authorUrl(site, user),
    slug: user.nicename,
    ...(editing ? ownFields(user, site) : {}),
    ...(site.options.showsAvatars ? { avatar_urls: avatars(user.email) } : {}),
    ...(context === 'embed' ? {} : { meta: editing ? { persisted_preferences: [] } : [] }),
  };
  return {
    ...withRestFields(fields, user, 'user', { site, context, user: caller }, () => canEditUser(caller, user)),
    _links: {
      self: [{ href: `${base}/${user._id}`, ...(isReadable ? { targetHints: { allow } } : {}) }],
      collection: [{ href: base }],
    },
  };
}
