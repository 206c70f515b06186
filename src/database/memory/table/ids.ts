/** Ids of a page. Ids are dense as a rule. */
const PAGE = 256;
const NONE = -1;

export class RowsById {
  private readonly pages = new Map<number, Int32Array>();
  size = 0;

  get(id: number): number | undefined {
    const row = this.pages.get(Math.floor(id / PAGE))?.[id % PAGE] ?? NONE;
    return row === NONE ? undefined : row;
  }

  set(id: number, row: number): void {
    const number = Math.floor(id / PAGE);
    const page = this.pages.get(number) ?? new Int32Array(PAGE).fill(NONE);
    this.pages.set(number, page);
    if (page[id % PAGE] === NONE) this.size += 1;
    page[id % PAGE] = row;
  }

  delete(id: number): void {
    const page = this.pages.get(Math.floor(id / PAGE));
    if (!page || page[id % PAGE] === NONE) return;
    page[id % PAGE] = NONE;
    this.size -= 1;
  }

  *values(): Generator<number> {
    for (const page of this.pages.values()) for (const row of page) if (row !== NONE) yield row;
  }

  get bytes(): number {
    return this.pages.size * (4 * PAGE + 200);
  }
}
