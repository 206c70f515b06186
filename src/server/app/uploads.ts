import { createReadStream, type Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import path from 'node:path';
import type { Middleware } from 'koa';
import type { Site } from '../../wordpress/site.js';

/** WP: path of the files of the media library. */
export const UPLOADS = '/wp-content/uploads/';

/** Serves the files of the media library, and nothing outside its folder. */
export function serveUploads(site: Site): Middleware {
  return async (ctx) => {
    ctx.status = 404;
    ctx.state.isMissing = true;
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return;
    const folder = `${site.options.uploadFolder}/`;
    const file = ctx.path.startsWith(folder) ? resolveBelow(path.resolve(site.uploads), ctx.path.slice(folder.length)) : null;
    if (file === null) return;
    const found = await stat(file).catch(() => null);
    if (!found?.isFile()) return;
    ctx.state.isMissing = false;
    ctx.status = 200;
    ctx.type = path.extname(file);
    ctx.length = found.size;
    ctx.lastModified = found.mtime;
    ctx.set('ETag', tagOf(found));
    ctx.set('Accept-Ranges', 'bytes');
    ctx.set('X-Content-Type-Options', 'nosniff');
    // An uploaded SVG or HTML file has the origin of the site: its scripts could act for the signed-in user.
    ctx.set('Content-Security-Policy', "script-src 'none'");
    if (isKnown(ctx.headers, tagOf(found), found.mtimeMs)) {
      ctx.status = 304;
      return;
    }
    const range = rangeOf(ctx.headers, tagOf(found), found.size);
    if (range === null) {
      ctx.body = createReadStream(file);
      return;
    }
    if (range === 'nothing') {
      ctx.status = 416;
      ctx.set('Content-Range', `bytes */${found.size}`);
      return;
    }
    ctx.status = 206;
    ctx.length = range.end - range.start + 1;
    ctx.set('Content-Range', `bytes ${range.start}-${range.end}/${found.size}`);
    ctx.body = createReadStream(file, range);
  };
}

/** The ETag, in the form that web servers use: modification time and size in hexadecimal. */
const tagOf = ({ mtimeMs, size }: Stats): string => `"${Math.floor(mtimeMs / 1000).toString(16)}-${size.toString(16)}"`;

/** Whether the client has the current file. HTTP: the tag counts where both conditions are sent. */
function isKnown(headers: IncomingHttpHeaders, tag: string, changed: number): boolean {
  const { 'if-none-match': tags, 'if-modified-since': since } = headers;
  if (tags !== undefined) return tags.split(',').some((one) => ['*', tag, `W/${tag}`].includes(one.trim()));
  return since !== undefined && Math.floor(changed / 1000) * 1000 <= Date.parse(since);
}

interface Range {
  start: number;
  end: number;
}

/** The requested range of a file; null for all of it, which is also sent for several ranges, or a range of another version. */
function rangeOf({ range, 'if-range': version }: IncomingHttpHeaders, tag: string, size: number): Range | 'nothing' | null {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range ?? '') ?? [];
  if (first === undefined || (first === '' && last === '') || (version !== undefined && version !== tag)) return null;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== '' && last !== '' && Number(last) < start) return null;
  return start <= end ? { start, end } : 'nothing';
}

function resolveBelow(root: string, encoded: string): string | null {
  try {
    const file = path.resolve(root, decodeURIComponent(encoded));
    return file.startsWith(root + path.sep) && !file.includes('\0') ? file : null;
  } catch {
    return null;
  }
}
