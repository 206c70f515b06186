/** An error response, or no response at all (`status` 0). */
export class ApiError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
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

  /** Asks for a token only once, even if several requests are rejected at the same time. */
  async newToken(rejected) {
    if (this.headers['X-Understudy-Token'] !== rejected) return;
    this.asking ??= this.askToken(rejected !== undefined).then((token) => {
      this.window.sessionStorage.setItem(KEY, token);
      this.asking = null;
    });
    await this.asking;
  }

  /** @returns {Promise<Response>} the response, after asking for a token if one is required */
  async send(method, path, body) {
    const { headers } = this;
    const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
    const init = { method, headers: { ...headers, ...type }, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const response = await this.window.fetch(this.base + path, init).catch(() => {
      throw new ApiError(0, 'The server does not respond.');
    });
    if (response.status !== 401) return response;
    await this.newToken(headers['X-Understudy-Token']);
    return this.send(method, path, body);
  }

  /**
   * @param {string} method
   * @param {string} path relative to the test API, without leading slash: `clock`
   * @param {unknown} [body] sent as JSON
   * @returns {Promise<any>} the JSON of the response
   * @throws {ApiError} with the server's message
   */
  async call(method, path, body) {
    const response = await this.send(method, path, body);
    const json = await response.json().catch(() => ({ message: `The server responded with status ${response.status}.` }));
    if (!response.ok) throw new ApiError(response.status, json.message);
    return json;
  }
}
