import { pageTexts } from '../../../base/locales/index.js';
import { CALENDAR } from '../quirks/version.js';
import { createHash } from 'node:crypto';
import { setImmediate as othersTurn } from 'node:timers/promises';
import { decodeEntities } from '../../../wordpress/formatting/decode-entities.js';
import { sanitizeTitle } from '../../../wordpress/formatting/sanitize.js';
import type { MetaRow, User } from '../../../wordpress/model.js';
import { EVENT } from '../model/index.js';
import { listFields, readPosts } from '../../../wordpress/posts/posts.js';
import type { PostQuery } from '../../../wordpress/query/post-query.js';
import { loadLinked } from '../../../wordpress/posts/related.js';
import type { Site } from '../../../wordpress/site.js';
import { conversionZone } from '../../../wordpress/timezones.js';
import { EVENT_FIELDS } from '../model/event.js';
import type { Occurrence } from '../model/occurrence.js';
import { shownSpan, shownTimes } from '../model/event-dates.js';
import { feedEvent, feedZoneName, isInDays } from './feed-event.js';
import {
  FEED_STYLE,
  RFC_STYLE,
  icsDocument,
  icsLines,
  icsText,
  type IcsComponent,
  type IcsProperty,
} from '../../../wordpress/ics/write.js';
import { FEED_ZONE_STYLE, RFC_ZONE_STYLE, vtimezone } from '../../../wordpress/ics/write.js';

/** The fields of all events that are needed before the first one is written. */
export interface FeedEntry {
  _id: number;
  start: string;
  end: string;
  /** The stored time zone. */
  zone: string;
  inDays: boolean;
}

interface EntryRow {
  _id: number;
  occurrence?: Occurrence;
  meta: MetaRow[];
}

const ENTRY_META = (['timezone', 'all_day', 'start_date', 'end_date'] as const).map((name) => EVENT_FIELDS[name].key);

const ENTRY_FIELDS = {
  occurrence: 1,
  meta: { $filter: { input: '$meta', as: 'row', cond: { $in: ['$$row.key', ENTRY_META] } } },
};

export function feedEntry(row: EntryRow, site: Site): FeedEntry {
  const { start, end, zone } = shownTimes(row, site);
  return {
    _id: row._id,
    ...(row.occurrence ? shownSpan(row.occurrence, site) : { start, end }),
    zone,
    inDays: isInDays(row, site),
  };
}

/** The entries of the events that a query finds, in order. */
export async function feedEntries(site: Site, query: Omit<PostQuery, 'type'>): Promise<FeedEntry[]> {
  const rows = await listFields<EntryRow>(site.store, { ...query, type: EVENT }, ENTRY_FIELDS);
  return rows.map((row) => feedEntry(row, site));
}

/** The properties of a calendar besides its events. */
interface FeedOptions {
  reader: User | null;
  /** Whether it contains the name of the site. TEC: not for Outlook. */
  named: boolean;
  /** The state of events without a venue; empty for none. */
  borrowedState: string;
}

/** The first second of a year, also of one beyond 9999. */
const newYear = (year: number): number => new Date(0).setUTCFullYear(year, 0, 1) / 1000;

interface ZoneUse {
  tzid: string;
  /** The stored time zone. */
  zone: string;
  firstYear: number;
  lastYear: number;
}

/** TEC: whole years, from the one before the first event on to the one after the last. */
function zoneComponent({ tzid, zone, firstYear, lastYear }: ZoneUse, { quirks, zones }: Site): IcsComponent {
  const margin = quirks.has('ical-zones-are-short') ? 0 : 1;
  return vtimezone(
    tzid,
    conversionZone(zones, zone),
    newYear(firstYear - margin),
    newYear(lastYear + margin + 1) - 1,
    quirks.has('ical-breaks-the-format') ? FEED_ZONE_STYLE : RFC_ZONE_STYLE,
  );
}

const yearOf = (wall: string): number => Number(wall.slice(0, 4));

/** RFC 5545: a calendar has at least one component. */
function zoneOfNothing(site: Site): IcsComponent {
  const year = yearOf(site.nowLocal);
  const tzid = feedZoneName(site.options.timezone, site);
  const zone = tzid === null ? 'UTC' : site.options.timezone;
  return zoneComponent({ tzid: tzid ?? 'UTC', zone, firstYear: year, lastYear: year }, site);
}

