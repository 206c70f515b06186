// Encodes parameters as queries and bodies, in many equivalent spellings and some invalid ones.

/** UTF-8 bytes of a text. Lone surrogates become three bytes. */
function bytesOf(text) {
  const bytes = [];
  for (const char of text) {
    const code = char.codePointAt(0);
    if (code >= 0xd800 && code <= 0xdfff) bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
    else bytes.push(...Buffer.from(char, 'utf8'));
  }
  return bytes;
}

const hex = (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
const UNRESERVED = /[\w.~-]/;
/** Characters that are tolerated in a request line, though they should be encoded. */
const TOLERATED = /[!-"$%'-*,-/:-<>-~]/;

const each = (text, spell) =>
  bytesOf(text)
    .map((byte) => spell(String.fromCharCode(byte), byte))
    .join('');
const usual = (text) => each(text, (char, byte) => (UNRESERVED.test(char) ? char : hex(byte)));

/** Spellings of a text in a URL, by name. */
export const SPELLINGS = {
  usual,
  plus: (text) => usual(text).replaceAll('%20', '+'),
  every: (text) => each(text, (_, byte) => hex(byte)),
  lower: (text) => usual(text).toLowerCase(),
  twice: (text) => usual(usual(text)),
  loose: (text) => each(text, (char, byte) => (TOLERATED.test(char) || byte > 0xa0 ? char : hex(byte))),
  broken: (text) => `${usual(text)}%`,
};

const textOf = (value) => {
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? '1' : '0';
  return String(value);
};

/** Flattens a value to names and texts in PHP's notation, such as `a[0][b]`. An empty list has none. */
function flatten(name, value, into) {
  // Deeper than PHP's limit, but without a stack overflow.
  const isLeaf = value === null || typeof value !== 'object' || name.length > 2000;
  if (isLeaf) into.push([name, typeof value === 'object' ? '' : textOf(value)]);
  else for (const [key, inner] of Object.entries(value)) flatten(`${name}[${key}]`, inner, into);
  return into;
}

const pairsOf = (params) => params.flatMap(([name, value]) => flatten(name, value, []));

/** Parameters as a query string or form. */
export const asQuery = (params, spell) =>
  pairsOf(params)
    .map(([name, text]) => `${spell(name)}=${spell(text)}`)
    .join('&');

/** Parameters as JSON text. Names keep their order, and repeated names stay repeated. */
export const asJson = (params) => `{${params.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`;

/** Parameters as a multipart form. */
export function asMultipart(params, boundary) {
  const parts = pairsOf(params).map(([name, text]) =>
    Buffer.concat([
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name.replace(/[\r\n"]/g, '_')}"\r\n\r\n`),
      Buffer.from(bytesOf(text)),
      Buffer.from('\r\n'),
    ]),
  );
  return Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]);
}
