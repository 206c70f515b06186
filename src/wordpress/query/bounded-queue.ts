/**
 * The first rows in an order, as a database finds them that keeps only as many as it needs: which of several equal rows are among them, and
 * where, follows from how it replaces the last one. MySQL: `Bounded_queue`, which holds one row more than the limit.
 * @param rows in the order in which they are read
 * @param compare negative: the first one comes first
 */
export function firstRows<Row>(rows: readonly Row[], limit: number, compare: (a: Row, b: Row) => number): Row[] {
  const slots: Row[] = [];
  /** Indexes of slots; the row that comes last is on top. */
  const heap: number[] = [];
  const isAbove = (a: number, b: number): boolean => compare(slots[heap[a] ?? 0], slots[heap[b] ?? 0]) > 0;
  const swap = (a: number, b: number): void => {
    [heap[a], heap[b]] = [heap[b] ?? 0, heap[a] ?? 0];
  };
  for (const row of rows) {
    if (heap.length <= limit) {
      slots.push(row);
      let at = heap.push(slots.length - 1) - 1;
      for (let parent = (at - 1) >> 1; at > 0 && isAbove(at, parent); parent = (at - 1) >> 1) {
        swap(at, parent);
        at = parent;
      }
    } else {
      slots[heap[0] ?? 0] = row;
      for (let at = 0, next = -1; next !== at;) {
        if (next !== -1) {
          swap(at, next);
          at = next;
        }
        next = [2 * at + 1, 2 * at + 2].reduce((most, child) => (child < heap.length && isAbove(child, most) ? child : most), at);
      }
    }
  }
  return slots.toSorted(compare).slice(0, limit);
}
