import { transitionsOf, UTC, type Zone } from '../../base/php/timezone.js';
import { wallAt } from '../timezones.js';

/**
 * Writes iCalendar (RFC 5545): components and properties as text. Their content is up to the caller: exports and the plugin's feed differ.
 */

export interface IcsProperty {
  name: string;
  /** In their order; null or undefined: not there. Always written as given, quoted and escaped if need be. */
  params?: Readonly<Record<string, string | null | undefined>>;
  /** Whether parameters are always quoted. */
  quotesParams?: boolean;
  /** The value in the form of its type, such as from `icsText`. */
  value: string;
}

export interface IcsComponent {
  /** Null: its lines belong to the enclosing component. */
  name: string | null;
  properties: readonly IcsProperty[];
  components?: readonly IcsComponent[];
}

/** How lines are written. */
interface IcsStyle {
  /** Whether lines are folded at 75 octets, as the standard requires. TEC: they are not. */
  fold: boolean;
  /** Whether the last line ends with a line break. TEC: it does not. */
  lastLineEnd: boolean;
}

export const RFC_STYLE: IcsStyle = { fold: true, lastLineEnd: true };

/** TEC: as the plugin's feed is. */
export const FEED_STYLE: IcsStyle = { fold: false, lastLineEnd: false };

/** Control characters that no content line may have; the tab may. */
// eslint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

/** A value of the type TEXT. */
export const icsText = (text: string): string =>
  text
    .replace(CONTROLS, '')
    .replace(/[\\,;]/g, '\\$&')
    .replace(/\r\n|\r|\n/g, '\\n');

/** Values of the type TEXT with commas between them. */
export const icsTextList = (texts: readonly string[]): string => texts.map(icsText).join(',');

const digits = (wall: string): string => wall.replace(/\D/g, '');

/** `20260801T193000` from `2026-08-01 19:30:00`. */
export const icsDateTime = (wall: string): string => `${digits(wall.slice(0, 10))}T${digits(wall.slice(11))}`;

/** A moment: the local time in a named zone, or without one, in UTC. */
export const icsTime = (name: string, wall: string, tzid: string | null): IcsProperty =>
  tzid === null ? { name, value: `${icsDateTime(wall)}Z` } : { name, params: { TZID: tzid }, value: icsDateTime(wall) };

export const icsDay = (name: string, wall: string, params: IcsProperty['params'] = {}): IcsProperty => ({
  name,
  params: { VALUE: 'DATE', ...params },
  value: digits(wall.slice(0, 10)),
});

/** A URL without line breaks. */
export const icsUri = (text: string): string => text.replace(/[\s\p{Cc}]/gu, encodeURIComponent);

export const icsImage = (mimeType: string | undefined, url: string): IcsProperty => ({
  name: 'ATTACH',
  params: { FMTTYPE: mimeType },
  value: icsUri(url),
});

/** `+0530`, `-0330`, with seconds where there are any, from seconds east of UTC. */
function icsOffset(seconds: number): string {
  const size = Math.abs(seconds);
  const parts = [Math.floor(size / 3600), Math.floor(size / 60) % 60, size % 60].map((part) => String(part).padStart(2, '0'));
  return `${seconds < 0 ? '-' : '+'}${parts[0]}${parts[1]}${parts[2] === '00' ? '' : parts[2]}`;
}

/** RFC 6868: quotes, carets and line ends in the value of a parameter. */
const CARETS: Readonly<Record<string, string>> = { '^': '^^', '"': "^'", '\n': '^n' };

