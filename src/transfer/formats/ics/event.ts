import ICAL from 'ical.js';
import { EVENT_CATEGORY } from '../../../plugins/the-events-calendar/model/index.js';
import { UTC, type Zones } from '../../../base/php/timezone.js';
import { epochOf, toUtc, wallAt } from '../../../wordpress/timezones.js';
import { LINKED, type LinkedKind } from '../../../plugins/the-events-calendar/model/linked.js';
import type { DocumentBuilder, EventFacts, LinkedFacts } from '../../documents.js';
import type { FieldValues, WallTimes } from '../../fields.js';
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
import type { SourceItem, SourcePlace } from '../../source.js';

/** A problem of a single event. */
export class EventProblem extends Error {}

const param = (property: IcalProperty | null, name: string): string | undefined => {
  const value: unknown = property?.getParameter(name);
  return typeof value === 'string' && value !== '' ? withBackslashes(value) : undefined;
};

const textOf = (component: IcalComponent, name: string): string => {
  const value: unknown = component.getFirstPropertyValue(name);
  return typeof value === 'string' ? withBackslashes(value) : '';
};

/** The value of a time property with its time zone. */
export interface ZonedTime {
  time: IcalTime;
  timezone: string;
  wall: string;
  /** The UTC time of a local one, where the file describes the zone otherwise than the zone data. */
  utcOf?: WallTimes['utcOf'];
}

function dateOf(property: IcalProperty): IcalTime | null {
  try {
    const time: unknown = property.getFirstValue();
    return time instanceof ICAL.Time && Number.isFinite(time.year + time.month + time.day + time.hour) ? time : null;
  } catch {
    // ical.js throws on malformed dates.
    return null;
  }
}

export function timeOf(component: IcalComponent, name: string, zones: CalendarZones): ZonedTime | undefined {
  const property = component.getFirstProperty(name);
  if (!property) return undefined;
  const time = dateOf(property);
  if (!time) throw new EventProblem(`${name.toUpperCase()}: invalid date or time. Use a format such as 20260801T193000`);
  return zoned(time, param(property, time.isDate ? 'x-zone' : 'tzid'), zones, name);
}

/** Resolves the time zone of a time: its TZID, UTC, or the calendar's. */
export function zoned(time: IcalTime, tzid: string | undefined, zones: CalendarZones, name: string): ZonedTime {
  const wall = wallOf(time);
  // Some programs write all times in UTC; they are converted to the time zone of the calendar if it names one.
  if (isUtc(time))
    return zones.calendar === undefined
      ? { time, timezone: 'UTC', wall }
      : { time, timezone: zones.calendar, wall: inZone(wall, 'UTC', zones.calendar, zones.data) };
  if (tzid === undefined) return { time, timezone: zones.calendar ?? zones.siteZone, wall };
  // An all-day date is not an instant, so the rules of the zone need not match.
  const timezone = (time.isDate ? zoneNamed(tzid, zones.data) : undefined) ?? zones.of(tzid, time);
  if (timezone === undefined)
    throw new EventProblem(`${name.toUpperCase()}: unknown time zone "${tzid}", which the file does not define (VTIMEZONE)`);
  return time.isDate ? { time, timezone, wall } : { time, timezone, wall, utcOf: zones.utcOf(tzid, timezone) };
}

/** Duration of an event: calendar days plus seconds. */
export interface EventDuration {
  days: number;
  seconds: number;
  /** Start and end of the first event as given: local times can be ambiguous or skipped when clocks change. */
  given?: { start: string; end: string };
}

const instantUtc = (wall: string): number => epochOf(wall, UTC) ?? 0;
const instant = (wall: string, timezone: string, zones: Zones): number => instantUtc(toUtc(zones, wall, timezone));

/** RFC 5545: without an end, an all-day event lasts one day and a timed event has no duration. */
export function eventDuration(component: IcalComponent, start: ZonedTime, zones: CalendarZones): EventDuration {
  const end = timeOf(component, 'dtend', zones);
  if (end) {
    if (start.time.isDate) return { days: Math.max(1, Math.round((instantUtc(end.wall) - instantUtc(start.wall)) / 86_400)), seconds: 0 };
    const seconds = instant(end.wall, end.timezone, zones.data) - instant(start.wall, start.timezone, zones.data);
    if (seconds < 0)
      throw new EventProblem(`the event ends (${end.wall} ${end.timezone}) before it starts (${start.wall} ${start.timezone})`);
    return { days: 0, seconds, given: { start: start.wall, end: inZone(end.wall, end.timezone, start.timezone, zones.data) } };
  }
  const duration: unknown = component.getFirstPropertyValue('duration');
  if (!(duration instanceof ICAL.Duration)) return { days: start.time.isDate ? 1 : 0, seconds: 0 };
  const { isNegative, weeks, days, hours, minutes, seconds } = duration;
  if (isNegative) throw new EventProblem('DURATION is negative');
  const whole = weeks * 7 + days;
  return { days: start.time.isDate ? Math.max(1, whole) : whole, seconds: hours * 3600 + minutes * 60 + seconds };
}

/** Computes start and end from a local start time in the zone of another and a duration. All-day events end at 23:59:59 on their last day. */
export function timesFrom(
  wall: string,
  { timezone, utcOf, time }: ZonedTime,
  { days, seconds, given }: EventDuration,
  zones: Zones,
): WallTimes {
  if (time.isDate) {
    const first = `${wall.slice(0, 10)} 00:00:00`;
    return { start: first, end: `${shiftWall(first, (days - 1) * 86_400).slice(0, 10)} 23:59:59`, timezone, allDay: true };
  }
  if (given?.start === wall) return { ...given, timezone, allDay: false, utcOf };
  // RFC 5545: days are calendar days, hours are exact.
  const day = shiftWall(wall, days * 86_400);
  const end = seconds === 0 ? day : inZone(wallAt(instant(day, timezone, zones) + seconds, UTC), 'UTC', timezone, zones);
  return { start: wall, end: end < wall ? wall : end, timezone, allDay: false, utcOf };
}

/** Reads field values from the parameters of a property. */
const valuesOf = (property: IcalProperty | null, kind: LinkedKind): FieldValues =>
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

function linkedOf(kind: LinkedKind, property: IcalProperty, documents: DocumentBuilder, at: SourcePlace) {
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

/** Epoch seconds of a property in UTC. */
function epochOfProperty(component: IcalComponent, name: string): number | undefined {
  const time: unknown = component.getFirstPropertyValue(name);
  return time instanceof ICAL.Time ? instantUtc(wallOf(time)) : undefined;
}

/** TEC: the status of a canceled event. */
export const CANCELED = 'canceled';

const PRIVATE = ['PRIVATE', 'CONFIDENTIAL'];

/**
 * The items of an event at given times: first the venues, organizers and terms that it refers to.
 * @param slug suffix of the slug, for the events of a series
 */
export function eventItems(
  component: IcalComponent,
  times: WallTimes,
  documents: DocumentBuilder,
  at: SourcePlace,
  slug?: string,
): SourceItem[] {
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
    published: epochOfProperty(component, 'created'),
    modified: epochOfProperty(component, 'last-modified'),
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
