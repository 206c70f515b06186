import type { Json } from '../values/records.js';

/*
 * Names of secrets: for everything that is stored, shown or logged of requests and responses.
 */

/** The placeholder for a secret. */
const MASK = '***';

/** Names of fields, parameters and attributes whose values are secret. */
const SECRET_NAME =
  /passw(?:or)?d|passphrase|(?:^|[-_])(?:pwd|user_pass)$|^(?:x-)?pass\d?$|secret(?!ar)|token|nonce|api[-_. ]?key|(?:access|auth|private|consumer|licen[cs]e|signing|encryption)[-_]?key|^(?:x-amz-)?signature$|^(?:proxy-)?authorization$|^(?:set-)?cookies?$|^(?:hmac|jwt|phpsessid)$|^wordpress_(?:logged_in|sec)|postpass|credential|session[-_]?(?:id|key)/i;

export const isSecretName = (name: string): boolean => SECRET_NAME.test(name);

/** A URL is not a secret, but may contain one. */
const isAddress = (text: string): boolean => /^https?:\/\//.test(text);

/** Whether no value of a name is shown, not even a URL. */
const isPasswordName = (name: string): boolean => /pass/i.test(name);

const isSecretValue = (value: Json, name: string): boolean =>
  typeof value === 'string' ? value !== '' && (isPasswordName(name) || !isAddress(value)) : typeof value === 'number';

/** Masks the secrets of a JSON value: members with the name of a secret, and secrets within texts. */
export function maskJson(value: Json, mask: (text: string) => string, name = '', onMask: () => void = () => undefined): Json {
  if (typeof value === 'string' || typeof value === 'number') {
    if (isSecretName(name) && isSecretValue(value, name)) {
      onMask();
      return MASK;
    }
    return typeof value === 'string' ? mask(value) : value;
  }
  if (Array.isArray(value)) return value.map((item) => maskJson(item, mask, name, onMask));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, maskJson(item, mask, key, onMask)]));
}

/** A quotation mark in code, in JSON within a string, or in an attribute. */
const QUOTE = String.raw`\\*["']|&quot;|&#0?3[49];`;

/** `"name": "value"` and `name: 'value'`. A name is read once from its beginning, so that long words take no longer than their length. */
const MEMBER = new RegExp(String.raw`(?<![\w.-])([\w.-]{2,60})((?:${QUOTE})?\s*:\s*)(${QUOTE})((?:(?!\3)[^\r\n<>]){1,4096}?)\3`, 'g');

