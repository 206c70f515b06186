/** A comment that opens or closes a block, or is a whole block. */
export interface Delimiter {
  readonly start: number;
  readonly end: number;
  readonly closes: boolean;
  readonly isVoid: boolean;
  /** Full name, such as `core/paragraph`. */
  readonly name: string;
  /** JSON; empty if there are none. */
  readonly attributes: string;
}

const HEAD = /<!--[ \t\n\v\f\r]+(\/)?wp:([a-z][a-z0-9_-]*\/)?([a-z][a-z0-9_-]*)[ \t\n\v\f\r]+/g;
const VOID_END = /(\/)?-->/y;
const ATTRIBUTES_END = /\}[ \t\n\v\f\r]+(\/)?-->/g;

/** The delimiters of the blocks in a text, in order. */
export function* delimiters(text: string): Generator<Delimiter> {
  const head = new RegExp(HEAD);
  let attributesEnd: RegExpExecArray | null | undefined;
  for (let match = head.exec(text); match; match = head.exec(text)) {
    const bodyAt = head.lastIndex;
    const common = { start: match.index, closes: match[1] !== undefined, name: (match[2] ?? 'core/') + match[3] };
    if (text[bodyAt] !== '{') {
      VOID_END.lastIndex = bodyAt;
      const end = VOID_END.exec(text);
      if (!end) continue;
      head.lastIndex = VOID_END.lastIndex;
      yield { ...common, end: VOID_END.lastIndex, isVoid: end[1] !== undefined, attributes: '' };
      continue;
    }
    if (attributesEnd === undefined || (attributesEnd !== null && attributesEnd.index < bodyAt)) {
      ATTRIBUTES_END.lastIndex = bodyAt;
      attributesEnd = ATTRIBUTES_END.exec(text);
    }
    if (!attributesEnd) continue;
    const end = attributesEnd.index + attributesEnd[0].length;
    head.lastIndex = end;
    yield { ...common, end, isVoid: attributesEnd[1] !== undefined, attributes: text.slice(bodyAt, attributesEnd.index + 1) };
  }
}
