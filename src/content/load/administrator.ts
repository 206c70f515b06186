import type { User } from '../../wp/model.js';
import { generatePassword, newApplicationPassword } from '../../wp/users/users.js';

/** The administrator that the first start creates. The application password is shown only then. */
export interface Administrator {
  login: string;
  password: string;
}

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
  const user: User = {
    _id: users.reduce((highest, { _id }) => Math.max(highest, _id), 0) + 1,
    login,
    email: 'admin@example.org',
    displayName: login,
    nicename: login,
    url: siteUrl,
    role: 'administrator',
    applicationPasswords: [newApplicationPassword('First start', password, created)],
  };
  return { user, administrator: { login, password } };
}
