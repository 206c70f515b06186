import { sanitizeSlug, sanitizeTitle } from '../../../wordpress/formatting/sanitize.js';
import { TAG } from '../../../wordpress/model.js';
import type { Options } from '../../../wordpress/options.js';
import type { Site } from '../../../wordpress/site.js';
import type { PageRequest } from '../../../wordpress/rest/request.js';
import { pageNumber, UNKNOWN } from '../../../wordpress/views/address.js';
import type { PageAddress } from '../../../wordpress/views/reading.js';
import { EVENT_CATEGORY } from '../model/index.js';
import { addressWord, englishWord } from '../model/address-words.js';
import { USUAL_WORDS } from '../model/options.js';
import { LINKED_KINDS, type LinkedKind } from '../model/event.js';

/** The view of a list. Dates as in the URL: `2026-06` or `2026-06-15`. */
export type ListView = { kind: 'list' } | { kind: 'month'; month?: string } | { kind: 'day'; day?: string };

/** The addresses of the plugin: lists of events, venues and organizers. */
declare module '../../../wordpress/views/reading.js' {
  interface AddressesOfPlugins {
    events: { kind: 'list'; view: ListView; page: number; taxonomy?: string; slug?: string; isFeatured?: true };
    linked: { kind: 'linked'; linked: LinkedKind; slug: string };
    /** An event below the usual word, on a site with another one. */
    moved: { kind: 'moved'; slug: string };
  }
}

const LIST: ListView = { kind: 'list' };

/** The view of a list whose address names none. */
export function usualView({ calendar }: Options): ListView {
  const { viewOption: kind } = calendar;
  return kind === 'month' || kind === 'day' ? { kind } : LIST;
}

/** Parses the last segments of a list's path: view and page number; null if invalid. @param isOfTerm TEC: terms have a word for days, and none for months */
function viewOf(parts: readonly string[], usual: ListView, isOfTerm = false): { view: ListView; page: number } | null {
  const [first, second, third] = parts;
  const pageOf = (word: string | undefined, number: string | undefined): number | null =>
    word === undefined ? 1 : word === 'page' ? pageNumber(number) : null;
  const paged = (view: ListView, page: number | null): { view: ListView; page: number } | null => (page === null ? null : { view, page });
  if (first === undefined || first === 'page') return parts.length > 2 ? null : paged(usual, pageOf(first, second));
  if (first === 'list') return parts.length > 3 ? null : paged(LIST, pageOf(second, third));
  if (parts.length > 2 || (second !== undefined && first !== (isOfTerm ? 'day' : 'month'))) return null;
  if (first === 'day' && second !== undefined) return isDay(second) ? { view: { kind: 'day', day: second }, page: 1 } : null;
  if (first === 'month') return second === undefined || isMonth(second) ? { view: { kind: 'month', month: second }, page: 1 } : null;
  if (first === 'today') return { view: { kind: 'day' }, page: 1 };
  if (isMonth(first)) return { view: { kind: 'month', month: first }, page: 1 };
  return isDay(first) ? { view: { kind: 'day', day: first }, page: 1 } : null;
}

export const isMonth = (text: string): boolean => /^\d{4}-(0[1-9]|1[0-2])$/.test(text);
export const isDay = (text: string): boolean => /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/.test(text);

/** WP: several slugs in one segment, separated by commas. */
export const slugsIn = (text: string): string =>
  text
    .split(',')
    .map((slug) => sanitizeTitle(slug))
    .join(',');

/** How the addresses of a calendar are read: the view without a name, and the English words for its segments. */
interface Words {
  usual: ListView;
  english: (segment: string) => string;
}

const ENGLISH: Words = { usual: LIST, english: (segment) => segment };

/** Parses the segments after `category` or `tag`: slugs of ancestors, the slug of the term, and a view. After the first slug, segments that can be a view are one. */
function ofTerm(taxonomy: string, parts: readonly string[], words: Words, isTree: boolean): PageAddress {
  const most = isTree ? parts.length : Math.min(1, parts.length);
  for (let slugs = 1; slugs <= most; slugs += 1) {
    const { view, isFeatured } = featuredOr(parts.slice(slugs), words, true);
    if (view) return { kind: 'list', ...view, taxonomy, slug: slugsIn(parts[slugs - 1]), ...isFeatured };
  }
  return UNKNOWN;
}

/** A view of the calendar. A single word that is not a view may be the beginning of a slug (WP). */
function inCalendar(parts: readonly string[], words: Words): PageAddress {
  const address = ofCalendar(parts.slice(1), words);
  const isWord = parts.length === 2 && !['category', 'tag'].includes(words.english(parts[1]));
  return address.kind === 'unknown' && isWord ? { kind: 'below', slugs: parts.map((text) => sanitizeSlug(text)) } : address;
}

function ofCalendar(parts: readonly string[], words: Words): PageAddress {
  const [first, ...rest] = parts;
  const word = first === undefined ? '' : words.english(first);
  if (word === 'category') return ofTerm(EVENT_CATEGORY, rest, words, true);
  if (word === 'tag') return ofTerm(TAG, rest, words, false);
  const { view, isFeatured } = featuredOr(parts, words);
  return view ? { kind: 'list', ...view, ...isFeatured } : UNKNOWN;
}

/** A view of all or of featured events. TEC: the word stands before or after the view, and before the number of the page. */
function featuredOr(
  segments: readonly string[],
  { usual, english }: Words,
  isOfTerm = false,
): { view: ReturnType<typeof viewOf>; isFeatured: { isFeatured?: true } } {
  const parts = segments.map(english);
  const at = parts.indexOf('featured');
  return at === -1
    ? { view: viewOf(parts, usual, isOfTerm), isFeatured: {} }
    : { view: viewOf(parts.toSpliced(at, 1), usual, isOfTerm), isFeatured: { isFeatured: true } };
}

/** Whether an address is below the calendar's, rather than one of WordPress. */
export const isOfCalendar = ({ path }: Pick<PageRequest, 'path'>, { options }: Pick<Site, 'options'>): boolean =>
  path.split('/')[1] === options.calendar.eventsSlug;

/**
 * The addresses of calendar pages. Tags list events, as do the front page and authors, whose pages have no number in their path.
 * @param parts segments of a decoded path
 * @param isRooted whether the path begins as all of the site do (`Rewrite.root`). TEC: lists of events need no `index.php`
 */
export function readCalendarAddress(parts: readonly string[], site: Site, isRooted: boolean): PageAddress | undefined {
  const { eventsSlug, singleEventSlug } = site.options.calendar;
  const [first, ...rest] = parts;
  const { options } = site;
  if (first === eventsSlug) return inCalendar(parts, { usual: usualView(options), english: (segment) => englishWord(segment, options) });
  if (!isRooted) return undefined;
  if (first === singleEventSlug || rest.length === 0) return undefined;
  if (first === USUAL_WORDS.singleEventSlug && rest.length === 1) return { kind: 'moved', slug: sanitizeSlug(rest[0], site.quirks) };
  if (first === 'tag') return ofTerm(TAG, rest, ENGLISH, false);
  const linked = LINKED_KINDS.find((kind) => decodeURIComponent(addressWord(kind, options)) === first);
  if (linked && rest.length === 1) return { kind: 'linked', linked, slug: sanitizeSlug(rest[0], site.quirks) };
  if (first !== 'page' && (first !== 'author' || rest.length === 1)) return undefined;
  return { kind: 'below', slugs: parts.map((text) => sanitizeSlug(text, site.quirks)) };
}
