import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import { forwardedAddress } from '../../../base/text/hosts.js';

interface AddressOptions {
  /** URL of the site, without trailing slash. */
  url: string;
  /** Whether links follow the URL of the request; `url` is then for requests without a valid `Host`. */
  followsRequest: boolean;
  /** Number of proxies in front of the server whose `X-Forwarded-*` headers are used. */
  proxies: number;
}

/** The address under which clients see the site. */
export interface SiteUrls {
  hostOf: (request: Pick<IncomingMessage, 'headers'>) => string | undefined;
  /** The requested URL of the site, without trailing slash. */
  urlOf: (request: Pick<IncomingMessage, 'headers'>) => string;
  clientOf: (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string;
}

type Headers = IncomingMessage['headers'];

/** Reads a value of `X-Forwarded-*`; empty if there is none. */
type Forwarded = (headers: Headers, name: 'for' | 'host' | 'port' | 'prefix' | 'proto') => string;

/** The value that the outermost of the proxies has set. Each may append its own, so that what is further left came from the client. */
const forwardedThrough =
  (proxies: number): Forwarded =>
  (headers, name) => {
    if (proxies === 0) return '';
    const values = String(headers[`x-forwarded-${name}`] ?? '').split(',');
    return (values.at(-proxies) ?? values[0]).trim();
  };

function forwardedHost(headers: Headers, forwarded: Forwarded): string {
  const [host, port] = [forwarded(headers, 'host'), forwarded(headers, 'port')];
  // nginx: `$host` has no port.
  return host === '' || !/^\d+$/.test(port) || /:\d+$/.test(host) ? host : `${host}:${port}`;
}

const PROTOCOL = /^https?$/;
const PREFIX = /^(?:\/[\w.~-]+)+$/;
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i;

function originOf(protocol: string, host: string | undefined): string | null {
  if (host === undefined || !HOST.test(host)) return null;
  const text = `${protocol}://${host}`;
  return URL.canParse(text) ? new URL(text).origin : null;
}

/** Reads the address of the site from requests. */
export function siteUrls({ url, followsRequest, proxies }: AddressOptions): SiteUrls {
  const forwarded = forwardedThrough(proxies);
  const hostOf: SiteUrls['hostOf'] = ({ headers }) => forwardedHost(headers, forwarded) || headers.host;
  const clientOf: SiteUrls['clientOf'] = ({ headers, socket }) => forwardedAddress(forwarded(headers, 'for')) ?? socket.remoteAddress ?? '';
  if (!followsRequest) return { hostOf, clientOf, urlOf: () => url };
  const ownProtocol = new URL(url).protocol.slice(0, -1);
  return {
    hostOf,
    clientOf,
    urlOf: ({ headers }) => {
      const [protocol, prefix] = [forwarded(headers, 'proto'), forwarded(headers, 'prefix')];
      const origin = originOf(PROTOCOL.test(protocol) ? protocol : ownProtocol, hostOf({ headers }));
      const path = prefix.replace(/\/$/, '');
      return origin === null ? url : `${origin}${PREFIX.test(path) ? path : ''}`;
    },
  };
}

const isText = (type = ''): boolean => !type.startsWith('multipart/');

/**
 * Exchanges two URLs in the texts of a request and its response, since stored texts link to the site under one URL only.
 * @param inward applied to bodies of requests
 * @param outward applied to bodies and redirects of responses
 */
export function exchangeLinks(inward: (text: string) => string, outward: (text: string) => string): Middleware {
  return async (ctx, next) => {
    const given = ctx.state.rawBody;
    if (given && given.length > 0 && isText(ctx.headers['content-type']))
      ctx.state.rawBody = Buffer.from(inward(given.toString('latin1')), 'latin1');
    await next();
    // The journal shows what was sent.
    ctx.state.rawBody = given;
    const target = ctx.res.getHeader('Location');
    if (typeof target === 'string') ctx.set('Location', outward(target));
    const body: unknown = ctx.body;
    if (typeof body === 'string') ctx.body = outward(body);
    else if (Buffer.isBuffer(body)) ctx.body = Buffer.from(outward(body.toString('latin1')), 'latin1');
  };
}
