import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { inputFile, openFile } from '../../../../src/transfer/formats/open.js';
import { formatNamed } from '../../../../src/transfer/formats/registry.js';
import type { Post, Term } from '../../../../src/wordpress/model.js';
import type { SourceItem, DatasetSource, SourcePlace } from '../../../../src/transfer/source.js';

const here = path.dirname(fileURLToPath(import.meta.url));
export const FIXTURES = path.join(here, '../../../../fixtures');
export const NOW = Date.parse('2026-06-15T12:00:00Z');

export let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'understudy-formats-'));
});
afterAll(() => rm(folder, { recursive: true }));

export const sourceOf = (items: SourceItem[], rest: Partial<DatasetSource> = {}): DatasetSource => ({
  name: 'test',
  siteUrl: 'http://old.example',
  clock: NOW,
  keepsIds: true,
  nextIds: { posts: 900, terms: 800 },
  async *items() {
    yield* items;
  },
  ...rest,
});

export async function written(
  source: DatasetSource,
  format: string,
  name: string,
): Promise<{ file: string; warnings: string[]; counts: Record<string, number> }> {
  const file = path.join(folder, name);
  const warnings: string[] = [];
  const counts: Record<string, number> = {};
  const wrote = (kind: string): void => void (counts[kind] = (counts[kind] ?? 0) + 1);
  const out = createWriteStream(file);
  const write = await formatNamed(format).write?.();
  await write?.(source, out, { file, warn: (line) => warnings.push(line), wrote });
  out.end();
  await finished(out);
  return { file, warnings, counts };
}

export async function itemsOf(source: DatasetSource): Promise<SourceItem[]> {
  const items: SourceItem[] = [];
  const fail = (problem: string, at?: SourcePlace): never => {
    throw new Error(`${at?.line}: ${at?.path}: ${problem}`);
  };
  for await (const item of source.items(fail)) items.push(item);
  return items;
}

export const problemsOf = async (name: string, content: string): Promise<[number | undefined, string | undefined, string][]> => {
  const file = path.join(folder, name);
  await writeFile(file, content);
  const problems: [number | undefined, string | undefined, string][] = [];
  const source = await openFile(inputFile(file), { now: NOW });
  for await (const _ of source.items((problem, at) => problems.push([at?.line, at?.path, problem]))) continue;
  return problems;
};

/** Items in canonical order, without their position in the file. */
export const comparable = (items: SourceItem[]): unknown[] =>
  items
    .map((item) => {
      const { at: _, ...rest } = { at: undefined, ...item };
      return JSON.parse(JSON.stringify(rest)) as unknown;
    })
    .map((item) => [JSON.stringify(item, ['kind', 'post', 'term', 'user', 'comment', 'file', '_id', 'target']), item] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, item]) => item);

/** Counts and folded names are computed when terms are stored. */
const withoutCounts = (given: SourceItem[]): SourceItem[] =>
  given.map((item) => {
    if (item.kind !== 'term') return item;
    const { count: _c, branchCount: _b, nameKey: _n, search: _s, ...rest } = item.term;
    return { ...item, term: rest as Term };
  });

const DERIVED = new Set([
  'occurrence',
  'hidden',
  'featured',
  'ticketed',
  'venues',
  'organizers',
  'slugKey',
  'location',
  'titleKey',
  'search',
]);
/** Items without what is derived from others when they are stored. */
export const plain = (given: SourceItem[]): SourceItem[] =>
  withoutCounts(given)
    .filter(({ kind }) => kind !== 'file')
    .map((item) =>
      item.kind === 'post'
        ? { ...item, post: Object.fromEntries(Object.entries(item.post).filter(([key]) => !DERIVED.has(key))) as unknown as Post }
        : item,
    );
