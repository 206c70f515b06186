import type { Administrator } from '../../transfer/load/administrator.js';

/** Describes an administrator to the user, as lines. */
export function describeAdministrator({ login, password, isNew, opensPages }: Administrator): string[] {
  const does = opensPages ? 'signs in at /wp-login.php as well' : 'does not sign in at /wp-login.php: there the account password does';
  return [
    `${isNew ? 'An administrator was created.' : 'The password given was set for the first administrator.'} Login: ${login}, application password: ${password}`,
    `The password ${does}. It is not shown again.`,
  ];
}
