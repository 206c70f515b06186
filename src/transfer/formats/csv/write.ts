import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { writeTexts } from '../../../base/system/streams.js';
import { EVENT_FIELDS, LINKED, LINKED_KINDS, type Fields } from '../../../plugins/the-events-calendar/model/event.js';
import { TAG, metaValue, metaValues, type Post } from '../../../wordpress/model.js';
import { EVENT, EVENT_CATEGORY } from '../../../plugins/the-events-calendar/model/index.js';
import { exchangedFields, linkName, isSet, fieldText, wallTimesOf } from '../../fields.js';
import { type DatasetSource, DatasetError } from '../../source.js';
import { Omissions, throwProblem, indexSource, termText, type Index, isOfPlugin, kindOfPost } from '../../writing.js';
import type { Write, Wrote } from '../format.js';
import { CSV_KINDS, csvColumnsOf, linkedKindOf, type CsvKind } from './columns.js';
import { writeList } from './values.js';

type Cells = Readonly<Record<string, string>>;

const flagText = (value: boolean): string => (value ? 'TRUE' : 'FALSE');

function typeOf(kind: CsvKind): string {
  const linked = linkedKindOf(kind);
  return linked === undefined ? EVENT : LINKED[linked].type;
}

/** The cells of the fields of a table, except ids. */
const fieldCells = (post: Post, table: Fields): Cells =>
  Object.fromEntries(
    exchangedFields(table).flatMap(({ formatName, field }) => {
      if (field.kind === 'ids') return [];
      if (field.kind === 'flag') return [[formatName, flagText(isSet(post, field))]];
      if (field.kind === 'amounts') return [[formatName, metaValues(post, field.key).join(', ')]];
      return [[formatName, fieldText(post, table, field)]];
    }),
  );

/** The URL of the featured image, which other programs can fetch; empty for none. */
function imageOf(post: Post, { posts }: Index, uploadsUrl: string): string {
  const file = posts.get(Number(metaValue(post, '_thumbnail_id')))?.file;
  return file === undefined ? '' : `${uploadsUrl}/${file}`;
}

const linkedCells = (post: Post, table: Fields, index: Index, uploadsUrl: string): Cells => ({
  title: post.title,
  description: post.content,
  ...fieldCells(post, table),
  image: imageOf(post, index, uploadsUrl),
});

function eventCells(post: Post, index: Index, uploadsUrl: string): Cells {
  const { posts, terms } = index;
  const linked = LINKED_KINDS.map((kind) => {
    const { link, many } = LINKED[kind];
    const titles = metaValues(post, link.key).flatMap((id) => posts.get(Number(id))?.title ?? []);
    return [linkName(kind), many ? writeList(titles) : (titles[0] ?? '')];
  });
  const termNames = (taxonomy: string): string[] =>
    (post.terms[taxonomy] ?? []).flatMap((id) => {
      const term = terms.get(id);
      return term ? [termText(term)] : [];
    });
  const { start, end, allDay } = wallTimesOf(post);
  const time = (wall: string): string => (allDay ? '' : wall.slice(11));
  return {
    ...linkedCells(post, EVENT_FIELDS, index, uploadsUrl),
    excerpt: post.excerpt,
    start_date: start.slice(0, 10),
    start_time: time(start),
    end_date: end.slice(0, 10),
    end_time: time(end),
    all_day: flagText(allDay),
    sticky: flagText(post.menuOrder === -1),
    ...Object.fromEntries(linked),
    categories: writeList(termNames(EVENT_CATEGORY)),
    tags: writeList(termNames(TAG)),
  };
}

/** The columns to write: all that are not ignored, and images, whose URLs other programs can use. */
const written = (kind: CsvKind): [name: string, title: string][] =>
  Object.entries(csvColumnsOf(kind))
    .filter(([name, { ignored, continues }]) => continues === undefined && (!ignored || name === 'image'))
    .map(([name, { title }]) => [name, title]);

/** Other readers end a record at any line break that is not quoted. */
const LINE_BREAK = /[\r\n]/;

const line = (cells: readonly string[]): string => stringify([[...cells]], { record_delimiter: '\r\n', quoted_match: LINE_BREAK });

/** Text that spreadsheets treat as a formula, except numbers and telephone numbers. */
const FORMULA = /^[=+\-@\t\r](?![\d\s().,/-]*$)/;

/** Treatments of cells that spreadsheets run as formulas. Only unchanged cells can be imported again without differences. */
const FORMULAS: Readonly<Record<string, (cell: string) => string>> = {
  keep: (cell) => cell,
  text: (cell) => (FORMULA.test(cell) ? `'${cell}` : cell),
};

