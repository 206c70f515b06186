import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { PageResponse } from '../rest/request.js';

/** An asset of pages. Its URL changes with its content, so that it may be cached forever. */
interface Asset {
  /** Relative to the URL of the site. */
  path: string;
  type: string;
  body: string;
}

function asset(name: string, extension: string, type: string, body: string): Asset {
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 12);
  return { path: `/wp-content/understudy/${name}-${hash}.${extension}`, type, body };
}

/** A stylesheet in the folder of this file; the build copies them next to the compiled code. */
const readStyles = (name: string): string => readFileSync(new URL(`styles/${name}.css`, import.meta.url), 'utf8');

let readColors: string | undefined;

/** Colors and fonts, which the explorer shares with the pages. */
export const colors = (): string => (readColors ??= readStyles('colors'));

let readPages: Asset | undefined;

export const styles = (): Asset =>
  (readPages ??= asset('pages', 'css', 'text/css; charset=UTF-8', ['colors', 'pages', 'month'].map(readStyles).join('\n')));

export const ICON = asset(
  'icon',
  'svg',
  'image/svg+xml',
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#14605a"/>' +
    '<path d="M8 11h16v13H8zM8 15h16M12.5 7.5v5M19.5 7.5v5" fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/></svg>',
);

const YEAR = 'public, max-age=31536000, immutable';

/** The file at an address, if there is one. */
export function serveAsset(path: string): PageResponse | null {
  const found = [styles(), ICON].find((each) => each.path === path);
  if (!found) return null;
  return {
    status: 200,
    headers: {
      'Content-Type': found.type,
      'Cache-Control': YEAR,
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': "default-src 'none'",
    },
    body: found.body,
    cacheable: true,
  };
}
