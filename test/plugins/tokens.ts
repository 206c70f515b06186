import type { Plugin } from '../../src/plugins/plugin.js';
import type { Authentication } from '../../src/wordpress/rest/auth.js';
import { RestError } from '../../src/wordpress/rest/route.js';
import { findUser } from '../../src/wordpress/users/users.js';

const RELEASE = '1.0.0';

/** Tokens are `token-` and a login, in `Authorization` or in a separate header. A wrong one fails for every route but the index. */
const BY_TOKEN: Authentication = {
  headers: ['x-token'],
  findUser: async ({ headers, path }, { store }) => {
    const token = headers['x-token'] ?? /^Bearer (.*)$/.exec(headers.authorization ?? '')?.[1];
    if (token === undefined || path === '/') return null;
    const user = token.startsWith('token-') ? await findUser(store, token.slice('token-'.length)) : null;
    if (!user) throw new RestError('tokens_invalid', 'The token is not valid.', 403);
    return user;
  },
};

/** A plugin that signs callers in. */
export const tokens: Plugin = {
  name: 'tokens',
  title: 'Tokens',
  releases: [RELEASE],
  findRelease: (text) => (text === RELEASE ? text : null),
  isDefault: false,
  requires: [],
  namespaces: [],
  quirks: {},
  loadRegistrations: () => Promise.resolve({ hooks: { authenticate: BY_TOKEN } }),
  loadResponses: () => Promise.resolve({ namespaces: () => [] }),
};
