import { LINKED, LINKED_KINDS } from '../../../plugins/the-events-calendar/model/event.js';
import type { Event, Term } from '../../../sdk/types/responses.js';
import { ALL_TIME } from '../check/requests.js';
import type { SiteResponse } from '../client/client.js';
import type { LinkedOnSite } from '../items.js';

/** A read-only request whose response depends on the release of the plugin. */
export interface Probe {
  /** Its subject. */
  about: string;
  method?: 'GET' | 'OPTIONS';
  /** `{calendar}` is the namespace of the calendar. */
  route?: string;
  /** Instead of a route: a URL relative to the site's. */
  page?: string;
  see: (response: SiteResponse) => unknown;
}

/** Items of a site to send requests for. */
interface ProbedItems {
  events: Event[];
  linked: LinkedOnSite[];
  terms: Term[];
}

const NOWHERE = 999_999_999;

type Fields = Record<string, unknown>;

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : []);

const outcome = ({ status, json }: SiteResponse): unknown => [status, fieldsOf(json)['code']];
const invalid = (response: SiteResponse): unknown => {
  const data = fieldsOf(fieldsOf(response.json)['data']);
  return [outcome(response), Object.keys(fieldsOf(data['params'])), Object.keys(fieldsOf(data['details']))];
};
const allowed = ({ headers }: SiteResponse): unknown => headers['allow'];

/** The level of detail of an item. */
const shownFields = (item: Fields, names: readonly string[]): unknown => names.map((name) => Boolean(item[name]));

/** The parameters of the routes of a namespace, by route. */
const namedArguments = ({ json }: SiteResponse): unknown =>
  Object.entries(fieldsOf(fieldsOf(json)['routes'])).map(([route, entry]) => [
    route,
    listOf(fieldsOf(entry)['endpoints']).map(({ args }) => Object.keys(fieldsOf(args)).length > 0),
  ]);

/** The zones of a calendar file: how many blocks, and the years of their changes. */
const zones = ({ text }: SiteResponse): unknown => {
  const blocks = text.match(/BEGIN:VTIMEZONE[\s\S]*?END:VTIMEZONE/g) ?? [];
  return blocks.map((block) => [block.match(/TZID/g)?.length, ...(block.match(/DTSTART:\d{4}/g) ?? [])]);
};

const links = (relation: string) => (item: Fields) =>
  listOf(fieldsOf(item['_links'])[relation])
    .map(({ href }) =>
      String(href)
        .replace(/^.*\/wp\/v2\//, '')
        .replace(/\?.*$/, ''),
    )
    .toSorted();

/**
 * The probes for a site with these items. Their results depend on the release and the items, and as little as possible on anything else.
 */
export function* probesFor({ events, linked, terms }: ProbedItems): Generator<Probe> {
  yield { about: 'the id of a missing event', route: `{calendar}/events/${NOWHERE}`, see: outcome };
  for (const { id } of linked.slice(0, 1)) yield { about: 'the id of another post', route: `{calendar}/events/${id}`, see: outcome };
  yield {
    about: 'protected events in lists, and additional fields',
    route: `{calendar}/events?${ALL_TIME}&per_page=50`,
    see: ({ json }) =>
      listOf(fieldsOf(json)['events']).map((event) => [
        event['id'],
        'custom_fields' in event,
        shownFields(event, ['description', 'website', 'cost', 'image']),
        shownFields(fieldsOf(event['venue']), ['address', 'city']),
      ]),
  };
  for (const kind of LINKED_KINDS) {
    const { column } = LINKED[kind];
    yield {
      about: `protected ${column}`,
      route: `{calendar}/${column}?per_page=50`,
      see: ({ json }) =>
        listOf(fieldsOf(json)[column]).map((item) => [item['id'], shownFields(item, ['description', 'address', 'city', 'phone', 'email'])]),
    };
    yield {
      about: `the methods that are allowed for missing ${column} (with a login)`,
      route: `{calendar}/${column}/${NOWHERE}`,
      see: allowed,
    };
  }
  for (const { id } of events.slice(0, 1))
    yield { about: 'the methods that are allowed for an event (with a login)', route: `{calendar}/events/${id}`, see: allowed };
  yield { about: 'the methods that are allowed for categories (with a login)', route: '{calendar}/categories', see: allowed };
  yield { about: 'the methods that are allowed for tags (with a login)', route: '{calendar}/tags', see: allowed };
  for (const { id, taxonomy } of terms.slice(0, 1))
    yield {
      about: 'calendar embeds in the links of a term',
      route: `{calendar}/${taxonomy === 'post_tag' ? 'tags' : 'categories'}/${id}`,
      see: ({ json }) => links('wp:post_type')(fieldsOf(json)),
    };
  if (events.length > 0) {
    const ids = events.slice(0, 2).map(({ id }) => id);
    // UTC has no changes, and the list of all events depends on the clock.
    const zoned = events.find(({ timezone }) => timezone.includes('/'))?.id ?? ids[0];
    yield {
      about: 'the order of include in wp/v2',
      route: `wp/v2/tribe_events?include=${ids.join(',')}&orderby=include&_fields=id`,
      see: ({ json }) => listOf(json).map(({ id }) => id),
    };
    yield {
      about: 'comments of events',
      route: `wp/v2/tribe_events?include=${ids[0]}`,
      see: ({ json }) => listOf(json).map((item) => ['comment_status' in item, 'replies' in fieldsOf(item['_links'])]),
    };
    yield { about: 'time stamps in calendar files', page: `?post_type=tribe_events&p=${ids[0]}&ical=1`, see: stamps };
    yield { about: 'time zones in calendar files', page: `?post_type=tribe_events&p=${zoned}&ical=1`, see: zones };
  }
  yield { about: 'the routes of tec/v1', route: 'tec/v1', see: namedArguments };
  yield { about: 'the checks of tec/v1: a text for a number', route: 'tec/v1/events?per_page=x', see: invalid };
  yield { about: 'the checks of tec/v1: a number', route: 'tec/v1/events?per_page=1', see: invalid };
  yield { about: 'the checks of tec/v1: an address', route: 'tec/v1/events?website=x&venue=x', see: invalid };
}

/** TEC: the time of a change is in UTC, the time in the request is not. */
function stamps({ text }: SiteResponse): unknown {
  return (text.match(/^DTSTAMP:.*$/gm) ?? []).map((line) => line.trimEnd().endsWith('Z'));
}