/** `name="value"`: attributes, and assignments in scripts. */
const ATTRIBUTE = /(?<![\w.-])([\w.-]{2,60})(\s*=\s*)(["'])([^"'\r\n<>]{1,4096})\3/g;

/** `?name=value` in URLs and forms. */
const PARAMETER = /((?:^|[?&;]|&amp;|&#0?38;|\\u0026)([\w.%+[\]-]{2,80})=)([^&#"'\s<>\\;]+)/g;

/** A field of a form, or a setting in the head of a page. */
const FIELD = /<(?:input|meta)\b[^>]*>/gi;
const FIELD_NAME = /\s(?:name|id|property)\s*=\s*["']?([^"'\s>]*)/gi;
const FIELD_VALUE = /(\s(?:value|content)\s*=\s*)("[^"]*"|'[^']*'|[^\s"'>]+)/gi;

/** Secrets that are recognized by their form: credentials in a URL, tokens, keys of well-known services. */
const SECRET_FORMS: readonly [RegExp, string][] = [
  [/(\/\/)[^/\s:@"'<>\\]{1,200}:[^/\s@"'<>\\]{1,200}@/g, `$1${MASK}@`],
  [/\b(Basic|Bearer)(\s+)[\w+/=.~-]{8,}/g, `$1$2${MASK}`],
  [/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, MASK],
  [/\bAIza[\w-]{30,}/g, MASK],
  [/\b(?:sk|pk|rk)_(?:live|test)_\w{8,}/g, MASK],
  [/('nonce-)[^'\s;]+/g, `$1${MASK}`],
];

/** Sign that every text with a secret has: part of a name, a sign of an encoding, of a parameter or of a URL, or the beginning of a known form. */
const SIGN_OF_SECRET = new RegExp(`${SECRET_NAME.source.replaceAll(/[$^]/g, '')}|[\\\\%=&]|//|Basic|Bearer|eyJ|AIza|_(?:live|test)_`, 'i');

const maskFields = (tag: string): string => {
  const names = [...tag.matchAll(FIELD_NAME)].map(([, name]) => name);
  const isPassword = /\stype\s*=\s*["']?password/i.test(tag);
  if (!isPassword && !names.some(isSecretName)) return tag;
  return tag.replace(FIELD_VALUE, (whole, before: string, value: string) => {
    if (/^(?:""|'')$/.test(value)) return whole;
    const quote = /^["']/.exec(value)?.[0] ?? '';
    return `${before}${quote}${MASK}${quote}`;
  });
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Whether a name in a query or form is secret. PHP: leading spaces are ignored. */
const isSecretPair = (name: string): boolean => isSecretName(decoded(name.replaceAll('+', ' ')).trim());

/** Masks the parameters of URLs within a text. */
const maskParameters = (text: string): string =>
  text.includes('=')
    ? text.replace(PARAMETER, (whole, before: string, name: string) => (isSecretPair(name) ? `${before}${MASK}` : whole))
    : text;

const maskAddress = (text: string): string => maskParameters(/^(?:https?:\/)?\/\S*$/.test(text) ? maskUrl(text) : text);

/** Masks secrets nested in a value that is not itself secret: in URLs and JSON. */
function maskWithin(text: string): string {
  if (!/^\s*[[{]/.test(text)) return maskAddress(text);
  return maskJsonText(text) ?? maskText(text);
}

/** Masks secrets in JSON, which stays as it was written if there are none; null if it is invalid, and has a sign of one. */
function maskJsonText(text: string): string | null {
  // First: reading an object with many members takes longer.
  if (!SIGN_OF_SECRET.test(text)) return text;
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    return null;
  }
  let isMasked = false;
  const masked = maskJson(
    value,
    (inner) => {
      const shown = maskWithin(inner);
      isMasked ||= shown !== inner;
      return shown;
    },
    '',
    () => (isMasked = true),
  );
  return isMasked ? JSON.stringify(masked) : text;
}

/** One pair of a query or form. */
function maskPair(pair: string): string {
  const end = pair.indexOf('=');
  if (end < 0) return pair;
  const [name, value] = [pair.slice(0, end), pair.slice(end + 1)];
  if (value === '') return pair;
  if (isSecretPair(name)) return `${name}=${MASK}`;
  const inner = decoded(value.replaceAll('+', ' '));
  const masked = maskWithin(inner);
  return masked === inner ? pair : `${name}=${encodeURIComponent(masked)}`;
}

/** Masks secrets in a query string, with or without `?`, or in a form. */
export const maskQuery = (query: string): string =>
  query.startsWith('?') ? `?${maskQuery(query.slice(1))}` : query.split('&').map(maskPair).join('&');

/** A URL with plain values only. */
const PLAIN_URL = /^[\w.~:/,-]*(?:\?[\w.~:,&=+-]*)?$/;
const PART_OF_NAME = new RegExp(SECRET_NAME.source.replaceAll(/[$^]/g, ''), 'i');

/** Masks secrets in a URL or a path with a query. */
export function maskUrl(url: string): string {
  const start = url.indexOf('?');
  // Most URLs: reading each parameter takes longer.
  if (PLAIN_URL.test(url) && !PART_OF_NAME.test(url.replaceAll('+', ' '))) return url;
  return start < 0 ? url : url.slice(0, start) + maskQuery(url.slice(start));
}

/** A header without its secrets. The scheme of `Authorization` is kept. */
export function maskHeader(name: string, value: string): string {
  if (isSecretName(name)) return `${/^(?:Basic|Bearer)(?= )/i.exec(value)?.[0] ?? ''} ${MASK}`.trim();
  return maskAddress(value);
}

/** Whether there is the name of a secret in JSON that cannot be read, or may be. */
const mayHaveSecret = (text: string): boolean => /\\u/i.test(text) || (text.match(/[\w.-]+/g) ?? []).some(isSecretName);

/** Masks a body by its type. @returns the same bytes if nothing is masked; null if secrets cannot be found in it */
export function maskBody(body: Buffer, type: string): Buffer | null {
  const utf8 = body.toString('utf8');
  // Otherwise every byte is a character, so that files in forms stay as they are.
  const encoding = Buffer.from(utf8).equals(body) ? 'utf8' : 'latin1';
  const text = encoding === 'utf8' ? utf8 : body.toString('latin1');
  const masked = maskBodyText(text, type);
  return masked === text ? body : masked === null ? null : Buffer.from(masked, encoding);
}

function maskBodyText(text: string, type: string): string | null {
  if (/^multipart\//i.test(type) || text.startsWith('--')) return boundaryOf(type) === null ? null : maskParts(text, type);
  if (/^application\/x-www-form-urlencoded/i.test(type)) return maskQuery(text);
  if (/^\s*[[{]/.test(text)) return maskJsonText(text) ?? (mayHaveSecret(text) ? null : maskText(text));
  if (type === '') return maskText(maskQuery(text));
  return /^(?:text|application\/(?:[\w.+-]*(?:json|xml|javascript)))\b/i.test(type) ? maskText(text) : text;
}

/** Masks the secrets that can be recognized in a text: a page, a script, a form. */
export function maskText(text: string): string {
  const named = maskParameters(text)
    .replace(FIELD, maskFields)
    .replace(MEMBER, (whole, name: string, between: string, quote: string, value: string) =>
      isSecretName(name) && !isAddress(value) ? `${name}${between}${quote}${MASK}${quote}` : whole,
    )
    .replace(ATTRIBUTE, (whole, name: string, between: string, quote: string, value: string) =>
      isSecretName(name) && !isAddress(value) ? `${name}${between}${quote}${MASK}${quote}` : whole,
    );
  return SECRET_FORMS.reduce((masked, [form, by]) => masked.replace(form, by), named);
}

/** The boundary of a form with files. */
function boundaryOf(type: string): string | null {
  const [, quoted, bare] = /;\s*boundary\s*=\s*(?:"([^"]+)"|([^;\s]+))/i.exec(type) ?? [];
  return quoted ?? bare ?? null;
}

/** Name of a field in the head of its part. */
const PART_NAME = /[;\s]name\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i;
const IS_FILE = /[;\s]filename\*?\s*=/i;

function maskPart(part: string): string {
  const [gap] = /\r?\n\r?\n/.exec(part) ?? [];
  if (gap === undefined) return part;
  const at = part.indexOf(gap);
  const [head, value] = [part.slice(0, at), part.slice(at + gap.length)];
  const [, quoted, bare = ''] = PART_NAME.exec(head) ?? [];
  const [end] = /(?:\r?\n)?$/.exec(value) ?? [''];
  if (isSecretName((quoted ?? bare).trim())) return `${head}${gap}${MASK}${end}`;
  return IS_FILE.test(head) ? part : `${head}${gap}${maskWithin(value.slice(0, value.length - end.length))}${end}`;
}

/** Masks the fields of a form with files. @param type with its boundary */
export function maskParts(text: string, type: string): string {
  const boundary = `--${boundaryOf(type) ?? ''}`;
  return text.split(boundary).map(maskPart).join(boundary);
}

/** A function that masks the given secrets wherever they stand. */
export const maskLiterally = (secrets: readonly string[]): ((text: string) => string) => {
  const long = secrets.filter(({ length }) => length >= 6);
  return (text) => long.reduce((masked, secret) => masked.replaceAll(secret, MASK), text);
};
