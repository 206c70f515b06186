// Requests to a server, each with a deadline, and counted in a tally.
import http from 'node:http';

/** The administrator of the datasets. */
export const ADMIN = { login: 'administrator', password: 'OneForAllOfThem0000000' };

const AUTHORIZATION = `Basic ${Buffer.from(`${ADMIN.login}:${ADMIN.password}`).toString('base64')}`;

/** Headers of an anonymous request. Only its responses are cached. */
export const ANONYMOUS = { authorization: undefined };

const given = (headers) => Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));

class HangError extends Error {
  name = 'HangError';
}

const isText = (type = '') => /json|text|xml/.test(type);

/** Sends one request. @throws HangError after `deadline` ms, or Error if the connection ends without a complete response */
export function exchange(url, { method = 'GET', headers = {}, body, agent, deadline }) {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const request = http.request(url, { method, agent, headers: { ...length, ...headers } });
    const late = setTimeout(() => request.destroy(new HangError(`after ${deadline} ms`)), deadline);
    const end = (settle, value) => {
      clearTimeout(late);
      settle(value);
    };
    request.on('error', (error) => end(reject, error));
    request.on('response', (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', (error) => end(reject, error));
      response.on('end', () => {
        const bytes = Buffer.concat(chunks);
        const text = isText(response.headers['content-type']) ? bytes.toString() : '';
        end(resolve, { status: response.statusCode, headers: response.headers, bytes, text });
      });
    });
    request.end(body);
  });
}

const parse = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** The server closes connections after five idle seconds. The client must not use one at that moment. */
const IDLE_MS = 2_500;

/**
 * A client that is signed in as administrator.
 * @param tally counts its requests
 * @param deadline a request without a response after this many ms counts as hanging
 */
export function clientOf(tally, { deadline = 30_000, sockets = 64 } = {}) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: sockets, timeout: IDLE_MS });
  let underWay = 0;
  let used = performance.now();
  // Checked before each request, since timers do not fire while a scenario computes.
  const forgetIdle = () => {
    if (underWay === 0 && performance.now() - used > IDLE_MS) agent.destroy();
  };
  /**
   * Sends a request.
   * @returns the response, with `body` parsed if it is JSON; null if there was none, which the tally records
   */
  const send = async (url, method = 'GET', body, headers = {}) => {
    const ended = tally.begin(`${method} ${url}`);
    const isJson = body !== undefined && !Buffer.isBuffer(body);
    const type = isJson ? { 'content-type': 'application/json' } : {};
    const sent = isJson ? JSON.stringify(body) : body;
    forgetIdle();
    underWay += 1;
    try {
      const request = { method, headers: given({ authorization: AUTHORIZATION, ...type, ...headers }), body: sent, agent, deadline };
      const response = await exchange(url, request);
      ended(response);
      return { ...response, body: parse(response.text) };
    } catch (error) {
      ended(null, error);
      return null;
    } finally {
      underWay -= 1;
      used = performance.now();
    }
  };
  return { send, close: () => agent.destroy() };
}
