import type { Site } from '../../../wordpress/site.js';
import { requestHeader, type Entry } from './journal.js';

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
