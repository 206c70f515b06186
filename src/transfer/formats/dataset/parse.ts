import { isMap, isScalar, isSeq, Lexer, LineCounter, parseDocument, Parser, visit, type Document, type Pair, type YAMLError } from 'yaml';
import { jsonProblems, repeatedName, type Position } from '../../../base/text/json-text.js';
import { DatasetError, byPosition, type LocatedProblem } from '../../source.js';
import { messageOf } from '../../../base/values/errors.js';
import { isTooDeep, MAX_LEVELS, parseSentJson, TooDeep } from '../../../base/values/nesting.js';

/** Problems with a YAML file, in the words of its author: the parser reports where it noticed. */

/** Mistakes that the parser does not explain well. */
const ADVICE: Readonly<Record<string, string>> = {
  BLOCK_AS_IMPLICIT_KEY: 'a text that contains a colon needs quotes, as in title: "Jazz: an evening"',
};

/** Mistakes in a line, and what to write. */
const MISTAKES: readonly (readonly [RegExp, (found: readonly string[]) => string])[] = [
  [/^ *(?:- +)*([\w-]+):((?!\/\/)[^\s:].*)/, ([, name, value]) => `the colon needs a space behind it: ${name}: ${value}`],
  [
    /[:-] +'((?:[^']|'')*'[^\s',:#\]}].*)/,
    ([, text]) => `a text with an apostrophe needs double quotes: "${text.trim().replace(/'$/, '')}"`,
  ],
  [/[:-] +([@`].*)/, ([, text]) => `a text that begins with ${text[0]} needs quotes: "${text.trim()}"`],
];

/** How much of a line is looked at, in characters. */
const LONGEST = 200;

/** The advice for the line of an error; undefined: none. */
function adviceOn(line: string): string | undefined {
  for (const [mistake, say] of MISTAKES) {
    const found = mistake.exec(line);
    if (found) return say(found);
  }
  return undefined;
}

/** An indentation, the dash of a list item, and a name. */
const LINE = /^( *(?:- +)*)(?:["']?([^\s"':#-][^"':]*)["']?)?/;

/** How YAML is read. The parser's own check of names takes time that grows with the square of their number. */
const YAML_OPTIONS = { prettyErrors: false, logLevel: 'silent', uniqueKeys: false } as const;

/** Names that an object has twice, with the offsets of both. */
function repeatedKeys(document: Document): { name: string; offset: number; first: number }[] {
  const found: { name: string; offset: number; first: number }[] = [];
  visit(document, {
    Map: (_, { items }) => {
      const seen = new Map<unknown, number>();
      for (const { key } of items) {
        if (!isScalar(key) || !key.range) continue;
        const [offset] = key.range;
        const first = seen.get(key.value);
        if (first === undefined) seen.set(key.value, offset);
        else found.push({ name: String(key.value), offset, first });
      }
    },
  });
  return found;
}

/** The column at which the name in a line starts, from 1, and the name. */
function nameIn(line: string): { column: number; name: string } {
  const [, before, name = '-'] = LINE.exec(line) ?? ['', ''];
  return { column: before.length + 1, name };
}

/** The line that is indented wrongly, and the line above that it should be in line with. */
function misplaced(lines: readonly string[], counter: LineCounter, errors: readonly YAMLError[]): { line: number; above: number } | null {
  const [{ code, pos, message }] = errors;
  const start = counter.linePos(pos[0]).line;
  const across = errors.find((error) => error.code === 'MULTILINE_IMPLICIT_KEY' && error.pos[0] === pos[0]);
  if (across) {
    const end = counter.linePos(across.pos[1]).line;
    return end > start ? { line: end, above: start } : null;
  }
  const isLine = code === 'BAD_INDENT' || message.startsWith('Sequence item without') || message.startsWith('A block sequence');
  const isBlank = (line: number): boolean => lines[line - 1]?.trim() === '';
  let [line, above] = [start, start - 1];
  while (isBlank(line)) line += 1;
  while (isBlank(above)) above -= 1;
  return isLine && above > 0 && line <= lines.length ? { line, above } : null;
}

/** Describes the first error of indentation, after which others are its consequences. */
function indentationProblem(lines: readonly string[], counter: LineCounter, errors: readonly YAMLError[]): LocatedProblem | null {
  const found = misplaced(lines, counter, errors);
  if (!found) return null;
  const [mine, theirs] = [found.line, found.above].map((line) => nameIn(lines[line - 1]));
  if (mine.column === theirs.column) return null;
  const how = mine.column > theirs.column ? 'further' : 'less';
  return { line: found.line, column: mine.column, message: `${mine.name} is indented ${how} than ${theirs.name} in line ${found.above}` };
}

/** Describes the errors of a document. @param repeated the message for a name that is already in a line */
function yamlProblems(
  text: string,
  document: Document,
  counter: LineCounter,
  repeated: (name: string, line: number) => string,
): LocatedProblem[] {
  const { errors } = document;
  const lines = text.split('\n');
  const advised = errors.flatMap(({ pos }): LocatedProblem[] => {
    const { line, col } = counter.linePos(pos[0]);
    const message = adviceOn((lines[line - 1] ?? '').slice(0, LONGEST));
    return message === undefined ? [] : [{ line, column: col, message: `invalid YAML: ${message}` }];
  });
  // Other errors may be consequences.
  if (advised.length > 0) return advised.filter(({ line }, index) => advised.findIndex((each) => each.line === line) === index);
  const indentation = errors.length > 0 ? indentationProblem(lines, counter, errors) : null;
  if (indentation) return [{ ...indentation, message: `invalid YAML: ${indentation.message}` }];
  const placed = (offset: number, message: string): LocatedProblem => {
    const { line, col } = counter.linePos(offset);
    return { line, column: col, message };
  };
  return [
    ...errors.map(({ code, pos, message }) => placed(pos[0], `invalid YAML: ${ADVICE[code] ?? message}`)),
    ...repeatedKeys(document).map(({ name, offset, first }) => placed(offset, repeated(name, counter.linePos(first).line))),
  ].sort(byPosition);
}

export type Syntax = 'json' | 'yaml';

/** The value of a file, and the line numbers of its parts. */
export interface Parsed {
  value: unknown;
  /** Position of a value, or of the nearest enclosing value that exists. */
  positionOf: (path: string) => Position | undefined;
  /** A text, number or truth value as it is written; undefined: other values, and data that no person wrote. */
  writtenAt: (path: string) => string | undefined;
}

/** Splits a path such as `events[3].venue`. */
export const stepsOf = (at: string): (string | number)[] =>
  [...at.matchAll(/\[(\d+)\]|\["([^"]*)"\]|([^.[\]]+)/g)].map(([, index, quoted, name]) =>
    index === undefined ? (quoted ?? name) : Number(index),
  );

const positionAt = (lines: LineCounter, offset: number): Position => {
  const { line, col } = lines.linePos(offset);
  return { line, column: col };
};

interface Ranged {
  range?: [number, number, number] | null;
}

const repeatedMessage = (name: string, line: number): string => `${JSON.stringify(name)} is already in line ${line}. Keep one of them`;

/** Finds values in YAML, and in JSON, which is a subset of YAML. Called only if there are problems to report. */
function finderIn(text: string): Pick<Parsed, 'positionOf' | 'writtenAt'> {
  const lines = new LineCounter();
  const document = parseDocument(text, { ...YAML_OPTIONS, lineCounter: lines });
  const startOf = (node: unknown): Position | undefined => {
    const { range } = (node ?? {}) as Ranged;
    return range ? positionAt(lines, range[0]) : undefined;
  };
  const pairs = new Map<unknown, ReadonlyMap<unknown, Pair>>();
  const pairOf = (map: unknown, name: string | number): Pair | undefined => {
    if (!isMap(map)) return undefined;
    // Each of a map's names may have a problem.
    const known = pairs.get(map) ?? new Map(map.items.toReversed().map((pair) => [isScalar(pair.key) ? pair.key.value : undefined, pair]));
    pairs.set(map, known);
    return known.get(name);
  };
  const nodeAt = (steps: readonly (string | number)[]): unknown =>
    steps.reduce<unknown>((node, step) => (isSeq(node) ? node.get(Number(step), true) : pairOf(node, step)?.value), document.contents);
  // A value may start below its name.
  const nameOf = (steps: readonly (string | number)[]): unknown => pairOf(nodeAt(steps.slice(0, -1)), steps.at(-1) ?? '')?.key;
  const positionOf = (at: string): Position | undefined => {
    const steps = stepsOf(at);
    for (let length = steps.length; length >= 0; length -= 1) {
      const part = steps.slice(0, length);
      const position = startOf(nameOf(part)) ?? startOf(nodeAt(part));
      if (position !== undefined) return position;
    }
    return undefined;
  };
  const writtenAt = (at: string): string | undefined => {
    const node = nodeAt(stepsOf(at));
    return isScalar(node) && node.range ? text.slice(node.range[0], node.range[1]) : undefined;
  };
  return { positionOf, writtenAt };
}

function parseJson(text: string, file: string): unknown {
  let value: unknown;
  try {
    value = parseSentJson(text);
  } catch (error) {
    throw new DatasetError(file, jsonProblems(text, error));
  }
  const repeated = repeatedName(text);
  if (!repeated) return value;
  const { name, first, line, column } = repeated;
  throw new DatasetError(file, [{ line, column, message: repeatedMessage(name, first.line) }]);
}

/** Limits nested aliases, which a malicious file could use to exhaust memory. */
const MAX_ALIASES = 1_000;

/** Where YAML is nested more deeply than is read. Called only if it is: the value of an alias may be. */
function excess(text: string): TooDeep {
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    for (const _ of parser.next(lexeme));
    // Above the lists and objects is the document, and at most one value.
    if (parser.stack.length > MAX_LEVELS + 1) return TooDeep.at(text, parser.offset - lexeme.length);
  }
  return TooDeep.at(text, 0);
}

function tooDeep(text: string, name: string): DatasetError {
  const { line, column, message } = excess(text);
  return new DatasetError(name, [{ line, column, message: `invalid YAML: ${message}` }]);
}

/** Messages of the parser for a full stack. */
const STACK = /call stack|too much recursion/i;

function parseYaml(text: string, name: string): unknown {
  const lines = new LineCounter();
  const document = parseDocument(text, { ...YAML_OPTIONS, lineCounter: lines });
  if (document.errors.some(({ message }) => STACK.test(message))) throw tooDeep(text, name);
  const errors = yamlProblems(text, document, lines, repeatedMessage);
  if (errors.length > 0) throw new DatasetError(name, errors);
  try {
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
    if (!isTooDeep(value)) return value;
  } catch (error) {
    if (!(error instanceof RangeError)) throw new DatasetError(name, [`invalid YAML: ${messageOf(error)}`]);
  }
  throw tooDeep(text, name);
}

const EMPTY = 'the file is empty. A dataset has at least a list, such as events';

/** Parses a JSON or YAML file. @throws DatasetError */
export function parse(text: string, name: string, syntax: Syntax): Parsed {
  const plain = text.replace(/^\uFEFF/, '');
  if (plain.trim() === '') throw new DatasetError(name, [EMPTY]);
  const value = (syntax === 'json' ? parseJson : parseYaml)(plain, name);
  if (value === null) throw new DatasetError(name, [EMPTY]);
  let found: ReturnType<typeof finderIn> | undefined;
  const finder = (): ReturnType<typeof finderIn> => (found ??= finderIn(plain));
  // Programs send JSON in one line, whose number is useless.
  const hasLines = plain.trim().includes('\n');
  return {
    value,
    positionOf: (at) => (hasLines ? finder().positionOf(at) : undefined),
    writtenAt: (at) => finder().writtenAt(at),
  };
}