const headerLine = (kind: CsvKind): string => line(written(kind).map(([, title]) => title));

interface RowOptions {
  uploadsUrl: string;
  /** Changes a cell that spreadsheets would run as a formula. */
  guard: (cell: string) => string;
}

function rowLine(kind: CsvKind, post: Post, index: Index, { uploadsUrl, guard }: RowOptions): string {
  const linked = linkedKindOf(kind);
  const cells = linked === undefined ? eventCells(post, index, uploadsUrl) : linkedCells(post, LINKED[linked].fields, index, uploadsUrl);
  return line(written(kind).map(([name]) => guard(cells[name] ?? '')));
}

/** Why a post is omitted, or undefined. The format has no columns for status and password. */
function omissionOf(post: Post, kind: CsvKind): string | undefined {
  const { status, password } = post;
  const one = linkedKindOf(kind) ?? 'event';
  if (status !== 'publish') return `${one} with the status ${status}`;
  if (password !== '') return `${one} with a password`;
  return kind === 'events' && metaValue(post, EVENT_FIELDS.start_date.key) === undefined ? 'event without a date' : undefined;
}

interface LineOptions {
  warn?: ((line: string) => void) | undefined;
  wrote?: Wrote | undefined;
  /** A name in `FORMULAS`. */
  formulas?: string | undefined;
}

/** Yields the header and the rows of a kind. */
export async function* csvLines(
  kind: CsvKind,
  source: DatasetSource,
  { warn, wrote, formulas = 'keep' }: LineOptions = {},
): AsyncIterable<string> {
  const row = { uploadsUrl: `${source.siteUrl}/wp-content/uploads`, guard: FORMULAS[formulas] };
  // Events refer by name even to items outside of the export.
  const index = await indexSource(source.whole ?? source);
  const omissions = new Omissions();
  const inexact = new Omissions();
  yield headerLine(kind);
  for await (const item of source.items(throwProblem(source))) {
    if (kind === 'events' && item.kind === 'post' && isOfPlugin(item.post)) omissions.add(kindOfPost(item.post));
    if (item.kind !== 'post' || item.post.type !== typeOf(kind)) continue;
    const why = omissionOf(item.post, kind);
    if (why !== undefined) omissions.add(why);
    if (why !== undefined) continue;
    omissions.addFields(item.post);
    if (metaValues(item.post, EVENT_FIELDS.cost.key).length > 1) inexact.add('separate cost values: they are written as one text');
    wrote?.(kindOfPost(item.post));
    yield rowLine(kind, item.post, index, row);
  }
  omissions.report('CSV', warn);
  inexact.report('CSV', warn);
}

const isKind = (value: string | undefined): value is CsvKind => CSV_KINDS.some((kind) => kind === value);

/**
 * Writes the events of a source to `NAME.csv`, and its venues and organizers to `NAME-venues.csv` and `NAME-organizers.csv`. With the
 * setting `kind`, writes that kind only; of a part of a site, writes the kinds in it, the first of them to `NAME.csv`.
 * @throws DatasetError for an unknown kind, or an unknown way with formulas
 */
export const writeCsv: Write = async (source, out, { file, warn, wrote, signal, settings = {} }) => {
  const wanted = settings['kind'];
  if (wanted !== undefined && !isKind(wanted)) throw new DatasetError('--kind', [`"${wanted}" is not one of ${CSV_KINDS.join(', ')}`]);
  const { formulas = 'keep' } = settings;
  if (!Object.hasOwn(FORMULAS, formulas))
    throw new DatasetError('--formulas', [`"${formulas}" is not one of ${Object.keys(FORMULAS).join(', ')}`]);
  const options = { warn, wrote, formulas };
  const there = CSV_KINDS.filter((kind) => source.parts?.includes(kind) ?? true);
  if (there.length === 0) throw new DatasetError('--only', [`CSV has tables of ${CSV_KINDS.join(', ')} only`]);
  const [first, ...beside] = wanted === undefined ? there : [wanted];
  await writeTexts(out, csvLines(first, source, options), signal);
  if (beside.length === 0) return;
  if (file === null) {
    warn(`CSV: only ${first} are written to a stream. Use ${beside.map((kind) => `--kind ${kind}`).join(' or ')} for the others`);
    return;
  }
  const { dir, name, ext } = path.parse(file);
  for (const kind of beside) {
    const target = path.join(dir, `${name}-${kind}${ext || '.csv'}`);
    const stream = createWriteStream(target);
    await writeTexts(stream, csvLines(kind, source, options), signal);
    await new Promise<void>((resolve, reject) => stream.once('error', reject).end(() => resolve()));
    warn(`CSV: wrote ${kind} to ${target}`);
  }
};
