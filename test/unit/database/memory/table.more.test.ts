import fc from 'fast-check';
import { OrderColumn } from '../../../../src/database/memory/table/columns.js';
import { Rows, columnsOf } from '../../../../src/database/memory/table/rows.js';
import { pack, sortable, unpack } from '../../../../src/database/memory/table/sortable.js';
import { EFFORT } from '../../../support/effort.js';

/* Tables with thousands of rows, whose indexes have many blocks. Lookups must match a scan of all rows. */

interface Row {
  _id: number;
  type: string;
  start: string;
  end: string;
  tags: number[];
}

const KINDS = { ...columnsOf('order', ['start', 'end']), ...columnsOf('value', ['type']), ...columnsOf('ids', ['tags']) };

/** Pseudorandom numbers from a seed. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * below);
  };
}

const timeOf = (hours: number, year = 2020): string =>
  new Date(Date.UTC(year, 0, 1) + hours * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');

function rowOf(_id: number, random: (below: number) => number, year?: number): Row {
  const start = random(20_000);
  const length = random(20) === 0 ? random(2_000) : random(5);
  const tags = Array.from({ length: random(3) }, () => 1 + random(30));
  const type = random(10) === 0 ? 'rare' : 'common';
  return { _id, type, start: timeOf(start, year), end: timeOf(start + length, year), tags: [...new Set(tags)] };
}

interface Query {
  from: string;
  to: string;
  type: string;
  tag: number | null;
  only: number[] | null;
  isBackwards: boolean;
  offset: number;
}

const LIMIT = 7;

function expected(rows: Iterable<Row>, { from, to, type, tag, only, isBackwards, offset }: Query) {
  const among = only && new Set(only);
  const found = [...rows]
    .filter((row) => row.end >= from && row.start <= to && row.type === type)
    .filter((row) => (tag === null || row.tags.includes(tag)) && (!among || among.has(row._id)))
    .sort((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : a._id - b._id));
  if (isBackwards) found.reverse();
  return { ids: found.slice(offset, offset + LIMIT).map(({ _id }) => _id), total: found.length };
}

function asked(table: Rows, { from, to, type, tag, only, isBackwards, offset }: Query) {
  const $and = [{ end: { $gte: from } }, { start: { $lte: to } }, { type }, ...(tag === null ? [] : [{ tags: tag }])];
  const direction = isBackwards ? -1 : 1;
  return table.find({ conditions: { $and }, order: { start: direction, _id: direction }, offset, limit: LIMIT, ...(only ? { only } : {}) });
}

const COUNT = 5_000;

const query = fc.record<Query>({
  from: fc.nat(20_000).map((hours) => timeOf(hours)),
  to: fc.nat(22_000).map((hours) => timeOf(hours)),
  type: fc.constantFrom('common', 'common', 'rare', 'none'),
  tag: fc.option(fc.nat(31)),
  only: fc.option(
    fc.integer({ min: 1, max: 40 }).map((step) => Array.from({ length: COUNT }, (_, i) => i).filter((i) => i % step === 0)),
    { freq: 3 },
  ),
  isBackwards: fc.boolean(),
  offset: fc.oneof(fc.constant(0), fc.nat(COUNT)),
});

/** A write to a row. Some remove it, and some have a year that exceeds 32 bits. */
const write = fc.record({ id: fc.nat(COUNT + 200), seed: fc.nat(), isRemoved: fc.boolean() });

test('tables of thousands of rows find what is there, also after writes, and copies change by themselves', () => {
  fc.assert(
    fc.property(
      fc.nat(),
      fc.array(fc.tuple(fc.array(write, { maxLength: 30 }), fc.array(query, { minLength: 1, maxLength: 6 })), {
        minLength: 1,
        maxLength: 4,
      }),
      fc.constantFrom(undefined, undefined, 1800),
      (seed, steps, year) => {
        let table = new Rows(KINDS, 10_000_000);
        const rows = new Map<number, Row>();
        const put = (row: Row) => {
          rows.set(row._id, row);
          table.add(row);
        };
        const random = randomFrom(seed);
        for (let id = 0; id < COUNT; id += 1) put(rowOf(id, random));
        for (const [writes, queries] of steps) {
          const [earlier, before] = [table, [...rows.values()]];
          table = table.copy();
          for (const { id, seed: own, isRemoved } of writes) {
            if (isRemoved) {
              table.remove(id);
              rows.delete(id);
            } else put(rowOf(id, randomFrom(own), year));
          }
          for (const each of queries) {
            expect(asked(table, each)).toEqual(expected(rows.values(), each));
            expect(asked(earlier, each)).toEqual(expected(before, each));
          }
        }
        expect(table.isTooLarge).toBe(false);
      },
    ),
    { numRuns: 15 * EFFORT },
  );
});

