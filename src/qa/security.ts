import { createHash, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import type { IncomingMessage } from 'node:http';
import { refuse } from './route.js';

/** Whether a host name, without port and brackets, stands for this machine alone. */
export function isLoopback(host: string): boolean {
  if (host === 'localhost' || host.endsWith('.localhost')) return true;
  return isIP(host) === 4 ? host.startsWith('127.') : host === '::1' || host === '::ffff:127.0.0.1';
}

/** Host name of a `Host` header, without port and brackets; null when there is none to be read. */
export function hostName(header: string | undefined): string | null {
  if (header === undefined || !URL.canParse(`http://${header}`)) return null;
  const { hostname, host, username } = new URL(`http://${header}`);
  return username === '' && host !== '' ? hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '') : null;
}

export interface Access {
  /** Address of the site. */
  url: string;
  /** Domain below which each sandbox has a name, besides `localhost`. */
  sandboxDomain?: string;
  /** Any of these opens the test surface; none: it is open to everybody who may ask. */
  tokens: () => readonly string[];
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

function givenToken({ headers }: IncomingMessage): string | undefined {
  const own = headers['x-understudy-token'];
  if (typeof own === 'string') return own;
  return /^Bearer\s+(\S+)\s*$/i.exec(headers.authorization ?? '')?.[1];
}

/** Whether a request brings one of the tokens; also true when none is needed. */
export function hasToken(request: IncomingMessage, { tokens }: Access): boolean {
  const known = tokens();
  if (known.length === 0) return true;
  const given = digest(givenToken(request) ?? '');
  return known.filter((token) => timingSafeEqual(digest(token), given)).length > 0;
}

/** Whether the name by which the server was called is one of its own: another may have been made to point here by a page elsewhere. */
export function isOwnHost(request: IncomingMessage, { url, sandboxDomain }: Access): boolean {
  const host = hostName(request.headers.host);
  if (host === null) return false;
  if (isLoopback(host) || host === hostName(new URL(url).host)) return true;
  return sandboxDomain !== undefined && (host === sandboxDomain || host.endsWith(`.${sandboxDomain}`));
}

function isOwnOrigin(origin: string, { url }: Access, request: IncomingMessage): boolean {
  if (!URL.canParse(origin)) return false;
  const given = new URL(origin);
  if (given.origin === new URL(url).origin) return true;
  // The same server under the name by which it was called.
  return given.host === request.headers.host;
}

const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Lets in who may steer the server. Pages elsewhere on the web can reach a server on this machine: what they send has an origin of theirs,
 * or comes to a name of theirs.
 * @param needsToken false for what everybody may see who reaches the server by its name
 * @throws RestError 403 for a foreign host, and for changes from a foreign origin; 401 without a token where one is needed
 */
export function guard(request: IncomingMessage, access: Access, needsToken = true): void {
  if (!isOwnHost(request, access)) {
    const host = request.headers.host ?? '';
    throw refuse('foreign_host', `${JSON.stringify(host)} is not a name of this server. --url tells the name it is to have.`, 403);
  }
  const { origin } = request.headers;
  if (origin !== undefined && !READING.has(request.method ?? '') && !isOwnOrigin(origin, access, request))
    throw refuse('foreign_origin', `Pages of ${origin} may not steer this server.`, 403);
  if (needsToken && !hasToken(request, access))
    throw refuse('token_needed', 'This needs the token of --qa-token: Authorization: Bearer TOKEN, or X-Understudy-Token: TOKEN.', 401);
}
