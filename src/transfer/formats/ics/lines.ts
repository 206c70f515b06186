import type { SourcePlace } from '../../source.js';

/** The unfolded lines of a component, without BEGIN and END. */
export interface IcsBlock {
  name: string;
  lines: string[];
  /** Line number of its BEGIN. */
  line: number;
}

interface ContentLine {
  text: string;
  line: number;
}

/** Joins folded lines: a line that starts with a space or tab continues the previous one. */
function* unfolded(text: string): Iterable<ContentLine> {
  let current: ContentLine | null = null;
  let line = 0;
  for (const raw of text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)) {
    line += 1;
    if (current && /^[ \t]/.test(raw)) {
      current.text += raw.slice(1);
    } else {
      if (current) yield current;
      current = raw.trim() === '' ? null : { text: raw, line };
    }
  }
  if (current) yield current;
}

const PROPERTY = /^[A-Za-z0-9-]+(?:;[^=:;]+=(?:"[^"]*"|[^":;])*)*:/;

/**
 * ical.js reads a backslash in a parameter as an escape, which it is not (RFC 5545), and an escaped backslash before a comma as an escaped
 * comma. So literal backslashes are replaced by this character during parsing.
 */
const BACKSLASH = '\uE05C';

const protectBackslashes = (content: string): string => {
  const start = PROPERTY.exec(content)?.[0] ?? '';
  const value = content.slice(start.length).replace(/\\(.)/g, (escape, next: string) => (next === '\\' ? BACKSLASH : escape));
  return start.replaceAll('\\', BACKSLASH) + value;
};

/** Restores the backslashes of a parsed value. */
export const withBackslashes = (value: string): string => value.replaceAll(BACKSLASH, '\\');

/** Unescapes the text of a property that ical.js does not know and so does not decode. */
export const unescaped = (value: string): string => value.replace(/\\[nN]/g, '\n').replace(/\\([,;])/g, '$1');

interface IcsFile {
  /** Property lines of the calendars. */
  head: string[];
  /** Components of the calendars, in order. */
  blocks: IcsBlock[];
}

/**
 * Splits a calendar file into components. Invalid lines are reported and skipped, so the rest of the file can be read.
 * @param problems receives invalid lines
 */
export function readBlocks(text: string, problems: (problem: string, at?: SourcePlace) => void): IcsFile {
  const file: IcsFile = { head: [], blocks: [] };
  const open: string[] = [];
  let block: IcsBlock | null = null;
  for (const { text: content, line } of unfolded(text)) {
    const [, verb, name] = /^(BEGIN|END):(.*)$/i.exec(content.trim()) ?? [];
    const isInner = open.length > 2 || (open.length === 2 && verb?.toUpperCase() === 'BEGIN');
    if (verb?.toUpperCase() === 'BEGIN') {
      if (open.length === 0 && name.toUpperCase() !== 'VCALENDAR') problems(`expected BEGIN:VCALENDAR, found ${content}`, { line });
      if (open.length === 1) file.blocks.push((block = { name: name.toUpperCase(), lines: [], line }));
      open.push(name.toUpperCase());
    } else if (verb !== undefined) {
      const expected = open.pop();
      if (expected !== name.toUpperCase()) {
        problems(expected === undefined ? `END:${name} without BEGIN:${name}` : `expected END:${expected}, found END:${name}`, { line });
        return file;
      }
      if (open.length === 1) block = null;
    } else if (!PROPERTY.test(content)) {
      problems(`invalid property "${content.slice(0, 60)}". Continuation lines must start with a space`, { line });
      continue;
    } else if (open.length === 1) {
      file.head.push(content);
    }
    if (!block || (!isInner && (open.length !== 2 || verb !== undefined))) continue;
    block.lines.push(protectBackslashes(content));
  }
  if (open.length > 0) problems(`the file is truncated: END:${open[open.length - 1]} is missing`);
  return file;
}

/** The unescaped value of the first property with a name. */
export function headValue(head: readonly string[], name: string): string | undefined {
  const line = head.find((text) => text.toUpperCase().startsWith(`${name}:`) || text.toUpperCase().startsWith(`${name};`));
  return line?.slice(line.indexOf(':') + 1).replace(/\\([\\,;])/g, '$1');
}
