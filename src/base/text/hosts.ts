import { isIP } from 'node:net';

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

/** Whether a server that listens on this address listens on all addresses of the machine: `0.0.0.0` or `::`, in any spelling. */
export function isAnyAddress(host: string): boolean {
  const name = hostName(host.includes(':') ? `[${host}]` : host);
  return name === '0.0.0.0' || name === '::';
}

/** The IP address in an item of `X-Forwarded-For`, to which some proxies add the port; null: another text, such as `unknown`. */
export function forwardedAddress(item: string): string | null {
  const address = item.replace(/^\[([^\]]*)\](?::\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1');
  return isIP(address) === 0 ? null : address;
}

/** Whether a `Host` header names this computer as `localhost` or a subdomain of it, for which browsers need no https. */
export const isLocalhost = (header = ''): boolean => /^(?:[^:]*\.)?localhost(?::|$)/i.test(header);

/** A URL with the characters that it escapes; as it is if an escape is invalid. */
export function decodedUrl(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}
