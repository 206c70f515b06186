import { formatWall, parseMysqlDate, localDate } from '../../../base/php/date.js';
import { lookup } from '../../../base/values/records.js';
import { isoWithOffset, abbreviation } from '../../../wordpress/timezones.js';
import { canRead } from '../../../wordpress/users/capabilities.js';
import { jsonLdName } from '../../../wordpress/formatting/json-ld-text.js';
import { escHtml } from '../../../wordpress/formatting/sanitize.js';
import { TAG, metaValue, type Post } from '../../../wordpress/model.js';
import { EVENT, EVENT_CATEGORY } from '../model/index.js';
import { areLast, withAddedFields } from './view.js';
import { termsOf } from '../../../wordpress/posts/related.js';
import { markedTitle, shownContent, shownExcerpt, shownJsonLdDescription, shownTitle } from '../../../wordpress/posts/rendered.js';
import { offerPrice, type PresentedCost } from '../model/cost.js';
import { showsLinkedJsonLd, presentLinked, type JsonLd, type LinkedItem } from './linked/resource.js';
import { LINKED_RESOURCES } from './linked/kinds.js';
import { presentEventTerm } from './term-present.js';
import {
  globalId,
  globalIdLineage,
  imageJsonLd,
  imageOf,
  isWithheldFrom,
  fragmentName,
  permalink,
  withoutCache,
  type View,
} from './view.js';
import { EVENT_FIELDS, LINKED, LINKED_KINDS, eachKind, type LinkedKind, readText, readFlag, type FlagNames } from '../model/event.js';
import { linkedIds, shownLinkedPost } from '../model/linked.js';
import { costMeta, currencyDefaults, shownCost, shownTimes, storedTimes, timezoneOf } from '../model/event-dates.js';
import type { KnownJson } from '../../../base/php/json.js';
import type { Site } from '../../../wordpress/site.js';
import type { DateDetails, Event, EventJsonLd, EventTerm } from '../../../sdk/types/responses.js';

declare module '../../../wordpress/types/hooks.js' {
  interface Hooks {
    /** Members that a plugin adds to events, as the last ones (TEC: `tribe_rest_event_data`). @param isWithheld whether a password hides the content */
    eventMembers: (event: Post, view: View, isWithheld: boolean) => object;
    /** The `offers` of an event's JSON-LD; null: the calendar's (TEC: `tribe_json_ld_event_object`). */
    eventOffers: (event: Post, view: { site: Site; related: View['related'] }, url: string) => EventJsonLd['offers'] | null;
  }
}

/** TEC: a missing date is shown in parts as the first second of 1970. */
function details(text: string | null): DateDetails {
  const parts = /^(-?\d{4,})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)$/.exec(text ?? '') ?? ['', '1970', '01', '01', '00', '00', '00'];
  const [, year, month, day, hour, minutes, seconds] = parts;
  return { year, month, day, hour, minutes, seconds };
}

export const eventUrl = (post: Post, view: View): string => permalink(post, view.site, canRead(view.user, post, view.site.registry));

/** TEC: an event that never had a website shows its own URL; if the website was removed, it shows nothing. */
function website(post: Post, view: View): string {
  const stored = metaValue(post, EVENT_FIELDS.website.key);
  return stored === undefined ? eventUrl(post, view) : escHtml(stored);
}

/** Terms in events are sorted by name (WP). */
function terms(post: Post, taxonomy: string, view: View): EventTerm[] {
  const { fragment: share = withoutCache } = view;
  return termsOf(post, taxonomy, view.related)
    .toSorted((a, b) => (a.nameKey < b.nameKey ? -1 : a.nameKey > b.nameKey ? 1 : a._id - b._id))
    .map((term) => share('terms', term._id, 'term', () => presentEventTerm(term, view)));
}

// TEC: the edit context of the request applies to the event, not to its linked posts.
const linkedView = (view: View): View => ({ ...view, editing: false, isPart: true });

/** The result of `make` for a linked post; null if it is not shown. */
function linkedPart<T extends object | false>(id: number, kind: LinkedKind, name: string, view: View, make: (item: Post) => T): T | null {
  const { fragment: share = withoutCache } = view;
  return share('posts', id, name, () => {
    const item = shownLinkedPost(id, kind, view);
    return item && make(item);
  });
}

