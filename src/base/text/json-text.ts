import { parse } from '@humanwhocodes/momoa';
import { messageOf } from '../values/errors.js';
import { TooDeep } from '../values/nesting.js';

/** Positions in JSON, which `JSON.parse` does not tell. */

/** Line and column, from 1. */
export interface Position {
  line: number;
  column: number;
}

function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}

// oxlint-disable-next-line no-control-regex -- JSON.parse rejects these in strings
const CONTROL = /[\u0000-\u001f]/;

function errorPosition(text: string): Position {
  try {
    parse(text);
  } catch (error) {
    const { message, line, column } = error as Error & Partial<Position>;
    // If the text ends early, the position is the last token's, or there is none.
    if (line !== undefined && column !== undefined && !message.startsWith('Unexpected end')) return { line, column };
  }
  const broken = [...text.matchAll(/"(?:[^"\\]|\\[^])*"/g)].find(([string]) => CONTROL.test(string));
  return positionAt(text, broken ? broken.index + broken[0].search(CONTROL) : text.trimEnd().length);
}

/** Describes an error of `parseSentJson`, with its position. V8 quotes text that may be as long as the file. */
export const jsonProblem = (text: string, error: unknown): Position & { message: string } => ({
  ...(error instanceof TooDeep ? { line: error.line, column: error.column } : errorPosition(text)),
  message: `invalid JSON: ${messageOf(error).replace(/, (?:\.\.\.)?".*$| in JSON at position.*$/s, '')}`,
});

/** The positions of the members of an object. @param text valid JSON */
export function memberPositions(text: string): ReadonlyMap<string, Position> {
  const { body } = parse(text);
  const members = body.type === 'Object' ? body.members : [];
  return new Map(
    members.map(({ name, loc }) => [name.type === 'String' ? name.value : name.name, { line: loc.start.line, column: loc.start.column }]),
  );
}
