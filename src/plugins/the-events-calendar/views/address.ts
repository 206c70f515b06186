import { sanitizeTitle } from '../../../wordpress/formatting/slug.js';
import { TAG } from '../../../wordpress/model.js';
import { EVENT_CATEGORY } from '../model/index.js';
import { LINKED_KINDS, type LinkedKind } from '../model/linked.js';
import type { Site } from '../../../wordpress/site.js';

/** The view of a list. Dates as in the URL: `2026-06` or `2026-06-15`. */
export type ListView = { kind: 'list' } | { kind: 'month'; month?: string } | { kind: 'day'; day?: string };

/** A parsed path, before any lookup. */
export type PageAddress =
  | { kind: 'front' }
  | { kind: 'single'; slug: string }
  | { kind: 'top'; slug: string; below?: string }
  /** A child page, or an attachment of a page. */
  | { kind: 'below'; slugs: string[] }
  | { kind: 'category'; slug: string; page: number }
  | { kind: 'list'; view: ListView; page: number; taxonomy?: string; slug?: string; isFeatured?: true }
  | { kind: 'linked'; linked: LinkedKind; slug: string }
  | { kind: 'author'; nicename: string }
  /** The blog posts of a year, a month or a day: `2026`, `2026-06` or `2026-06-15`. */
  | { kind: 'dates'; dates: string; page: number }
  | { kind: 'unknown' };

const LIST: ListView = { kind: 'list' };

/** Parses the last segments of a list's path: view and page number; null if invalid. */
function viewOf(parts: string[]): { view: ListView; page: number } | null {
  const [first, second, third] = parts;
  const pageOf = (word: string | undefined, number: string | undefined): number | null =>
    word === undefined ? 1 : word === 'page' && /^[1-9]\d{0,8}$/.test(number ?? '') ? Number(number) : null;
  const paged = (view: ListView, page: number | null): { view: ListView; page: number } | null => (page === null ? null : { view, page });
  if (first === undefined || first === 'page') return parts.length > 2 ? null : paged(LIST, pageOf(first, second));
  if (first === 'list') return parts.length > 3 ? null : paged(LIST, pageOf(second, third));
  if (parts.length > 2 || (second !== undefined && first !== 'month')) return null;
  if (first === 'month') return second === undefined || isMonth(second) ? { view: { kind: 'month', month: second }, page: 1 } : null;
  if (first === 'today') return { view: { kind: 'day' }, page: 1 };
  if (isMonth(first)) return { view: { kind: 'month', month: first }, page: 1 };
  return isDay(first) ? { view: { kind: 'day', day: first }, page: 1 } : null;
}

export const isMonth = (text: string): boolean => /^\d{4}-(0[1-9]|1[0-2])$/.test(text);
export const isDay = (text: string): boolean => /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/.test(text);

const UNKNOWN: PageAddress = { kind: 'unknown' };

/** Parses the segments after `category` or `tag`: slugs of ancestors, the slug of the term, and a view. After the first slug, segments that can be a view are one. */
function ofTerm(taxonomy: string, parts: string[], isTree: boolean): PageAddress {
  const most = isTree ? parts.length : Math.min(1, parts.length);
  for (let slugs = 1; slugs <= most; slugs += 1) {
    const view = viewOf(parts.slice(slugs));
    if (view) return { kind: 'list', ...view, taxonomy, slug: sanitizeTitle(parts[slugs - 1]) };
  }
  return UNKNOWN;
}

/** WP: categories of blog posts. Only the last slug matters. */
function ofCategory(parts: string[]): PageAddress {
  const numbered = parts.length > 2 && parts.at(-2) === 'page' && /^[1-9]\d{0,8}$/.test(parts.at(-1) ?? '');
  const slugs = numbered ? parts.slice(0, -2) : parts;
  return { kind: 'category', slug: sanitizeTitle(slugs.at(-1) ?? ''), page: numbered ? Number(parts.at(-1)) : 1 };
}