/** The JSON-LD of a linked post; false without a right to it, null if the post is not shown. */
function linkJsonLd(id: number, kind: LinkedKind, view: View): ReturnType<JsonLd['make']> | false | null {
  const { property, make } = LINKED_RESOURCES[kind].jsonLd;
  return linkedPart(id, kind, `${kind} ${property}`, view, (item) => showsLinkedJsonLd(item, view) && make(item, view));
}

/** The linked posts of an event, by kind. TEC: not in a list if there can be only one. */
function links(post: Post, view: View): Pick<Event, LinkedKind> {
  const linked = (kind: LinkedKind): LinkedItem | LinkedItem[] => {
    const jsonLd = view.single ? (item: Post) => linkJsonLd(item._id, kind, view) : null;
    const show = (item: Post): LinkedItem => presentLinked(kind, item, linkedView(view), jsonLd);
    const items = linkedIds(post, kind).flatMap((id) => linkedPart(id, kind, fragmentName(kind, view), view, show) ?? []);
    return items.length === 1 && !LINKED[kind].many ? items[0] : items;
  };
  // Each property has a different type, which the table of all kinds cannot express.
  return eachKind(linked) as Pick<Event, LinkedKind>;
}

/** The first linked post of an event, for its JSON-LD. */
const linksJsonLd = (post: Post, view: View): Pick<EventJsonLd, JsonLd['property']> =>
  Object.fromEntries(
    LINKED_KINDS.flatMap((kind) => {
      for (const id of linkedIds(post, kind)) {
        const shown = linkJsonLd(id, kind, view);
        if (shown !== null) return [[LINKED_RESOURCES[kind].jsonLd.property, shown]];
      }
      return [];
    }),
  );

const UNDATED = 'undated-events-have-no-zone';

const EVENT_STATUS: Record<string, string> = lookup({ canceled: 'EventCancelled', postponed: 'EventPostponed' });

