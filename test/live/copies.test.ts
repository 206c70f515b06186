import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Normaliser } from '../../src/transfer/live/check/compare.js';
import { coreRequests, readCore } from '../../src/transfer/live/check/core.js';
import { checkRequests, type CheckRequest } from '../../src/transfer/live/check/requests.js';
import { ask, readLists, sideOf, type Side } from '../../src/transfer/live/check/side.js';
import type { Server } from '../../src/index.js';
import { startTestServer } from '../support/server.js';
import { ADMIN, siteWithPlugins } from './other-plugins.js';
import { load, NOW, pullFrom, quick, written, type Login } from './ticket-copies.js';

const SIZE = Number(process.env['COPY_SIZE'] ?? 60);

const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-copies-'));
const uploads = path.join(path.dirname(fileURLToPath(import.meta.url)), '../conformance/uploads');
const file = path.join(folder, 'site.json');
cpSync(uploads, path.join(folder, 'uploads'), { recursive: true });
mkdirSync(folder, { recursive: true });
writeFileSync(file, JSON.stringify(siteWithPlugins(SIZE)));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const source = startTestServer({ dataset: file, now: NOW });
const target = startTestServer({ now: NOW });

const login = (credentials?: Login): object => (credentials ? { credentials } : {});
const sideFor = ({ url }: Server, credentials?: Login): Promise<Side> => sideOf(url, { ...quick, ...login(credentials) });

/** Every ordinary read of all namespaces. */
async function readsOf(side: Side): Promise<CheckRequest[]> {
  const found = await readLists(side, () => undefined);
  return [...checkRequests(found, 0), ...coreRequests(await readCore(side, () => undefined), 0)];
}

interface Different {
  request: string;
  expected: string;
  actual: string;
}

/** The responses that differ in a byte, but for addresses. */
async function differences(requests: readonly CheckRequest[], one: Side, other: Side): Promise<Different[]> {
  const [first, second] = [new Normaliser(one.live), new Normaliser(other.live)];
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
function excerpt({ request, expected, actual }: Different): string {
  let at = 0;
  while (expected[at] === actual[at]) at += 1;
  const from = Math.max(0, at - 100);
  return `${request}\n  site ${expected.slice(from, at + 100)}\n  copy ${actual.slice(from, at + 100)}`;
}

describe('a copy of a site with other plugins', () => {
  test('by a visitor shows the same in every byte', async () => {
    const pulled = await pullFrom(source(), { files: true });
    await load(target(), pulled.source);
    await pulled.deleteProgress();
    const [one, other] = [await sideFor(source()), await sideFor(target())];
    const requests = await readsOf(one);
    const found = await differences(requests, one, other);
    console.log(pulled.notes().join('\n'), pulled.requests, requests.length, found.length);
    expect(found.map(excerpt)).toEqual([]);
  }, 120_000);
});
void [ADMIN, written];
