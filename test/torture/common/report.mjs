// Results as tables.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './understudy.mjs';

const DOCS = path.join(ROOT, 'docs/promises.md');
const MARKERS = ['<!-- torture: written by npm run torture -- --write-docs -->', '<!-- /torture -->'];

const COLUMNS = {
  Rounds: 'rounds',
  Requests: 'requests',
  'Writes acknowledged': 'acknowledged',
  Lost: 'lost',
  Hangs: 'hangs',
  'Rejected in a fault': 'refused',
  'Cut off by a kill': 'cut',
  'Unexpected 5xx': 'unexpected',
  'Other failures': 'wrong',
};

const SUMS = Object.values(COLUMNS).slice(1);

function sumOf(scenarios) {
  const sums = SUMS.map((name) => [name, scenarios.reduce((sum, result) => sum + result[name], 0)]);
  return { name: 'all', title: 'All', rounds: '', ...Object.fromEntries(sums) };
}

const cells = (result) => Object.values(COLUMNS).map((name) => result[name].toLocaleString('en-US'));

const seedText = (seeds) => `seed${seeds.length > 1 ? 's' : ''} ${seeds.join(' and ')}`;

/** Aligns the columns. */
function align(rows) {
  const widths = rows[0].map((_, i) => Math.max(...rows.map((row) => row[i].length)));
  return rows.map((row) => row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join('  ')).join('\n');
}

/**
 * Runs with different seeds as one: counts are summed, notes carry their seed.
 * @param runs results of `torture` with the same scenarios
 */
export function together(runs) {
  const [first] = runs;
  if (runs.length === 1) return { ...first, seeds: [first.seed] };
  const of = (name) =>
    runs.flatMap(({ seed, scenarios }) => scenarios.filter((each) => each.name === name).map((each) => ({ seed, ...each })));
  const sum = (name) => (total, each) => total + each[name];
  return {
    seeds: runs.map(({ seed }) => seed),
    node: first.node,
    isGood: runs.every(({ isGood }) => isGood),
    scenarios: first.scenarios.map(({ name, title }) => ({
      name,
      title,
      ...Object.fromEntries(['rounds', 'seconds', ...SUMS].map((what) => [what, of(name).reduce(sum(what), 0)])),
      isGood: of(name).every(({ isGood }) => isGood),
      ...Object.fromEntries(
        ['failures', 'notes'].map((what) => [what, of(name).flatMap((each) => each[what].map((text) => `seed ${each.seed}: ${text}`))]),
      ),
    })),
  };
}

/** A table for a terminal. */
export function showTable({ seeds, scenarios }) {
  const rows = [...scenarios, sumOf(scenarios)].map((result) => [result.name, ...cells(result)]);
  return `${align([['Scenario', ...Object.keys(COLUMNS)], ...rows])}\n\n${seedText(seeds)}`;
}

/** Failures in the documentation, where they are one column. */
const FAILURES = ['lost', 'hangs', 'unexpected', 'wrong'];

/** A table in Markdown. */
function markdownTable({ seeds, node, scenarios }) {
  const counts = ({ requests, acknowledged, ...result }) =>
    [requests, acknowledged, FAILURES.reduce((sum, name) => sum + result[name], 0)].map((count) => count.toLocaleString('en-US'));
  const rows = scenarios.map((result) => [`\`${result.name}\``, result.title, ...counts(result)]);
  const head = ['Scenario', 'What happens', 'Requests', 'Writes acknowledged', 'Failures'];
  const lines = [head, ['---', '---', '--:', '--:', '--:'], ...rows, ['All', '', ...counts(sumOf(scenarios))]];
  return [lines.map((row) => `| ${row.join(' | ')} |`).join('\n'), `Node.js ${node}, ${seedText(seeds)}.`].join('\n\n');
}

/** Inserts the formatted table into the documentation. */
export async function writeDocs(results) {
  const text = readFileSync(DOCS, 'utf8');
  const [begin, end] = [text.indexOf(MARKERS[0]) + MARKERS[0].length, text.indexOf(MARKERS[1])];
  const { format } = await import('oxfmt');
  const written = `${text.slice(0, begin)}\n\n${markdownTable(results)}\n\n${text.slice(end)}`;
  writeFileSync(DOCS, (await format(DOCS, written)).code);
}