// TEC: the address in `json_ld` gets an additional slash, which breaks the query form of an address.
function jsonLdUrl(url: string, { options: { rewrite } }: Site): string {
  if (rewrite.isPlain) return url;
  return url.includes('?') ? `${url}%2F/` : url.replace(/\/*$/, '/');
}

/** TEC: a date with a name that is not English cannot be read back. */
function readableDate(day: string, { options: { dateFormat, locale } }: Site): string {
  const wall = parseMysqlDate(`${day} 00:00:00`);
  return !wall || localDate(dateFormat, wall, locale) === formatWall(dateFormat, wall) ? day : '1970-01-01';
}

function offersOf(post: Post, view: View, url: string): Pick<EventJsonLd, 'offers'> {
  for (const ofPlugin of view.site.registry.hooks('eventOffers')) {
    const offers = ofPlugin(post, view, eventUrl(post, view));
    if (offers) return { offers };
  }
  const offer = offerPrice(costMeta(post), currencyDefaults(view.site));
  if (!offer) return {};
  const validFrom = `${readableDate(post.date.slice(0, 10), view.site)}T00:00:00+00:00`;
  return { offers: { '@type': 'Offer', ...offer, url, category: 'primary', availability: 'inStock', validFrom } };
}

/**
 * The JSON-LD of an event; null if it has none. TEC: none for a password-protected event, even with the password, and none of a private
 * event for an author who may not read private events in general.
 */
export function eventJsonLd(post: Post, view: View): EventJsonLd | null {
  if (!showsLinkedJsonLd(post, view)) return null;
  const { start, end, zone } = shownTimes(post, view.site);
  // TEC: a missing date is now, in UTC, though shown with the offset of the zone.
  const now = (): string => (view.site.quirks.has(UNDATED) ? view.site.nowUtc : '');
  const url = jsonLdUrl(eventUrl(post, view), view.site);
  return {
    '@context': 'http://schema.org',
    '@type': 'Event',
    name: jsonLdName(markedTitle(post)),
    description: shownJsonLdDescription(post, view),
    ...imageJsonLd(post, view),
    url,
    eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
    eventStatus: `https://schema.org/${EVENT_STATUS[readText(post, EVENT_FIELDS.event_status)] ?? 'EventScheduled'}`,
    startDate: isoWithOffset(view.site.zones, start || now(), zone),
    endDate: isoWithOffset(view.site.zones, end || now(), zone),
    ...linksJsonLd(post, view),
    ...offersOf(post, view, url),
    performer: 'Organization',
  };
}

const WITHHELD_COST: PresentedCost = {
  cost: '',
  cost_details: { currency_symbol: '', currency_code: '', currency_position: '', values: [] },
};

function dates(post: Post, site: Site) {
  const { start = null, end = null, startUtc: storedStart, endUtc: storedEnd } = storedTimes(post);
  const [startUtc, endUtc] = [storedStart || null, storedEnd || null];
  return {
    start_date: start,
    start_date_details: details(start),
    end_date: end,
    end_date_details: details(end),
    utc_start_date: startUtc,
    utc_start_date_details: details(startUtc),
    utc_end_date: endUtc,
    utc_end_date_details: details(endUtc),
    ...zoneOf(post, site),
  };
}

/** The zone of an event, and its abbreviation. */
export function zoneOf(post: Post, site: Site): Pick<Event, 'timezone' | 'timezone_abbr'> {
  const timezone = timezoneOf(post, site.quirks.has(UNDATED) ? '' : site.options.timezone);
  const stored = readText(post, EVENT_FIELDS.timezone_abbr);
  return { timezone, timezone_abbr: stored || (timezone && abbreviation(site.zones, timezone, storedTimes(post).start ?? '')) };
}

/** Whether a password hides what an event has besides its title and dates. */
export function isWithheld(post: Post, view: View): boolean {
  const isOpen = view.site.quirks.has('lists-ignore-passwords');
  return !isOpen && isWithheldFrom(post, { ...view, editing: view.editing || view.writing === true });
}

const addedMembers = (post: Post, view: View): object =>
  Object.assign(
    {},
    ...view.site.registry.hooks('eventMembers').map((membersOf) => membersOf(post, view, isWithheld(post, view))),
  ) as object;

/** The last members of an event: those that differ in a single GET. */
function lastMembers(post: Post, view: View): Pick<Event, LinkedKind | 'custom_fields' | 'json_ld'> {
  const jsonLd = view.single ? eventJsonLd(post, view) : null;
  return {
    ...(isWithheld(post, view) ? eachKind((): [] => []) : links(post, view)),
    ...(view.site.quirks.has('no-custom-fields') ? {} : { custom_fields: [] }),
    ...(jsonLd === null ? {} : { json_ld: jsonLd }),
    ...addedMembers(post, view),
  };
}

/** TEC: a password-protected event in a list only has its title, URL, dates and ids. */
function presentWhole(post: Post, view: View): Event {
  const { site } = view;
  const isOpen = !isWithheld(post, view);
  const flag = (name: FlagNames<typeof EVENT_FIELDS>): boolean | null => (isOpen ? readFlag(post, EVENT_FIELDS[name]) : null);
  return {
    id: post._id,
    global_id: globalId(post, site),
    global_id_lineage: globalIdLineage(post, site),
    author: String(post.author),
    status: post.status,
    date: post.date,
    date_utc: post.dateGmt,
    modified: post.modified,
    modified_utc: post.modifiedGmt,
    url: eventUrl(post, view),
    rest_url: site.restUrl(`/${view.namespace}/events/${post._id}`),
    title: shownTitle(post),
    description: isOpen ? shownContent(post, view) : '',
    excerpt: isOpen ? shownExcerpt(post, view) : '',
    slug: post.slug,
    image: isOpen && imageOf(post, view),
    all_day: flag('all_day'),
    ...dates(post, site),
    ...(isOpen ? shownCost(post, view) : WITHHELD_COST),
    website: isOpen ? website(post, view) : '',
    show_map: flag('show_map'),
    show_map_link: flag('show_map_link'),
    hide_from_listings: flag('hide_from_listings'),
    sticky: isOpen ? post.menuOrder === -1 : null,
    featured: flag('featured'),
    categories: isOpen ? terms(post, EVENT_CATEGORY, view) : [],
    tags: isOpen ? terms(post, TAG, view) : [],
    ...lastMembers(post, view),
  };
}

/** The name of events as parts, and their path. */
export const EVENTS_PATH = 'events';

/** An event as the API shows it. A single GET adds `json_ld`, and takes the rest from the lists, if they have shown it. */
export function presentEvent(post: Post, view: View): Event {
  const listed = view.single && areLast(view.site.registry, EVENT) ? view.cachedFragment?.('posts', post._id, EVENTS_PATH) : undefined;
  if (!listed) return withAddedFields(presentWhole(post, view), post, view);
  return listed.replacedFrom(LINKED_KINDS[0], withAddedFields(lastMembers(post, view), post, view)) as Event & KnownJson;
}
