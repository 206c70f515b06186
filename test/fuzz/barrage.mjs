// Requests in bursts, with checks for every kind of invalid response.
import fc from 'fast-check';
import { asCurl } from './wire.mjs';

/** Collects unhandled errors of this process. */
function watchProcess() {
  const found = [];
  const note = (error) => found.push(error?.stack ?? String(error));
  for (const event of ['unhandledRejection', 'uncaughtException']) process.on(event, note);
  const close = () => ['unhandledRejection', 'uncaughtException'].forEach((event) => process.off(event, note));
  return { found, close };
}

/** Describes a request with an invalid response, and how to repeat it. */
function describeFailure(origin, request, problems, { seed, round, shrinks }) {
  return [
    `seed ${seed}, round ${round}, after ${shrinks} simplifications:`,
    ...problems.map((problem) => `  ${problem}`),
    asCurl(origin, request),
  ].join('\n');
}

/**
 * Sends requests in bursts until a response is invalid.
 * @param given.requests arbitrary of requests
 * @param given.verdict returns the problems of a response
 * @param given.atOnce number of concurrent requests; results that depend on their order may differ between runs
 * @param given.onAnswer called with each request and its response
 */
export function barrage({ send, url, requests: arbitrary, verdict, atOnce, onAnswer = () => {} }) {
  const watch = watchProcess();

  /** Problems of the response to a request. */
  const problemsOf = async (request) => {
    try {
      const answer = await send(request);
      onAnswer(request, answer);
      return [...verdict(request, answer), ...watch.found.splice(0)];
    } catch (error) {
      return [...verdict(request, error), ...watch.found.splice(0)];
    }
  };

  /** @returns failures, and how to repeat them */
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

  /** @returns unhandled errors since the last request */
  const close = () => {
    watch.close();
    return watch.found;
  };
  return { round, close };
}
