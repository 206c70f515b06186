/** An answer that refuses what was asked, or none at all (`status` 0). */
export class ApiError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

const KEY = 'understudy-token';

/** Requests to the test surface, with the token where one is needed. */
export class Api {
  /**
   * @param {Window} window
   * @param {(wasWrong: boolean) => Promise<string>} askToken asks the person at the screen
   */
  constructor(window, askToken) {
    this.window = window;
    this.askToken = askToken;
    /** Address of the test surface of this world, with a slash at its end. */
    this.base = new URL('.', window.location.href).href;
    /** Path of the server, of which sandboxes are below. */
    this.root = new URL(this.base).pathname.replace(/(?:__sandbox\/[^/]*\/)?__qa\/$/, '');
    this.asking = null;
  }

  /** What requests to the test surface carry. */
  get headers() {
    const token = this.window.sessionStorage.getItem(KEY);
    return token === null ? {} : { 'X-Understudy-Token': token };
  }

  /** Several requests that are refused at once lead to one question. */
  async newToken(refused) {
    if (this.headers['X-Understudy-Token'] !== refused) return;
    this.asking ??= this.askToken(refused !== undefined).then((token) => {
      this.window.sessionStorage.setItem(KEY, token);
      this.asking = null;
    });
    await this.asking;
  }

  /** @returns {Promise<Response>} an answer that is no refusal for want of a token */
  async send(method, path, body) {
    const { headers } = this;
    const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
    const init = { method, headers: { ...headers, ...type }, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const response = await this.window.fetch(this.base + path, init).catch(() => {
      throw new ApiError(0, 'The server does not answer.');
    });
    if (response.status !== 401) return response;
    await this.newToken(headers['X-Understudy-Token']);
    return this.send(method, path, body);
  }

  /**
   * @param {string} method
   * @param {string} path below the test surface, without slash at its beginning: `clock`
   * @param {unknown} [body] sent as JSON
   * @returns {Promise<any>} the JSON of the answer
   * @throws {ApiError} with the server's own words
   */
  async call(method, path, body) {
    const response = await this.send(method, path, body);
    const answer = await response.json().catch(() => ({ message: `The server answered with ${response.status}.` }));
    if (!response.ok) throw new ApiError(response.status, answer.message);
    return answer;
  }
}
