// From parameters to queries and bodies, in the many spellings that mean the same, and in some that mean nothing.

/** Bytes of a text in UTF-8; halves of surrogate pairs as the three bytes that they would take. */
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
/** What may stand in a request line as it is, though it should be encoded. */
const TOLERATED = /[!-"$%'-*,-/:-<>-~]/;

const each = (text, spell) =>
  bytesOf(text)
    .map((byte) => spell(String.fromCharCode(byte), byte))
    .join('');
const usual = (text) => each(text, (char, byte) => (UNRESERVED.test(char) ? char : hex(byte)));

/** Ways to spell a text in an address, by name. */
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

/** Names and texts of a value in PHP's notation: `a[0][b]`. An empty list has none. */
function flatten(name, value, into) {
  // Deeper than PHP goes, and not so deep that this runs out of stack.
  const isLeaf = value === null || typeof value !== 'object' || name.length > 2000;
  if (isLeaf) into.push([name, typeof value === 'object' ? '' : textOf(value)]);
  else for (const [key, inner] of Object.entries(value)) flatten(`${name}[${key}]`, inner, into);
  return into;
}

const pairsOf = (params) => params.flatMap(([name, value]) => flatten(name, value, []));

/** Parameters as a query string or a form. */
export const asQuery = (params, spell) =>
  pairsOf(params)
    .map(([name, text]) => `${spell(name)}=${spell(text)}`)
    .join('&');

/** Parameters as JSON text. Names keep their order; a name that comes twice is written twice. */
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
