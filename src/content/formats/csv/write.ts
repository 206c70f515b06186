import { once } from 'node:events';
import path from 'node:path';
import { createWriteStream } from 'node:fs';
import type { Writable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import { EVENT, EVENT_CATEGORY, ORGANIZER, TAG, VENUE, metaValue, metaValues, type Post } from '../../../wp/model.js';
import { CSV_KINDS, COLUMNS, type CsvField, type CsvKind } from './columns.js';
import { writeList } from './values.js';
import { LeftOut, failing, indexOf, termText, type Index } from '../../documents.js';
import type { Write } from '../format.js';
import { DatasetError } from '../../problems.js';
import type { DatasetSource } from '../../source.js';

const TYPES: Record<CsvKind, string> = { events: EVENT, venues: VENUE, organizers: ORGANIZER };

type Cells<K extends CsvKind> = Partial<Record<CsvField<K>, string>>;

const flagText = (value: boolean): string => (value ? 'TRUE' : 'FALSE');
/** TEC: maps are shown unless a row says otherwise. */
const shown = (post: Post, key: string): boolean => !['', '0', 'false'].includes(metaValue(post, key) ?? '1');
const isYes = (value: string | undefined): boolean =>
  ['1', 'yes', 'true', 'on', 'y', 'enable', 'enabled'].includes((value ?? '').toLowerCase());

function venueCells(post: Post): Cells<'venues'> {
  const meta = (key: string): string => metaValue(post, key) ?? '';
  return {
    title: post.title,
    description: post.content,
    country: meta('_VenueCountry'),
    address: meta('_VenueAddress'),
    city: meta('_VenueCity'),
    state: meta('_VenueStateProvince') || meta('_VenueState') || meta('_VenueProvince'),
    zip: meta('_VenueZip'),
    phone: meta('_VenuePhone'),
    website: meta('_VenueURL'),
    lat: meta('_VenueLat'),
    lng: meta('_VenueLng'),
  };
}

function organizerCells(post: Post): Cells<'organizers'> {
  const meta = (key: string): string => metaValue(post, key) ?? '';
  return {
    title: post.title,
    description: post.content,
    email: meta('_OrganizerEmail'),
    website: meta('_OrganizerWebsite'),
    phone: meta('_OrganizerPhone'),
  };
}

function eventCells(post: Post, { posts, terms }: Index, uploadsUrl: string): Cells<'events'> {
  const meta = (key: string): string => metaValue(post, key) ?? '';
  const names = (key: string): string[] => metaValues(post, key).flatMap((id) => posts.get(Number(id))?.title ?? []);
  const termNames = (taxonomy: string): string[] =>
    (post.terms[taxonomy] ?? []).flatMap((id) => {
      const term = terms.get(id);
      return term ? [termText(term)] : [];
    });
  const allDay = isYes(metaValue(post, '_EventAllDay'));
  const [start, end] = [meta('_EventStartDate'), meta('_EventEndDate')];
  const time = (wall: string): string => (allDay ? '' : wall.slice(11));
  const image = posts.get(Number(meta('_thumbnail_id')))?.file;
  return {
    title: post.title,
    description: post.content,
    excerpt: post.excerpt,
    start_date: start.slice(0, 10),
    start_time: time(start),
    end_date: end.slice(0, 10),
    end_time: time(end),
    all_day: flagText(allDay),
    timezone: meta('_EventTimezone'),
    hidden: flagText(metaValue(post, '_EventHideFromUpcoming') !== undefined),
    sticky: flagText(post.menuOrder === -1),
    featured: flagText(metaValue(post, '_tribe_featured') !== undefined),
    venue: names('_EventVenueID')[0] ?? '',
    organizers: writeList(names('_EventOrganizerID')),
    show_map_link: flagText(shown(post, '_EventShowMapLink')),
    show_map: flagText(shown(post, '_EventShowMap')),
    cost: metaValues(post, '_EventCost').join(', '),
    currency_symbol: meta('_EventCurrencySymbol'),
    currency_position: meta('_EventCurrencyPosition'),
    currency_code: meta('_EventCurrencyCode'),
    categories: writeList(termNames(EVENT_CATEGORY)),
    tags: writeList(termNames(TAG)),
    website: meta('_EventURL'),
    image: image === undefined ? '' : `${uploadsUrl}/${image}`,
  };
}

/** Fields that the plugin takes and that say nothing here. */
const UNWRITTEN = new Set(['comments', 'pings', 'overwrite', 'address2']);

const fieldsOf = (kind: CsvKind): string[] => Object.keys(COLUMNS[kind]).filter((field) => !UNWRITTEN.has(field));

const line = (cells: readonly string[]): string => stringify([[...cells]], { record_delimiter: '\r\n' });

const headerLine = (kind: CsvKind): string => {
  const columns: Readonly<Record<string, { title: string }>> = COLUMNS[kind];
  return line(fieldsOf(kind).map((field) => columns[field].title));
};

function rowLine(kind: CsvKind, post: Post, index: Index, uploadsUrl: string): string {
  const cells: Readonly<Record<string, string>> =
    kind === 'venues' ? venueCells(post) : kind === 'organizers' ? organizerCells(post) : eventCells(post, index, uploadsUrl);
  return line(fieldsOf(kind).map((field) => cells[field] ?? ''));
}

/** Why a post has no row, or undefined. The plugin's columns have no place for a status or a password. */
function whyNot({ status, password, meta }: Post, kind: CsvKind): string | undefined {
  const one = kind.slice(0, -1);
  if (status !== 'publish') return `${one} with the status ${status}`;
  if (password !== '') return `${one} with a password`;
  return kind === 'events' && !meta.some(({ key }) => key === '_EventStartDate') ? 'event without a date' : undefined;
}

/** The rows of a kind as text, the header first. */
export async function* csvLines(kind: CsvKind, source: DatasetSource, warn?: (line: string) => void): AsyncIterable<string> {
  const index = await indexOf(source);
  const leftOut = new LeftOut();
  const inexact = new LeftOut();
  yield headerLine(kind);
  for await (const item of source.items(failing(source))) {
    if (item.kind !== 'post' || item.post.type !== TYPES[kind]) continue;
    const why = whyNot(item.post, kind);
    if (why !== undefined) leftOut.add(why);
    if (why !== undefined) continue;
    if (metaValues(item.post, '_EventCost').length > 1) inexact.add('all but one row of the cost: prices are written as one');
    yield rowLine(kind, item.post, index, `${source.siteUrl}/wp-content/uploads`);
  }
  leftOut.tell('CSV', warn);
  inexact.tell('CSV', warn);
}

async function pipe(lines: AsyncIterable<string>, out: Writable): Promise<void> {
  for await (const text of lines) if (!out.write(text)) await once(out, 'drain');
}

const isKind = (value: string | undefined): value is CsvKind => (CSV_KINDS as readonly (string | undefined)[]).includes(value);

/**
 * Writes the events of a source, and beside `NAME.csv` the files `NAME-venues.csv` and `NAME-organizers.csv`; with the setting `kind`,
 * that kind only.
 * @throws DatasetError for a kind that there is not
 */
export const write: Write = async (source, out, { file, warn, settings = {} }) => {
  const wanted = settings['kind'];
  if (wanted !== undefined && !isKind(wanted)) throw new DatasetError('--kind', [`"${wanted}" is not one of ${CSV_KINDS.join(', ')}`]);
  await pipe(csvLines(wanted ?? 'events', source, warn), out);
  if (wanted !== undefined) return;
  if (file === null) {
    warn('CSV: only events are written to a stream; use --kind venues and --kind organizers for the others');
    return;
  }
  const { dir, name, ext } = path.parse(file);
  for (const kind of ['venues', 'organizers'] as const) {
    const beside = path.join(dir, `${name}-${kind}${ext || '.csv'}`);
    const stream = createWriteStream(beside);
    await pipe(csvLines(kind, source, warn), stream);
    await new Promise<void>((resolve, reject) => stream.once('error', reject).end(() => resolve()));
    warn(`CSV: ${kind} are in ${beside}`);
  }
};
