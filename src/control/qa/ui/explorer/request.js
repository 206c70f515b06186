import { pretty } from '../format.js';

const ACCOUNT = 'understudy-account';

/** Who sends requests: a visitor, the administrator (through the test API, without a password), or somebody who has signed in. */
export class Sender {
  constructor({ sessionStorage }) {
    this.storage = sessionStorage;
    const { kind = 'visitor', login = '', password = '' } = JSON.parse(this.storage.getItem(ACCOUNT) ?? '{}');
    Object.assign(this, { kind, login, password });
  }

  change(values) {
    Object.assign(this, values);
    const { kind, login, password } = this;
    this.storage.setItem(ACCOUNT, JSON.stringify({ kind, login, password }));
  }

  get headers() {
    if (this.kind !== 'login') return {};
    const bytes = new TextEncoder().encode(`${this.login}:${this.password}`);
    return { Authorization: `Basic ${btoa(String.fromCodePoint(...bytes))}` };
  }
}

/** The path of a request, with values in the place of its parameters, and its query. */
function addressOf({ path, parameters }, values) {
  const given = ({ name }) => values[name] ?? '';
  const filled = parameters
    .filter((each) => each.in === 'path')
    .reduce(
      (text, each) => text.replace(`{${each.name}}`, encodeURIComponent(given(each)).replaceAll('%2F', '/') || `{${each.name}}`),
      path,
    );
  const query = new URLSearchParams(
    parameters.filter((each) => each.in === 'query' && given(each) !== '').map((each) => [each.name, given(each)]),
  );
  return `${filled}${query.size === 0 ? '' : `?${query.toString().replaceAll('%2C', ',').replaceAll('%3A', ':')}`}`;
}

/** Headers in lines such as `Accept-Language: de`. Lines without a colon are ignored. */
const headersIn = (text) =>
  Object.fromEntries([...text.matchAll(/^([\w-]+):[ \t]*(.*)$/gm)].map(([, name, value]) => [name, value.trim()]));

/** The request that a form describes. @returns `url` is absolute */
export function requestOf(operation, { values, body, headers: given = '' }, { sender, api }) {
  const { method, api: target } = operation;
  const path = addressOf(operation, values);
  const url = target === 'qa' ? new URL(path.slice('/__qa/'.length), api.base).href : new URL(`../wp-json${path}`, api.base).href;
  const text = operation.body && body.trim() !== '' ? body : undefined;
  const headers = {
    ...(text === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(target === 'qa' ? api.headers : sender.headers),
    ...headersIn(given),
  };
  return { method, path, url, headers, body: text };
}

const quoted = (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** A command line for POSIX shells. The password is a variable. */
export function curlOf({ method, url, headers, body }, { kind, login }) {
  const { Authorization, ...others } = headers;
  return [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${quoted(url)}`,
    ...(Authorization && kind === 'login' ? [`  -u ${quoted(`${login}:`).slice(0, -1)}'"$PASSWORD"`] : []),
    ...Object.entries(others).map(([name, value]) => `  -H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`  -d ${quoted(body)}`]),
  ].join(' \\\n');
}

/** Body of a response: the text, and the JSON in it. */
function readBody(text) {
  try {
    return { json: JSON.parse(text), text: pretty(JSON.parse(text)) };
  } catch {
    return { json: null, text };
  }
}

/** Sends a request of the administrator, through the test API. */
async function sendAsAdministrator({ method, path, body, headers }, { api }) {
  const sent = body === undefined ? undefined : JSON.parse(body);
  const { status, body: json } = await api.call('POST', 'rest', {
    body: { method, path, headers, ...(sent === undefined ? {} : { body: sent }) },
  });
  return { status, statusText: '', headers: [], json, text: pretty(json), size: JSON.stringify(json).length };
}

/** Sends a request. @returns the response; `error` if there is none */
export async function send(request, { sender, api, window, target }) {
  const start = window.performance.now();
  const ms = () => window.performance.now() - start;
  try {
    if (sender.kind === 'administrator' && target === 'rest') return { ...(await sendAsAdministrator(request, { api })), ms: ms() };
    const { method, url, headers, body } = request;
    const response = await window.fetch(url, { method, headers, body, credentials: 'omit' });
    const text = await response.text();
    return {
      ...{ status: response.status, statusText: response.statusText, headers: [...response.headers], ms: ms() },
      ...readBody(text),
      size: new TextEncoder().encode(text).length,
    };
  } catch (error) {
    return { error: error instanceof SyntaxError ? `The body is not JSON: ${error.message}` : error.message, ms: ms() };
  }
}
