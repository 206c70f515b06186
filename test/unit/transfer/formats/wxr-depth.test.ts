import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { scanWxr } from '../../../../src/transfer/formats/wxr/scan.js';

const folder = mkdtempSync(path.join(tmpdir(), 'understudy-wxr-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function scan(text: string): Promise<string> {
  const file = path.join(folder, 'deep.xml');
  writeFileSync(file, text);
  try {
    for await (const record of scanWxr({ file })) void record;
    return 'read';
  } catch (error) {
    return (error as Error).message;
  }
}

const nested = (depth: number): string => `<rss><channel><item>${'<a>'.repeat(depth)}${'</a>'.repeat(depth)}</item></channel></rss>`;

/** CPU time of some work, in ms. */
async function costOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

test('elements of an export may be nested, but not without end', async () => {
  expect(await scan(nested(100))).toBe('read');
  for (const text of [nested(100_000), `<rss><channel><item>${'<a>'.repeat(200_000)}`])
    expect(await scan(text)).toBe('elements are nested too deeply (more than 200)');
});

test('200,000 nested elements cost no more than reading them', async () => {
  const flat = `<rss><channel><item>${'<a></a>'.repeat(100_000)}</item></channel></rss>`;
  const cost = await costOf(() => scan(flat));
  expect(await costOf(() => scan(`<rss><channel><item>${'<a>'.repeat(200_000)}`))).toBeLessThan(10 * cost + 200);
});
