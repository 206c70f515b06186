import {
  Scalar,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  parseDocument,
  stringify,
  type Node,
  type Pair,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { Syntax } from '../formats/dataset/parse.js';

/** A change of a file. All other text stays as it is: comments, order, blank lines, quotes. */
export type Edit =
  /** Sets a member, or replaces an item of a list. */
  | { at: Path; value: unknown }
  /** Removes a member, or an item of a list. */
  | { at: Path; removed: true }
  /** Appends to a list, which is created if it is absent. */
  | { at: Path; added: unknown };

/** A change that the text of a file does not allow. */
export class Uneditable extends Error {}

/** Names of members, and indexes of items. */
export type Path = readonly (string | number)[];

interface Ranged {
  range?: readonly [number, number, number] | null;
}

type Splice = [start: number, end: number, text: string];

/** Where a part of the text ends, without the line breaks and blanks that the parser counts to it. */
const endOf = (text: string, node: Ranged): number => {
  const [start = 0, end = 0] = node.range ?? [];
  return start + text.slice(start, end).trimEnd().length;
};

const startOf = (node: unknown): number => (node as Ranged).range?.[0] ?? 0;
const lineStart = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1;
const lineEnd = (text: string, at: number): number => {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
};
const columnOf = (text: string, at: number): number => at - lineStart(text, at);
const isOneLine = (text: string, start: number, end: number): boolean => !text.slice(start, end).includes('\n');

/** JSON in one line, with blanks. */
function jsonText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(jsonText).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${jsonText(each)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** Texts that older parsers take for a number, a time or a date: `12:30`, `2027-07-03`. */
const LIKE_NUMBER = /^\d[\d.:_-]*(?:[ T].*)?$/;

const hasLines = (value: unknown): value is string => typeof value === 'string' && value.includes('\n');

/** A text, number or truth value of YAML within braces or brackets. */
function scalarText(value: unknown): string {
  const scalar = new Scalar(value);
  if (typeof value === 'string' && LIKE_NUMBER.test(value)) scalar.type = Scalar.QUOTE_SINGLE;
  if (hasLines(value)) scalar.type = Scalar.QUOTE_DOUBLE;
  return stringify([scalar], { collectionStyle: 'flow', lineWidth: 0 }).trim().slice(1, -1).trim();
}

/** YAML in one line. */
function yamlText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(yamlText).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return scalarText(value);
  const members = Object.entries(value).map(([name, each]) => `${scalarText(name)}: ${yamlText(each)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** The text of a file while it is edited. */
class Text {
  constructor(
    public text: string,
    private readonly syntax: Syntax,
  ) {}

  private splice([start, end, replacement]: Splice): void {
    // A comment would be part of the last line of a literal. It stays on its line.
    const comment = replacement.includes('\n') ? (/^[ \t]+#.*/.exec(this.text.slice(end))?.[0] ?? '') : '';
    const added = comment === '' ? replacement : replacement.replace('\n', `${comment}\n`);
    this.text = this.text.slice(0, start) + added + this.text.slice(end + comment.length);
  }

  private parsed() {
    return parseDocument(this.text, { logLevel: 'silent', prettyErrors: false });
  }

  /** A value within braces or brackets. */
  private inline(value: unknown): string {
    return this.syntax === 'json' ? jsonText(value) : yamlText(value);
  }

  /** A value after a name or a dash of block style. @param column of the name */
  private block(value: unknown, column: number): string {
    // A literal with blanks at its start would need to tell its indentation.
    if (!hasLines(value) || /^\s/.test(value)) return this.inline(value);
    const lines = stringify(value, { lineWidth: 0, blockQuote: 'literal' }).trimEnd().split('\n');
    return lines.map((line, index) => (index === 0 || line === '' ? line : ' '.repeat(column + 2) + line)).join('\n');
  }

  private nameText(name: string): string {
    return this.syntax === 'json' ? JSON.stringify(name) : this.inline(name);
  }

  private isFlow(node: unknown): boolean {
    return this.syntax === 'json' || (isCollection(node) && node.flow === true);
  }

  apply(edit: Edit): void {
    const { at } = edit;
    const document = this.parsed();
    if ('added' in edit) return this.add(document.getIn(at, true), at, edit.added);
    const parent: unknown = at.length === 1 ? document.contents : document.getIn(at.slice(0, -1), true);
    const last = at.at(-1)!;
    if (isSeq(parent)) {
      if ('removed' in edit) return this.removeItem(parent as YAMLSeq<Node>, Number(last), at.slice(0, -1));
      const item = parent.items[Number(last)];
      return this.splice([startOf(item), endOf(this.text, item as Ranged), this.inline(edit.value)]);
    }
    // An alias of YAML.
    if (!isMap(parent)) throw new Uneditable(`${at.slice(0, -1).join('.')} is written elsewhere, as an alias`);
    // Lines do not fit in braces: the item gets a line for each member.
    const list: unknown = at.length > 2 && document.getIn(at.slice(0, -2), true);
    if ('value' in edit && hasLines(edit.value) && this.isFlow(parent) && isSeq(list) && !this.isFlow(list)) {
      const members = { ...(parent.toJS(document) as object), [last]: edit.value };
      const start = startOf(parent);
      return this.splice([start, endOf(this.text, parent), this.entry(members, columnOf(this.text, start))]);
    }
    const index = parent.items.findIndex(({ key }) => isScalar(key) && key.value === last);
    if ('removed' in edit) {
      if (index >= 0) this.removePair(parent, index);
    } else if (index >= 0) this.setPair(parent.items[index] as Pair<Node, Node | null>, edit.value, this.isFlow(parent));
    else this.addPair(parent, String(last), edit.value);
  }

  private setPair({ key, value }: Pair<Node, Node | null>, wanted: unknown, isFlow: boolean): void {
    const { text } = this;
    const column = columnOf(text, startOf(key));
    const rendered = isFlow ? this.inline(wanted) : this.block(wanted, column);
    const after = endOf(text, key) + text.slice(endOf(text, key)).indexOf(':') + 1;
    const end = value?.range ? Math.max(after, endOf(text, value)) : after;
    // A value below its name, or none: it is written beside it.
    const start = value?.range && isOneLine(text, after, startOf(value)) && startOf(value) > after ? startOf(value) : after;
    this.splice([start, end, start === after ? ` ${rendered}` : rendered]);
  }

  private addPair(parent: YAMLMap, name: string, value: unknown): void {
    const { text } = this;
    const first = parent.items[0]?.key as Node | undefined;
    const last = parent.items.at(-1);
    if (!first || !last) return this.splice([startOf(parent), endOf(text, parent), `{ ${this.nameText(name)}: ${this.inline(value)} }`]);
    const end = this.pairEnd(last);
    if (!this.isFlow(parent)) {
      const column = columnOf(text, startOf(first));
      const at = lineEnd(text, end);
      return this.splice([at, at, `\n${' '.repeat(column)}${this.nameText(name)}: ${this.block(value, column)}`]);
    }
    const separator = isOneLine(text, startOf(parent), startOf(first))
      ? ' '
      : `\n${text.slice(lineStart(text, startOf(first)), startOf(first))}`;
    this.splice([end, end, `,${separator}${this.nameText(name)}: ${this.inline(value)}`]);
  }

  private pairEnd({ key, value }: { key: unknown; value: unknown }): number {
    const { text } = this;
    return Math.max(endOf(text, key as Ranged), (value as Ranged | null)?.range ? endOf(text, value as Ranged) : 0);
  }

  /** Removes the part between two others, of those in braces or brackets. */
  private removeFlow(starts: readonly number[], ends: readonly number[], index: number): void {
    if (starts.length === 1) this.splice([starts[0], ends[0], '']);
    else if (index > 0) this.splice([ends[index - 1], ends[index], '']);
    else this.splice([starts[0], starts[1], '']);
  }

  private removePair(parent: YAMLMap, index: number): void {
    const { text } = this;
    const starts = parent.items.map(({ key }) => startOf(key));
    const ends = parent.items.map((pair) => this.pairEnd(pair));
    if (this.isFlow(parent)) return this.removeFlow(starts, ends, index);
    if (parent.items.length === 1) return this.splice([starts[0], ends[0], '{}']);
    const start = lineStart(text, starts[index]);
    // Beside the dash of an item.
    if (text.slice(start, starts[index]).trim() !== '') return this.splice([starts[index], starts[index + 1], '']);
    this.splice([start, Math.min(text.length, lineEnd(text, ends[index]) + 1), '']);
  }

  private removeItem(list: YAMLSeq<Node>, index: number, at: Path): void {
    const { text } = this;
    const starts = list.items.map(startOf);
    const ends = list.items.map((item) => endOf(text, item));
    if (this.isFlow(list)) return this.removeFlow(starts, ends, index);
    if (list.items.length === 1) return this.apply({ at, value: [] });
    const dash = text.lastIndexOf('-', starts[index] - 1);
    this.splice([lineStart(text, dash), Math.min(text.length, lineEnd(text, ends[index]) + 1), '']);
  }

  /** @param list the list, if it exists */
  private add(list: unknown, at: Path, value: unknown): void {
    const { text } = this;
    if (!isSeq(list) || list.items.length === 0) {
      const own = isSeq(list) && list.range ? list : undefined;
      if (own || this.syntax === 'json' || at.length > 1) return this.apply({ at, value: [value] });
      const start = text.trimEnd().length;
      const name = this.nameText(String(at[0]));
      return this.splice([start, text.length, `${start === 0 ? '' : '\n'}${name}:\n  - ${this.entry(value, 4)}\n`]);
    }
    const last = list.items.at(-1) as Node & Ranged;
    const end = endOf(text, last);
    if (!this.isFlow(list)) {
      const column = columnOf(text, text.lastIndexOf('-', startOf(last) - 1));
      const rendered =
        this.isFlow(last) && !Object.values(value as object).some(hasLines) ? this.inline(value) : this.entry(value, column + 2);
      const place = lineEnd(text, end);
      return this.splice([place, place, `\n${' '.repeat(column)}- ${rendered}`]);
    }
    const isWide = isOneLine(text, startOf(last), end);
    const start = lineStart(text, startOf(last));
    const indent = /^\s*/.exec(text.slice(start))?.[0] ?? '';
    const separator = isOneLine(text, startOf(list), startOf(last)) ? ' ' : `\n${indent}`;
    this.splice([end, end, `,${separator}${isWide || this.syntax === 'yaml' ? this.inline(value) : this.expanded(value, indent)}`]);
  }

  /** An object of block style. @param column of its names */
  private entry(value: unknown, column: number): string {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return this.inline(value);
    const members = Object.entries(value).map(([name, each]) => `${this.nameText(name)}: ${this.block(each, column)}`);
    return members.join(`\n${' '.repeat(column)}`);
  }

  /** JSON with a line for each member. @param indent of the object */
  private expanded(value: unknown, indent: string): string {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return jsonText(value);
    const unit = indent.includes('\t') ? '\t' : ' '.repeat(Math.max(2, indent.length / 2));
    const members = Object.entries(value).map(([name, each]) => `${indent}${unit}${JSON.stringify(name)}: ${jsonText(each)}`);
    return `{\n${members.join(',\n')}\n${indent}}`;
  }
}

/** Edits the text of a JSON or YAML file. */
export function edited(text: string, syntax: Syntax, edits: readonly Edit[]): string {
  const hasMark = text.startsWith('\uFEFF');
  const isDos = text.includes('\r\n');
  const plain = (hasMark ? text.slice(1) : text).replaceAll('\r\n', '\n');
  const current = new Text(plain, syntax);
  for (const edit of edits) current.apply(edit);
  const result = isDos ? current.text.replaceAll('\n', '\r\n') : current.text;
  return hasMark ? `\uFEFF${result}` : result;
}
