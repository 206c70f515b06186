import os from 'node:os';
import { parseArgs } from 'node:util';
import { editorCases, readCases, writeCases } from './cases.mjs';
import { explainReads, measureReads, measureWrites, PLAN_HEADER, READ_HEADER, whole, WRITE_HEADER } from './measure.mjs';
import { AUTHORIZATION, Load, startSite, Yardstick } from './servers.mjs';
import { measureStart, START_HEADER } from './start.mjs';

const HELP = `Measures the server: requests per second and latency, and what the database reads per row.

Usage: npm run bench -- [options]

  --quick            Short measurements, 1,000 events only (under 60 seconds; otherwise under 180)
  --size N           Number of events; may be repeated (default: 1000 and 10000)
  --connections N    Connections that ask at the same time (default: 16)
  --only TEXT        Only requests whose name holds this text; "start" for starts and resets alone
  --help             Shows this

Starts and resets are measured beside json-server with the same data.

Every read is measured three times in the same run, over the same kind of connection:
  fresh   each request has an address that was not asked before: the work of one answer
  again   all requests have the same address, as from many clients of one page
  bare    a node:http server that does nothing but send the same bytes: what this machine can do
The ratios to "bare" are the numbers to compare between machines.

The clock of the server stands still; with a running one, answers are made anew every second. The database is the embedded
one, or a database of its own on MONGODB_URI, where answers are never given again: others might write there too.`;

/** Milliseconds per measurement. */
const TIMES = {
  full: { warm: 60, fresh: 260, again: 130, bare: 130, write: 500 },
  quick: { warm: 10, fresh: 70, again: 30, bare: 30, write: 120 },
};

class UsageError extends Error {}

function positive(name, text) {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new UsageError(`--${name} must be a positive whole number, not ${text}`);
  return value;
}

function readFlags() {
  try {
    const { values } = parseArgs({
      options: {
        quick: { type: 'boolean', default: false },
        size: { type: 'string', multiple: true },
        connections: { type: 'string', default: '16' },
        only: { type: 'string', default: '' },
        help: { type: 'boolean', default: false },
      },
    });
    return values;
  } catch (error) {
    throw new UsageError(error.message);
  }
}

function readOptions() {
  const { quick, size, connections, only, help } = readFlags();
  const sizes = size ?? (quick ? ['1000'] : ['1000', '10000']);
  return {
    help,
    only,
    connections: positive('connections', connections),
    sizes: sizes.map((text) => positive('size', text)),
    times: quick ? TIMES.quick : TIMES.full,
    runs: quick ? 5 : 20,
  };
}

function printTable(title, header, rows) {
  if (rows.length === 0) return;
  const widths = header.map((name, i) => Math.max(name.length, ...rows.map((row) => String(row[i]).length)));
  const isText = (i) => i === 0 || ['index', 'notes'].includes(header[i]);
  const line = (cells) =>
    cells.map((cell, i) => (isText(i) ? String(cell).padEnd(widths[i]) : String(cell).padStart(widths[i]))).join('  ');
  const rule = widths.map((width) => '-'.repeat(width)).join('  ');
  console.log(['', title, line(header), rule, ...rows.map(line)].map((text) => text.trimEnd()).join('\n'));
}

async function benchSize(size, { only, connections }, tools) {
  const running = await startSite(size);
  try {
    const wanted = ({ name }) => name.includes(only);
    const reads = readCases(running).filter(wanted);
    const events = `${whole(size)} events`;
    printTable(`${events}: reads over ${connections} connections`, READ_HEADER, await measureReads(running, tools, reads));
    const plans = [
      ...(await explainReads(
        running,
        reads.filter(({ filter }) => filter),
      )),
      ...(await explainReads(running, editorCases(running).filter(wanted), { Authorization: AUTHORIZATION })),
    ];
    printTable(`${events}: what the database reads, per row of a page and once for the total`, PLAN_HEADER, plans);
    const writes = writeCases(running).filter(wanted);
    printTable(`${events}: writes over ${connections} connections`, WRITE_HEADER, await measureWrites(running, tools, writes));
    return running.server.engine;
  } finally {
    await running.close();
  }
}

async function main() {
  const options = readOptions();
  if (options.help) {
    console.log(HELP);
    return;
  }
  const started = performance.now();
  const load = new Load(options.connections);
  const yardstick = await Yardstick.start();
  try {
    console.log(`Node ${process.version}, ${os.cpus().length} × ${os.cpus()[0]?.model ?? 'unknown processor'}`);
    let engine = '';
    const isStartOnly = options.only === 'start';
    const sizes = isStartOnly ? [] : options.sizes;
    for (const size of sizes) engine = await benchSize(size, options, { load, yardstick, times: options.times });
    if (isStartOnly || options.only === '')
      printTable(`Starts and resets, median of ${options.runs}`, START_HEADER, await measureStart({ runs: options.runs }));
    console.log(`\n${engine === '' ? '' : `Database: ${engine}. `}${((performance.now() - started) / 1000).toFixed(1)} seconds.`);
  } finally {
    load.close();
    yardstick.close();
  }
}

main().catch((error) => {
  console.error(error instanceof UsageError ? `${error.message}\nnpm run bench -- --help shows the options.` : error);
  process.exitCode = error instanceof UsageError ? 2 : 1;
});
