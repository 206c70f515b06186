import { escapeRegExp } from '../../base/text/pattern.js';
import type { SearchClause, Stage } from './post-query.js';

/** Maximum pattern length in bytes. MongoDB rejects patterns of more than about 16 KB. */
const MAX_PATTERN = 4096;

/** An expression: whether a text contains a word. */
export const holds = (field: unknown, word: string): Stage => ({ $gte: [{ $indexOfCP: [field, { $literal: word }] }, 0] });

/** An expression: whether a single field contains all words. Slower than a pattern, but without a limit of length. */
const anyFieldHolds = (words: string[]): Stage => ({
  $anyElementTrue: [
    { $map: { input: { $ifNull: ['$search', []] }, as: 'field', in: { $and: words.map((word) => holds('$$field', word)) } } },
  ],
});

/** Whether a pattern is too long for the database. */
export const isLong = (pattern: string): boolean => Buffer.byteLength(pattern) > MAX_PATTERN;

const anyOf = (conditions: Stage[]): Stage => (conditions.length === 1 ? conditions[0] : { $or: conditions });

/** The conditions of a search in some of the fields, or for exact matches. */
function fieldConditions({ words, without, fields = [0, 1, 2], exact, inFile = false }: SearchClause): Stage[] {
  const found = (field: number, word: string): Stage => {
    if (exact) return { [`search.${field}`]: word };
    const pattern = escapeRegExp(word);
    if (!isLong(pattern)) return { [`search.${field}`]: { $regex: pattern } };
    return { $expr: holds({ $arrayElemAt: [{ $ifNull: ['$search', []] }, field] }, word) };
  };
  const inName = (word: string): Stage => ({ file: { $regex: exact ? `^${escapeRegExp(word)}$` : escapeRegExp(word), $options: 'i' } });
  const inAny = (word: string): Stage =>
    anyOf([...fields.map((field) => found(field, word)), ...(inFile && !isLong(escapeRegExp(word)) ? [inName(word)] : [])]);
  return [...words.map(inAny), ...without.map((word) => ({ $nor: [inAny(word)] }))];
}

export function searchConditions(clause: SearchClause): Stage[] {
  const { words, without, inOneField } = clause;
  if (clause.fields || clause.exact) return fieldConditions(clause);
  const together = `^${words.map((word) => `(?=.*${escapeRegExp(word)})`).join('')}`;
  const wanted: Stage[] = inOneField
    ? [isLong(together) ? { $expr: anyFieldHolds(words) } : { search: { $regex: together, $options: 's' } }]
    : words.map((word) => (isLong(escapeRegExp(word)) ? { $expr: anyFieldHolds([word]) } : { search: { $regex: escapeRegExp(word) } }));
  const unwanted = without.map((word) =>
    isLong(escapeRegExp(word)) ? { $expr: { $not: anyFieldHolds([word]) } } : { search: { $not: { $regex: escapeRegExp(word) } } },
  );
  return [...wanted, ...unwanted];
}
