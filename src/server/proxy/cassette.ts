import { randomBytes, createHash } from 'node:crypto';
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { phpJson } from '../../base/php/json.js';
import type { Json } from '../../wordpress/rest/route.js';
import { isStoredHeader, isText, ProxyError, type ProxiedResponse, type ProxiedRequest } from './request.js';
import { maskJson, maskText, maskParts, maskQuery } from '../../base/text/secrets.js';
import { codeOf, messageOf } from '../../base/values/errors.js';
import { parseJson, isOneOf, membersOf, namesOf } from '../../base/values/records.js';
import { parseSentJson } from '../../base/values/nesting.js';
import type { LinkExchange } from './links.js';

/** Identity of a request in a cassette. It contains no secrets, and no URL of this server or of the site. */
export interface Identity {
  method: string;
  path: string;
  /** Sorted by name. */
  query: string;
  /** Text of the body; of any other, its digest. */
  body: string;
  /** Name of the files, without extension. */
  name: string;
}

/** Parameters of a name keep their order: PHP makes a list of them. */
const sortedQuery = (query: string): string =>
  query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => ({ pair, name: pair.split('=', 1)[0] }))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
    .map(({ pair }) => pair)
    .join('&');

const digestOf = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');

/** Clients choose another boundary for every request. */
function withFixedBoundary(text: string, type: string): string {
  const [, quoted, bare] = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(type) ?? [];
  const boundary = quoted ?? bare;
  return boundary === undefined ? text : text.replaceAll(boundary, 'boundary');
}

function maskedBody(text: string, type: string): string {
  if (/^multipart\//i.test(type)) return withFixedBoundary(maskParts(text, type), type);
  try {
    return phpJson(maskJson(parseJson(text), maskText));
  } catch {
    return maskText(text);
  }
}

const isUtf8 = (bytes: Buffer): boolean => Buffer.from(bytes.toString('utf8')).equals(bytes);

function bodyOf({ body, headers }: ProxiedRequest, move: (text: string) => string): string {
  if (body.length === 0) return '';
  const type = String(headers['content-type'] ?? '');
  const isReadable = isText(type) || type === '' || /^multipart\//i.test(type);
  if (!isReadable) return `sha256:${digestOf(body)}`;
  if (isUtf8(body)) return maskedBody(move(body.toString('utf8')), type);
  // A form with files, or text in another encoding.
  return `sha256:${digestOf(maskedBody(move(body.toString('latin1')), type))}`;
}

const MAX_NAME = 80;

const readable = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_NAME)
    .replace(/^-+|-+$/g, '');

/** Identifies a request: by method, path, sorted query and body. */
export function identify(request: ProxiedRequest, links: LinkExchange): Identity {
  const inward = links.inward(request.ownUrl);
  const move = (text: string): string => links.store(inward(text));
  const { method, path: pathname } = request;
  const query = maskQuery(sortedQuery(move(request.query)));
  const body = bodyOf(request, move);
  const name = `${readable(`${method} ${pathname} ${query}`)}-${digestOf([method, pathname, query, body].join('\n')).slice(0, 12)}`;
  return { method, path: pathname, query, body, name };
}

/** A stored response, as its file has it. */
interface Entry {
  request: { method: string; path: string; query?: string; body?: string };
  response: {
    status: number;
    headers: Record<string, string>;
    /** The body as JSON. */
    json?: Json;
    /** How `json` is serialized: as by PHP, with escaped slashes and letters, or as by JavaScript. */
    spelling?: 'php' | 'js';
    /** Name of the separate file with the body. */
    file?: string;
  };
}

const SPELLINGS = { php: (value: Json) => phpJson(value), js: (value: Json) => JSON.stringify(value) };
const SPELLING_NAMES = namesOf(SPELLINGS);

/** A JSON body as a value, if its text can be reproduced from it. */
function asJson(body: Buffer): Pick<Entry['response'], 'json' | 'spelling'> | null {
  try {
    const text = body.toString('utf8');
    const json = parseJson(text);
    if (phpJson(json) === text) return { json, spelling: 'php' };
    return JSON.stringify(json) === text ? { json, spelling: 'js' } : null;
  } catch {
    return null;
  }
}

/** A body without its secrets. */
function masked(body: Buffer, type: string, maskLiterals: (text: string) => string): Buffer {
  if (!isText(type) || body.length === 0) return body;
  const mask = (text: string): string => maskText(maskLiterals(text));
  const parsed = asJson(body);
  if (parsed?.spelling && parsed.json !== undefined) return Buffer.from(SPELLINGS[parsed.spelling](maskJson(parsed.json, mask)));
  return Buffer.from(mask(body.toString('latin1')), 'latin1');
}

/** The extension of the file of a body: from the path, else from the content type. Errors do not have the type of the path. */
function extensionOf(pathname: string, status: number, type: string): string {
  const own = status === 200 ? path.posix.extname(pathname).slice(1).toLowerCase() : '';
  if (/^[a-z0-9]{1,5}$/.test(own) && own !== 'php') return own;
  const [, subtype = ''] = /^[\w-]+\/(?:x-)?([\w-]+)/.exec(type) ?? [];
  return /^[a-z0-9]{1,10}$/.test(subtype) ? subtype.replace('plain', 'txt').replace('javascript', 'js') : 'bin';
}

