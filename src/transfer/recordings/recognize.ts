import { isRecord, membersOf } from '../../base/values/records.js';
import { PARTS } from '../kinds.js';
import { routeOfItem } from './collection.js';
import { isContainer } from './exchange.js';
import members from './members.json' with { type: 'json' };

/** Members of responses that no dataset has. */
const SIGNS = members.signs;
const ENVELOPE = ['rest_url', 'total_pages', 'next_rest_url'];

const DEEPEST = 4;

const isShown = (value: unknown): boolean =>
  isRecord(value) &&
  (SIGNS.some((name) => name in value) ||
    isRecord(value['title']) ||
    (typeof value['venue'] === 'object' && 'title' in value && !('start' in value)));

/** Whether a value has an item of a response anywhere in it. */
function hasItems(value: unknown, depth: number): boolean {
  if (depth > DEEPEST || typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(
    (each) => isShown(each) || (isRecord(each) && routeOfItem(each, '') !== null) || hasItems(each, depth + 1),
  );
}

/** WP: a response with an error. */
export const isError = (value: unknown): boolean =>
  isRecord(value) && typeof value['code'] === 'string' && typeof value['message'] === 'string' && 'data' in value;

/** Members of events of other plugins and services. */
const isForeign = (value: unknown): boolean =>
  isRecord(value) &&
  typeof value['title'] !== 'string' &&
  typeof value['start'] !== 'string' &&
  Object.entries(value).some(
    ([name, member]) => /^event_|_id$/.test(name) || (isRecord(member) && ['name', 'title', 'start'].includes(name)),
  );

/** An event as only datasets have it. */
const isOwnEvent = (value: unknown): boolean =>
  isRecord(value) &&
  ('repeat' in value ||
    // TEC: a number of seconds, which some responses have as a text.
    /^\d+ ?[a-z]/.test(String(value['duration'])) ||
    (typeof value['start'] === 'string' && !SIGNS.some((name) => name in value)));

/** Whether a value has members that only datasets have. Names of the REST API beside them are mistakes. */
const isNative = ({ site, clock, stubs, events }: Readonly<Record<string, unknown>>): boolean =>
  isRecord(site) || typeof clock === 'string' || Array.isArray(stubs) || (Array.isArray(events) && events.some(isOwnEvent));

/** Whether the parsed content of a file is a response of a calendar or of WordPress, or a container of recorded responses, and no dataset. */
export function looksLikeResponses(value: unknown): boolean {
  if (isContainer(value) || Array.isArray(value)) return true;
  if (!isRecord(value) || isNative(value)) return false;
  if (ENVELOPE.some((name) => name in value) || isShown(value) || isError(value) || ('success' in value && 'data' in value)) return true;
  const lists = Object.keys(value).filter((name) => PARTS.includes(name));
  // PHP: a list with gaps is an object.
  const items = lists.flatMap((name) => Object.values(membersOf(value[name]) ?? {}));
  const { events } = value;
  if (Array.isArray(events) && events.length > 0 && events.every(isForeign)) return true;
  return lists.length > 0 ? items.some(isShown) : routeOfItem(value, '') !== null || hasItems(value, 0);
}
