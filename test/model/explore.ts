import type { PendingStep, Released } from './released.js';

/** Choices at the steps of a run: which of the waiting steps goes on. The one that follows the last one is the first. */
export type Choices = readonly number[];

/** What a run came to. */
export interface Run {
  /** What was done, in order. */
  trace: string[];
  /** How many choices there were at each step. */
  options: number[];
  problem: string | null;
}

/** Rounds of the event loop after which nothing moves without a released step. */
const ROUNDS = 8;
/** A run that takes more steps has no end. */
const MAX_STEPS = 2_000;

const nothingMoves = async (): Promise<void> => {
  for (let i = 0; i < ROUNDS; i += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** An actor of a run. */
export interface Actor {
  server: number;
  /** Returns what is wrong with what it saw. */
  act: () => Promise<string | null>;
}

/**
 * Lets actors act in one order of steps.
 * @param choices of the first steps; after them, whoever acted last goes on
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
    // What goes on with what was done last comes first.
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

/** The choices to try next: those of a run with one more switch to another server, as long as there are no more switches than `most`. */
export function* furtherChoices(choices: Choices, { options }: Run, most: number): Generator<number[]> {
  const switches = choices.filter((choice) => choice > 0).length;
  if (switches >= most) return;
  for (let at = choices.length; at < options.length; at += 1)
    for (let choice = 1; choice < options[at]; choice += 1)
      yield [...choices, ...Array.from({ length: at - choices.length }, () => 0), choice];
}
