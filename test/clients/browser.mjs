/** Makes `fetch` send the cookies in `COOKIES` to every address, like a browser. Preloaded before a script that is written for a page. */
const plain = globalThis.fetch;
globalThis.fetch = (input, init) => {
  const headers = new Headers(init?.headers);
  headers.set('cookie', process.env.COOKIES);
  return plain(input, { ...init, headers });
};
