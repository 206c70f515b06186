/** A request that may be forwarded to the site. */
export interface ProxiedRequest {
  /** In upper case. */
  method: string;
  /** Encoded, with a leading slash. */
  path: string;
  /** Query as sent, without question mark. */
  query: string;
  /** By lower-case name. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
  /** URL of this server as the client sees it, without trailing slash. */
  ownUrl: string;
}

/** A response of the site, or one that was stored. */
export interface ProxiedResponse {
  status: number;
  /** By lower-case name. */
  headers: Record<string, string>;
  /** Not compressed. */
  body: Buffer;
}

/** Response headers that belong to the connection, to one request, or to one visitor; or that only hold at the address of the site. */
const NOT_STORED =
  /^(?:age|alt-svc|cf-.*|connection|content-encoding|content-length|date|expect-ct|keep-alive|nel|proxy-.*|report-to|reporting-endpoints|server-timing|set-cookie|strict-transport-security|trailer|transfer-encoding|upgrade|via|x-request-id|x-understudy-.*|x-wp-nonce)$/;

/** Whether a header of a response is stored and sent on. @param name in lower case */
export const isStoredHeader = (name: string): boolean => !NOT_STORED.test(name);

/** A request for which neither the site nor the cassette has a response. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError';

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

export const shownRequest = ({ method, path, query }: Pick<ProxiedRequest, 'method' | 'path' | 'query'>): string =>
  `${method} ${path}${query === '' ? '' : `?${query}`}`;

const TEXT = /^(?:text\/|application\/(?:[\w.+-]*(?:json|xml|javascript|ecmascript)|x-www-form-urlencoded|manifest)|image\/svg)/i;

/** Whether a body of a content type is text, in which links can be found. */
export const isText = (type: string): boolean => TEXT.test(type);
