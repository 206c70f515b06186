import { promises as dns, type LookupAddress } from 'node:dns';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net';
import { messageOf } from '../../base/values/errors.js';
import { chunksOf } from '../../base/system/streams.js';
import NETWORKS from './networks.json' with { type: 'json' };

/** Limits for downloads from other servers. */
export interface MediaOptions {
  /** Whether non-public addresses are allowed, such as loopback and local networks. */
  allowPrivateUrls: boolean;
  /** Largest file, in bytes. */
  maxBytes: number;
  /** Maximum time for a file, including redirects, in milliseconds. */
  timeoutMs: number;
  /** Receives the reason why an image was rejected: the response to the client does not contain it. */
  tell?: (line: string) => void;
}

export const DEFAULT_MEDIA_OPTIONS: MediaOptions = { allowPrivateUrls: false, maxBytes: 16 * 1024 * 1024, timeoutMs: 10_000 };

/** An image that cannot be fetched or stored. The message is one line. */
export class MediaError extends Error {
  override readonly name = 'MediaError';
}

/** Runs work that may reject an image; why is only told to the operator. @returns undefined if it does */
export async function unlessRejected<T>(options: MediaOptions, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof MediaError)) throw error;
    options.tell?.(`Image not taken: ${error.message}`);
    return undefined;
  }
}

/** Resolves a host name to all of its addresses. */
export type Resolve = (hostname: string) => Promise<LookupAddress[]>;

/** The result of a HEAD request, without following redirects. */
interface ImageHead {
  status: number;
  /** Type as sent, with parameters; `''` if absent. */
  contentType: string;
}

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const ACCEPTED_TYPE = /^image\//i;

/** IPv4 networks that are nobody's public address (IANA special-purpose registry), and the public address of a cloud's metadata service. */
const NOT_PUBLIC_V4 = NETWORKS as [network: string, prefix: number][];

/** The only global unicast range of IPv6. Loopback, mapped IPv4, NAT64, unique local, link-local and multicast are outside. */
const GLOBAL_V6 = ['2000::', 3] as const;

/** Non-public ranges inside: protocol assignments with Teredo, documentation, and 6to4, which can reach any IPv4 address. */
const NOT_PUBLIC_V6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const;

const notPublicV4 = new BlockList();
for (const [net, prefix] of NOT_PUBLIC_V4) notPublicV4.addSubnet(net, prefix, 'ipv4');
const notPublicV6 = new BlockList();
for (const [net, prefix] of NOT_PUBLIC_V6) notPublicV6.addSubnet(net, prefix, 'ipv6');
const globalV6 = new BlockList();
globalV6.addSubnet(...GLOBAL_V6, 'ipv6');

export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !notPublicV4.check(address, 'ipv4');
  return version === 6 && globalV6.check(address, 'ipv6') && !notPublicV6.check(address, 'ipv6');
}

const resolveBySystem: Resolve = (hostname) => dns.lookup(hostname, { all: true });

/** A download with its redirects, limits and deadline. */
class Fetch {
  private readonly deadline: AbortSignal;

  constructor(
    private readonly options: MediaOptions,
    private readonly resolve: Resolve,
  ) {
    this.deadline = AbortSignal.timeout(options.timeoutMs);
  }

  get isTimedOut(): boolean {
    return this.deadline.aborted;
  }

  /** Sends one request; resolves with the response before its body is read. */
  send(method: 'GET' | 'HEAD', url: URL): Promise<IncomingMessage> {
    this.checkUrl(url);
    const { request } = url.protocol === 'https:' ? https : http;
    return new Promise((resolve, reject) => {
      const headers = { Accept: 'image/*', 'Accept-Encoding': 'identity', 'User-Agent': 'wp-understudy' };
      // No agent: a pooled connection would bypass `lookup`.
      const sent = request(url, { method, headers, agent: false, lookup: this.lookup, signal: this.deadline });
      sent.once('response', resolve).once('error', reject).end();
    });
  }

