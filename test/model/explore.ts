import type { PendingStep, Released } from './released.js';

/** For each step of a run, which of the waiting steps is released next. 0 continues the last one. */
export type Choices = readonly number[];

/** Result of a run. */
export interface Run {
  /** The executed steps, in order. */
  trace: string[];
  /** Number of choices at each step. */
  options: number[];
  problem: string | null;
}

/** After this many rounds of the event loop, only a released step can cause further work. */
const ROUNDS = 8;
/** A run with more steps is considered endless. */
const MAX_STEPS = 2_000;

const nothingMoves = async (): Promise<void> => {
  for (let i = 0; i < ROUNDS; i += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** An actor of a run. */
export interface Actor {
  server: number;
  /** Returns the inconsistency that it has seen, or null. */
  act: () => Promise<string | null>;
}

/**
 * Runs actors in one order of steps.
 * @param choices for the first steps; after them, the last actor continues
 */
export async function runOnce(
  released: Released,
  actors: readonly Actor[],
  choices: Choices,
  kill?: { server: number; at: number },
): Promise<Run> {
  const run: Run = { trace: [], options: [], problem: null };
  let open = actors.length;
  for (const [i, { server, act }] of actors.entries()) {
    const begun = released.step(server, `actor ${i} begins`, () => undefined);
    begun.then(act).then(
      (problem) => {
        run.problem ??= problem;
        open -= 1;
      },
      (error: unknown) => {
        run.problem ??= `server ${server}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
        open -= 1;
      },
    );
  }
  const isOver = (): boolean => open <= actors.filter(({ server }) => released.dead.has(server)).length;
  let waiting: ReadonlySet<PendingStep> = new Set();
  for (let at = 0; at < MAX_STEPS; at += 1) {
    await nothingMoves();
    if (run.problem !== null || isOver()) return run;
    if (kill?.at === at) {
      run.trace.push(`server ${kill.server} dies`);
      released.kill(kill.server);
      if (isOver()) return run;
    }
    const { pending } = released;
    // Steps that continue the last one come first.
    const steps = [...pending.filter((step) => !waiting.has(step)), ...pending.filter((step) => waiting.has(step))];
    if (steps.length === 0) continue;
    run.options.push(steps.length);
    const step = steps[choices[run.options.length - 1] ?? 0] ?? steps[0];
    released.pending.splice(released.pending.indexOf(step), 1);
    run.trace.push(`server ${step.server}: ${step.what}`);
    waiting = new Set(released.pending);
    await step.run();
  }
  return { ...run, problem: `no end after ${MAX_STEPS} steps` };
}

/** The choices to try next: those of a run with one more switch to another server, up to `most` switches. */
export function* furtherChoices(choices: Choices, { options }: Run, most: number): Generator<number[]> {
  const switches = choices.filter((choice) => choice > 0).length;
  if (switches >= most) return;
  for (let at = choices.length; at < options.length; at += 1)
    for (let choice = 1; choice < options[at]; choice += 1)
      yield [...choices, ...Array.from({ length: at - choices.length }, () => 0), choice];
}
