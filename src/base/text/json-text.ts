import { parse } from '@humanwhocodes/momoa';
import { messageOf } from '../values/errors.js';
import { parseSentJson, TooDeep } from '../values/nesting.js';

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

/** Extensions of JSON that editors allow. */
function extension(text: string, { line, column }: Position): string | undefined {
  const lines = text.split('\n');
  const before = [...lines.slice(0, line - 1), lines[line - 1].slice(0, column - 1)].join('\n').trimEnd();
  const [sign] = lines[line - 1].slice(column - 1);
  if (sign === '/' || sign === '#') return 'JSON has no comments. Remove it, or save the file as YAML, where comments start with #';
  if (sign === "'") return `JSON has texts in double quotes only. Write " instead of '`;
  const [name] = /^[\w$]+(?=\s*:)/.exec(lines[line - 1].slice(column - 1)) ?? [];
  if (name !== undefined && /[{,]$/.test(before)) return `JSON has names in double quotes. Write "${name}"`;
  return (sign === '}' || sign === ']') && before.endsWith(',') ? `remove the comma before ${sign}` : undefined;
}

/** Describes an error of `parseSentJson`, with its position. V8 quotes text that may be as long as the file. */
function jsonProblem(text: string, error: unknown): Position & { message: string } {
  const position = error instanceof TooDeep ? { line: error.line, column: error.column } : errorPosition(text);
  if (/^\s*<[!a-z]/i.test(text)) return { ...position, message: 'is HTML, and no JSON. Is it an error page?' };
  const message = extension(text, position) ?? messageOf(error).replace(/, (?:\.\.\.)?".*$| in JSON at position.*$/s, '');
  return { ...position, message: `invalid JSON: ${message}` };
}

/** Longer texts are written by programs: only their first problem is told. */
const BY_HAND = 1_000_000;
const MOST_PROBLEMS = 20;

/** A text with what was meant in place of a mistake; undefined if that is unknown. */
function mended(text: string, { line, column, message }: Position & { message: string }): string | undefined {
  const at = text.split('\n', line - 1).reduce((sum, each) => sum + each.length + 1, column - 1);
  const [before, after] = [text.slice(0, at), text.slice(at)];
  if (message.includes('remove the comma')) return before.replace(/,(?=\s*$)/, ' ') + after;
  if (message.includes("Expected ','") && /^[^}\]\s]/.test(after)) return `${before},${after}`;
  const meant = after
    .replace(/^(?:\/\/.*|#.*|\/\*[^]*?\*\/)/, (comment) => comment.replace(/[^\n]/g, ' '))
    .replace(/^'([^'\\\n]*)'(?=\s*[,:}\]])|^([\w$]+)(?=\s*:)/, (_, quoted?: string, name?: string) => JSON.stringify(quoted ?? name));
  return meant === after ? undefined : before + meant;
}

/** The problems of a text, with the first error of `parseSentJson`. What follows a mistake is read as long as it is clear what was meant. */
export function jsonProblems(text: string, error: unknown): (Position & { message: string })[] {
  const problems = [jsonProblem(text, error)];
  let [problem, rest, added] = [problems[0], text, 0];
  while (text.length <= BY_HAND && !(error instanceof TooDeep) && problems.length < MOST_PROBLEMS) {
    const next = mended(rest, problem);
    if (next === undefined) break;
    added += next.length - rest.length;
    rest = next;
    try {
      parseSentJson(rest);
      break;
    } catch (further) {
      const last = problems[problems.length - 1];
      problem = jsonProblem(rest, further);
      if (problem.line !== last.line) added = 0;
      const column = problem.column - added;
      // A text that ends early has its problem at the last token.
      if (problem.line < last.line || (problem.line === last.line && column <= last.column)) break;
      problems.push({ ...problem, column });
    }
  }
  return problems;
}

/** The index behind the string that starts at a quote. A pattern could not match strings of many megabytes. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return end + 1;
  }
  return text.length;
}

/** The first name that an object has twice, with the position of its second occurrence; of both, `JSON.parse` keeps the last. @param text valid JSON */
export function repeatedName(text: string): (Position & { name: string; first: Position }) | null {
  /** For each open object the offsets of its names; null for a list. */
  const open: (Map<string, number> | null)[] = [];
  const signs = /["{}[\]:]/g;
  /** Start and end of the last string. */
  let last: readonly [number, number] = [0, 0];
  for (let found = signs.exec(text); found; found = signs.exec(text)) {
    const [sign] = found;
    const names = open.at(-1);
    if (sign === '"') {
      last = [found.index, endOfString(text, found.index)];
      signs.lastIndex = last[1];
    } else if (sign === '{') open.push(new Map());
    else if (sign === '[') open.push(null);
    else if (sign !== ':') open.pop();
    else if (names) {
      const name = JSON.parse(text.slice(...last)) as string;
      const first = names.get(name);
      if (first !== undefined) return { name, first: positionAt(text, first), ...positionAt(text, last[0]) };
      names.set(name, last[0]);
    }
  }
  return null;
}

/** The positions of the members of an object. @param text valid JSON */
export function memberPositions(text: string): ReadonlyMap<string, Position> {
  const { body } = parse(text);
  const members = body.type === 'Object' ? body.members : [];
  return new Map(
    members.map(({ name, loc }) => [name.type === 'String' ? name.value : name.name, { line: loc.start.line, column: loc.start.column }]),
  );
}