/** A view of the calendar. A single word that is not a view may be the beginning of a slug (WP). */
function inCalendar(parts: string[]): PageAddress {
  const address = ofCalendar(parts.slice(1));
  const isWord = parts.length === 2 && !['category', 'tag'].includes(parts[1]);
  return address.kind === 'unknown' && isWord ? { kind: 'below', slugs: parts.map((text) => sanitizeTitle(text)) } : address;
}

function ofCalendar(parts: string[]): PageAddress {
  const [first, ...rest] = parts;
  if (first === 'category') return ofTerm(EVENT_CATEGORY, rest, true);
  if (first === 'tag') return ofTerm(TAG, rest, false);
  // TEC: the word stands before or after the view, and before the number of the page.
  const at = parts.indexOf('featured');
  const view = viewOf(at === -1 ? parts : parts.toSpliced(at, 1));
  return view ? { kind: 'list', ...view, ...(at === -1 ? {} : { isFeatured: true }) } : UNKNOWN;
}

/** WP: the last segment of the URL at which a post is embedded in other sites; reserved as a slug. */
const EMBED = 'embed';

/** Only posts and pages have such a URL. */
const embedded = (address: PageAddress): PageAddress => (['single', 'top', 'below'].includes(address.kind) ? address : UNKNOWN);

export const isEmbedPath = (path: string): boolean => path.replace(/\/$/, '').endsWith(`/${EMBED}`);

/** WP: a year, a month or a day of the blog, before any page of that name; null for none. */
function ofDates(parts: string[]): PageAddress | null {
  const numbered = parts.length > 2 && parts.at(-2) === 'page' && /^[1-9]\d{0,8}$/.test(parts.at(-1) ?? '');
  const [year = '', month, day, ...rest] = numbered ? parts.slice(0, -2) : parts;
  const isNumber = (text: string | undefined): boolean => text === undefined || /^\d{1,2}$/.test(text);
  if (!/^\d{4}$/.test(year) || !isNumber(month) || !isNumber(day) || rest.length > 0) return null;
  const dates = [year, ...[month, day].flatMap((text) => (text === undefined ? [] : [text.padStart(2, '0')]))].join('-');
  return { kind: 'dates', dates, page: numbered ? Number(parts.at(-1)) : 1 };
}

/** Parses a decoded path, ignoring a trailing slash (WP: pretty permalinks, TEC: calendar pages). */
export function readPageAddress(path: string, site: Site): PageAddress {
  const { eventsSlug, singleEventSlug } = site.options.calendar;
  const parts = path.split('/').slice(1);
  if (parts.at(-1) === '') parts.pop();
  const [first, ...rest] = parts;
  if (first === undefined) return { kind: 'front' };
  if (parts.at(-1) === EMBED) return embedded(readPageAddress(`/${parts.slice(0, -1).join('/')}`, site));
  if (parts.includes('')) return UNKNOWN;
  if (first === eventsSlug) return inCalendar(parts);
  if (first === singleEventSlug && rest.length === 1) return { kind: 'single', slug: sanitizeTitle(rest[0], site.quirks) };
  // WP: the path of an attachment starts with the path of its parent.
  if (first === singleEventSlug && rest.length === 2)
    return { kind: 'top', slug: sanitizeTitle(rest[1], site.quirks), below: sanitizeTitle(rest[0], site.quirks) };
  if (first === 'tag' && rest.length > 0) return ofTerm(TAG, rest, false);
  const linked = LINKED_KINDS.find((kind) => kind === first);
  if (linked && rest.length === 1) return { kind: 'linked', linked, slug: sanitizeTitle(rest[0], site.quirks) };
  if (first === 'author' && rest.length === 1) return { kind: 'author', nicename: rest[0] };
  if (first === 'category' && rest.length > 0) return ofCategory(rest);
  const dates = ofDates(parts);
  if (dates) return dates;
  return rest.length === 0
    ? { kind: 'top', slug: sanitizeTitle(first, site.quirks) }
    : { kind: 'below', slugs: parts.map((text) => sanitizeTitle(text, site.quirks)) };
}
