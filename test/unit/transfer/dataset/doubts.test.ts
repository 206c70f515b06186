import { withMistakeWarnings, openFile, inputFile } from '../../../../src/transfer/formats/open.js';
import { NOW, written } from './read.js';

/** Warnings about an event with the given cost. */
async function warningsOf(cost: unknown): Promise<string[]> {
  const file = await written({ events: [{ title: 'Fair', start: '+1d 10:00', duration: '1h', cost }] });
  const warnings: string[] = [];
  const source = withMistakeWarnings(await openFile(inputFile(file), { now: NOW }), (line) => void warnings.push(line));
  for await (const _ of source.items(() => undefined));
  return warnings;
}

test('the start of an event that is written with slashes is said as it is read', async () => {
  const file = await written({ events: [{ title: 'Fair', start: '05/06/2026 10:00', duration: '1h' }] });
  const warnings: string[] = [];
  await openFile(inputFile(file), { now: NOW, warn: (line) => void warnings.push(line) });
  expect(warnings).toEqual(['The date "05/06/2026" is read as 2026-05-06, with the month first. Write 2026-05-06 or 2026-06-05']);
});

test.each<[cost: unknown, meant: string]>([
  ['1,234.50', '1234.50'],
  ['1.234,50 €', '1234,50 €'],
  ['1,234,567', '1234567'],
  ['10 000', '10000'],
  ['CHF 1 234,50', 'CHF 1234,50'],
  ['1\u00A0234.50', '1234.50'],
  ["CHF 1'234.50", 'CHF 1234.50'],
  ['1’234 – 2’500', '1234 – 2500'],
  [[8, '1,234.50'], '1234.50'],
])('of the cost %j is said that %j is meant', async (cost, meant) => {
  const given = Array.isArray(cost) ? cost.at(-1) : cost;
  expect(await warningsOf(cost)).toEqual([
    `The event "Fair" costs "${String(given)}", which The Events Calendar reads as several amounts. Write "${meant}"`,
  ]);
});

test.each(['12', '12,50', '12.50', '2,000', '8 - 12', '8 12', '10 20 30', '8/12', 'from 8 to 12', 'Free', 12.5, [8, 12], "'90s night: 5"])(
  'the cost %j is as it is meant',
  async (cost) => {
    expect(await warningsOf(cost)).toEqual([]);
  },
);
