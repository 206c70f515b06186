import ICAL from 'ical.js';
import { EVENT_CATEGORY } from '../../../tec/index.js';
import { epochOf, toUtc, wallAt, zoneOf } from '../../../wp/timezones.js';
import { LINKED, type LinkedKind } from '../../../tec/linked.js';
import type { Documents, EventFacts, LinkedFacts } from '../../documents.js';
import type { Values, WallTimes } from '../../fields.js';
import { unescaped, withBackslashes } from './lines.js';
import { ADDRESSED, fieldParameters } from './parameters.js';
import { bodyOf, textToHtml, venueOfText } from './text.js';
import {
  inZone,
  isUtc,
  shiftWall,
  wallOf,
  zoneNamed,
  type CalendarZones,
  type IcalComponent,
  type IcalProperty,
  type IcalTime,
} from './zones.js';
import type { DatasetItem, Place } from '../../source.js';

const UTC = zoneOf('UTC');

type IcalDuration = InstanceType<typeof ICAL.Duration>;

/** What is wrong with one event. */
export class EventProblem extends Error {}

const param = (property: IcalProperty | null, name: string): string | undefined => {
  const value: unknown = property?.getParameter(name);
  return typeof value === 'string' && value !== '' ? withBackslashes(value) : undefined;
};

const textOf = (component: IcalComponent, name: string): string => {
  const value: unknown = component.getFirstPropertyValue(name);
  return typeof value === 'string' ? withBackslashes(value) : '';
};

/** A property that is a time, with the zone text that its clock belongs to. */
export interface ZonedTime {
  time: IcalTime;
  timezone: string;
  wall: string;
}

function dateOf(property: IcalProperty): IcalTime | null {
  try {
    const time: unknown = property.getFirstValue();
    return time instanceof ICAL.Time && Number.isFinite(time.year + time.month + time.day + time.hour) ? time : null;
  } catch {
    // The library rejects malformed dates.
    return null;
  }
}

export function timeOf(component: IcalComponent, name: string, zones: CalendarZones): ZonedTime | undefined {
  const property = component.getFirstProperty(name);
  if (!property) return undefined;
  const time = dateOf(property);
  if (!time) throw new EventProblem(`${name.toUpperCase()} is not a date or time such as 20260801T193000`);
  return zoned(time, param(property, time.isDate ? 'x-zone' : 'tzid'), zones, name);
}

/** A time with its zone: that of its TZID, UTC, or that of the calendar. */
export function zoned(time: IcalTime, tzid: string | undefined, zones: CalendarZones, name: string): ZonedTime {
  const wall = wallOf(time);
  // What other programs keep in UTC is shown on the clocks of the calendar, when it says what they are.
  if (isUtc(time))
    return zones.calendar === undefined
      ? { time, timezone: 'UTC', wall }
      : { time, timezone: zones.calendar, wall: inZone(wall, 'UTC', zones.calendar) };
  if (tzid === undefined) return { time, timezone: zones.calendar ?? zones.siteZone, wall };
  // Whole days are no instants: any zone that there is will do.
  const timezone = (time.isDate ? zoneNamed(tzid) : undefined) ?? zones.of(tzid, time);
  if (timezone === undefined)
    throw new EventProblem(`${name.toUpperCase()}: "${tzid}" is no known time zone, and the file does not describe it (VTIMEZONE)`);
  return { time, timezone, wall };
}

/** How long an event lasts: so many days of the calendar, and so many seconds. */
export interface Span {
  days: number;
  seconds: number;
  /** The first start and end as they are given: clocks may show a time twice, or not at all. */
  given?: { start: string; end: string };
}

const instant = (wall: string, timezone: string): number => epochOf(toUtc(wall, timezone), UTC) ?? 0;

/** RFC 5545: without an end, a day lasts that day and a moment that moment. */
export function spanOf(component: IcalComponent, start: ZonedTime, zones: CalendarZones): Span {
  const end = timeOf(component, 'dtend', zones);
  if (end) {
    if (start.time.isDate)
      return { days: Math.max(1, Math.round((instant(end.wall, 'UTC') - instant(start.wall, 'UTC')) / 86_400)), seconds: 0 };
    const seconds = instant(end.wall, end.timezone) - instant(start.wall, start.timezone);
    if (seconds < 0) throw new EventProblem(`it ends (${end.wall} ${end.timezone}) before it starts (${start.wall} ${start.timezone})`);
    return { days: 0, seconds, given: { start: start.wall, end: inZone(end.wall, end.timezone, start.timezone) } };
  }
  const duration: unknown = component.getFirstPropertyValue('duration');
  if (!(duration instanceof ICAL.Duration)) return { days: start.time.isDate ? 1 : 0, seconds: 0 };
  const { isNegative, weeks, days, hours, minutes, seconds } = duration as IcalDuration;
  if (isNegative) throw new EventProblem('DURATION is negative');
  const whole = weeks * 7 + days;
  return { days: start.time.isDate ? Math.max(1, whole) : whole, seconds: hours * 3600 + minutes * 60 + seconds };
}

