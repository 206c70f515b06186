import type { Delay } from '../../../sdk/types/qa.js';

/** A seeded random number generator: numbers from 0 (inclusive) to 1 (exclusive) (mulberry32). */
export function chance(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A normally distributed number with mean 0 and standard deviation 1 (Box-Muller transform). */
const normal = (random: () => number): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** Draws a delay in ms, at least 0. */
export function drawDelay(delay: Delay, random: () => number): number {
  if (typeof delay === 'number') return delay;
  if ('fixed' in delay) return delay.fixed;
  if ('uniform' in delay) return delay.uniform[0] + random() * (delay.uniform[1] - delay.uniform[0]);
  if ('normal' in delay) return Math.max(0, delay.normal.mean + delay.normal.deviation * normal(random));
  return delay.lognormal.median * Math.exp(delay.lognormal.sigma * normal(random));
}
