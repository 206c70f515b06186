/** Makes `fetch` send cookies that a browser has: those in `COOKIES`, to every address. Loaded before a script that is written for a page. */
const plain = globalThis.fetch;
globalThis.fetch = (input, init = {}) => plain(input, { ...init, headers: { ...init.headers, cookie: process.env.COOKIES } });