/** The zones of some events in the order of their first use. TEC: two that are spelled differently are two, even of one name. */
function zoneComponents(entries: FeedEntry[], site: Site): IcsComponent[] {
  if (entries.length === 0) return [zoneOfNothing(site)];
  const uses = new Map<string, ZoneUse>();
  for (const { zone, start, end, inDays } of entries) {
    const tzid = feedZoneName(zone, site);
    if (inDays || tzid === null) continue;
    const key = site.quirks.has('ical-breaks-the-format') ? zone : tzid;
    const known = uses.get(key) ?? { tzid, zone, firstYear: yearOf(start), lastYear: yearOf(end) };
    uses.set(key, {
      ...known,
      firstYear: Math.min(known.firstYear, yearOf(start)),
      lastYear: Math.max(known.lastYear, yearOf(end)),
    });
  }
  const zones = [...uses.values()].map((use) => zoneComponent(use, site));
  return zones.length > 1 && site.quirks.has('ical-zones-share-a-block') ? [sharedBlock(zones)] : zones;
}

/** Zones within one component. */
const sharedBlock = (zones: IcsComponent[]): IcsComponent => ({
  name: 'VTIMEZONE',
  properties: [],
  components: zones.map((zone) => ({ ...zone, name: null })),
});

/** The description of a calendar. TEC: in the language of the site. */
function calendarText({ language }: Site, name: string): string {
  const { eventsFor, events } = pageTexts(language);
  return eventsFor.replace('{events}', events).replace('{dates}', () => name);
}

function head(site: Site, named: boolean): IcsProperty[] {
  const stored = site.options.name;
  // TEC: the name is in the file as it is stored, which is escaped.
  const name = site.quirks.has('ical-breaks-the-format') ? stored.replace(/\s+/g, ' ') : icsText(decodeEntities(stored));
  return [
    { name: 'VERSION', value: '2.0' },
    { name: 'PRODID', value: `-//${name} - ECPv${site.quirks.releases[CALENDAR]}//NONSGML v1.0//EN` },
    { name: 'CALSCALE', value: 'GREGORIAN' },
    { name: 'METHOD', value: 'PUBLISH' },
    ...(named ? [{ name: 'X-WR-CALNAME', value: name }] : []),
    { name: 'X-ORIGINAL-URL', value: site.url },
    { name: 'X-WR-CALDESC', value: calendarText(site, name) },
    { name: 'REFRESH-INTERVAL', params: { VALUE: 'DURATION' }, value: 'PT1H' },
    { name: 'X-Robots-Tag', value: 'noindex' },
    { name: 'X-PUBLISHED-TTL', value: 'PT1H' },
  ];
}

/** Number of events in memory at a time, after which other requests have their turn. */
const STEP = 50;

/** A calendar as text (`text/calendar`). Events are loaded in batches, so that large calendars take no more memory than their text. */
export async function feedText(site: Site, entries: FeedEntry[], { reader, named, borrowedState }: FeedOptions): Promise<string> {
  const style = site.quirks.has('ical-breaks-the-format') ? FEED_STYLE : RFC_STYLE;
  const opening = { name: 'VCALENDAR', properties: head(site, named), components: zoneComponents(entries, site) };
  const end = 'END:VCALENDAR';
  const text = icsDocument(opening, style);
  const parts = [text.slice(0, text.lastIndexOf(end))];
  for (let from = 0; from < entries.length; from += STEP) {
    const ids = entries.slice(from, from + STEP).map(({ _id }) => _id);
    if (from > 0) await othersTurn();
    const posts = new Map((await readPosts(site.store, ids)).map((post) => [post._id, post]));
    const context = { site, reader, related: await loadLinked(site.store, [...posts.values()]), borrowedState };
    const events = ids.flatMap((id) => {
      const post = posts.get(id);
      const component = post ? feedEvent(post, context) : null;
      return component ? [[...icsLines(component, style)].join('')] : [];
    });
    parts.push(events.join(''));
  }
  return `${parts.join('')}${text.slice(text.lastIndexOf(end))}`;
}

/** The file name of a calendar: the same for the same events in the same order (TEC). */
export function feedFileName(site: Site, entries: FeedEntry[], form: 'ical' | 'outlook'): string {
  const ids = entries.map(({ _id }) => _id).join('');
  const hash = createHash('md5')
    .update(form + ids)
    .digest('hex')
    .slice(0, 11);
  const name = sanitizeTitle(site.options.name, site.quirks).replace(/[^\w%-]/g, '');
  return `${name === '' ? 'events' : name}-${hash}.ics`;
}
