import type { Place } from '../../source.js';

/** A component of a calendar file as its unfolded lines, without BEGIN and END. */
export interface IcsBlock {
  name: string;
  lines: string[];
  /** Line of its BEGIN. */
  line: number;
}

interface ContentLine {
  text: string;
  line: number;
}

/** Lines with those that go on with a blank put together. */
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
 * The library takes a backslash within a parameter, where it is none (RFC 5545), for an escape, and an escaped backslash before a comma for
 * the escape of the comma. So backslashes that are meant go through it as another sign.
 */
const BACKSLASH = '\uE05C';

const guarded = (content: string): string => {
  const start = PROPERTY.exec(content)?.[0] ?? '';
  const value = content.slice(start.length).replace(/\\(.)/g, (escape, next: string) => (next === '\\' ? BACKSLASH : escape));
  return start.replaceAll('\\', BACKSLASH) + value;
};

/** A text or the value of a parameter as it was meant. */
export const withBackslashes = (value: string): string => value.replaceAll(BACKSLASH, '\\');

/** The text of a property that the library does not know, and so leaves as it is written. */
export const unescaped = (value: string): string => value.replace(/\\[nN]/g, '\n').replace(/\\([,;])/g, '$1');

export interface IcsFile {
  /** Properties of the calendars themselves. */
  head: string[];
  /** What the calendars are made of, in their order. */
  blocks: IcsBlock[];
}

/**
 * The components of a calendar file. Lines that are none are told and left out, so that one of them does not cost the whole file.
 * @param problems told of lines that cannot be read
 */
export function readBlocks(text: string, problems: (problem: string, at?: Place) => void): IcsFile {
  const file: IcsFile = { head: [], blocks: [] };
  const open: string[] = [];
  let block: IcsBlock | null = null;
  for (const { text: content, line } of unfolded(text)) {
    const [, verb, name] = /^(BEGIN|END):(.*)$/i.exec(content.trim()) ?? [];
    const isInner = open.length > 2 || (open.length === 2 && verb?.toUpperCase() === 'BEGIN');
    if (verb?.toUpperCase() === 'BEGIN') {
      if (open.length === 0 && name.toUpperCase() !== 'VCALENDAR')
        problems(`a calendar begins with BEGIN:VCALENDAR, not with ${content}`, { line });
      if (open.length === 1) file.blocks.push((block = { name: name.toUpperCase(), lines: [], line }));
      open.push(name.toUpperCase());
    } else if (verb !== undefined) {
      const expected = open.pop();
      if (expected !== name.toUpperCase()) {
        problems(`END:${name} where ${expected === undefined ? 'nothing is open' : `END:${expected} belongs`}`, { line });
        return file;
      }
      if (open.length === 1) block = null;
    } else if (!PROPERTY.test(content)) {
      problems(`"${content.slice(0, 60)}" is no property; a line that goes on begins with a blank`, { line });
      continue;
    } else if (open.length === 1) {
      file.head.push(content);
    }
    if (!block || (!isInner && (open.length !== 2 || verb !== undefined))) continue;
    block.lines.push(guarded(content));
  }
  if (open.length > 0) problems(`the file ends before END:${open[open.length - 1]}`);
  return file;
}

/** The value of the first line of a name, as text without escapes. */
export function headValue(head: readonly string[], name: string): string | undefined {
  const line = head.find((text) => text.toUpperCase().startsWith(`${name}:`) || text.toUpperCase().startsWith(`${name};`));
  return line?.slice(line.indexOf(':') + 1).replace(/\\([\\,;])/g, '$1');
}
