import { decodedUrl } from '../../../base/text/hosts.js';
import { maskBody, maskUrl } from '../../../base/text/secrets.js';
import type { WaitingRequest } from '../../../sdk/types/qa.js';
import type { SavedEntry } from '../../../transfer/backup/state.js';
import { brotliDecompressSync, constants, gunzipSync, inflateSync } from 'node:zlib';
import type { Site } from '../../../wordpress/site.js';

/** Limits in bytes: of a body, and of all bodies. */
const MAX_BODY = 256 * 1024;
const MAX_BODIES = 8 * 1024 * 1024;

type Body = string | Buffer;

/** A request and its response, in raw form, to keep recording cheap. */
export interface Entry extends Omit<SavedEntry, 'body' | 'responseBody'> {
  body: Buffer | null;
  /** Body as sent: `responseBytes` masks its secrets. */
  responseBody: Body | null;
}

/** A request without a response yet. */
export interface OpenRequest extends Pick<Entry, 'method' | 'url' | 'fault'> {
  /** By `performance.now()`. */
  started: number;
}

const sizeOf = ({ body, responseBody }: Pick<Entry, 'body' | 'responseBody'>): number => (body?.length ?? 0) + (responseBody?.length ?? 0);

/** The latest requests of a tenant. */
export class Journal {
  private entries: Entry[] = [];
  /** Index of the first entry whose bodies have not been dropped. */
  private withBodies = 0;
  private bytes = 0;
  /** Requests that have begun, to be deleted when they end. */
  readonly open = new Set<OpenRequest>();
  private lastId = 0;
  /** Number of times it was cleared. */
  clears = 0;
  /** When it was last cleared (`performance.now()`). */
  clearedAt = 0;

  /** @param limit maximum number of entries; 0: off */
  constructor(private readonly limit: number) {}

  /** Differs after every change. */
  get stamp(): string {
    return `${this.lastId}.${this.clears}`;
  }

  get isOff(): boolean {
    return this.limit === 0;
  }

  /** Adds an entry and sets its id. */
  add(known: Entry): void {
    if (this.limit === 0) return;
    known.id = this.lastId += 1;
    if (known.body !== null && known.body.length > MAX_BODY) {
      known.body = null;
      known.cut = true;
    }
    if (known.responseBody !== null && known.responseBody.length > MAX_BODY) {
      known.responseBody = null;
      known.cut = true;
    }
    this.bytes += sizeOf(known);
    this.entries.push(known);
    while (this.bytes > MAX_BODIES) this.dropBodies();
    // Trimmed in batches, since removing the first element of an array moves all others.
    if (this.entries.length > this.limit * 1.25 + 16) this.trim();
  }

  private dropBodies(): void {
    const oldest = this.entries[this.withBodies];
    this.withBodies += 1;
    this.bytes -= sizeOf(oldest);
    if (oldest.body !== null || oldest.responseBody !== null) oldest.cut = true;
    oldest.body = null;
    oldest.responseBody = null;
  }

  private trim(): void {
    const gone = this.entries.length - this.limit;
    if (gone <= 0) return;
    for (const entry of this.entries.slice(0, gone)) this.bytes -= sizeOf(entry);
    this.entries = this.entries.slice(gone);
    this.withBodies = Math.max(0, this.withBodies - gone);
  }

  /** Starts with the entries of another journal. */
  copy(other: Journal): void {
    // Copies, since an old entry loses its bodies.
    this.entries = other.all().map((entry) => ({ ...entry }));
    this.withBodies = other.withBodies;
    this.bytes = other.bytes;
    this.lastId = other.lastId;
  }

  /** Starts with saved entries, the oldest first. */
  resume(entries: readonly Entry[]): void {
    for (const entry of entries) {
      this.lastId = entry.id - 1;
      this.add(entry);
    }
  }

  /** All entries, the oldest first. */
  all(): readonly Entry[] {
    this.trim();
    return this.entries;
  }

  /** The requests without a response yet, the oldest first, with how long each has waited, in ms. */
  waiting(): WaitingRequest[] {
    const own = [...this.open].filter(({ started }) => started >= this.clearedAt);
    return own.map(({ method, url, started, fault }) => ({
      method,
      url: maskUrl(url),
      ms: Math.round(performance.now() - started),
      ...(fault === null ? {} : { fault }),
    }));
  }

  find(id: number): Entry | undefined {
    return this.all().find((entry) => entry.id === id);
  }

  /** Also drops requests that have begun, and end later: they belong to an earlier test. */
  clear(): void {
    this.entries = [];
    this.clears += 1;
    this.clearedAt = performance.now();
    this.withBodies = 0;
    this.bytes = 0;
  }
}

const OPTIONS = { finishFlush: constants.Z_SYNC_FLUSH };

