import { RECORDED_WITH } from '../../conformance/wordpress.mjs';
import { startWorld } from '../../support/api.js';
import { examples, measured } from './examples.js';

// Measured with this release.
const api = startWorld({ wordpress: RECORDED_WITH });

const EVENT = { title: 'Zed', start_date: '2026-08-01 10:00:00', end_date: '2026-08-01 12:00:00' };

describe.each([
  ['description', 'descriptions'],
  ['excerpt', 'excerpts'],
] as const)('%s', (field, table) => {
  test.each(examples<string, string>(table))('%s', async (_name, { input, output, as }) => {
    const answer = await api.post<Record<typeof field, string>>('events', { ...EVENT, [field]: input }, as);
    expect(measured(answer, output, (event) => event[field])).toEqual(output);
  });
});
