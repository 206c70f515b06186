import { cleanMetaText } from './sanitize.js';

export { escUrl, escUrlRaw } from './esc-url.js';

/** PHP: a URL may hold visible ASCII only. */
const VISIBLE_ASCII = /^[!-~]+$/;
const SCHEME = /^([a-z0-9+.-]+):(.*)$/i;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
const MAX_HOST = 253;
const MAX_PORT = 65535;
/** Schemes whose URLs need no host. */
const HOSTLESS = new Set(['mailto', 'news', 'file']);
const WEB = new Set(['http', 'https']);
const USER_INFO = /^(?:[a-z0-9\-._~!$&'()*+,;=:]|%[0-9a-f]{2})*$/i;

interface Authority {
  user: string;
  host: string;
}
