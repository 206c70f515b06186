import type { User } from '../../wp/model.js';
import { generatePassword, newApplicationPassword } from '../../wp/users/users.js';

/** The administrator that a first start creates, with the application password that is told only then. */
export interface Administrator {
  login: string;
  password: string;
}

/**
 * WordPress's installer makes an administrator; so does a site that comes without one.
 * @param users who there is besides
 * @param password the application password; made up when absent
 * @param created epoch seconds
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
