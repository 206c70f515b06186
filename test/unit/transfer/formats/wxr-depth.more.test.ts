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

test('elements of an export may be nested to any depth', async () => {
  for (const text of [nested(100), nested(100_000), `<rss><channel><item>${'<a>'.repeat(200_000)}`]) expect(await scan(text)).toBe('read');
});

const HOSTILE: Readonly<Record<string, string>> = {
  'elements without an end': `<item>${'<a>'.repeat(200_000)}`,
  'elements of many names without an end': `<item>${Array.from({ length: 100_000 }, (_, index) => `<a${index}>`).join('')}</item>`,
  'such elements in comments': '<item>' + `<wp:comment>${'<b><c>'.repeat(20)}</wp:comment>`.repeat(3_000) + '</item>',
  'sections without an end': `<item>${'<![CDATA['.repeat(80_000)}</item>`,
  'comments without an end': `<item>${'<!--'.repeat(200_000)}</item>`,
  'ends of sections': `<item>${'<![CDATA[</item>]]>'.repeat(40_000)}</item>`,
  'items in items': '<item>'.repeat(100_000),
  'lines without an element': '\n'.repeat(800_000),
};

test.each(Object.keys(HOSTILE))('%s cost no more than reading as much', async (name) => {
  const flat = `<rss><channel><item>${'<a></a>'.repeat(100_000)}</item></channel></rss>`;
  const cost = await costOf(() => scan(flat));
  expect(await costOf(() => scan(`<rss><channel>${HOSTILE[name]}`))).toBeLessThan(10 * cost + 200);
});
