/** Unchanged lines that are shown around changed ones. */
const CONTEXT = 2;

/** A larger table takes too long: what is between the first and the last changed line is then shown as replaced. */
const MOST_CELLS = 4_000_000;

const linesOf = (text) => text.replace(/\n$/, '').split('\n');

/** How many lines two texts have in common from an end. @param at the line of a text at a distance from that end */
function common(before, after, at) {
  const most = Math.min(before.length, after.length);
  let count = 0;
  while (count < most && at(before, count) === at(after, count)) count += 1;
  return count;
}

const marked = (sign) => (text) => ({ sign, text });

/** The lines of two texts, by their longest common subsequence. */
function compared(before, after) {
  if (before.length * after.length > MOST_CELLS) return [...before.map(marked('−')), ...after.map(marked('+'))];
  const width = after.length + 1;
  const lengths = new Uint32Array((before.length + 1) * width);
  for (let row = before.length - 1; row >= 0; row -= 1)
    for (let column = after.length - 1; column >= 0; column -= 1)
      lengths[row * width + column] =
        before[row] === after[column]
          ? lengths[(row + 1) * width + column + 1] + 1
          : Math.max(lengths[(row + 1) * width + column], lengths[row * width + column + 1]);
  const lines = [];
  let [row, column] = [0, 0];
  while (row < before.length || column < after.length) {
    if (row < before.length && before[row] === after[column]) {
      lines.push(marked(' ')(before[row]));
      row += 1;
      column += 1;
    } else if (
      column === after.length ||
      (row < before.length && lengths[(row + 1) * width + column] >= lengths[row * width + column + 1])
    ) {
      lines.push(marked('−')(before[row]));
      row += 1;
    } else {
      lines.push(marked('+')(after[column]));
      column += 1;
    }
  }
  return lines;
}

/** The changed lines of a text with some around them, as `{ sign, text }`: `−`, `+`, a blank, and `…` for lines that are left out. */
export function difference(textBefore, textAfter) {
  const [before, after] = [linesOf(textBefore), linesOf(textAfter)];
  const start = common(before, after, (lines, index) => lines[index]);
  const [restBefore, restAfter] = [before.slice(start), after.slice(start)];
  const end = common(restBefore, restAfter, (lines, index) => lines[lines.length - 1 - index]);
  const same = marked(' ');
  const all = [
    ...before.slice(0, start).map(same),
    ...compared(restBefore.slice(0, restBefore.length - end), restAfter.slice(0, restAfter.length - end)),
    ...before.slice(before.length - end).map(same),
  ];
  const isNear = all.map(() => false);
  for (const [index, { sign }] of all.entries()) if (sign !== ' ') isNear.fill(true, Math.max(0, index - CONTEXT), index + CONTEXT + 1);
  return all.flatMap((line, index) => (isNear[index] ? [line] : index === 0 || isNear[index - 1] ? [{ sign: '…', text: '' }] : []));
}
