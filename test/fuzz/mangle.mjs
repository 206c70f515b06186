// Damages valid input: texts by tokens, JSON by members, files by bytes.
import fc from 'fast-check';
import { hostileName, hostileText, hostileValue } from './values.mjs';

/** A position in a list of any length. */
const place = fc.integer({ min: 0, max: 9999 });
const at = (where, { length }) => Math.floor((where * length) / 10_000);

const few = (edit) => fc.array(edit, { minLength: 1, maxLength: 4 });

const listEdit = (replacement) =>
  fc.record({
    where: place,
    other: place,
    count: fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 1, max: 5 }) }, fc.integer({ min: 5, max: 400 })),
    how: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'repeat', 'move', 'cut'),
    replacement,
  });

/** Replaces, removes, repeats and moves parts of a list. */
function edited(list, edits) {
  let parts = list;
  for (const { where, other, count, how, replacement } of edits) {
    const from = at(where, parts);
    const some = parts.slice(from, from + count);
    const rest = [...parts.slice(0, from), ...parts.slice(from + count)];
    const insert = (index, items) => [...rest.slice(0, index), ...items, ...rest.slice(index)];
    if (how === 'replace') parts = [...parts.slice(0, from), replacement, ...parts.slice(from + 1)];
    else if (how === 'remove') parts = rest;
    else if (how === 'repeat') parts = insert(from, [...some, ...some]);
    else if (how === 'move') parts = insert(at(other, rest), some);
    else parts = parts.slice(0, from);
  }
  return parts;
}

const TOKENS = /([\s<>"',:;=[\]{}&]+)/;

/** A text with changed or reordered words. Formats differ in their separators. */
const mangledText = (text) => few(listEdit(hostileText)).map((edits) => edited(text.split(TOKENS), edits).join(''));

/** The same, line by line. */
const mangledLines = (text) => few(listEdit(hostileText)).map((edits) => edited(text.split('\n'), edits).join('\n'));

/** Changes, removes and repeats bytes. */
export const mangledBytes = (bytes) =>
  few(listEdit(fc.integer({ min: 0, max: 255 }))).map((edits) => Buffer.from(edited([...bytes], edits)));

/** The members of a value at all depths, as pairs of their parent and key. */
function membersOf(value, into = []) {
  if (value === null || typeof value !== 'object') return into;
  for (const key of Object.keys(value)) {
    into.push([value, key]);
    membersOf(value[key], into);
  }
  return into;
}

const valueEdit = fc.record({
  where: place,
  other: place,
  how: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'copy', 'rename'),
  replacement: hostileValue,
  name: hostileName,
});

/** A JSON value with changed members. Removed ones are `undefined`, which JSON omits. */
export const mangledValue = (value) =>
  few(valueEdit).map((edits) => {
    const copy = structuredClone(value);
    for (const { where, other, how, replacement, name } of edits) {
      const members = membersOf(copy);
      if (members.length === 0) break;
      const [holder, key] = members[at(where, members)];
      const [otherHolder, otherKey] = members[at(other, members)];
      if (how === 'replace') holder[key] = replacement;
      else if (how === 'copy') holder[key] = structuredClone(otherHolder[otherKey]);
      else if (how === 'rename' && !Array.isArray(holder))
        Object.defineProperty(holder, name, { value: holder[key], enumerable: true, configurable: true, writable: true });
      if (how === 'remove' || how === 'rename') holder[key] = undefined;
    }
    return copy;
  });

const parsed = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Damages the bytes of a file of any format. */
export function mangledFile(bytes) {
  const text = bytes.toString('utf8');
  const value = parsed(text);
  const asBytes = (arbitrary) => arbitrary.map((changed) => Buffer.from(changed, 'utf8'));
  return fc.oneof(
    { weight: 4, arbitrary: asBytes(mangledText(text)) },
    { weight: 2, arbitrary: asBytes(mangledLines(text)) },
    { weight: 1, arbitrary: mangledBytes(bytes) },
    ...(value === undefined
      ? []
      : [{ weight: 8, arbitrary: asBytes(mangledValue(value).map((changed) => JSON.stringify(changed) ?? '')) }]),
  );
}
