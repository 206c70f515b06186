import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';

const TYPES = { '.html': 'text/html', '.js': 'text/javascript' };

async function respond(folder, request, response) {
  const { pathname } = new URL(request.url, 'http://localhost');
  try {
    const content = await readFile(path.join(folder, path.normalize(pathname)));
    response.setHeader('Content-Type', TYPES[path.extname(pathname)] ?? 'application/octet-stream').end(content);
  } catch {
    response.writeHead(404).end();
  }
}

/** Serves a folder, and resolves with its URL. */
export async function serve(folder) {
  const server = createServer((request, response) => void respond(folder, request, response));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${server.address().port}`;
}
