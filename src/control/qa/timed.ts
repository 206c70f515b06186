import type { Json } from '../../wordpress/rest/route.js';

/** Adds the duration of a function to its result. */
export async function timed<T extends Record<string, Json>>(work: () => Promise<T>): Promise<T & { ms: number }> {
  const started = performance.now();
  const result = await work();
  return { ...result, ms: Math.round((performance.now() - started) * 10) / 10 };
}
