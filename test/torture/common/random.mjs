// Random numbers from a seed.

/** A 32-bit hash of a text (FNV-1a). */
function hash(text) {
  let value = 0x811c9dc5;
  for (const byte of Buffer.from(text)) value = Math.imul(value ^ byte, 0x01000193) >>> 0;
  return value;
}

/**
 * A generator (mulberry32) of numbers from 0 to 1.
 * @param seed any text; equal texts result in equal numbers
 */
export function randomOf(seed) {
  let state = hash(String(seed));
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    /** A whole number from 0 to n - 1. */
    below: (n) => Math.floor(next() * n),
    /** A number from least to most. */
    between: (least, most) => least + next() * (most - least),
    pick: (list) => list[Math.floor(next() * list.length)],
    bytes: (n) => Buffer.from(Array.from({ length: n }, () => Math.floor(next() * 256))),
  };
}
