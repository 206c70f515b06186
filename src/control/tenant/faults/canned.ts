import type { Effect } from '../../../sdk/types/qa.js';
import { hasType } from '../../../base/text/stub-file.js';
import type { Json } from '../../../wordpress/rest/route.js';

const MAINTENANCE = 'Briefly unavailable for scheduled maintenance. Check back in a minute.';

const page = (title: string, text: string): string =>
  `<!DOCTYPE html>\n<html lang="en-US">\n<head>\n<meta charset="utf-8">\n<title>${title}</title>\n</head>\n<body>\n<p>${text}</p>\n</body>\n</html>\n`;

/** A response that replaces the service's. */
export interface Canned {
  status: number;
  headers: Record<string, string>;
  body: string | Buffer;
}

export const JSON_TYPE = 'application/json; charset=UTF-8';
export const CANNED_HTML = 'text/html; charset=UTF-8';

/** Headers with a type, unless they have one. */
export const typed = (type: string, headers: Record<string, string>): Record<string, string> =>
  hasType(headers) ? headers : { 'Content-Type': type, ...headers };

export const error = (code: string, message: string, status: number, data: Record<string, Json> = {}): Json => ({
  code,
  message,
  data: { status, ...data },
});

/** Error bodies of the service, by status. */
const BODIES: Record<number, Json> = {
  400: error('rest_invalid_param', 'Invalid parameter(s): page', 400, { params: { page: 'Invalid parameter.' }, details: [] }),
  401: error('rest_forbidden', 'Sorry, you are not allowed to do that.', 401),
  403: error('rest_forbidden', 'Sorry, you are not allowed to do that.', 403),
  404: error('rest_no_route', 'No route was found matching the URL and request method.', 404),
  // WordPress itself never sends 429: this is the response of rate-limiting plugins.
  429: error('rest_too_many_requests', 'Too many requests. Please try again later.', 429),
  500: error('internal_server_error', '<p>There has been a critical error on this website.</p>', 500),
};

/** Error pages of a gateway in front of the service, by status. */
const PAGES: Record<number, [title: string, text: string]> = {
  502: ['502 Bad Gateway', '502 Bad Gateway'],
  503: ['Maintenance', MAINTENANCE],
  504: ['504 Gateway Time-out', '504 Gateway Time-out'],
};

const EXTRA_HEADERS: Record<number, Record<string, string>> = {
  429: { 'Retry-After': '60' },
  // WP: Retry-After of maintenance mode.
  503: { 'Retry-After': '600' },
};

export function cannedResponse({ status = 200, body, headers = {} }: Effect): Canned {
  const known = { ...EXTRA_HEADERS[status], ...headers };
  if (typeof body === 'string') return { status, headers: typed(CANNED_HTML, known), body };
  if (body === undefined && status in PAGES) return { status, headers: typed(CANNED_HTML, known), body: page(...PAGES[status]) };
  const own = body ?? BODIES[status] ?? error('rest_error', `The response has status ${status}.`, status);
  return { status, headers: typed(JSON_TYPE, { 'X-Robots-Tag': 'noindex', ...known }), body: JSON.stringify(own) };
}
