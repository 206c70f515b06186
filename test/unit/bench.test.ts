import { cpuBetween, cpuDuring, cpuOf, cpuOfSchedstat, residentMegabytes, residentOfStatus, usageOfPs } from '../../bench/cpu.mjs';
import { allowance, changes, median, multipleOf, requestsFor, totalsOf, walked, withoutWriter, type Script } from '../../bench/figures.mjs';

/** How `npm run bench` measures processes, and its calculations. */

test('Linux tells nanoseconds of a thread and kilobytes of a process', () => {
  expect(cpuOfSchedstat('2500000 20300 2\n')).toBe(2.5);
  expect(residentOfStatus('Name:\tnode (x)\nVmHWM:\t  999 kB\nVmRSS:\t  2048 kB\n')).toBe(2_097_152);
});

test.each([
  ['   0:01.25  2048\n', 1_250],
  ['12:34.50 2048', 754_500],
  ['01:02:03 2048', 3_723_000],
  ['2-01:00:00 2048', 176_400_000],
])('ps tells %j', (line, cpu) => {
  expect(usageOfPs(line)).toEqual({ cpu, resident: 2_097_152 });
});

test('threads that began or ended between two readings', () => {
  const before = new Map([
    ['1', 10],
    ['2', 5],
  ]);
  const after = new Map([
    ['1', 12.5],
    ['3', 4],
  ]);
  expect(cpuBetween(before, after)).toBe(6.5);
});

const canRead = process.platform === 'win32' ? test.failing : test;

canRead('the time of this process is that which it measures itself', async () => {
  const started = process.cpuUsage();
  const own = (): number => {
    const { user, system } = process.cpuUsage(started);
    return (user + system) / 1000;
  };
  const { result, cpu } = await cpuDuring({ here: [process.pid], nobody: [undefined] }, async () => {
    const before = own();
    while (own() - before < 100);
    return own() - before;
  });
  // The system updates the CPU time of a running thread at intervals.
  expect(cpu.here).toBeGreaterThan(result - 20);
  expect(cpu.here).toBeLessThan(own() + 20);
  expect(cpu.nobody).toBeNaN();
  expect(cpuOf(process.pid).size).toBeGreaterThan(0);
  expect(residentMegabytes(process.pid)).toBeGreaterThan(10);
});

test('requests are as many as the effort allows', () => {
  const effort = { budget: 4_000, least: 12, most: 300, longest: 20_000 };
  expect([0, 0.5, 20, 100, 500, 5_000, 60_000].map((each) => requestsFor(each, effort))).toEqual([300, 300, 200, 40, 12, 4, 1]);
  expect(requestsFor(100, { ...effort, most: 7 })).toBe(7);
});

test('a multiple counts the engine where it is known', () => {
  expect(multipleOf({ server: 2, engine: 1 }, 0.5)).toBe(6);
  expect(multipleOf({ server: 2, engine: Number.NaN }, 0.5)).toBe(4);
  expect([1_000, 10_000, 10_001, 100_000, 1_000_000].map(allowance)).toEqual([1, 1, 1.5, 1.5, 2]);
  expect(median([3, 1, 2])).toBe(2);
});

test('runs are compared by what both of them measured', () => {
  const run = (figures: Record<string, number | undefined>): { groups: Record<string, { name: string; figure?: number }[]> } => ({
    groups: { start: Object.entries(figures).map(([name, figure]) => ({ name, figure })) },
  });
  expect(changes(run({ a: 1, b: 2, c: undefined }), run({ b: 3, c: 1, d: 4 }))).toEqual([['start', 'b', 2, 3]]);
  expect(changes({ groups: {} }, run({ a: 1 }))).toEqual([]);
});

test('the cost of a writer is subtracted for as many writes as there were', () => {
  const during = { cpu: { server: 500, engine: 130 }, writes: 30 };
  expect(withoutWriter(during, { cpu: { server: 200, engine: 30 }, writes: 30 }, 100)).toEqual({ server: 3, engine: 1 });
  expect(withoutWriter(during, { cpu: { server: 200, engine: 40 }, writes: 40 }, 100)).toEqual({ server: 3.5, engine: 1 });
  expect(withoutWriter(during, { cpu: { server: 0, engine: Number.NaN }, writes: 0 }, 100)).toEqual({ server: 5, engine: Number.NaN });
});

test('functions are counted that ran in every run, by file and folder', () => {
  const run = (counts: Record<string, number>): Script[] => [
    { url: 'file:///other/x.js', functions: [{ functionName: 'other', ranges: [{ startOffset: 5, count: 1 }] }] },
    ...['wp/a.js', 'wp/b.js', 'index.js'].map((file) => ({
      url: `file:///dist/${file}`,
      functions: [
        { functionName: '', ranges: [{ startOffset: 0, count: 1 }] },
        { functionName: 'one', ranges: [{ startOffset: 10, count: counts[file] ?? 0 }] },
        { functionName: '', ranges: [{ startOffset: 30, count: file === 'wp/a.js' ? 2 : 0 }] },
      ],
    })),
  ];
  const found = walked([run({ 'wp/a.js': 1, 'wp/b.js': 1, 'index.js': 4 }), run({ 'wp/a.js': 3, 'index.js': 1 })], 'file:///dist/');
  expect(totalsOf(found)).toEqual({
    files: 2,
    functions: 3,
    rooms: [
      { name: 'wp', files: 1, functions: 2, names: ['wp/a.js: one', 'wp/a.js: '] },
      { name: '(top)', files: 1, functions: 1, names: ['index.js: one'] },
    ],
  });
});
