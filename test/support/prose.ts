/** A sentence, and the first line of its paragraph. */
export interface Sentence {
  line: number;
  text: string;
}

/** Parts of Markdown that are not prose. They are replaced by their line breaks, which keeps the line numbers. */
const NOT_PROSE = [
  /^```[\s\S]*?^```$/gm, // code blocks
  /^ {4,}(?![-*\d]).*$/gm, // indented code blocks
  /<!--[\s\S]*?-->/g,
  /(?<=\])\([^)\n]*\)/g, // link targets
  /^\[[^\]]+\]: .*$/gm,
  /(?<=`test\/[\w./-]+`: )[^|\n]*?(?=<br>|\||$)/gm, // quoted test titles
];

const INLINE_CODE = /(`+)(?:(?!\1)[\s\S])+?\1/g;

const breaksOf = (text: string): string => text.replaceAll(/[^\n]/g, '');

/** The sentences of a Markdown page, without code. A table cell, list item or heading is a separate sentence. */
export function proseOf(page: string): Sentence[] {
  const bare = NOT_PROSE.reduce((text, pattern) => text.replaceAll(pattern, breaksOf), page).replaceAll(
    INLINE_CODE,
    (code) => `CODE${breaksOf(code)}`,
  );
  const sentences: Sentence[] = [];
  let paragraph: string[] = [];
  let start = 0;
  const end = (): void => {
    const parts = paragraph.join(' ').split(/(?<=[.!?:]) +/);
    for (const text of parts) if (/\w/.test(text)) sentences.push({ line: start, text: text.trim() });
    paragraph = [];
  };
  for (const [index, line] of bare.split('\n').entries()) {
    const startsBlock = /^\s*(?:[-*] |\d+\. |#|\||$)/.test(line);
    if (startsBlock) end();
    if (paragraph.length === 0) start = index + 1;
    for (const cell of line.startsWith('|') ? line.split(/(?<!\\)\|/) : [line]) {
      paragraph.push(cell.trim());
      if (line.startsWith('|') || line.startsWith('#')) end();
      start = index + 1 - (line.startsWith('|') ? 0 : paragraph.length - 1);
    }
  }
  end();
  return sentences;
}

/** String literals with several words, in TypeScript. Regular expressions and comments match first, so that quotes in them are skipped. */
const STRINGS =
  /^\s*(?:\/\/|\/?\*).*$|\/(?![/*])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*|'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/gm;

/** The texts that a source file can print. */
export const stringsOf = (source: string): Sentence[] =>
  [...source.matchAll(STRINGS)]
    .map((match) => ({ line: source.slice(0, match.index).split('\n').length, text: match[1] ?? match[2] ?? match[3] ?? '' }))
    .filter(({ text }) => /\w+ \w+ \w/.test(text));

/**
 * Comments of TypeScript and JavaScript. Strings, templates and regular expressions match first, so that comment markers in them are
 * skipped.
 */
const COMMENTS =
  /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|\/(?![/*])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*(?=[\s,;.)\]:])|\/\*([\s\S]*?)\*\/|\/\/(.*(?:\n[ \t]*\/\/.*)*)/g;

/** The sentences in the comments of a source file, without code. Tags such as `@param` start a sentence. */
export const commentsOf = (source: string): Sentence[] =>
  [...source.matchAll(COMMENTS)].flatMap(({ index, 1: block, 2: lines }) => {
    const comment = block ?? lines ?? '';
    const text = comment
      .replaceAll(/^[ \t]*(?:\*+|\/\/)/gm, '')
      .replaceAll(INLINE_CODE, 'CODE')
      .replaceAll(/\s+/g, ' ');
    const line = source.slice(0, index).split('\n').length;
    const parts = text.split(/(?<=[.!?:;]) +|(?= @)/).map((part) => part.trim());
    return parts.filter((part) => /\w/.test(part)).map((part) => ({ line, text: part }));
  });
