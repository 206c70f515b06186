import { isRecord, lookup } from '../../../base/values/records.js';
import type { Difference } from './compare.js';
import type { CheckRequest, ListName } from './requests.js';
import { LINKED, LINKED_KINDS, eachKind, eachLinked } from '../../../plugins/the-events-calendar/model/event.js';
import type { LinkedKind, Field, Fields } from '../../../plugins/the-events-calendar/model/event.js';
import type { SiteResponse } from '../client/client.js';
import shapes from './shapes.json' with { type: 'json' };

/** Allowed types of each field. A name in capitals is a shape. A trailing `?` marks an optional field. */
type Shape = Readonly<Record<string, string>>;

const FIELD_TYPES: Partial<Record<Field['kind'], string>> = {
  text: 'string?',
  url: 'string?',
  email: 'string?',
  coordinate: 'number?',
  flag: 'boolean|null',
};

/** The fields of a venue or an organizer. */
const shapesOf = (table: Fields): Shape =>
  Object.fromEntries(
    Object.entries(table).flatMap(([name, { kind }]) => {
      const type = FIELD_TYPES[kind];
      return type === undefined ? [] : [[name, type]];
    }),
  );

const linkedShape = (kind: LinkedKind): Shape => ({
  ...shapes.POSTED,
  author: 'string?',
  [kind]: 'string|array',
  description: 'string?',
  excerpt: 'string?',
  slug: 'string?',
  image: 'IMAGE|false?',
  ...shapesOf(LINKED[kind].fields),
});

/** The shapes that the published API specifies, with the types that the plugin returns. */
const SHAPES: Readonly<Record<string, Shape>> = lookup({
  ...shapes,
  EVENT: {
    ...shapes.POSTED,
    ...shapes.EVENT,
    ...eachKind((kind) => (LINKED[kind].many ? 'array' : `${kind.toUpperCase()}|array`)),
    json_ld: 'object?',
  },
  ...Object.fromEntries(LINKED_KINDS.map((kind) => [kind.toUpperCase(), linkedShape(kind)])),
});

const SHAPE_OF: Readonly<Record<ListName, string>> = {
  events: 'EVENT',
  ...eachLinked((kind) => kind.toUpperCase()),
  categories: 'TERM',
  tags: 'TERM',
};

export const contractMembers = (list: ListName): string[] => Object.keys(SHAPES[SHAPE_OF[list]]);

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = lookup({
  string: (value) => typeof value === 'string',
  integer: (value) => Number.isInteger(value),
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  array: (value) => Array.isArray(value),
  object: isRecord,
  null: (value) => value === null,
  false: (value) => value === false,
  DATE: (value) => typeof value === 'string' && /^(?:\d{4,}-\d\d-\d\d \d\d:\d\d:\d\d|)$/.test(value),
});

/** Yields the differences between a value and a shape. */
function* shapeProblems(value: unknown, shapeName: string, at: string): Generator<Difference> {
  if (!isRecord(value)) {
    yield { at, expected: `an object (${shapeName.toLowerCase()})`, actual: value };
    return;
  }
  for (const [field, spec] of Object.entries(SHAPES[shapeName])) {
    const types = spec.replace(/\?$/, '').split('|');
    const found = value[field];
    const where = `${at}/${field}`;
    if (found === undefined) {
      if (!spec.endsWith('?')) yield { at: where, expected: types.join(' or '), actual: undefined };
      continue;
    }
    if (types.some((type) => TYPES[type]?.(found))) continue;
    const shape = types.find((type) => type in SHAPES);
    if (shape !== undefined && isRecord(found)) yield* shapeProblems(found, shape, where);
    else yield { at: where, expected: types.join(' or ').toLowerCase(), actual: found };
  }
}

const listOf = (route: string): ListName => route.split(/[/?]/)[0] as ListName;

const parameter = (route: string, name: string): string | null => new URLSearchParams(route.split('?')[1] ?? '').get(name);

const inOrder = (texts: readonly string[]): boolean => texts.every((text, index) => index === 0 || texts[index - 1] <= text);

