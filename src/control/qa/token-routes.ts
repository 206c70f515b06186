import { findUser } from '../../wordpress/users/users.js';
import { json, get, qaError, type QaRoute } from '../tenant/api/route.js';

const ARGS = {
  user: { type: 'string', required: true, description: 'Login, email address or role of a user; for a role, the first user who has it.' },
} as const;

/** Bearer tokens of users, for programs under test that start with one. */
export const tokenRoutes = (): QaRoute[] => [
  get('/__qa/token', {
    summary: 'Sign a bearer token for a user, with a plugin that signs callers in by tokens',
    args: ARGS,
    handler: async ({ user: name }, _request, { site }) => {
      const { tokenFor } = site.registry.hooks('authenticate').find((each) => each.tokenFor) ?? {};
      const hint = 'The site has no plugin for it. Start the server with --plugins jwt-authentication-for-wp-rest-api.';
      if (!tokenFor) throw qaError('no_tokens', hint);
      const user = (await findUser(site.store, name)) ?? (await site.store.users.findOne({ role: name }, { sort: { _id: 1 } }));
      if (!user) throw qaError('unknown_user', `No user has the login, the email address or the role ${JSON.stringify(name)}.`);
      return json({ token: await tokenFor(site, user), login: user.login });
    },
  }),
];