/** When an event takes place that starts at a wall time and lasts so long. All-day events end with the last second of their last day. */
export function timesFrom(wall: string, timezone: string, isDate: boolean, { days, seconds, given }: Span): WallTimes {
  if (isDate) {
    const first = `${wall.slice(0, 10)} 00:00:00`;
    return { start: first, end: `${shiftWall(first, (days - 1) * 86_400).slice(0, 10)} 23:59:59`, timezone, allDay: true };
  }
  if (given?.start === wall) return { ...given, timezone, allDay: false };
  // Days are those of the calendar, hours those of a stop-watch (RFC 5545).
  const day = shiftWall(wall, days * 86_400);
  const end = seconds === 0 ? day : inZone(wallAt(instant(day, timezone) + seconds, UTC), 'UTC', timezone);
  return { start: wall, end: end < wall ? wall : end, timezone, allDay: false };
}

/** The values that the parameters of a property give. */
const valuesOf = (property: IcalProperty | null, kind: LinkedKind): Values =>
  Object.fromEntries(
    fieldParameters(LINKED[kind].fields).flatMap(({ name, parameter }) => {
      const value = param(property, parameter.toLowerCase());
      return value === undefined ? [] : [[name, value]];
    }),
  );

function venueOf(component: IcalComponent): LinkedFacts | undefined {
  const property = component.getFirstProperty('location');
  const text = textOf(component, 'location').trim();
  if (text === '' || /^https?:\/\/\S+$/.test(text)) return undefined;
  const title = param(property, 'x-name');
  const facts = title === undefined ? venueOfText(text) : { title, values: valuesOf(property, 'venue') };
  const geo = component.getFirstProperty('geo')?.toICALString().split(':')[1];
  const [, lat, lng] = /^([+-]?\d+(?:\.\d+)?);([+-]?\d+(?:\.\d+)?)$/.exec(geo ?? '') ?? [];
  return { ...facts, values: { ...facts.values, ...(lat === undefined ? {} : { geo_lat: lat, geo_lng: lng }) } };
}

function linkedOf(kind: LinkedKind, property: IcalProperty, documents: Documents, at: Place) {
  const value: unknown = property.getFirstValue();
  const email = /^mailto:(.+)$/i.exec(typeof value === 'string' ? value.trim() : '')?.[1];
  const title = (param(property, 'cn') ?? email ?? '').trim();
  if (title === '') return [];
  const values = { ...valuesOf(property, kind), ...(email === undefined ? {} : { email }) };
  return [documents.namedLinked(kind, { title, values }, at)];
}

function contentOf(component: IcalComponent): string {
  const property = component
    .getAllProperties()
    .find(
      ({ name }) =>
        ['x-alt-desc', 'styled-description'].includes(name) && /html/i.test(param(component.getFirstProperty(name), 'fmttype') ?? ''),
    );
  const html: unknown = property?.getFirstValue();
  if (typeof html !== 'string' || html === '') return textToHtml(textOf(component, 'description'));
  return bodyOf(withBackslashes(property?.type === 'unknown' ? unescaped(html) : html));
}

/** Epoch seconds of a moment that is given in UTC. */
function momentOf(component: IcalComponent, name: string): number | undefined {
  const time: unknown = component.getFirstPropertyValue(name);
  return time instanceof ICAL.Time ? instant(wallOf(time), 'UTC') : undefined;
}

/** TEC: the status of an event that does not take place. */
export const CANCELED = 'canceled';

const PRIVATE = ['PRIVATE', 'CONFIDENTIAL'];

/**
 * The items of an event that takes place at given times, what it names first.
 * @param slug what its slug is made of, when not of its title
 */
export function eventItems(component: IcalComponent, times: WallTimes, documents: Documents, at: Place, slug?: string): DatasetItem[] {
  const summary = component.getFirstProperty('summary');
  const location = textOf(component, 'location').trim();
  const url = textOf(component, 'url').trim();
  const title = (param(summary, 'x-html') ?? textOf(component, 'summary')).trim() || '(no title)';
  const venueFacts = venueOf(component);
  const venue = venueFacts && documents.namedLinked('venue', venueFacts, at);
  const linked = ADDRESSED.map((kind) => ({
    kind,
    named: [...component.getAllProperties(kind), ...component.getAllProperties(`x-${kind}`)].flatMap((property) =>
      linkedOf(kind, property, documents, at),
    ),
  }));
  const names = component
    .getAllProperties('categories')
    .flatMap((property) => property.getValues().map((value) => withBackslashes(String(value))));
  const categories = names.flatMap((name) => documents.namedTerm(EVENT_CATEGORY, name.trim(), at) ?? []);
  const ids = (named: readonly { id: number }[]): number[] => [...new Set(named.map(({ id }) => id))];
  const facts: EventFacts = {
    times,
    title,
    slug: slug === undefined ? undefined : `${title} ${slug}`,
    content: contentOf(component),
    status: PRIVATE.includes(textOf(component, 'class').toUpperCase()) ? 'private' : 'publish',
    published: momentOf(component, 'created'),
    modified: momentOf(component, 'last-modified'),
    categories: ids(categories),
    values: {
      venue: venue ? [venue.id] : [],
      ...Object.fromEntries(linked.map(({ kind, named }) => [kind, ids(named)])),
      website: url === '' && venue === undefined && /^https?:/.test(location) ? location : url,
      ...(textOf(component, 'status').toUpperCase() === 'CANCELLED' ? { event_status: CANCELED } : {}),
    },
  };
  const named = [...(venue ? [venue] : []), ...linked.flatMap((each) => each.named), ...categories].flatMap(({ items }) => items);
  return [...named, { kind: 'post', post: documents.event(facts), at }];
}

export const hasImage = (component: IcalComponent): boolean =>
  component.getAllProperties('attach').some((property) => /^image\//i.test(param(property, 'fmttype') ?? ''));
