import { lookup } from '../../../base/values/records.js';
import type { ContentLine } from './lines.js';
import { daysFromCivil, wallToSeconds } from '../../../base/php/date.js';

export class EventProblem extends Error {}

export const DAY = 86_400;

/** A date or time as a file has it. */
export interface Moment {
  /** Seconds since 1970, local time or, with `isUtc`, UTC. */
  seconds: number;
  isDate: boolean;
  isUtc: boolean;
}

const TIME = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z)?)?$/i;
const OFFSET = /^\d{8}T\d{4,6}[+-]\d\d:?\d\d$/i;

const daysIn = (year: number, month: number): number => daysFromCivil(year, month + 1, 1) - daysFromCivil(year, month, 1);

/** Parses a DATE or DATE-TIME, by its form: VALUE is ignored. RFC 5545, 3.3.12: second 60 is read as 59. @throws EventProblem */
export function readMoment(text: string): Moment {
  const invalid = (why: string): EventProblem => new EventProblem(`invalid date or time "${text.slice(0, 40)}"${why}`);
  if (OFFSET.test(text)) throw invalid(': it has an offset. Write the time in UTC, with a Z, or name a zone with TZID');
  const match = TIME.exec(text);
  if (!match) throw invalid('. Use a form such as 20260801T193000');
  const [year, month, day, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map((part?: string) => Number(part ?? 0));
  if (month < 1 || month > 12) throw invalid(`: there is no month ${month}`);
  const days = daysIn(year, month);
  if (day < 1 || day > days) throw invalid(`: ${text.slice(0, 4)}-${text.slice(4, 6)} has ${days} days`);
  if (hour > 23 || minute > 59 || second > 60) throw invalid(': there is no such time of day');
  const seconds = wallToSeconds({ year, month, day, hour, minute, second: Math.min(second, 59) });
  return { seconds, isDate: match[4] === undefined, isUtc: match[7] !== undefined };
}

/** Duration of an event: calendar days plus exact seconds. RFC 5545, 3.3.6. */
export interface Duration {
  days: number;
  seconds: number;
}

const DURATION = /^([+-]?)P(?=\d|T\d)(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/i;

/** Parses a DURATION. @throws EventProblem also for a negative one */
export function readDuration(text: string): Duration {
  const match = DURATION.exec(text);
  if (!match) throw new EventProblem(`invalid DURATION "${text.slice(0, 40)}". Use a form such as PT1H30M or P2D`);
  const [weeks, days, hours, minutes, seconds] = match.slice(2).map((part?: string) => Number(part ?? 0));
  const duration = { days: weeks * 7 + days, seconds: hours * 3600 + minutes * 60 + seconds };
  if (match[1] === '-' && duration.days + duration.seconds > 0) throw new EventProblem(`the DURATION ${text} is negative`);
  return duration;
}

const ESCAPES: Readonly<Record<string, string>> = lookup({ n: '\n', N: '\n' });

/** RFC 5545, 3.3.11: the text of a TEXT value. A backslash before another sign is one. */
export const textOf = (value: string): string => value.replace(/\\([nN,;\\])/g, (_, sign: string) => ESCAPES[sign] ?? sign);

/** The texts of a list of TEXT values. */
export const textsOf = (value: string): string[] => (value.match(/(?:\\.|[^,\\]|\\$)+/gs) ?? []).map(textOf);

export interface Property {
  /** In upper case. */
  name: string;
  /** By name in upper case. Several values have commas between them. */
  params: ReadonlyMap<string, string>;
  /** Value as in the file, without blanks around it. */
  value: string;
  line: number;
}

/** A component: a calendar, an event, a time zone. */
export class Component {
  readonly properties: Property[] = [];
  readonly components: Component[] = [];
  /** Whether its END is there. */
  isComplete = false;

  constructor(
    readonly name: string,
    /** Line number of its BEGIN. */
    readonly line: number,
  ) {}

  all(name: string): Property[] {
    return this.properties.filter((property) => property.name === name);
  }

  first(name: string): Property | undefined {
    return this.properties.find((property) => property.name === name);
  }

  has(name: string): boolean {
    return this.first(name) !== undefined;
  }

  /** The first value of a property, or ''. */
  value(name: string): string {
    return this.first(name)?.value ?? '';
  }
}

/** Properties whose values are dates, durations or periods: these have no colon. */
const OF_TIMES: ReadonlySet<string> = new Set(['DTSTART', 'DTEND', 'DURATION', 'RECURRENCE-ID', 'EXDATE', 'RDATE']);

/** RFC 6868: carets stand for what a parameter cannot contain. */
const CARETS: Readonly<Record<string, string>> = lookup({ '^': '^', n: '\n', "'": '"' });

const PARAM = /;([^=:;]*)=/y;
const VALUE = /"([^"]*)"|([^;:,]*)/y;