  /** Follows redirects up to the final response. */
  async follow(start: URL): Promise<IncomingMessage> {
    let url = start;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const response = await this.send('GET', url);
      const { location } = response.headers;
      if (!REDIRECTS.has(response.statusCode ?? 0) || location === undefined) return response;
      response.destroy();
      url = new URL(location, url);
    }
    throw new MediaError(`more than ${MAX_REDIRECTS} redirects`);
  }

  async read(response: IncomingMessage): Promise<Buffer> {
    const { maxBytes } = this.options;
    const tooBig = new MediaError(`larger than ${maxBytes} bytes`);
    if (Number(response.headers['content-length'] ?? 0) > maxBytes) throw tooBig;
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of chunksOf(response)) {
      size += chunk.length;
      if (size > maxBytes) throw tooBig;
      chunks.push(chunk);
    }
    return Buffer.concat(chunks, size);
  }

  /** Checks where requests to a URL would go, without sending one. @throws MediaError if that is not allowed */
  async check(url: URL): Promise<void> {
    this.checkUrl(url);
    const host = url.hostname;
    if (isIP(host.replace(/^\[|\]$/g, ''))) return;
    const late = new Promise<never>((_, reject) => this.deadline.addEventListener('abort', () => reject(new MediaError('timed out'))));
    await Promise.race([this.addresses(host, undefined), late]);
  }

  /** Also checks IP addresses in the URL, for which `lookup` is not called. */
  private checkUrl(url: URL): void {
    if (!/^https?:$/.test(url.protocol)) throw new MediaError(`unsupported protocol ${url.protocol}`);
    if (url.username !== '' || url.password !== '') throw new MediaError('the URL contains credentials');
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host)) this.checkAddress(host);
  }

  private checkAddress(address: string): void {
    if (!this.options.allowPrivateUrls && !isPublicAddress(address))
      throw new MediaError(`${address} is not a public address (see --allow-private-urls)`);
  }

  /** The socket connects to exactly what is checked here: a second lookup could return another address. */
  private readonly lookup: LookupFunction = (hostname, wanted, callback) => {
    this.addresses(hostname, wanted.family).then(
      (addresses) => {
        if (wanted.all) callback(null, addresses);
        else callback(null, addresses[0].address, addresses[0].family);
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    );
  };

  private async addresses(hostname: string, family: number | string | undefined): Promise<LookupAddress[]> {
    const all = (await this.resolve(hostname)).map(({ address }) => ({ address, family: isIPv6(address) ? 6 : 4 }));
    for (const { address } of all) this.checkAddress(address);
    const fitting = family === 4 || family === 6 ? all.filter((found) => found.family === family) : all;
    if (fitting.length === 0) throw new MediaError(`${hostname} has no address`);
    return fitting;
  }
}

/** Runs requests for a URL; every failure becomes a `MediaError` that names the URL. */
async function about<T>(url: string, fetch: Fetch, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const reason = fetch.isTimedOut ? 'timed out' : messageOf(error);
    throw new MediaError(`${url}: ${reason}`, { cause: error });
  }
}

/**
 * Status and type of a foreign URL, by HEAD. WP: a HEAD request follows no redirect.
 * @throws MediaError when there is no response, or when requests to the address are not allowed
 */
export function headImage(url: string, options: MediaOptions, resolve: Resolve = resolveBySystem): Promise<ImageHead> {
  const fetch = new Fetch(options, resolve);
  return about(url, fetch, async () => {
    const response = await fetch.send('HEAD', new URL(url));
    response.destroy();
    return { status: response.statusCode ?? 0, contentType: response.headers['content-type'] ?? '' };
  });
}

/**
 * Checks a URL before an image is fetched from it: it must be one of http or https without a login, and all addresses of its host be allowed.
 * Sends nothing to it.
 * @throws MediaError otherwise
 */
export function checkImageUrl(url: string, options: MediaOptions, resolve: Resolve = resolveBySystem): Promise<void> {
  const fetch = new Fetch(options, resolve);
  return about(url, fetch, () => fetch.check(new URL(url)));
}

/**
 * Fetches a file with the content type of an image, with at most five redirects, each of which is checked like the first URL.
 * @throws MediaError for any status but 200, another type, and anything that the options do not allow
 */
export function fetchImage(url: string, options: MediaOptions, resolve: Resolve = resolveBySystem): Promise<Buffer> {
  const fetch = new Fetch(options, resolve);
  return about(url, fetch, async () => {
    const response = await fetch.follow(new URL(url));
    try {
      const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = response.headers;
      if (response.statusCode !== 200) throw new MediaError(`status ${response.statusCode}`);
      if (!ACCEPTED_TYPE.test(type)) throw new MediaError(`${JSON.stringify(type)} is not an image type`);
      if (encoding !== 'identity') throw new MediaError('sent compressed, against the request');
      return await fetch.read(response);
    } finally {
      response.destroy();
    }
  });
}
