import { realTime } from '../../wordpress/clock.js';
import type { DatasetSource } from '../source.js';
import { problemOfSource } from '../uploads.js';

/** How long a source is read before signals and timers get their turn, in ms. */
const TURN = 50;

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * A source from anybody, in which everybody who reads it can trust: its files are inside of their folder, and the process responds to signals
 * meanwhile. Items of most formats come from memory, without a pause.
 */
export const careful = (source: DatasetSource, signal?: AbortSignal): DatasetSource => ({
  ...source,
  async *items(problems) {
    let since = realTime();
    for await (const item of source.items(problems)) {
      if (realTime() - since > TURN) {
        await turn();
        signal?.throwIfAborted();
        since = realTime();
      }
      const problem = item.kind === 'file' && item.file.within !== undefined ? await problemOfSource(item.file) : null;
      if (problem && !problem.isMissing) problems(problem.message, 'at' in item ? item.at : undefined);
      else yield item;
    }
  },
});
