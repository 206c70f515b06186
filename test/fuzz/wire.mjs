// Sends requests exactly as written, reads the responses, and shows how to repeat a request by hand.
import http from 'node:http';
import zlib from 'node:zlib';

/** Decoders by content encoding. */
const DECODERS = { gzip: zlib.gunzipSync, deflate: zlib.inflateSync, br: zlib.brotliDecompressSync };

/** Longest time for a response, in milliseconds. */
export const DEADLINE = 5000;

/**
 * Sends requests over kept-alive connections, with the path exactly as written.
 * @param origin address of the server, without path
 * @param deadline longest time for a response, in ms
 */
export function connect(origin, deadline = DEADLINE) {
  const { hostname, port } = new URL(origin);
  const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
  const send = ({ method, target, headers, body }) =>
    new Promise((resolve, reject) => {
      const length = body.length > 0 || !['GET', 'HEAD'].includes(method) ? { 'content-length': body.length } : {};
      const request = http.request({ hostname, port, agent, method, path: target, headers: { ...length, ...headers } });
      const late = setTimeout(() => request.destroy(new Error(`No answer within ${deadline} ms`)), deadline);
      request.on('error', (error) => {
        clearTimeout(late);
        reject(error);
      });
      request.on('response', (response) => {
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () => {
          clearTimeout(late);
          const raw = Buffer.concat(chunks);
          const decode = DECODERS[response.headers['content-encoding']];
          resolve({
            status: response.statusCode,
            headers: response.headers,
            text: (decode && raw.length > 0 ? decode(raw) : raw).toString('utf8'),
          });
        });
      });
      request.end(body);
    });
  return { send, close: () => agent.destroy() };
}

/** Escapes arbitrary bytes for `$'…'`. */
const ansi = (bytes) =>
  [...bytes]
    .map((byte) =>
      byte >= 0x20 && byte < 0x7f && byte !== 0x27 && byte !== 0x5c
        ? String.fromCharCode(byte)
        : `\\x${byte.toString(16).padStart(2, '0')}`,
    )
    .join('');

/** Quotes a word for a shell. Text becomes the bytes that are sent. */
const quoted = (text) => (/^[ -~]*$/.test(text) ? `'${text.replaceAll("'", `'\\''`)}'` : `$'${ansi(Buffer.from(text, 'latin1'))}'`);

/** A request as a command line. A body that holds NUL, which no argument can, comes from a pipe. */
export function asCurl(origin, { method, target, headers, body }) {
  const parts = ['curl', '-i', '--path-as-is', '--globoff', ...(method === 'HEAD' ? ['--head'] : ['-X', quoted(method)])];
  for (const [name, value] of Object.entries(headers)) parts.push('-H', quoted(value === '' ? `${name};` : `${name}: ${value}`));
  if (!target.startsWith('/')) parts.push('--request-target', quoted(target));
  const address = quoted(target.startsWith('/') ? origin + target : origin);
  if (body.length === 0) return [...parts, address].join(' ');
  const command = [...parts, '--data-binary'];
  if (body.includes(0)) return `printf '%s' '${body.toString('base64')}' | base64 -d | ${[...command, '@-', address].join(' ')}`;
  return [...command, `$'${ansi(body)}'`, address].join(' ');
}
