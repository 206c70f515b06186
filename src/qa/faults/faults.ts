import { isDelay, chance, drawDelay } from './chance.js';
import { matcher, type Asked, type Matcher } from '../match.js';
import { refuse } from '../route.js';
import type { Effect, FaultProfile, FaultRule, KnownFault } from '../../qa-types.js';
import type { Json } from '../../rest/route.js';

interface Armed {
  rule: KnownFault;
  matches: Matcher;
  seen: number;
  random: () => number;
}

/** What is to be done to one request. */
export interface Fault {
  rule: number;
  /** ms */
  delay: number;
  effect: Effect;
}

const MAINTENANCE = 'Briefly unavailable for scheduled maintenance. Check back in a minute.';

const page = (title: string, text: string): string =>
  `<!DOCTYPE html>\n<html lang="en-US">\n<head>\n<meta charset="utf-8">\n<title>${title}</title>\n</head>\n<body>\n<p>${text}</p>\n</body>\n</html>\n`;

/** An answer in place of the service's. */
export interface Canned {
  status: number;
  headers: Record<string, string>;
  body: string;
}

const JSON_TYPE = 'application/json; charset=UTF-8';
const HTML_TYPE = 'text/html; charset=UTF-8';

const error = (code: string, message: string, status: number, data: Record<string, Json> = {}): Json => ({
  code,
  message,
  data: { status, ...data },
});

/** Bodies of the service itself, by status. */
const BODIES: Record<number, Json> = {
  400: error('rest_invalid_param', 'Invalid parameter(s): page', 400, { params: { page: 'Invalid parameter.' }, details: [] }),
  401: error('rest_forbidden', 'Sorry, you are not allowed to do that.', 401),
  403: error('rest_forbidden', 'Sorry, you are not allowed to do that.', 403),
  404: error('rest_no_route', 'No route was found matching the URL and request method.', 404),
  // WP: has none of its own; this is what plugins that limit requests answer with.
  429: error('rest_too_many_requests', 'Too many requests. Please try again later.', 429),
  500: error('internal_server_error', '<p>There has been a critical error on this website.</p>', 500),
};

/** What stands before the service answers these. */
const PAGES: Record<number, [title: string, text: string]> = {
  502: ['502 Bad Gateway', '502 Bad Gateway'],
  503: ['Maintenance', MAINTENANCE],
  504: ['504 Gateway Time-out', '504 Gateway Time-out'],
};

const EXTRA_HEADERS: Record<number, Record<string, string>> = {
  429: { 'Retry-After': '60' },
  // WP: ten minutes.
  503: { 'Retry-After': '600' },
};

/** The answer of an effect that has a status. */
export function cannedAnswer({ status = 200, body, headers = {} }: Effect): Canned {
  const known = { ...EXTRA_HEADERS[status], ...headers };
  if (typeof body === 'string') return { status, headers: { 'Content-Type': HTML_TYPE, ...known }, body };
  if (body === undefined && status in PAGES)
    return { status, headers: { 'Content-Type': HTML_TYPE, ...known }, body: page(...PAGES[status]) };
  const own = body ?? BODIES[status] ?? error('rest_error', `The request was answered with ${status}.`, status);
  return { status, headers: { 'Content-Type': JSON_TYPE, 'X-Robots-Tag': 'noindex', ...known }, body: JSON.stringify(own) };
}

export const PROFILES = ['rest-disabled', 'forbidden', 'maintenance'] as const satisfies FaultProfile[];

const REST = '^/(?:index\\.php/)?wp-json(?:/|$)|[?&]rest_route=';

/** Rules of the profiles: a plugin closed the REST API to visitors, a firewall to everybody, or the site is being updated. */
const PROFILE_RULES: Record<FaultProfile, FaultRule> = {
  'rest-disabled': {
    match: { regex: REST },
    effect: { status: 401, body: error('rest_login_required', 'The REST API is open to signed-in users only.', 401) },
  },
  forbidden: { match: { regex: REST }, effect: { status: 403 } },
  maintenance: { effect: { status: 503 } },
};

/** Whether a visitor is meant who has not signed in: the only ones to whom a REST API is closed by `rest-disabled`. */
const isSignedIn = ({ header }: Asked): boolean =>
  header('authorization') !== undefined || /\bwordpress_logged_in_/.test(header('cookie') ?? '');

function checkEffect(effect: Effect): void {
  const { delay, status, drop, bytesPerSecond, truncate } = effect;
  if (Object.keys(effect).length === 0) throw refuse('invalid_fault', 'The effect is empty: say what is to go wrong.');
  if (delay !== undefined && !isDelay(delay)) {
    const forms =
      '500, {"uniform": [100, 900]}, {"normal": {"mean": 500, "deviation": 100}} or {"lognormal": {"median": 300, "sigma": 0.5}}';
    throw refuse('invalid_fault', `"delay" is in ms: ${forms}.`);
  }
  if (status === undefined && (effect.body !== undefined || effect.headers !== undefined))
    throw refuse('invalid_fault', '"body" and "headers" need a "status".');
  if (drop === 'before' && (status !== undefined || bytesPerSecond !== undefined || truncate !== undefined))
    throw refuse('invalid_fault', 'A connection that is dropped before the answer has no status or body.');
}

/** The rules of a tenant: the first that fits and is not used up is the one that counts. */
export class Faults {
  private armed: Armed[] = [];
  private lastId = 0;

  get size(): number {
    return this.armed.length;
  }

  /** @throws RestError for a rule that makes no sense */
  add(rule: FaultRule, profile?: FaultProfile): KnownFault {
    checkEffect(rule.effect);
    const fits = matcher(rule.match ?? {});
    const matches: Matcher = profile === 'rest-disabled' ? (asked) => (isSignedIn(asked) ? ['signed in'] : fits(asked)) : fits;
    const known: KnownFault = { id: (this.lastId += 1), ...(profile ? { profile } : {}), ...rule, hits: 0 };
    this.armed.push({ rule: known, matches, seen: 0, random: chance(rule.seed ?? known.id) });
    return known;
  }

  addProfile(profile: FaultProfile, rule: Pick<FaultRule, 'times' | 'skip'>): KnownFault {
    return this.add({ ...PROFILE_RULES[profile], ...rule }, profile);
  }

  list(): KnownFault[] {
    return this.armed.map(({ rule }) => ({ ...rule }));
  }

  /** @returns whether there was such a rule */
  remove(id: number): boolean {
    const before = this.armed.length;
    this.armed = this.armed.filter(({ rule }) => rule.id !== id);
    return this.armed.length < before;
  }

  clear(): void {
    this.armed = [];
  }

  /** The fault of a request, which counts as done with this; null when nothing is to go wrong. */
  take(asked: Asked): Fault | null {
    for (const each of this.armed) {
      const { rule } = each;
      if (rule.times !== undefined && rule.hits >= rule.times) continue;
      if (each.matches(asked).length > 0) continue;
      each.seen += 1;
      if (each.seen <= (rule.skip ?? 0)) continue;
      rule.hits += 1;
      const { delay } = rule.effect;
      return { rule: rule.id, delay: delay === undefined ? 0 : drawDelay(delay, each.random), effect: rule.effect };
    }
    return null;
  }
}
