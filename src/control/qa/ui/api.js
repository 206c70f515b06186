/** An error response, or no response (`status` 0). `data` has further members of the response. */
class ApiError extends Error {
  constructor(status, message, data = null) {
    super(message);
    this.status = status;
    this.data = data;
  }
}

const KEY = 'understudy-token';

/** Sends requests to the test API, with the token if one is required. */
export class Api {
  /**
   * @param {Window} window
   * @param {(wasWrong: boolean) => Promise<string>} askToken asks the user for the token
   */
  constructor(window, askToken) {
    this.window = window;
    this.askToken = askToken;
    /** URL of the test API of this tenant, with a trailing slash. */
    this.base = new URL('.', window.location.href).href;
    /** Path of the server, without the part of a sandbox. */
    this.root = new URL(this.base).pathname.replace(/(?:__sandbox\/[^/]*\/)?__qa\/$/, '');
    this.asking = null;
  }

  /** Headers of requests to the test API. */
  get headers() {
    const token = this.window.sessionStorage.getItem(KEY);
    return token === null ? {} : { 'X-Understudy-Token': token };
  }

  /** URL of the test API of a sandbox, or of the main site (`''`); undefined: of this tenant. */
  baseOf(sandbox) {
    if (sandbox === undefined) return this.base;
    return new URL(`${this.root}${sandbox === '' ? '' : `__sandbox/${encodeURIComponent(sandbox)}/`}__qa/`, this.base).href;
  }

  /** Asks for a token only once, even if several requests are rejected at the same time. */
  async newToken(rejected) {
    if (this.headers['X-Understudy-Token'] !== rejected) return;
    this.asking ??= this.askToken(rejected !== undefined).then((token) => {
      this.window.sessionStorage.setItem(KEY, token);
      this.asking = null;
    });
    await this.asking;
  }

  /**
   * @param {string} method
   * @param {string} path relative to the test API, without leading slash: `clock`
   * @param {{ body?: unknown, sandbox?: string, signal?: AbortSignal }} [options] `body` is sent as JSON
   * @returns {Promise<Response>} the response, after asking for a token if one is required
   */
  async send(method, path, { body, sandbox, signal } = {}) {
    const { headers } = this;
    const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
    const init = { method, headers: { ...headers, ...type }, ...(body === undefined ? {} : { body: JSON.stringify(body) }), signal };
    const response = await this.window.fetch(this.baseOf(sandbox) + path, init).catch((error) => {
      throw new ApiError(0, error.name === 'AbortError' ? 'Canceled.' : 'The server does not respond.');
    });
    if (response.status !== 401) return response;
    await this.newToken(headers['X-Understudy-Token']);
    return this.send(method, path, { body, sandbox, signal });
  }

  /**
   * @returns {Promise<any>} the JSON of the response
   * @throws {ApiError} with the server's message
   */
  async call(method, path, options) {
    const response = await this.send(method, path, options);
    const json = await response.json().catch(() => ({ message: `The server responded with status ${response.status}.` }));
    if (!response.ok) throw new ApiError(response.status, json.message, json.data);
    return json;
  }

  /** @returns {Promise<string>} the text of the response */
  async text(path, options) {
    const response = await this.send('GET', path, options);
    const text = await response.text();
    if (!response.ok) throw new ApiError(response.status, JSON.parse(text).message);
    return text;
  }

  /** A request to the REST API as an administrator. @throws {ApiError} with the message of WordPress */
  async rest(method, path, body) {
    const { status, body: answer } = await this.call('POST', 'rest', { body: { method, path, ...(body === undefined ? {} : { body }) } });
    if (status >= 400) throw new ApiError(status, [answer.message, ...Object.values(answer.data?.params ?? {})].join(' '));
    return answer;
  }

  /** Saves a response as a file. */
  async download(path, name, options) {
    const { document, Blob, URL: urls } = this.window;
    const href = urls.createObjectURL(new Blob([await this.text(path, options)], { type: 'application/octet-stream' }));
    const link = document.createElement('a');
    link.href = href;
    link.download = name;
    link.click();
    urls.revokeObjectURL(href);
  }
}