/**
 * Parses a content line. Names are not checked: a property that nobody knows is ignored.
 * @returns null for a line that has no colon after a name
 */
function parseProperty({ text, line }: ContentLine): Property | null {
  let at = text.search(/[:;]/);
  const name = text.slice(0, Math.max(at, 0)).trim();
  if (name === '') return null;
  const params = new Map<string, string>();
  while (text[at] === ';') {
    PARAM.lastIndex = at;
    const [begin, param] = PARAM.exec(text) ?? [];
    if (begin === undefined) break;
    at += begin.length;
    const values: string[] = [];
    for (let more = true; more; at += more ? 1 : 0) {
      VALUE.lastIndex = at;
      const [whole, quoted, bare = ''] = VALUE.exec(text) ?? [''];
      at += whole.length;
      values.push((quoted ?? bare).replace(/\^([\^n'])/g, (_, sign: string) => CARETS[sign]));
      more = text[at] === ',';
    }
    params.set(param.trim().toUpperCase(), values.join(','));
  }
  const colon = text.indexOf(':', at);
  if (colon < 0) return null;
  const property = { name: name.toUpperCase(), params, value: text.slice(colon + 1).trim(), line };
  return OF_TIMES.has(property.name) ? withWholeZone(property) : property;
}

/** Some programs do not quote the name of a zone with a colon: `TZID=(UTC+01:00) Berlin:20260604T100000`. */
function withWholeZone(property: Property & { params: Map<string, string> }): Property {
  const { params, value } = property;
  const zone = params.get('TZID');
  const colon = value.lastIndexOf(':');
  if (zone === undefined || colon < 0) return property;
  params.set('TZID', `${zone}:${value.slice(0, colon)}`.replace(/^"|"$/g, ''));
  return { ...property, value: value.slice(colon + 1).trim() };
}

type Report = (problem: string, line: number) => void;

/** A component that contains no other one of its kind: its BEGIN inside of another means that an END is missing. */
const NOT_NESTED: ReadonlySet<string> = new Set(['VCALENDAR', 'VEVENT', 'VTIMEZONE', 'VTODO', 'VJOURNAL', 'VFREEBUSY']);

/**
 * The calendars of a file. Lines that cannot be read are reported and skipped. Components without an END are reported by their place, and
 * are part of the result.
 */
export function calendarsOf(lines: Iterable<ContentLine>, report: Report): Component[] {
  const calendars: Component[] = [];
  const open: Component[] = [];
  /** Closes the components that are open below a depth. */
  const close = (depth: number): void => void open.splice(depth);
  let isOutside = false;
  for (const line of lines) {
    const property = parseProperty(line);
    const verb = property?.params.size === 0 ? property.name : undefined;
    const name = property?.value.toUpperCase() ?? '';
    if (verb === 'BEGIN') {
      if (NOT_NESTED.has(name)) {
        const same = name === 'VCALENDAR' ? 0 : open.findIndex((each) => each.name !== 'VCALENDAR');
        if (same >= 0) close(same);
      }
      const component = new Component(name, line.line);
      if (open.length > 0) open[open.length - 1].components.push(component);
      else if (name === 'VCALENDAR') calendars.push(component);
      else report(`${name} is outside of a calendar (BEGIN:VCALENDAR)`, line.line);
      open.push(component);
    } else if (verb === 'END') {
      const at = open.findLastIndex((each) => each.name === name);
      if (at < 0) {
        report(`END:${property?.value} without BEGIN:${property?.value}`, line.line);
        continue;
      }
      open[at].isComplete = true;
      close(at);
    } else if (open.length === 0) {
      if (!isOutside) report('this is outside of a calendar (BEGIN:VCALENDAR)', line.line);
      isOutside = true;
    } else if (!property) {
      report(`"${line.text.trim().slice(0, 60)}" is not a property. Lines that continue another one must start with a space`, line.line);
    } else if (property.value !== '') {
      // Properties without a value are ignored.
      open[open.length - 1].properties.push(property);
    }
  }
  return calendars;
}
