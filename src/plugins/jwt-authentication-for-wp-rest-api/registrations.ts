import type { User } from '../../wordpress/model.js';
import type { RestRequest } from '../../wordpress/rest/request.js';
import type { Site } from '../../wordpress/site.js';
import type { GivenRegistrations } from '../../wordpress/types/registrations.js';
import { tokenFor, userOfToken, VALIDATE } from './token.js';

declare module '../../wordpress/options.js' {
  interface OptionsOfPlugins {
    /** The secret by which tokens are signed; empty: it is not configured; undefined: one of the site's own. */
    jwtSecret: string | undefined;
  }
}

/** WP: a token that is not good is the response to any request, besides the one that asks whether it is good. */
async function findUser({ path, headers }: RestRequest, site: Site): Promise<User | null> {
  const { authorization = '' } = headers;
  if (!authorization.startsWith('Bearer') || path.includes(VALIDATE)) return null;
  const id = Number(await userOfToken(site, authorization));
  return Number.isInteger(id) ? site.store.users.findOne({ _id: id }) : null;
}

export const REGISTRATIONS: GivenRegistrations = {
  options: { jwtSecret: ({ jwt_secret: secret }) => (typeof secret === 'string' ? secret : undefined) },
  hooks: { authenticate: { findUser, tokenFor }, shownSettings: { jwt_auth_options: { share_data: false } } },
};
