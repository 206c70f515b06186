import type { Json } from '../rest/route.js';

/** The placeholder for a secret in a cassette. */
export const MASK = '***';

/** Names of fields, parameters and attributes whose values are secret. */
const SECRET_NAME =
  /passw(?:or)?d|passphrase|(?:^|[-_])(?:pwd|user_pass)$|secret(?!ar)|token|nonce|api[-_]?key|(?:access|auth|private|consumer|licen[cs]e|signing|encryption)[-_]?key|^(?:x-amz-)?signature$|^(?:authorization|cookies?|hmac|jwt|phpsessid)$|credential|session[-_]?(?:id|key)/i;

export const isSecretName = (name: string): boolean => SECRET_NAME.test(name);

/** A URL is not a secret, but may contain one. */
const isAddress = (text: string): boolean => /^https?:/.test(text);

const isSecretValue = (value: Json): boolean => (typeof value === 'string' ? value !== '' && !isAddress(value) : typeof value === 'number');

/** Masks the secrets of a JSON value: members with the name of a secret, and secrets within texts. */
export function maskJson(value: Json, mask: (text: string) => string, name = ''): Json {
  if (isSecretName(name) && isSecretValue(value)) return MASK;
  if (typeof value === 'string') return mask(value);
  if (Array.isArray(value)) return value.map((item) => maskJson(item, mask, name));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, maskJson(item, mask, key)]));
}

/** A quotation mark in code, in JSON within a string, or in an attribute. */
const QUOTE = String.raw`\\*["']|&quot;|&#0?3[49];`;

/** `"name": "value"` and `name: 'value'`. */
const MEMBER = new RegExp(String.raw`([\w.-]{2,60})((?:${QUOTE})?\s*:\s*)(${QUOTE})((?:(?!\3)[^\r\n<>]){1,4096}?)\3`, 'g');

/** `name="value"`: attributes, and assignments in scripts. */
const ATTRIBUTE = /([\w.-]{2,60})(\s*=\s*)(["'])([^"'\r\n<>]{1,4096})\3/g;

/** `?name=value` in URLs and forms. */
const PARAMETER = /((?:^|[?&;]|&amp;|&#0?38;|\\u0026)([\w.%[\]-]{2,80})=)([^&#"'\s<>\\;]+)/g;

/** A field of a form, or a setting in the head of a page. */
const FIELD = /<(?:input|meta)\b[^>]*>/gi;
const FIELD_NAME = /\s(?:name|id|property)\s*=\s*["']?([^"'\s>]*)/gi;
const FIELD_VALUE = /(\s(?:value|content)\s*=\s*)("[^"]*"|'[^']*'|[^\s"'>]+)/gi;

/** `name="field"` in the head of a part of a form with files, up to the end of the part. */
const PART = /(\bname="([^"\r\n]*)"(?:\r?\n[^\r\n]+)*\r?\n\r?\n)((?:(?!\r?\n--)[\s\S])*)/g;

/** Secrets that are recognized by their form: credentials in a URL, tokens, keys of well-known services. */
const SECRET_FORMS: readonly [RegExp, string][] = [
  [/(\/\/)[^/\s:@"'<>\\]{1,200}:[^/\s@"'<>\\]{1,200}@/g, `$1${MASK}@`],
  [/\b(Basic|Bearer)(\s+)[\w+/=.~-]{8,}/g, `$1$2${MASK}`],
  [/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, MASK],
  [/\bAIza[\w-]{30,}/g, MASK],
  [/\b(?:sk|pk|rk)_(?:live|test)_\w{8,}/g, MASK],
  [/('nonce-)[^'\s;]+/g, `$1${MASK}`],
];

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

/** Masks secrets in a query string. */
export const maskQuery = (query: string): string =>
  query.replace(PARAMETER, (whole, before: string, name: string) => (isSecretName(decoded(name)) ? `${before}${MASK}` : whole));

/** Masks the secrets that can be recognized in a text: a page, a script, a form. */
export function maskText(text: string): string {
  const named = maskQuery(text)
    .replace(FIELD, maskFields)
    .replace(MEMBER, (whole, name: string, between: string, quote: string, value: string) =>
      isSecretName(name) && !isAddress(value) ? `${name}${between}${quote}${MASK}${quote}` : whole,
    )
    .replace(ATTRIBUTE, (whole, name: string, between: string, quote: string, value: string) =>
      isSecretName(name) && !isAddress(value) ? `${name}${between}${quote}${MASK}${quote}` : whole,
    );
  return SECRET_FORMS.reduce((masked, [form, by]) => masked.replace(form, by), named);
}

/** Masks the fields of a form with files. */
export const maskParts = (text: string): string =>
  text.replace(PART, (whole, head: string, name: string) => (isSecretName(name) ? `${head}${MASK}` : whole));

/** A function that masks the given secrets wherever they stand. */
export const maskLiterally = (secrets: readonly string[]): ((text: string) => string) => {
  const long = secrets.filter(({ length }) => length >= 6);
  return (text) => long.reduce((masked, secret) => masked.replaceAll(secret, MASK), text);
};
