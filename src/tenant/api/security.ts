import { createHash, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import type { IncomingMessage } from 'node:http';
import { qaError } from './route.js';
import type { SiteUrls } from '../../rest/transport/address.js';

/** Whether a host name, without port and brackets, is a loopback address. */
export function isLoopback(host: string): boolean {
  if (host === 'localhost' || host.endsWith('.localhost')) return true;
  return isIP(host) === 4 ? host.startsWith('127.') : host === '::1' || host === '::ffff:127.0.0.1';
}

/** The host name in a `Host` header, without port and brackets; null if invalid. */
export function hostName(header: string | undefined): string | null {
  if (header === undefined || !URL.canParse(`http://${header}`)) return null;
  const { hostname, host, username } = new URL(`http://${header}`);
  return username === '' && host !== '' ? hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '') : null;
}

export interface Access {
  /** URL of the site. */
  url: string;
  /** The requested URL. */
  address: SiteUrls;
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

/** Whether the `Host` header names this server. A web page could make any other name resolve to this server (DNS rebinding). */
function isOwnHost(request: IncomingMessage, { url, address, sandboxDomain, allowedHosts = [] }: Access): boolean {
  const host = hostName(address.hostOf(request));
  if (host === null) return false;
  if (isLoopback(host) || host === hostName(new URL(url).host)) return true;
  const domains = [...(sandboxDomain === undefined ? [] : [`.${sandboxDomain}`]), ...allowedHosts];
  return domains.some((name) => (name.startsWith('.') ? `.${host}`.endsWith(name) : host === name));
}

function isOwnOrigin(origin: string, { url, address }: Access, request: IncomingMessage): boolean {
  if (!URL.canParse(origin)) return false;
  const given = new URL(origin);
  if (given.origin === new URL(url).origin) return true;
  // The same server under the requested host name.
  return given.host === address.hostOf(request);
}

/** Whether a page of another site sent a request, according to the browser. Images and links there send a GET without `Origin`. */
const isCrossSite = ({ headers }: IncomingMessage): boolean => headers['sec-fetch-site'] === 'cross-site';

/** Whether a request may control the server regardless of its page: no web page knows the token. */
export const mayControl = (request: IncomingMessage, access: Access): boolean =>
  access.tokens().length > 0 ? hasToken(request, access) : isOwnHost(request, access) && !isCrossSite(request);

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Checks whether a request may control the server: where tokens are set, one with a valid token. Elsewhere any web page can send requests
 * to a server on this machine, but only with a foreign `Host`, or from a foreign site.
 * @param needsToken false for public endpoints
 * @throws RestError 401 without a required token; 403 for a foreign host, from a page of another site, and for changes from a foreign origin
 */
export function guard(request: IncomingMessage, access: Access, needsToken = true): void {
  if (access.tokens().length > 0) {
    if (needsToken && !hasToken(request, access))
      throw qaError(
        'token_needed',
        'This requires the token set with --qa-token. Send Authorization: Bearer TOKEN or X-Understudy-Token: TOKEN.',
        401,
      );
    return;
  }
  if (!isOwnHost(request, access)) {
    const host = access.address.hostOf(request) ?? '';
    const advice = 'Allow it with --allowed-host, or set a token with --qa-token';
    throw qaError('foreign_host', `${JSON.stringify(host)} is not a host name of this server. ${advice}.`, 403);
  }
  if (needsToken && isCrossSite(request)) throw qaError('foreign_origin', 'Pages of other sites may not control this server.', 403);
  const { origin } = request.headers;
  if (origin !== undefined && !SAFE_METHODS.has(request.method ?? '') && !isOwnOrigin(origin, access, request))
    throw qaError('foreign_origin', `Pages of ${origin} may not control this server.`, 403);
}