/** Writes a file atomically, since another process may be reading it. */
async function replaceFile(file: string, content: string | Buffer): Promise<void> {
  const draft = `${file}.${randomBytes(6).toString('hex')}.part`;
  await writeFile(draft, content);
  await rename(draft, file);
}

const isMissing = (error: unknown): boolean => codeOf(error) === 'ENOENT';

/** Whether headers can be sent. Files can be edited by hand. */
function areHeaders(headers: object): boolean {
  try {
    for (const [name, value] of Object.entries(headers) as [string, unknown][]) {
      validateHeaderName(name);
      validateHeaderValue(name, value as string);
      if (typeof value !== 'string') return false;
    }
    return true;
  } catch {
    return false;
  }
}

/** A file of the cassette, and no other. */
const FILE_NAME = /^(?!\.{0,2}$)[^/\\\0]*$/;

/** Why a stored response cannot be sent; null if it can. */
function problemOf(entry: unknown): string | null {
  const response = membersOf(membersOf(entry)?.['response']);
  if (!response) return 'response is missing';
  const { status, spelling = 'js', file = 'none' } = response;
  const headers = membersOf(response['headers']);
  if (!Number.isInteger(status) || Number(status) < 200 || Number(status) > 999)
    return 'response.status must be a whole number from 200 to 999';
  if (!headers || Array.isArray(headers) || !areHeaders(headers)) return 'response.headers must have valid names, with texts as values';
  if (!isOneOf(SPELLING_NAMES, spelling)) return `response.spelling must be ${SPELLING_NAMES.join(' or ')}`;
  return typeof file === 'string' && FILE_NAME.test(file) ? null : 'response.file must be the name of a file';
}

/** Stored responses: a folder with a JSON file for each, and files for the bodies that are not JSON. */
export class Cassette {
  /**
   * @param folder created when something is stored
   * @param maskLiterals masks the secrets that are known
   */
  constructor(
    readonly folder: string,
    private readonly maskLiterals: (text: string) => string = (text) => text,
  ) {}

  private at(name: string): string {
    return path.join(this.folder, name);
  }

  /** @throws ProxyError for a file that cannot be used */
  private async entry({ name }: Identity): Promise<Entry | null> {
    const file = this.at(`${name}.json`);
    try {
      const entry: unknown = parseSentJson(await readFile(file, 'utf8'));
      const problem = problemOf(entry);
      if (problem === null) return entry as Entry;
      throw new ProxyError(502, 'understudy_invalid_cassette', `${file}: ${problem}. Correct it or record it again.`);
    } catch (error) {
      if (isMissing(error)) return null;
      if (!(error instanceof SyntaxError)) throw error;
      throw new ProxyError(
        502,
        'understudy_invalid_cassette',
        `${file} is not valid JSON (${error.message}). Correct it or record it again.`,
      );
    }
  }

  private async bodyOf({ json, spelling = 'js', file }: Entry['response']): Promise<Buffer> {
    if (json !== undefined) return Buffer.from(SPELLINGS[spelling](json));
    if (file === undefined) return Buffer.alloc(0);
    try {
      return await readFile(this.at(file));
    } catch (error) {
      const why = isMissing(error) ? 'is missing' : `cannot be read (${messageOf(error)})`;
      throw new ProxyError(502, 'understudy_invalid_cassette', `${this.at(file)} ${why}. Record the request again.`);
    }
  }

  /** The response to a request; null if none is stored. @throws ProxyError for a file that cannot be used */
  async read(identity: Identity): Promise<ProxiedResponse | null> {
    const entry = await this.entry(identity);
    if (entry === null) return null;
    const { status, headers } = entry.response;
    const kept = Object.entries(headers).filter(([header]) => isStoredHeader(header.toLowerCase()));
    return { status, headers: Object.fromEntries(kept), body: await this.bodyOf(entry.response) };
  }

  /** Stores a response, without its secrets. */
  async write(identity: Identity, { status, headers, body }: ProxiedResponse): Promise<void> {
    const { name, method, path: pathname, query, body: sent } = identity;
    const type = headers['content-type'] ?? '';
    const kept = masked(body, type, this.maskLiterals);
    const json = /json/i.test(type) ? asJson(kept) : null;
    const file = json === null && kept.length > 0 ? `${name}.body.${extensionOf(pathname, status, type)}` : undefined;
    const entry: Entry = {
      request: { method, path: pathname, ...(query === '' ? {} : { query }), ...(sent === '' ? {} : { body: this.maskLiterals(sent) }) },
      response: {
        status,
        headers: Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, maskText(this.maskLiterals(value))])),
        ...json,
        ...(file === undefined ? {} : { file }),
      },
    };
    await mkdir(this.folder, { recursive: true });
    const before = await this.entry(identity).catch(() => null);
    if (file !== undefined) await replaceFile(this.at(file), kept);
    await replaceFile(this.at(`${name}.json`), `${JSON.stringify(entry, null, 2)}\n`);
    const old = before?.response.file;
    if (old !== undefined && old !== file) await rm(this.at(old), { force: true });
  }
}