function paramText(value: string, quotes: boolean): string {
  const escaped = value
    .replace(/\r\n?/g, '\n')
    .replace(CONTROLS, '')
    .replace(/[\^"\n]/g, (sign) => CARETS[sign]);
  return quotes || /[:;,]|^$|^\s|\s$/.test(escaped) ? `"${escaped}"` : escaped;
}

/** One content line, not folded. */
export function icsLine({ name, params = {}, quotesParams = false, value }: IcsProperty): string {
  const given = Object.entries(params).flatMap(([key, text]) =>
    text === null || text === undefined ? [] : [`;${key}=${paramText(text, quotesParams)}`],
  );
  return `${name}${given.join('')}:${value}`;
}

const LIMIT = 75;

// eslint-disable-next-line no-control-regex
const ASCII = /^[\u0000-\u007f]*$/;

/** The pieces of a line whose characters are one octet each. */
const asciiPieces = (line: string): string[] => [line.slice(0, LIMIT), ...(line.slice(LIMIT).match(/.{1,74}/gs) ?? [])];

/** Folds a content line into pieces of at most 75 octets, without splitting characters. Continuation lines start with a space. */
export function foldLine(line: string): string {
  if (ASCII.test(line)) return line.length <= LIMIT ? line : asciiPieces(line).join('\r\n ');
  if (Buffer.byteLength(line) <= LIMIT) return line;
  const pieces: string[] = [];
  let piece = '';
  let size = 0;
  for (const character of line) {
    const length = Buffer.byteLength(character);
    if (size + length > LIMIT) {
      pieces.push(piece);
      // The space counts.
      [piece, size] = ['', 1];
    }
    piece += character;
    size += length;
  }
  return [...pieces, piece].join('\r\n ');
}

/** The lines of a component, each with its line end. */
export function* icsLines(component: IcsComponent, style: IcsStyle): Iterable<string> {
  const line = (property: IcsProperty): string => `${style.fold ? foldLine(icsLine(property)) : icsLine(property)}\r\n`;
  if (component.name !== null) yield `BEGIN:${component.name}\r\n`;
  for (const property of component.properties) yield line(property);
  for (const inner of component.components ?? []) yield* icsLines(inner, style);
  if (component.name !== null) yield `END:${component.name}\r\n`;
}

export function icsDocument(calendar: IcsComponent, style: IcsStyle): string {
  const text = [...icsLines(calendar, style)].join('');
  return style.lastLineEnd ? text : text.replace(/\r\n$/, '');
}

/** How to write the rules of a zone. */
interface ZoneStyle {
  /** Whether the time of a change is written as the local time before it, as the standard requires, or in UTC. TEC: in UTC. */
  changesIn: 'wall' | 'utc';
  /** Whether the initial offset is written, too. TEC: only if there are no changes. */
  statesBeginning: boolean;
}

export const RFC_ZONE_STYLE: ZoneStyle = { changesIn: 'wall', statesBeginning: true };
export const FEED_ZONE_STYLE: ZoneStyle = { changesIn: 'utc', statesBeginning: false };

interface Observance {
  /** Epoch seconds. */
  at: number;
  from: number;
  to: number;
  name: string;
  daylight: boolean;
}

const observance = ({ at, from, to, name, daylight }: Observance, { changesIn }: ZoneStyle): IcsComponent => ({
  name: daylight ? 'DAYLIGHT' : 'STANDARD',
  properties: [
    { name: 'TZOFFSETFROM', value: icsOffset(from) },
    { name: 'TZOFFSETTO', value: icsOffset(to) },
    { name: 'TZNAME', value: icsText(name) },
    { name: 'DTSTART', value: icsDateTime(wallAt(at + (changesIn === 'wall' ? from : 0), UTC)) },
  ],
});

/**
 * The VTIMEZONE of a zone: every change of its clocks between two moments, one by one. Programs continue with the last one.
 * @param tzid name within the calendar
 * @param zone the zone
 * @param from epoch seconds, as `to`
 */
export function vtimezone(tzid: string, zone: Zone, from: number, to: number, style: ZoneStyle): IcsComponent {
  const { beginning, changes } = transitionsOf(zone, from, to);
  const first: Observance = {
    at: from,
    from: beginning.offset,
    to: beginning.offset,
    name: beginning.abbreviation,
    daylight: beginning.daylight,
  };
  const states = style.statesBeginning || changes.length === 0;
  const later = changes.map((change, index): Observance => ({
    at: change.at,
    from: changes[index - 1]?.offset ?? beginning.offset,
    to: change.offset,
    name: change.abbreviation,
    daylight: change.daylight,
  }));
  return {
    name: 'VTIMEZONE',
    properties: [{ name: 'TZID', value: icsText(tzid) }],
    components: [...(states ? [first] : []), ...later].map((one) => observance(one, style)),
  };
}
