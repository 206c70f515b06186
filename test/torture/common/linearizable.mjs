// Checks whether the clients' observations are linearizable (Wing and Gong, with Lowe's cache of dead ends).

/**
 * @typedef {object} Operation
 * @property {number} invoked time of the request
 * @property {number} responded time of the response; Infinity: none, so the operation may have happened at any later time, or not at all
 * @typedef {object} Model
 * @property {unknown} initial initial state
 * @property {(state: unknown, operation: Operation) => unknown} step the state after an operation; undefined if its response contradicts it
 * @property {(state: unknown) => string} key
 */

/**
 * Searches an order of the operations that explains all responses. An operation that ended before another one began must come first.
 * @param {readonly Operation[]} history
 * @param {Model} model
 * @returns {{ isLinearizable: true, order: Operation[] } | { isLinearizable: false, longest: Operation[], stuck: Operation[] }} if there is
 * none: the longest explained prefix, and the operations that cannot follow it
 */
export function linearize(history, model) {
  const operations = [...history].sort((a, b) => a.invoked - b.invoked);
  const isDone = operations.map(() => false);
  const order = [];
  const deadEnds = new Set();
  let longest = { order: [], stuck: operations };

  /** Possible next operations: those that began before any remaining one ended. */
  const candidates = () => {
    let limit = Infinity;
    const found = [];
    for (const [i, { invoked, responded }] of operations.entries()) {
      if (isDone[i]) continue;
      if (invoked > limit) break;
      found.push(i);
      limit = Math.min(limit, responded);
    }
    return found.filter((i) => operations[i].invoked <= limit);
  };

  const isComplete = () => operations.every(({ responded }, i) => isDone[i] || responded === Infinity);

  const explain = (state) => {
    if (isComplete()) return true;
    const here = `${isDone.map(Number).join('')} ${model.key(state)}`;
    if (deadEnds.has(here)) return false;
    const next = candidates();
    for (const i of next) {
      const after = model.step(state, operations[i]);
      if (after === undefined) continue;
      isDone[i] = true;
      order.push(operations[i]);
      if (explain(after)) return true;
      isDone[i] = false;
      order.pop();
    }
    deadEnds.add(here);
    if (order.length >= longest.order.length) longest = { order: [...order], stuck: next.map((i) => operations[i]) };
    return false;
  };

  if (explain(model.initial)) return { isLinearizable: true, order };
  return { isLinearizable: false, longest: longest.order, stuck: longest.stuck };
}

const READS = ['read', 'find'];

/**
 * The operations that must have an order if the database was killed. It shows writes before they are in its journal, so a kill can undo a
 * write that a read has shown, unless the write got a response. Such reads are left out.
 * @param history operations on one thing
 * @param kills times at which the database was killed
 */
export function lasting(history, kills) {
  const open = history.filter(({ kind, responded }) => !READS.includes(kind) && responded === Infinity);
  const mayHaveSeen = (read, write, killed) => write.invoked <= Math.min(read.responded, killed);
  const isDoubtful = (read) => kills.some((killed) => read.invoked <= killed && open.some((write) => mayHaveSeen(read, write, killed)));
  return history.filter((operation) => !READS.includes(operation.kind) || !isDoubtful(operation));
}

/**
 * A record with fields that are written and read together: `write` sets some fields, and the responses to `read` and `write` contain all of
 * them.
 */
export const recordModel = (initial) => ({
  initial,
  step: (state, { kind, fields, output }) => {
    const after = kind === 'write' ? { ...state, ...fields } : state;
    const isShown = !output || Object.entries(output).every(([name, value]) => after[name] === value);
    return isShown ? after : undefined;
  },
  key: (state) => JSON.stringify(state),
});

/** A unique name: `take` assigns it to one item, `free` releases it, and `find` returns its item. */
export const nameModel = (initial = null) => ({
  initial,
  step: (holder, { kind, id, output }) => {
    if (kind === 'take') return holder === null ? id : undefined;
    if (kind === 'free') return holder === id ? null : undefined;
    return holder === output ? holder : undefined;
  },
  key: String,
});

/** Number of operations to show before the unexplained ones. */
const SHOWN = 8;

const textOf = ({ invoked, responded, ...rest }) => `${Math.round(invoked)}-${Math.round(responded)} ${JSON.stringify(rest)}`;

/** Describes an unexplained history in lines. @param verdict of a history that is not linearizable */
export function describeVerdict({ longest, stuck }) {
  const end = longest.slice(-SHOWN).map(textOf);
  const lines = [`no order explains it. After ${longest.length} operations, the last of them`, ...end, 'none of these can follow:'];
  return [...lines, ...stuck.map(textOf)].join('\n    ');
}
