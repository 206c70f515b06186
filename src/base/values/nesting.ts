import type { Json } from './records.js';

/*
 * Lists and objects in lists and objects. The parser reads any number of levels, but nearly everything that is done to a value afterwards
 * calls itself for each level, until the stack is full.
 */

/** The most levels that are read. PHP: those that `json_decode` reads by default. */
export const MAX_LEVELS = 512;

/** A text has too many levels. A syntax error, as there it is not read further. Line and column, from 1, are of the first level too many. */
export class TooDeep extends SyntaxError {
  constructor(
    readonly line: number,
    readonly column: number,
  ) {
    super(`nested too deeply: more than ${MAX_LEVELS} levels`);
  }

  static at(text: string, offset: number): TooDeep {
    const lines = text.slice(0, offset).split('\n');
    return new TooDeep(lines.length, (lines.at(-1) ?? '').length + 1);
  }
}

/** Whether a value has more levels than are read. Without recursion; a value that contains itself has. */
export function isTooDeep(value: unknown): boolean {
  let level = new Set([value]);
  for (let depth = 0; depth <= MAX_LEVELS; depth += 1) {
    const below = new Set<unknown>();
    for (const each of level)
      if (typeof each === 'object' && each !== null) for (const part of Object.values(each)) if (typeof part === 'object') below.add(part);
    if (below.size === 0) return depth === MAX_LEVELS;
    level = below;
  }
  return true;
}

/** Where valid JSON has one level too many. */
function excess(text: string): number {
  let levels = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/gs)) {
    if (token === '[' || token === '{') levels += 1;
    else if (token === ']' || token === '}') levels -= 1;
    if (levels > MAX_LEVELS) return index;
  }
  return text.length;
}

/** Parses JSON that somebody wrote or sent. @throws SyntaxError, which is TooDeep for too many levels */
export function parseSentJson(text: string): Json {
  const value = JSON.parse(text) as Json;
  if (isTooDeep(value)) throw TooDeep.at(text, excess(text));
  return value;
}
