import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { qaError } from './route.js';
import { hostName, isLoopback } from '../../../base/text/hosts.js';

export interface Access {
  /** URL of the site. */
  url: string;
  /** Domain of the host names of sandboxes, besides `localhost`. */
  sandboxDomain?: string;
  /** Further host names of this server; one that starts with a dot includes the names below it. */
  allowedHosts?: readonly string[];
  /** The valid tokens; empty: no token is required. */
  tokens: () => readonly string[];
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

function givenToken({ headers }: IncomingMessage): string | undefined {
  const own = headers['x-understudy-token'];
  if (typeof own === 'string') return own;
  return /^Bearer\s+(\S+)\s*$/i.exec(headers.authorization ?? '')?.[1];
}

/** Whether a request has a valid token, or none is required. */
export function hasToken(request: IncomingMessage, { tokens }: Access): boolean {
  const known = tokens();
  if (known.length === 0) return true;
  const given = digest(givenToken(request) ?? '');
  return known.filter((token) => timingSafeEqual(digest(token), given)).length > 0;
}

/**
 * Whether the `Host` header names this server. A web page could make any other name resolve to this server (DNS rebinding), and send any other
 * header.
 */
function isOwnHost({ headers }: IncomingMessage, { url, sandboxDomain, allowedHosts = [] }: Access): boolean {
  const host = hostName(headers.host);
  if (host === null) return false;
  if (isLoopback(host) || host === hostName(new URL(url).host)) return true;
  const domains = [...(sandboxDomain === undefined ? [] : [`.${sandboxDomain}`]), ...allowedHosts];
  return domains.some((name) => (name.startsWith('.') ? `.${host}`.endsWith(name) : host === name));
}

function isOwnOrigin(origin: string, { url }: Access, { headers }: IncomingMessage): boolean {
  if (!URL.canParse(origin)) return false;
  const given = new URL(origin);
  if (given.origin === new URL(url).origin) return true;
  // The same server under the requested host name.
  return given.host === headers.host;
}

/** Whether a page of another site sent a request, according to the browser. Images and links there send a GET without `Origin`. */
const isCrossSite = ({ headers }: IncomingMessage): boolean => headers['sec-fetch-site'] === 'cross-site';

/** Whether a request may control the server regardless of its page: no web page knows the token. */
export const mayControl = (request: IncomingMessage, access: Access): boolean =>
  access.tokens().length > 0 ? hasToken(request, access) : isOwnHost(request, access) && !isCrossSite(request);

const tokenNeeded = (what: string): Error =>
  qaError(
    'token_needed',
    `${what} requires the token set with --qa-token. Send Authorization: Bearer TOKEN or X-Understudy-Token: TOKEN.`,
    401,
  );

/** @param what what only those may do who may control the server, for the message @throws RestError for all others, as `guard` does */
export function requireControl(request: IncomingMessage, access: Access, what: string): void {
  if (mayControl(request, access)) return;
  if (access.tokens().length > 0) throw tokenNeeded(what);
  throw qaError('foreign_site', `${what} is not for pages of other sites, nor under host names that this server does not have.`, 403);
}

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Checks whether a request may control the server: where tokens are set, one with a valid token. Elsewhere any web page can send requests
 * to a server on this machine, but only with a foreign `Host`, or from a foreign site.
 * @param needsToken false for public endpoints
 * @throws RestError 401 without a required token; 403 for a foreign host, from a page of another site, and for changes from a foreign origin
 */
export function guard(request: IncomingMessage, access: Access, needsToken = true): void {
  if (access.tokens().length > 0) {
    if (needsToken && !hasToken(request, access)) throw tokenNeeded('This');
    return;
  }
  if (!isOwnHost(request, access)) {
    const { host = '' } = request.headers;
    const advice = 'Allow it with --allowed-host, or set a token with --qa-token';
    throw qaError('foreign_host', `${JSON.stringify(host)} is not a host name of this server. ${advice}.`, 403);
  }
  if (needsToken && isCrossSite(request)) throw qaError('foreign_origin', 'Pages of other sites may not control this server.', 403);
  const { origin } = request.headers;
  if (origin !== undefined && !SAFE_METHODS.has(request.method ?? '') && !isOwnOrigin(origin, access, request))
    throw qaError('foreign_origin', `Pages of ${origin} may not control this server.`, 403);
}
