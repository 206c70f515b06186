import { toStr } from '../../base/php/cast.js';
import { signInByPassword } from '../../wordpress/rest/auth.js';
import { endpoint } from '../../wordpress/rest/params.js';
import { RestResponse, type CallContext, type EndpointHandler, type Json, type Route, RestError } from '../../wordpress/rest/route.js';
import type { PluginResponses } from '../plugin.js';
import { noHeader, tokenFor, userOfToken, VALIDATE } from './token.js';

const NAMESPACE = 'jwt-auth/v1';

/** PHP: values that are no texts are none. */
const textOf = (value: Json | undefined): string => (value !== null && typeof value === 'object' ? '' : toStr(value ?? ''));

async function createToken({ site, request }: CallContext): Promise<RestResponse> {
  const [login, password] = ['username', 'password'].map((name) => textOf(request.get(name)));
  const user = await signInByPassword(site, { login, password }, request.address).catch((error: unknown) => {
    if (!(error instanceof RestError) || error.status !== 401) throw error;
    throw new RestError(`[jwt_auth] ${error.code}`, error.message, 403);
  });
  const { email, nicename, displayName } = user;
  const token = await tokenFor(site, user);
  return new RestResponse({ token, user_email: email, user_nicename: nicename, user_display_name: displayName });
}

async function validateToken({ site, request }: CallContext): Promise<RestResponse> {
  const { authorization } = request.headers;
  if (!authorization) throw noHeader();
  await userOfToken(site, authorization);
  return new RestResponse({ code: 'jwt_auth_valid_token', data: { status: 200 } });
}

const post = (path: string, handler: EndpointHandler): Route => ({
  path: `/${NAMESPACE}/${path}`,
  endpoints: [endpoint({ methods: ['POST'], args: {}, permission: 'public', handler })],
});

export const RESPONSES: PluginResponses = {
  namespaces: () => [{ name: NAMESPACE, routes: [post('token', createToken), post(VALIDATE, validateToken)] }],
};
