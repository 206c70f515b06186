import { isMap, isScalar, Lexer, LineCounter, parseDocument, Parser } from 'yaml';
import { jsonProblem, repeatedName, type Position } from '../../../base/text/json-text.js';
import { DatasetError } from '../../problems.js';
import { messageOf } from '../../../base/values/errors.js';
import { YAML_OPTIONS, yamlProblems } from './yaml-problems.js';
import { isTooDeep, MAX_LEVELS, parseSentJson, TooDeep } from '../../../base/values/nesting.js';

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
  // A value may start below its name.
  const nameOf = (steps: readonly (string | number)[]): unknown => {
    const parent: unknown = document.getIn(steps.slice(0, -1), true);
    return isMap(parent) ? parent.items.find(({ key }) => isScalar(key) && key.value === steps.at(-1))?.key : undefined;
  };
  const positionOf = (at: string): Position | undefined => {
    const steps = stepsOf(at);
    for (let length = steps.length; length >= 0; length -= 1) {
      const part = steps.slice(0, length);
      const position = startOf(nameOf(part)) ?? startOf(document.getIn(part, true));
      if (position !== undefined) return position;
    }
    return undefined;
  };
  const writtenAt = (at: string): string | undefined => {
    const node: unknown = document.getIn(stepsOf(at), true);
    return isScalar(node) && node.range ? text.slice(node.range[0], node.range[1]) : undefined;
  };
  return { positionOf, writtenAt };
}

function parseJson(text: string, file: string): unknown {
  let value: unknown;
  try {
    value = parseSentJson(text);
  } catch (error) {
    throw new DatasetError(file, [jsonProblem(text, error)]);
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
