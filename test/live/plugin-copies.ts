import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Normalizer } from '../../src/transfer/live/check/compare.js';
import { coreRequests, readCore } from '../../src/transfer/live/check/core.js';
import { checkRequests, type CheckRequest, ask, readLists, sideOf, type Side } from '../../src/transfer/live/check/requests.js';
import type { Server } from '../../src/index.js';
import { startTestServer } from '../support/server.js';
import { ADMIN, siteWithPlugins } from './other-plugins.js';
import { load, NOW, pullFrom, quick, written, type Login } from './ticket-copies.js';

/** Every ordinary read of all namespaces. @param most single items of each kind; 0: all */
export async function readsOf(side: Side, most = 0): Promise<CheckRequest[]> {
  const found = await readLists(side, () => undefined);
  return [...checkRequests(found, most), ...coreRequests(await readCore(side, found, () => undefined), most)];
}

interface Different {
  request: string;
  expected: string;
  actual: string;
}

/** The responses that differ in a byte, but for addresses. */
export async function differences(requests: readonly CheckRequest[], one: Side, other: Side): Promise<Different[]> {
  const [first, second] = [new Normalizer(one.live), new Normalizer(other.live)];
  const found: Different[] = [];
  for (const request of requests) {
    const [expected, actual] = await Promise.all([ask(one, request), ask(other, request)]);
    const shown = [`${expected.status} ${first.text(expected.text)}`, `${actual.status} ${second.text(actual.text)}`];
    if (shown[0] !== shown[1])
      found.push({ request: `${request.method} ${request.namespace ?? ''} ${request.route}`, expected: shown[0], actual: shown[1] });
  }
  return found;
}

/** Where two texts differ, for people. */
export function excerpt({ request, expected, actual }: Different): string {
  let at = 0;
  while (expected[at] === actual[at]) at += 1;
  const from = Math.max(0, at - 100);
  return `${request}\n  site ${expected.slice(from, at + 100)}\n  copy ${actual.slice(from, at + 100)}`;
}

const login = (credentials?: Login): object => (credentials ? { credentials } : {});
export const sideFor = ({ url }: Server, credentials?: Login): Promise<Side> => sideOf(url, { ...quick, ...login(credentials) });

/** What only users see who may edit. */
export async function editingReads(side: Side): Promise<CheckRequest[]> {
  const { lists } = await readCore(side, await readLists(side, () => undefined), () => undefined);
  return lists.flatMap(({ base, namespace, items, isPosts }): CheckRequest[] => {
    if (namespace !== 'wp/v2' || base === 'users') return [];
    const of = (route: string): CheckRequest => ({ group: 'core', method: 'GET', route, namespace, status: 200 });
    const statuses = isPosts && base !== 'media' ? '&status=publish,future,draft,pending,private' : '';
    return [of(`${base}?context=edit&per_page=100${statuses}`), ...items.slice(0, 5).map(({ id }) => of(`${base}/${id}?context=edit`))];
  });
}

/** Copies a generated site, and compares the copies with it. @param size number of items */
export function testCopies(size: number): void {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-copies-'));
  const uploads = path.join(path.dirname(fileURLToPath(import.meta.url)), '../conformance/uploads');
  const file = path.join(folder, 'site.json');
  cpSync(uploads, path.join(folder, 'uploads'), { recursive: true });
  writeFileSync(file, JSON.stringify(siteWithPlugins(size)));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const source = startTestServer({ dataset: file, now: NOW });
  const target = startTestServer({ now: NOW });

  const expectSame = async (requests: readonly CheckRequest[], one: Side, other: Side): Promise<void> => {
    const found = await differences(requests, one, other);
    expect(found.map(excerpt)).toEqual([]);
  };

  describe(`a copy of a site with ${size} items and other plugins`, () => {
    test('by a visitor shows the same in every byte', async () => {
      const pulled = await pullFrom(source(), { files: true });
      await load(target(), pulled.source);
      await pulled.deleteProgress();
      const one = await sideFor(source());
      const requests = await readsOf(one);
      expect(requests.length).toBeGreaterThan(size * 3);
      await expectSame(requests, one, await sideFor(target()));
      expect(pulled.notes().filter((note) => !note.startsWith('The site '))).toEqual([]);
    }, 600_000);

    test('by an administrator, and through a file, shows the same to visitors and to who may edit', async () => {
      const pulled = await pullFrom(source(), { files: true, keepsPeople: true }, ADMIN);
      const administrator = await load(target(), await written(pulled.source, 'ndjson'));
      const problems: string[] = [];
      for await (const _ of (await written(pulled.source, 'json')).items((problem) => problems.push(problem)));
      expect(problems).toEqual([]);
      await pulled.deleteProgress();
      const one = await sideFor(source());
      await expectSame(await readsOf(one), one, await sideFor(target()));
      const [first, second] = [await sideFor(source(), ADMIN), await sideFor(target(), administrator)];
      await expectSame(await editingReads(first), first, second);
    }, 600_000);
  });
}
