import { readFileSync, writeFileSync } from 'node:fs';
import { markdownTable, withTable } from '../scripts/readme-tables.mjs';
import { changes } from './figures.mjs';

/** How figures are shown: for people, as JSON, beside an earlier run, and in docs/speed.md. */

const whole = (value) => Math.round(value).toLocaleString('en-US');

/** A number with about three significant digits; empty without a number. */
export const short = (value) => {
  if (value === undefined || !Number.isFinite(value)) return '';
  if (value >= 100) return whole(value);
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
};

export function printTable(title, header, rows) {
  if (rows.length === 0) return;
  const widths = header.map((name, i) => Math.max(name.length, ...rows.map((row) => String(row[i] ?? '').length)));
  const line = (cells) =>
    cells.map((cell, i) => (i === 0 ? String(cell).padEnd(widths[i]) : String(cell ?? '').padStart(widths[i]))).join('  ');
  const rule = widths.map((width) => '-'.repeat(width)).join('  ');
  console.log(['', title, line(header), rule, ...rows.map(line)].map((text) => text.trimEnd()).join('\n'));
}

/** `over` marks a figure that is beyond its target. */
const verdict = (figure, target) => (target === undefined ? '' : figure <= target ? 'ok' : 'over');

const ROW_HEADER = ['request', 'bytes', 'server', 'engine', 'bare', 'x bare', 'target', '', 'json-server', 'p50 ms', '/s', 'requests'];

/** One line per row of requests: processor time in ms per request, and how many times that of the bare server for the list it is. */
export const printRows = (title, rows) =>
  printTable(
    title,
    ROW_HEADER,
    rows.map((row) => [
      row.name,
      whole(row.bytes),
      ...[row.server, row.engine, row.bare, row.multiple, row.target].map(short),
      verdict(row.multiple, row.target),
      ...[row.jsonServer, row.p50, row.perSecond].map(short),
      whole(row.requests),
    ]),
  );

const PAIR_HEADER = [
  'request',
  'server',
  'engine',
  'no writes',
  'aim',
  '',
  'server',
  'engine',
  '10 writes/s',
  'aim',
  '',
  'writes',
  'ms each',
];

/** Each row without writes, and the same row with them. */
const pairsOf = (rows) =>
  rows.filter(({ without }) => without !== undefined).map((busy) => [rows.find(({ name }) => name === busy.without), busy]);

/** One line per request to two servers: processor time per request, and as a multiple of the bare server, without writes and with them. */
export function printPair(title, rows) {
  const cells = ({ server, engine, multiple, target }) => [...[server, engine, multiple, target].map(short), verdict(multiple, target)];
  printTable(
    title,
    PAIR_HEADER,
    pairsOf(rows).map(([quiet, busy]) => [quiet.name, ...cells(quiet), ...cells(busy), whole(busy.writes), short(busy.perWrite)]),
  );
  console.log(`
ms per request of both servers together, and of the engine; "no writes" and "10 writes/s" are multiples of the bare server, of all three.
Without writes the requests alternate between the servers. With them, 100 requests a second at most go to one server, and ten updates of
events a second to the other. What the updates cost alone in as much time ("ms each", in both servers and the engine) is subtracted.`);
}

/** One line per other figure. */
export const printFigures = (title, rows) =>
  printTable(
    title,
    ['what', 'figure', 'unit', 'target', '', 'notes'],
    rows.map(({ name, figure, unit, target, notes }) => [name, short(figure), unit, short(target), verdict(figure, target), notes ?? '']),
  );

/** The fields of a row that are compared between runs. */
export const withFigure = (row) => ({ ...row, figure: row.multiple, unit: 'x bare' });

export const saveRun = (file, run) => writeFileSync(file, `${JSON.stringify(run, null, 2)}\n`);

export const loadRun = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** Figures of this run beside those of an earlier one. */
export function printChanges(before, now) {
  const rows = changes(before, now).map(([group, name, old, figure]) => [
    `${group}: ${name}`,
    short(old),
    short(figure),
    `${figure >= old ? '+' : ''}${(((figure - old) / old) * 100).toFixed(0)}%`,
  ]);
  printTable(`Beside the run of ${before.when}`, ['what', 'before', 'now', 'change'], rows);
}

/** Numbers are on the right. */
const ALIGNMENT = ['', ...Array.from({ length: 10 }, () => 'right')];

/** The name of a group of rows of one server. */
const SIZE = /^[\d,]+ events$/;

/** Rows of requests and of memory at all sizes, for docs/speed.md: `groups` as in a saved run. */
export function requestsTable(groups) {
  const sizes = Object.keys(groups).filter((group) => SIZE.test(group));
  const main = sizes.includes('10,000 events') ? '10,000 events' : sizes.at(-1);
  const at = (size, name) => groups[size].find((row) => row.name === name);
  const rows = groups[main].filter(({ multiple, target }) => multiple !== undefined && target !== undefined);
  return markdownTable(
    [
      ['Request', 'Server, ms', 'Engine, ms', 'json-server, ms', ...sizes.map((size) => `× bare, ${size}`), 'Target'],
      ...rows.map(({ name, server, engine, jsonServer, target }) => [
        name,
        ...[server, engine, jsonServer].map(short),
        ...sizes.map((size) => short(at(size, name)?.multiple)),
        short(target),
      ]),
    ],
    ALIGNMENT,
  );
}

/** Other figures with a target, for docs/speed.md. */
export const figuresTable = (groups) =>
  markdownTable(
    [
      ['What', 'Figure', 'Unit', 'Target'],
      ...Object.entries(groups).flatMap(([group, rows]) =>
        rows
          .filter(({ multiple, target }) => multiple === undefined && target !== undefined)
          .map(({ name, figure, unit, target }) => [group === 'start' ? name : `${group}: ${name}`, short(figure), unit, short(target)]),
      ),
    ],
    ['', 'right', '', 'right'],
  );

/** Two servers over one database, for docs/speed.md. */
export const pairTable = (rows) =>
  markdownTable(
    [
      ['Request', 'No writes', 'Target', '10 writes a second', 'Target'],
      ...pairsOf(rows).map(([quiet, busy]) => [quiet.name, ...[quiet.multiple, quiet.target, busy.multiple, busy.target].map(short)]),
    ],
    ALIGNMENT,
  );

/** Replaces the tables of docs/speed.md for which something was measured. @param groups as in a saved run */
export function writeReadme(file, groups) {
  let page = readFileSync(file, 'utf8');
  const hasRequests = Object.entries(groups).some(
    ([group, rows]) => SIZE.test(group) && rows.some(({ multiple }) => multiple !== undefined),
  );
  if (hasRequests) page = withTable(withTable(page, 'bench', requestsTable(groups)), 'bench figures', figuresTable(groups));
  // The page says that it is of this size.
  const pair = groups['two servers, 10,000 events'];
  if (pair) page = withTable(page, 'bench pair', pairTable(pair));
  writeFileSync(file, page);
}