/** Validates the items of a list against the parameters of the request. */
function* listRules(route: string, items: readonly Record<string, unknown>[]): Generator<Difference> {
  const list = listOf(route);
  const ids = items.map(({ id }) => id);
  if (new Set(ids).size < ids.length) yield { at: `/${list}`, expected: 'every item once', actual: ids };
  if (list === 'events') {
    const starts = items.map(({ start_date: start }) => String(start));
    // If the site is set to use one time zone for all events, they are sorted by UTC.
    const utcStarts = items.map(({ utc_start_date: start }) => String(start));
    if (!inOrder(starts) && !inOrder(utcStarts)) yield { at: '/events', expected: 'events in the order of their start', actual: starts };
  }
  const featured = parameter(route, 'featured');
  for (const [index, item] of items.entries()) {
    // TEC: password-protected events show no flags.
    if (list === 'events' && featured !== null && typeof item['featured'] === 'boolean' && item['featured'] !== (featured === 'true'))
      yield { at: `/events/${index}/featured`, expected: featured === 'true', actual: item['featured'] };
    if (item['hide_from_listings'] === true) yield { at: `/${list}/${index}/hide_from_listings`, expected: false, actual: true };
    if (item['json_ld'] !== undefined) yield { at: `/${list}/${index}/json_ld`, expected: undefined, actual: item['json_ld'] };
  }
}

function* listProblems(request: CheckRequest, { json, headers }: SiteResponse): Generator<Difference> {
  const list = listOf(request.route);
  if (!isRecord(json)) {
    yield { at: '', expected: 'an object', actual: json };
    return;
  }
  const items = json[list];
  const [total, pages] = [json['total'], json['total_pages']];
  if (!Number.isInteger(total)) yield { at: '/total', expected: 'an integer', actual: total };
  if (!Number.isInteger(pages)) yield { at: '/total_pages', expected: 'an integer', actual: pages };
  for (const [name, value] of [
    ['x-tec-total', total],
    ['x-tec-totalpages', pages],
  ] as const)
    if (headers[name] !== String(value)) yield { at: `header ${name}`, expected: String(value), actual: headers[name] };
  if (typeof json['rest_url'] !== 'string') yield { at: '/rest_url', expected: 'a URL', actual: json['rest_url'] };
  if (!Array.isArray(items)) {
    yield { at: `/${list}`, expected: 'an array', actual: items };
    return;
  }
  const perPage = Math.min(Number(parameter(request.route, 'per_page') ?? 50), 50);
  if (items.length > perPage) yield { at: `/${list}`, expected: `at most ${perPage} items`, actual: `${items.length} items` };
  const page = Number(parameter(request.route, 'page') ?? 1);
  const hasNext = typeof pages === 'number' && page < pages;
  if (hasNext !== (typeof json['next_rest_url'] === 'string'))
    yield { at: '/next_rest_url', expected: hasNext ? 'a URL' : undefined, actual: json['next_rest_url'] };
  for (const [index, item] of items.entries()) yield* shapeProblems(item, SHAPE_OF[list], `/${list}/${index}`);
  yield* listRules(request.route, items.filter(isRecord));
}

/**
 * Validates a response against the published API: status, headers, the shape of the body, and for lists that the items match the
 * parameters.
 */
export function contractProblems(request: CheckRequest, response: SiteResponse): Difference[] {
  const found: Difference[] = [];
  const { status, headers, json } = response;
  const beyond = request.group === 'filters' && parameter(request.route, 'page') !== null;
  // A short list has no second page.
  if (status !== request.status && !(beyond && status === 404)) found.push({ at: 'status', expected: request.status, actual: status });
  if (!/^application\/json\b/.test(headers['content-type'] ?? ''))
    found.push({ at: 'header content-type', expected: 'application/json', actual: headers['content-type'] });
  if (request.method === 'HEAD') return found;
  if (request.method === 'OPTIONS')
    return isRecord(json) && Array.isArray(json['methods']) ? found : [...found, { at: '/methods', expected: 'an array', actual: json }];
  if (status >= 400) return [...found, ...shapeProblems(json, 'ERROR', '')];
  if (request.group === 'doc')
    return isRecord(json) && isRecord(json['paths']) ? found : [...found, { at: '/paths', expected: 'an object', actual: undefined }];
  const isSingle = /^\w+\/[^?]/.test(request.route);
  return [...found, ...(isSingle ? shapeProblems(json, SHAPE_OF[listOf(request.route)], '') : listProblems(request, response))];
}
