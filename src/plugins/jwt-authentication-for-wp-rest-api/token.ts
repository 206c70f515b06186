import { createHmac } from 'node:crypto';
import { isRecord } from '../../base/values/records.js';
import { mysqlDate, secondsToWall } from '../../base/php/date.js';
import { RestError } from '../../wordpress/rest/route.js';
import type { User } from '../../wordpress/model.js';
import type { Site } from '../../wordpress/site.js';

const WEEK = 604_800;
const ALGORITHM = 'HS256';

/** The algorithms that the plugin's library knows. */
const ALGORITHMS = ['HS256', 'HS384', 'HS512', 'RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES256K', 'EdDSA'];

/** The end of the path of the route that checks a token. */
export const VALIDATE = 'token/validate';

/** An error of the plugin. @param code without `jwt_auth_` */
const refusal = (code: string, message: string): RestError => new RestError(`jwt_auth_${code}`, message, 403);

const invalid = (message: string): RestError => refusal('invalid_token', message);

/** The secret of a site: the one that is set, or one that follows from the key of its database. @throws RestError if it is set to nothing */
async function secretOf({ options, store }: Site): Promise<Uint8Array> {
  const { jwtSecret: secret } = options;
  if (secret === '') throw refusal('bad_config', 'JWT is not configured properly, please contact the admin');
  if (secret !== undefined) return new TextEncoder().encode(secret);
  return createHmac('sha256', await store.key.get())
    .update('tokens')
    .digest();
}

/** Signs a token for a user, which is good for a week. @throws RestError without a secret */
export async function tokenFor(site: Site, { _id }: User): Promise<string> {
  const secret = await secretOf(site);
  const now = site.clock.seconds();
  // The order of the plugin, so that tokens of the same second are the same.
  const claims = { iss: site.url, iat: now, nbf: now, exp: now + WEEK, data: { user: { id: String(_id) } } };
  const { SignJWT } = await import('jose');
  return new SignJWT(claims).setProtectedHeader({ typ: 'JWT', alg: ALGORITHM }).sign(secret);
}

/** Parses a segment of a token. @throws RestError */
function segment(encoded: string): unknown {
  try {
    return JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8'));
  } catch {
    throw invalid('Syntax error, malformed JSON');
  }
}

/** The claims of a signed token. @throws RestError in the order of the plugin's library */
async function claimsOf(token: string, secret: Uint8Array): Promise<Record<string, unknown>> {
  const segments = token.split('.');
  if (segments.length !== 3) throw invalid('Wrong number of segments');
  const [header, claims] = segments.slice(0, 2).map(segment);
  if (header === null) throw invalid('Invalid header encoding');
  if (claims === null) throw invalid('Invalid claims encoding');
  if (typeof claims !== 'object') throw invalid('Payload must be a JSON object');
  const alg = isRecord(header) ? header['alg'] : undefined;
  if (!alg || typeof alg !== 'string') throw invalid('Empty algorithm');
  if (!ALGORITHMS.includes(alg)) throw invalid('Algorithm not supported');
  if (alg !== ALGORITHM) throw invalid('Incorrect key for this algorithm');
  const { compactVerify } = await import('jose');
  try {
    await compactVerify(token, secret, { algorithms: [ALGORITHM] });
  } catch {
    throw invalid('Signature verification failed');
  }
  return isRecord(claims) ? claims : {};
}

/** @throws RestError for a token that is not good yet, or no longer. PHP: a claim that is not a number means nothing */
function checkTimes({ nbf, iat, exp }: Record<string, unknown>, now: number): void {
  for (const from of [nbf, iat].map((claim) => Number(claim ?? NaN))) {
    if (from > now) throw invalid(`Cannot handle token prior to ${mysqlDate(secondsToWall(from)).replace(' ', 'T')}+0000`);
  }
  if (Number(exp ?? NaN) <= now) throw invalid('Expired token');
}

/**
 * Checks the token of an `Authorization` header.
 * @returns the id of its user, who need not exist
 * @throws RestError 403 for a token that is not good
 */
export async function userOfToken(site: Site, authorization: string): Promise<unknown> {
  const token = /^Bearer\s*(\S+)/.exec(authorization)?.[1];
  if (token === undefined || token === '0') throw refusal('bad_auth_header', 'Authorization header malformed.');
  const claims = await claimsOf(token, await secretOf(site));
  checkTimes(claims, site.clock.seconds());
  if (claims['iss'] !== site.url) throw refusal('bad_iss', 'The iss do not match with this server');
  const { data } = claims;
  const user = isRecord(data) ? data['user'] : undefined;
  const id = isRecord(user) ? user['id'] : undefined;
  if (id === undefined || id === null) throw refusal('bad_request', 'User ID not found in the token');
  return id;
}

export const noHeader = (): RestError => refusal('no_auth_header', 'Authorization header not found.');
