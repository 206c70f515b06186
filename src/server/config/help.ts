import { DEMO_DATASET, GROUPS, OPTIONS, type Option } from './options.js';

const GROUPED = new Set(Object.values(GROUPS).flat());

/** The left column of `--help`. */
const usageOf = ({ flag, value }: Option<string>): string => `--${flag}${value ? ` ${value}` : ''}`;

const widthOf = (table: readonly Option<string>[]): number => Math.max(...table.map((option) => usageOf(option).length));

/** Formats a table of options for `--help`. @param width of the left column */
export function optionHelp(table: readonly Option<string>[], width = widthOf(table)): string {
  return table
    .map((option) => {
      const { help, env, default: fallback, value } = option;
      const isShown = value && fallback !== undefined && !Array.isArray(fallback) && fallback !== DEMO_DATASET;
      const shown = isShown ? ` (default: ${String(fallback)})` : '';
      return `  ${usageOf(option).padEnd(width)}  ${help}${shown}${env === undefined ? '' : ` [${env}]`}`;
    })
    .join('\n');
}

/** Formats the options of a server for `--help`, under headings. */
export function serverOptionHelp(table: readonly Option[] = OPTIONS): string {
  const width = widthOf(table);
  const inOrder = (names: readonly string[]): Option[] => names.flatMap((name) => table.find((option) => option.name === name) ?? []);
  const groups = Object.entries(GROUPS).map(([heading, names], i, all): [string, Option[]] => {
    const others = i === all.length - 1 ? table.filter(({ name }) => !GROUPED.has(name)) : [];
    return [heading, [...inOrder(names), ...others]];
  });
  return groups
    .filter(([, options]) => options.length > 0)
    .map(([heading, options]) => `${heading}:\n${optionHelp(options, width)}`)
    .join('\n\n');
}

/** Breaks a text into lines at spaces. */
function broken(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

/** A row of columns, which two spaces or more separate. */
const ROW = /^( +\S.* {2,})(\S.*)$/;

/** Breaks a line. Rows keep their columns, and examples are not broken, so that they can be copied. */
function folded(line: string, width: number): string {
  if (/^\S/.test(line)) return broken(line, width).join('\n');
  const [, left, text] = ROW.exec(line) ?? [];
  return left === undefined ? line : left + broken(text, width - left.length).join(`\n${' '.repeat(left.length)}`);
}

/** The help of a command, broken into lines of at most `width` characters. */
export function foldedHelp(help: string, width: number): string {
  const lines: string[] = [];
  for (const line of help.split('\n')) {
    const last = lines.at(-1) ?? '';
    const isContinued = /^\S.*[^:]$/.test(last) && /^\S/.test(line);
    if (isContinued) lines[lines.length - 1] = `${last} ${line}`;
    else lines.push(line);
  }
  return lines.map((line) => folded(line, width)).join('\n');
}
