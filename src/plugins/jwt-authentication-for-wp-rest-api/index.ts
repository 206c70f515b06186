import { companion } from '../plugin.js';

/** Signs callers in by a token in `Authorization: Bearer`, which they get for a login and a password. */
export const jwtAuthentication = companion('1.3.4', {
  name: 'jwt-authentication-for-wp-rest-api',
  title: 'JWT Authentication for WP REST API',
  foundBy: 'jwt-auth/v1',
  loadRegistrations: async () => (await import('./registrations.js')).REGISTRATIONS,
  loadResponses: async () => (await import('./routes.js')).RESPONSES,
});
