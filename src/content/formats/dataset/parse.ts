import { LineCounter, parseDocument } from 'yaml';
import { DatasetError } from '../../problems.js';

export type Syntax = 'json' | 'yaml';

/** A file as a value, and where in the file each part of it stands. */
export interface Parsed {
  value: unknown;
  /** Line (from 1) of a value, or of the nearest one around it that is there. */
  lineOf: (path: string) => number | undefined;
}

/** The steps of a path such as `events[3].venue`. */
const stepsOf = (at: string): (string | number)[] =>
  [...at.matchAll(/\[(\d+)\]|\["([^"]*)"\]|([^.[\]]+)/g)].map(([, index, quoted, name]) =>
    index === undefined ? (quoted ?? name) : Number(index),
  );

interface Ranged {
  range?: [number, number, number] | null;
}

/** Finds lines in YAML, of which JSON is a part. Only called when there is something to tell. */
function lineFinder(text: string): (path: string) => number | undefined {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, logLevel: 'silent', prettyErrors: false });
  return (at) => {
    const steps = stepsOf(at);
    for (let length = steps.length; length >= 0; length -= 1) {
      const node = document.getIn(steps.slice(0, length), true) as Ranged | undefined;
      if (node?.range) return lines.linePos(node.range[0]).line;
    }
    return undefined;
  };
}

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const { message } = error as Error;
    const offset = /position (\d+)/.exec(message)?.[1];
    const line = offset === undefined ? text.split('\n').length : lineAt(text, Number(offset));
    throw new DatasetError(name, [`line ${line}: is not JSON: ${message}`]);
  }
}

/** Aliases may refer to each other in a file that is made to exhaust memory. */
const MOST_ALIASES = 1_000;

function parseYaml(text: string, name: string): unknown {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'silent' });
  const [first] = document.errors;
  if (first) throw new DatasetError(name, [`line ${lines.linePos(first.pos[0]).line}: is not YAML: ${first.message}`]);
  try {
    return document.toJS({ maxAliasCount: MOST_ALIASES });
  } catch (error) {
    throw new DatasetError(name, [`is not YAML: ${(error as Error).message}`]);
  }
}

/** A JSON or YAML file as a value. @throws DatasetError */
export function parse(text: string, name: string, syntax: Syntax): Parsed {
  const plain = text.replace(/^\uFEFF/, '');
  const value = (syntax === 'json' ? parseJson : parseYaml)(plain, name);
  let find: ((at: string) => number | undefined) | undefined;
  return { value, lineOf: (at) => (find ??= lineFinder(plain))(at) };
}
