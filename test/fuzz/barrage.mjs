// Requests in bursts, and all that can go wrong with the answer to one.
import fc from 'fast-check';
import { asCurl } from './wire.mjs';

/** Errors that nobody caught, by what a process says of them. */
function watchProcess() {
  const found = [];
  const note = (error) => found.push(error?.stack ?? String(error));
  for (const event of ['unhandledRejection', 'uncaughtException']) process.on(event, note);
  const close = () => ['unhandledRejection', 'uncaughtException'].forEach((event) => process.off(event, note));
  return { found, close };
}

/** A request that was answered as none may be, with what is needed to see it again. */
function describeFailure(origin, request, problems, { seed, round, shrinks }) {
  return [
    `seed ${seed}, round ${round}, after ${shrinks} simplifications:`,
    ...problems.map((problem) => `  ${problem}`),
    asCurl(origin, request),
  ].join('\n');
}

/**
 * Sends requests in bursts, until one is answered as none may be.
 * @param given.requests arbitrary of requests
 * @param given.verdict what is wrong with the answer to one
 * @param given.atOnce how many are under way at a time; what depends on which is first may then differ from run to run
 * @param given.onAnswer called with each request and its answer
 */
export function barrage({ send, url, requests: arbitrary, verdict, atOnce, onAnswer = () => {} }) {
  const watch = watchProcess();

  /** What is wrong with the answer to a request. */
  const problemsOf = async (request) => {
    try {
      const answer = await send(request);
      onAnswer(request, answer);
      return [...verdict(request, answer), ...watch.found.splice(0)];
    } catch (error) {
      return [...verdict(request, error), ...watch.found.splice(0)];
    }
  };

  /** @returns what failed, with how to see it again */
  const round = async (seed, index, count) => {
    let last = { request: undefined, problems: [] };
    const property = fc.asyncProperty(...Array.from({ length: atOnce }, () => arbitrary), async (...burst) => {
      const verdicts = await Promise.all(burst.map(problemsOf));
      const bad = verdicts.findIndex((problems) => problems.length > 0);
      if (bad < 0) return;
      last = { request: burst[bad], problems: verdicts[bad] };
      throw new Error(last.problems[0]);
    });
    const { failed, numShrinks: shrinks } = await fc.check(property, { seed: seed + index, numRuns: Math.ceil(count / atOnce) });
    return failed ? [describeFailure(url, last.request, last.problems, { seed: seed + index, round: index, shrinks })] : [];
  };

  /** @returns errors that nobody caught since the last request */
  const close = () => {
    watch.close();
    return watch.found;
  };
  return { round, close };
}
