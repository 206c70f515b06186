import { isScalar, visit, type Document, type LineCounter, type YAMLError } from 'yaml';
import { byPosition, type LocatedProblem } from '../../problems.js';

/** Problems with a YAML file, in the words of its author: the parser reports where it noticed. */

/** Mistakes that the parser does not explain well. */
const ADVICE: Readonly<Record<string, string>> = {
  BLOCK_AS_IMPLICIT_KEY: 'a text that contains a colon needs quotes, as in title: "Jazz: an evening"',
};

/** An indentation, the dash of a list item, and a name. */
const LINE = /^( *(?:- +)*)(?:["']?([^\s"':#-][^"':]*)["']?)?/;

/** How YAML is read. The parser's own check of names takes time that grows with the square of their number. */
export const YAML_OPTIONS = { prettyErrors: false, logLevel: 'silent', uniqueKeys: false } as const;

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
export function yamlProblems(
  text: string,
  document: Document,
  counter: LineCounter,
  repeated: (name: string, line: number) => string,
): LocatedProblem[] {
  const { errors } = document;
  const indentation = errors.length > 0 ? indentationProblem(text.split('\n'), counter, errors) : null;
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