function decompressed(bytes: Buffer, encoding: unknown): Buffer {
  if (encoding === 'gzip') return gunzipSync(bytes, OPTIONS);
  if (encoding === 'deflate') return inflateSync(bytes, OPTIONS);
  return encoding === 'br' ? brotliDecompressSync(bytes) : bytes;
}

/** A response header, by its name in lower case. */
export const headerOf = (headers: Entry['headers'], name: string): string | number | string[] | undefined =>
  Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];

/** The response body, decompressed and without its secrets; null if it is absent or was dropped. */
export function responseBytes({ responseBody, headers }: Pick<Entry, 'responseBody' | 'headers'>): Buffer | null {
  if (responseBody === null) return null;
  try {
    const bytes =
      typeof responseBody === 'string' ? Buffer.from(responseBody) : decompressed(responseBody, headerOf(headers, 'content-encoding'));
    // Only now: a cached response is shared by many entries.
    return maskBody(bytes, String(headerOf(headers, 'content-type') ?? ''));
  } catch {
    return null;
  }
}

/** The same as text. */
export const responseText = (entry: Pick<Entry, 'responseBody' | 'headers'>): string | null =>
  responseBytes(entry)?.toString('utf8') ?? null;

/** The first request header of a name. */
export function requestHeader({ rawHeaders }: Pick<Entry, 'rawHeaders'>, name: string): string | undefined {
  for (let i = 0; i < rawHeaders.length; i += 2) if (rawHeaders[i].toLowerCase() === name) return rawHeaders[i + 1];
  return undefined;
}

/** Request headers, by lower-case name. */
export function requestHeaders({ rawHeaders }: Pick<Entry, 'rawHeaders'>): Record<string, string> {
  const headers = new Map<string, string>();
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i].toLowerCase();
    headers.set(name, headers.has(name) ? `${headers.get(name)}, ${rawHeaders[i + 1]}` : rawHeaders[i + 1]);
  }
  return Object.fromEntries(headers);
}

/** Where the requests of a journal were sent to. */
export interface JournalPlace {
  site: Pick<Site, 'url' | 'zones'>;
  /** Name of the sandbox; `''`: the main tenant. */
  name: string;
}

/** The requested origin. On the site's port, the protocol is the site's, since a port has only one. */
function originOf(entry: Entry, { site }: JournalPlace): string {
  const own = new URL(site.url);
  const host = requestHeader(entry, 'host');
  const asked = `http://${host ?? ''}`;
  if (host === undefined || !URL.canParse(asked)) return own.origin;
  const hasSamePort = host.replace(/^.*[\]:]/, '') === own.port || host === own.host;
  return hasSamePort ? asked.replace('http:', own.protocol) : asked;
}

/** Whether a request names the sandbox by header or host name. */
const isNamed = (entry: Entry, name: string): boolean =>
  requestHeader(entry, 'x-understudy-sandbox') !== undefined || requestHeader(entry, 'host')?.toLowerCase().startsWith(`${name}.`) === true;

/** The URL that leads to the same place as a request. */
export function requestUrl(entry: Entry, place: JournalPlace): string {
  const { name } = place;
  const prefix = name === '' || isNamed(entry, name) ? '' : `/__sandbox/${name}`;
  const url = entry.url.startsWith('/') ? entry.url : `/${entry.url}`;
  return `${originOf(entry, place)}${prefix}${url}`;
}

const UNSAFE = /[^\x21-\x7e]|["<>[\\\]^`{|}]/g;

/** The same as a valid URI. Headers and URLs are read as bytes, one character each. */
export function requestUri(entry: Entry, place: JournalPlace): string {
  const url = requestUrl(entry, place);
  const start = url.indexOf('/', url.indexOf('//') + 2);
  const percent = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
  return url.slice(0, start) + url.slice(start).replace(UNSAFE, percent);
}

/** Whether a request had a body that the journal does not have: too large, too old, or confidential. */
export function isBodyMissing(entry: Entry): boolean {
  const hadBody = Number(requestHeader(entry, 'content-length') ?? 0) > 0 || requestHeader(entry, 'transfer-encoding') !== undefined;
  return hadBody && entry.body === null;
}

/** URLs whose bodies contain passwords without a name, in requests or responses. */
const CONFIDENTIAL = /\/wp-login\.php|\/authorize-application\.php|\/application-passwords/i;

/** Whether the bodies of a request and its response must not be recorded. */
export const isConfidential = (url: string): boolean => CONFIDENTIAL.test(decodedUrl(url));

/** A body as it is recorded: without its secrets. One in which they cannot be found is left out. */
export function withoutSecrets(body: Buffer | null, type: string): Buffer | null {
  // The journal drops it.
  if (body === null || body.length > MAX_BODY) return body;
  try {
    return maskBody(body, type);
  } catch {
    // It is nested too deeply.
    return null;
  }
}
