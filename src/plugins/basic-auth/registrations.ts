import type { User } from '../../wordpress/model.js';
import { parseBasic, signInByPassword } from '../../wordpress/rest/auth.js';
import { RestError } from '../../wordpress/rest/route.js';
import type { RestRequest } from '../../wordpress/rest/request.js';
import type { Site } from '../../wordpress/site.js';
import type { GivenRegistrations } from '../../wordpress/types/registrations.js';

/** WP: an error without a status is 500. */
async function findUser({ headers, address }: RestRequest, site: Site): Promise<User | null> {
  const basic = parseBasic(headers.authorization);
  if (!basic) return null;
  return signInByPassword(site, basic, address).catch((error: unknown) => {
    if (!(error instanceof RestError) || error.status !== 401 || !site.quirks.has('basic-auth-fails-with-500')) throw error;
    throw new RestError(error.code, error.message, null);
  });
}

export const REGISTRATIONS: GivenRegistrations = { hooks: { authenticate: { findUser } } };
