import type { Plugin } from '../plugin.js';

const RELEASE = '1.3.4';

/** Signs callers in by a token in `Authorization: Bearer`, which they get for a login and a password. */
export const jwtAuthentication: Plugin = {
  name: 'jwt-authentication-for-wp-rest-api',
  title: 'JWT Authentication for WP REST API',
  releases: [RELEASE],
  findRelease: (text) => (text === RELEASE ? text : null),
  isDefault: false,
  requires: [],
  namespaces: [],
  quirks: {},
  foundBy: 'jwt-auth/v1',
  loadRegistrations: async () => (await import('./registrations.js')).REGISTRATIONS,
  loadResponses: async () => (await import('./routes.js')).RESPONSES,
};
