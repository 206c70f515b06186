// The expected content of a site, from acknowledged writes and from writes with an unknown outcome.

/** State of a missing item. */
const ABSENT = 'absent';

/**
 * A write, which changes the state of `name` to `state`. `acknowledged` is null if the outcome is unknown, so it may have happened.
 * @typedef {{ name: string, state: string, invoked: number, acknowledged: number | null }} Write
 *
 * A replacement of all content (load, reset, restore) with `items`.
 * @typedef {{ items: Map<string, string>, invoked: number, acknowledged: number | null }} Replacement
 */

/** The possible states of a name after consecutive writes. The first is that of the last acknowledged write. */
function statesOf(before, writes) {
  const last = writes.findLastIndex(({ acknowledged }) => acknowledged !== null);
  const certain = last < 0 ? before : writes[last].state;
  return [certain, ...writes.filter(({ acknowledged }) => acknowledged === null).map(({ state }) => state)];
}

function compare(found, base, writes, isOptional) {
  const byName = groupByName(writes);
  const lost = [];
  const wrong = [];
  for (const name of new Set([...base.keys(), ...byName.keys(), ...found.keys()])) {
    const own = byName.get(name) ?? [];
    const state = found.get(name) ?? ABSENT;
    const allowed = statesOf(base.get(name) ?? ABSENT, own);
    if (own.some(isOptional)) allowed.push(base.get(name) ?? ABSENT, ...own.map((write) => write.state));
    if (allowed.includes(state)) continue;
    const text = `${name} is ${state}, not ${[...new Set(allowed)].join(' or ')}`;
    (own.some(({ acknowledged }) => acknowledged !== null) || base.has(name) ? lost : wrong).push(text);
  }
  return { lost, wrong };
}

function groupByName(writes) {
  const groups = new Map();
  for (const write of writes) groups.set(write.name, [...(groups.get(write.name) ?? []), write]);
  return groups;
}

/** Findings under the assumption that the replacement happened, or did not happen. */
const HYPOTHESES = {
  kept: (found, known, writes) => compare(found, known, writes, () => false),
  replaced: (found, _known, writes, { items, invoked, acknowledged }) => {
    // Writes acknowledged before the replacement began are lost. Concurrent ones came before or after it.
    const later = writes.filter((write) => write.acknowledged === null || write.acknowledged > invoked);
    return compare(found, items, later, (write) => acknowledged === null || write.invoked < acknowledged);
  },
};

const badness = ({ lost, wrong }) => lost.length + wrong.length;

/**
 * Compares the content with the certain and possible results of the writes.
 * @param {Map<string, string>} found
 * @param {Map<string, string>} known initial content
 * @param {Write[]} writes in the order in which they began
 * @param {Replacement | null} replacement at most one, which happened completely or not at all
 * @returns {{ lost: string[], wrong: string[], isReplaced: boolean }}
 */
function judge(found, known, writes, replacement = null) {
  if (!replacement) return { ...HYPOTHESES.kept(found, known, writes), isReplaced: false };
  const replaced = { ...HYPOTHESES.replaced(found, known, writes, replacement), isReplaced: true };
  if (replacement.acknowledged !== null) return replaced;
  const kept = { ...HYPOTHESES.kept(found, known, writes), isReplaced: false };
  return badness(kept) < badness(replaced) ? kept : replaced;
}

/** Records writes. */
export class Ledger {
  writes = [];
  replacement = null;

  /** Records the start of a write. @returns functions to call when it is acknowledged, or rejected, that is, has not happened */
  write(name, state) {
    const write = { name, state, invoked: performance.now(), acknowledged: null };
    this.writes.push(write);
    return {
      acknowledge: () => (write.acknowledged = performance.now()),
      reject: () => this.writes.splice(this.writes.indexOf(write), 1),
    };
  }

  /** Records the start of a replacement. @returns function to call when it is acknowledged */
  replace(items) {
    const replacement = { items, invoked: performance.now(), acknowledged: null };
    this.replacement = replacement;
    return () => (replacement.acknowledged = performance.now());
  }

  get acknowledged() {
    return [...this.writes, this.replacement].filter((write) => write && write.acknowledged !== null).length;
  }

  judge(found, known) {
    return judge(found, known, this.writes, this.replacement);
  }
}
