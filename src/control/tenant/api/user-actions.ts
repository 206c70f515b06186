import { Clock } from '../../../wordpress/clock.js';
import type { User } from '../../../wordpress/model.js';
import type { Store } from '../../../wordpress/store.js';
import { addUser, listUsers, removeUser, setAccountPassword, setApplicationPassword } from '../../../wordpress/users/users.js';

/** Arguments of `understudy users`. */
export interface UserCall {
  role?: string | undefined;
  email?: string | undefined;
  displayName?: string | undefined;
  accountPassword?: string | undefined;
  keep?: boolean;
  reassign?: string | undefined;
  json?: boolean;
}

export const USER_ACTION_NAMES = ['add', 'list', 'password', 'remove'] as const;
export type UserActionName = (typeof USER_ACTION_NAMES)[number];

/** @returns the text to print @throws UserError */
type UserAction = (store: Store, login: string, call: UserCall) => Promise<string>;

async function newPasswordLines(store: Store, login: string, keep: boolean): Promise<string> {
  const password = await setApplicationPassword(store, login, { name: 'Command line', keep, created: new Clock().seconds() });
  return `Application password: ${password}\nThe password is not shown again.`;
}

const asJson = (users: readonly User[]): string =>
  JSON.stringify(
    users.map((user) => ({
      id: user._id,
      login: user.login,
      role: user.role,
      name: user.displayName,
      email: user.email,
      account_password: user.passwordHash !== undefined,
      application_passwords: user.applicationPasswords.map(({ name, created }) => ({
        name,
        created: new Date(created * 1000).toISOString(),
      })),
    })),
    null,
    2,
  );

/** Aligns the columns of a table. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const asTable = (users: readonly User[]): string =>
  table([
    ['ID', 'LOGIN', 'ROLE', 'NAME', 'EMAIL', 'APPLICATION PASSWORDS'],
    ...users.map((user) => [
      String(user._id),
      user.login,
      user.role,
      user.displayName,
      user.email,
      user.applicationPasswords.map(({ name }) => name).join(', ') || 'none',
    ]),
  ]);

/** The actions of `understudy users`, in this process or in the server that runs on the data folder. */
export const USER_ACTIONS: Record<UserActionName, UserAction> = {
  add: async (store, login, { role = '', email, displayName, accountPassword }) => {
    const user = await addUser(store, { login, role, email, displayName, accountPassword });
    return `Added ${user.login} as ${user.role}, user ${user._id}, ${user.email}.\n${await newPasswordLines(store, login, false)}`;
  },
  list: async (store, _login, { json }) => (json ? asJson : asTable)(await listUsers(store)),
  password: async (store, login, { keep = false, accountPassword }) => {
    if (accountPassword === undefined) return newPasswordLines(store, login, keep);
    await setAccountPassword(store, login, accountPassword);
    return `The account password of ${login} is set.`;
  },
  remove: async (store, login, { reassign }) => {
    const moved = await removeUser(store, login, reassign);
    return moved === 0 ? `Removed ${login}.` : `Removed ${login}. ${reassign} is now the author of their posts (${moved}).`;
  },
};

export const isUserAction = (name: string): name is UserActionName => Object.hasOwn(USER_ACTIONS, name);