test('no text of a row is missed', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(50), fc.string({ unit: fc.nat(0x10_ff_ff).map((code) => String.fromCodePoint(code)), maxLength: 3 }))),
      fc.string({ maxLength: 3 }),
      (written, other) => {
        const table = new Rows({ slug: 'hash' }, 1_000_000);
        const texts = new Map<number, string>();
        for (const [_id, slug] of written) {
          table.add({ _id, slug } as { _id: number });
          texts.set(_id, slug);
        }
        for (const text of texts.values()) expect(table.mayHold('slug', text)).toBe(true);
        // No two texts as short as these have the same hash.
        if (!written.some(([, text]) => text === other)) expect(table.mayHold('slug', other)).toBe(false);
      },
    ),
  );
  const table = new Rows({ slug: 'hash' }, 1_000_000);
  table.add({ _id: 1 });
  expect([table.mayHold('slug', 'a'), table.find({ conditions: { slug: 'a' }, order: { _id: 1 }, offset: 0, limit: 1 })]).toEqual([
    false,
    null,
  ]);
});

test('parts of an order grow and are divided', () => {
  const table = new Rows(KINDS, 10_000_000);
  const find = (offset: number) => table.find({ conditions: {}, order: { start: 1, _id: 1 }, offset, limit: 2 });
  expect(find(0)).toEqual({ ids: [], total: 0 });
  const random = randomFrom(1);
  const rows = Array.from({ length: 3_000 }, (_, id) => rowOf(id, random));
  for (const row of rows) table.add(row);
  const sorted = rows.toSorted((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : a._id - b._id)).map(({ _id }) => _id);
  for (const offset of [0, 1_023, 1_024, 2_999]) expect(find(offset)).toEqual({ ids: sorted.slice(offset, offset + 2), total: 3_000 });
  for (const { _id } of rows) table.remove(_id);
  expect(find(0)).toEqual({ ids: [], total: 0 });
});

test('codes of 32 bits have the order of what they stand for', () => {
  const date = fc
    .record({ year: fc.integer({ min: 1900, max: 2100 }), month: fc.nat(13), day: fc.nat(32), hour: fc.nat(24), rest: fc.nat(60) })
    .map(({ year, month, day, hour, rest }) => {
      const two = (part: number) => String(part).padStart(2, '0');
      return `${year}-${two(month)}-${two(day)} ${two(hour)}:${two(rest)}:${two(rest)}`;
    });
  const value = fc.oneof(date, fc.constantFrom('', '0000-00-00 00:00:00', '1950-01-01 00:00:00', '2074-12-31 23:59:59'), fc.nat());
  fc.assert(
    fc.property(value, value, (a, b) => {
      const [first, second] = [sortable(a)!, sortable(b)!];
      const [one, other] = [pack(first), pack(second)];
      for (const [number, code] of [
        [first, one],
        [second, other],
      ] as const)
        if (code !== null) expect(unpack(code)).toBe(number);
      if (one !== null && other !== null) expect(Math.sign(one - other)).toBe(Math.sign(first - second));
      const from = new OrderColumn().firstCodeFrom(first);
      expect([from === 2 ** 31 || unpack(from) >= first, unpack(from - 1) < first]).toEqual([true, true]);
    }),
    { numRuns: 2_000 },
  );
  expect(['1950-01-01 00:00:00', '2074-12-31 23:59:59', '', 200_000_000].map((each) => pack(sortable(each)!))).not.toContain(null);
  expect(['1949-12-31 23:59:59', '2080-01-01 00:00:00', '2026-00-10 00:00:00'].map((each) => pack(sortable(each)!))).toEqual([
    null,
    null,
    null,
  ]);
});
