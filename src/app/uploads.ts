import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Middleware } from 'koa';
import type { Site } from '../wp/site.js';

/** WP: path of the files of the media library. */
export const UPLOADS = '/wp-content/uploads/';

/** Serves the files of the media library, and nothing outside its folder. */
export function serveUploads(site: Site): Middleware {
  const root = path.resolve(site.uploads);
  return async (ctx) => {
    ctx.status = 404;
    ctx.state.isMissing = true;
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return;
    const file = resolveBelow(root, ctx.path.slice(UPLOADS.length));
    if (file === null) return;
    const found = await stat(file).catch(() => null);
    if (!found?.isFile()) return;
    ctx.state.isMissing = false;
    ctx.status = 200;
    ctx.type = path.extname(file);
    ctx.length = found.size;
    ctx.lastModified = found.mtime;
    ctx.set('X-Content-Type-Options', 'nosniff');
    // An uploaded SVG or HTML file has the origin of the site: its scripts could act for the signed-in user.
    ctx.set('Content-Security-Policy', "script-src 'none'");
    ctx.body = createReadStream(file);
  };
}

function resolveBelow(root: string, encoded: string): string | null {
  try {
    const file = path.resolve(root, decodeURIComponent(encoded));
    return file.startsWith(root + path.sep) && !file.includes('\0') ? file : null;
  } catch {
    return null;
  }
}
