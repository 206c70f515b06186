/** Makes `fetch` send cookies that a browser has: those in `COOKIES`, to every address. Loaded before a script that is written for a page. */
const plain = globalThis.fetch;
globalThis.fetch = (input, init) => {
  const headers = new Headers(init?.headers);
  headers.set('cookie', process.env.COOKIES);
  return plain(input, { ...init, headers });
};
