// Runs scenarios one after the other.
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { randomOf } from './common/random.mjs';
import { Tally } from './common/tally.mjs';
import { SCENARIOS } from './scenarios/index.mjs';

const PROGRESS_EVERY_MS = 5_000;

/** A function that logs the progress of a scenario, at intervals. */
function progressOf(log, name, total) {
  let last = performance.now();
  return (done, of = total) => {
    if (performance.now() - last < PROGRESS_EVERY_MS) return;
    last = performance.now();
    log(`  ${name}: ${done} of ${of}`);
  };
}

async function runScenario(scenario, { seed, isShort, rounds: wanted, requests, soakMinutes, keep, log }) {
  const tally = new Tally();
  const folder = await mkdtemp(path.join(os.tmpdir(), `understudy-torture-${scenario.name}-`));
  const rounds = wanted ?? scenario.rounds[isShort ? 'short' : 'full'];
  const started = performance.now();
  try {
    await scenario.run({
      tally,
      folder,
      rounds,
      isShort,
      requests,
      soakMinutes,
      seed,
      randomFor: (what) => randomOf(`${seed} ${scenario.name} ${what}`),
      progress: progressOf(log, scenario.name, rounds),
    });
  } catch (error) {
    tally.fail(`the scenario ended early: ${error.stack}`);
  } finally {
    if (!keep) await rm(folder, { recursive: true, force: true });
  }
  const seconds = Math.round((performance.now() - started) / 100) / 10;
  return { name: scenario.name, title: scenario.title, rounds, seconds, ...tally.result(), isGood: tally.isGood };
}

/**
 * Runs scenarios.
 * @param options see the help of run.mjs
 * @returns the seed, the version of Node.js, whether all passed, and the result of each scenario
 */
export async function torture(options) {
  const { seed, only = [], log } = options;
  log(`torture: seed ${seed} (repeat with --seed ${seed})`);
  const scenarios = [];
  for (const scenario of SCENARIOS.filter(({ name }) => only.length === 0 || only.includes(name))) {
    const result = await runScenario(scenario, options);
    log(`${scenario.name}: ${result.isGood ? 'passed' : 'FAILED'} (${result.seconds} s)`);
    for (const note of result.notes) log(`  ${note}`);
    for (const failure of result.failures) log(`  ${failure}`);
    scenarios.push(result);
  }
  return { seed, node: process.version, isGood: scenarios.every(({ isGood }) => isGood), scenarios };
}
