import { isIPv6 } from 'node:net';

export { escUrl, escUrlRaw } from './entities.js';

/** PHP: a URL may contain visible ASCII only. */
const VISIBLE_ASCII = /^[!-~]+$/;
const SCHEME = /^([a-z0-9+.-]+):/i;
/** PHP: `a:80` and `a:80/x` are a host with a port for any `a`. */
const HOST_WITH_PORT = /^\d{0,5}(?:\/|$)/;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
const USER_INFO = /^(?:[a-z0-9\-._~!$&'()*+,;=:]|%[0-9a-f]{2})*$/i;
const MAX_HOST = 253;
const MAX_PORT = 65535;
const MAX_PORT_LENGTH = 5;
/** Schemes whose URLs need no host. PHP: in lower case only. */
const HOSTLESS = new Set(['mailto', 'news', 'file']);
const WEB = /^https?$/i;

/** PHP only reads the leading digits of a port: `80x` is valid. */
const isPort = (port: string): boolean => {
  if (port === '') return true;
  const digits = /^[+-]?\d+/.exec(port)?.[0];
  const number = Number(digits);
  return port.length <= MAX_PORT_LENGTH && digits !== undefined && number >= 0 && number <= MAX_PORT;
};

const isHostname = (host: string): boolean => {
  // PHP: a dot at the end is not part of the name, nor is a hyphen before it.
  const name = host.replace(/-?\.$/, '');
  return name.length <= MAX_HOST && name.split('.').every((label) => LABEL.test(label));
};

const isWebHost = (host: string): boolean => {
  const address = /^\[([^%]*)\]$/.exec(host)?.[1];
  return address === undefined ? isHostname(host) : isIPv6(address);
};

/** The authority between `//` and the path: user, host and port. */
const isAuthority = (authority: string, scheme: string): boolean => {
  const at = authority.lastIndexOf('@');
  const hostAndPort = authority.slice(at + 1);
  const colon = /^\[.*\]$/.test(hostAndPort) ? -1 : hostAndPort.lastIndexOf(':');
  const host = colon === -1 ? hostAndPort : hostAndPort.slice(0, colon);
  if (colon !== -1 && !isPort(hostAndPort.slice(colon + 1))) return false;
  return host !== '' && USER_INFO.test(authority.slice(0, Math.max(at, 0))) && (!WEB.test(scheme) || isWebHost(host));
};

/**
 * The `url` part of TEC's validator "url or empty", which is PHP's `FILTER_VALIDATE_URL`: an absolute URL in visible ASCII, with a host
 * unless it is a mail, news or file address. Only the hosts of `http` and `https` must be valid.
 */
export const isValidUrl = (value: unknown): boolean => {
  if (typeof value !== 'string' || !VISIBLE_ASCII.test(value)) return false;
  const scheme = SCHEME.exec(value)?.[1];
  if (scheme === undefined) return false;
  const rest = value.slice(scheme.length + 1);
  const needsNoHost = HOSTLESS.has(scheme);
  if (!rest.startsWith('//')) return needsNoHost && (rest === '' || !HOST_WITH_PORT.test(rest) || rest.startsWith('/'));
  if (/^file$/i.test(scheme) && rest.startsWith('///')) return needsNoHost;
  return isAuthority(/^\/\/([^/?#]*)/.exec(rest)?.[1] ?? '', scheme);
};
