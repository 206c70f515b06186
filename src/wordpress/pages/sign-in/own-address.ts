import { urlencode } from '../../../base/php/query-string.js';
import { NO_CACHE, type PageRequest, type PageResponse } from '../../rest/request.js';
import { redirect } from '../layout.js';
import type { Site } from '../../site.js';

/** Characters that are invalid in URLs, and the backslash, which browsers treat as a slash. */
const SUSPECT = /[\s\p{Cc}\\]/u;

/**
 * The URL to redirect to from a request, if it is one of this site, else the fallback.
 * @param wanted absolute, or starting with one slash
 */
export function ownAddress(site: Site, wanted: unknown, fallback: string): string {
  if (typeof wanted !== 'string' || wanted === '' || SUSPECT.test(wanted)) return fallback;
  const isAbsolute = /^https?:\/\//i.test(wanted);
  if (!isAbsolute && !/^\/(?!\/)/.test(wanted)) return fallback;
  if (!URL.canParse(wanted, `${site.url}/`)) return fallback;
  const { host, username, password } = new URL(wanted, `${site.url}/`);
  const isOwn = site.ownUrls.some((url) => host === new URL(url).host);
  return isOwn && username === '' && password === '' ? wanted : fallback;
}

/** Redirects anonymous visitors to the form for it, and from there back to where they were going (WP). */
export function toLogin(site: Site, request: PageRequest): PageResponse {
  const back = urlencode(`${site.coreUrl}${request.url}`);
  return redirect(302, `${site.coreUrl}/wp-login.php?redirect_to=${back}&reauth=1`, NO_CACHE);
}

/** Whether a form was submitted from another site. Browsers send its origin; without that header, a nonce is required anyway. */
export function isForeignForm(site: Site, { headers }: PageRequest): boolean {
  const { origin, host } = headers;
  if (origin === undefined) return false;
  if (!URL.canParse(origin)) return true;
  const from = new URL(origin).host;
  return from !== host && from !== new URL(site.url).host;
}

/** A parameter as text. PHP: form fields of a POST before the query. */
export function field({ form, query }: Pick<PageRequest, 'form' | 'query'>, name: string): string {
  const value = Object.hasOwn(form, name) ? form[name] : Object.hasOwn(query, name) ? query[name] : '';
  return typeof value === 'string' ? value : '';
}
