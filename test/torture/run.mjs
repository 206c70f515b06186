import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { torture } from './torture.mjs';
import { showTable, together, writeDocs } from './common/report.mjs';
import { SCENARIOS } from './scenarios/index.mjs';

const HELP = `Runs servers under faults and checks that they lose nothing, always respond, and fail only as announced.

Usage: npm run torture -- [options]

  --seed N         The same seed repeats the choices of a run (default: another one each time); repeatable
  --short          Few rounds of each scenario, in one to three minutes
  --only NAME      Run this scenario only; repeatable
  --rounds N       Rounds of each scenario
  --requests N     Requests of the scenario fuzz (default: 100000)
  --soak MINUTES   Duration of the scenario soak (default: 5)
  --json FILE      Write the results to a file
  --write-docs     Write the table into docs/promises.md
  --keep           Keep the data folders
  --list           List the scenarios
  --help           Show this help

Exit status: 1 if an acknowledged write was lost, a request got no response, a 5xx had no fault as its cause, or anything else was wrong.`;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', multiple: true },
    short: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    rounds: { type: 'string' },
    requests: { type: 'string' },
    soak: { type: 'string' },
    json: { type: 'string' },
    'write-docs': { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const usageError = (text) => {
  console.error(`torture: ${text}`);
  process.exit(2);
};

function numberOf(name, value = values[name]) {
  if (value === undefined) return undefined;
  const number = Number(value);
  return number >= 0 ? number : usageError(`invalid --${name} "${value}". Use a number.`);
}

if (values.help) {
  console.log(HELP);
  process.exit(0);
}
if (values.list) {
  for (const { name, title } of SCENARIOS) console.log(`${name.padEnd(14)}${title}`);
  process.exit(0);
}
const unknown = values.only.find((name) => !SCENARIOS.some((scenario) => scenario.name === name));
if (unknown) usageError(`unknown scenario "${unknown}". Use one of: ${SCENARIOS.map(({ name }) => name).join(', ')}.`);

const seeds = (values.seed ?? [Date.now() % 1_000_000]).map((seed) => numberOf('seed', seed));
const options = {
  isShort: values.short,
  only: values.only,
  rounds: numberOf('rounds'),
  requests: numberOf('requests'),
  soakMinutes: numberOf('soak'),
  keep: values.keep,
  log: console.log,
};
const runs = [];
for (const seed of seeds) runs.push(await torture({ ...options, seed }));
const results = together(runs);
console.log(`\n${showTable(results)}`);
if (values.json) writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`);
if (values['write-docs']) await writeDocs(results);
process.exit(results.isGood ? 0 : 1);
