import type { User } from '../../wordpress/model.js';
import { FIRST_START, firstStartCredential, generatePassword, hasPassword, newApplicationPassword } from '../../wordpress/users/users.js';

/** An administrator whose password is known. It is shown only when it is set. */
export interface Administrator {
  login: string;
  password: string;
  /** Whether the user was created: false for an administrator of the content. */
  isNew: boolean;
  /** Whether the password is also good for `/wp-login.php`: unless the content has an account password. */
  opensPages: boolean;
}

const withPassword = (user: User, password: string, created: number): User => ({
  ...user,
  applicationPasswords: [...user.applicationPasswords, newApplicationPassword(FIRST_START, password, created)],
});

const describe = (user: User, password: string, isNew: boolean): Administrator => ({
  login: user.login,
  password,
  isNew,
  opensPages: firstStartCredential(user, password) !== undefined,
});

/**
 * Creates the administrator of a site that has none. WP: the installer creates one.
 * @param users the other users
 * @param created creation date, epoch seconds
 * @param password the application password; random by default
 */
export function makeAdministrator(
  users: readonly User[],
  siteUrl: string,
  created: number,
  password = generatePassword(),
): { user: User; administrator: Administrator } {
  const login = users.some((user) => user.login.toLowerCase() === 'admin') ? 'administrator' : 'admin';
  const nobody: User = {
    _id: users.reduce((highest, { _id }) => Math.max(highest, _id), 0) + 1,
    login,
    email: 'admin@example.org',
    displayName: login,
    nicename: login,
    url: siteUrl,
    role: 'administrator',
    superAdmin: true,
    applicationPasswords: [],
  };
  const user = withPassword(nobody, password, created);
  return { user, administrator: describe(user, password, true) };
}

/** Gives the first administrator of a site a password, besides those that the content has. */
export function admitAdministrator(
  administrators: readonly User[],
  password: string,
  created: number,
): { user: User; administrator: Administrator } {
  const first = administrators.reduce((found, user) => (user._id < found._id ? user : found));
  const user = hasPassword(first, password) ? first : withPassword(first, password, created);
  return { user, administrator: describe(user, password, false) };
}
