import { startWorld } from '../../support/api.js';
import { examples, measured, pick } from './examples.js';

const api = startWorld();

test.each(examples<string | Record<string, unknown>, Record<string, string | null>>('dates'))('%s', async (_name, { input, output }) => {
  const sent = typeof input === 'string' ? { start_date: input } : input;
  const answer = await api.post<Record<string, unknown>>('events', { title: 'Zed', end_date: '2035-01-01 00:00:00', ...sent });
  expect(measured(answer, output, (event) => pick(event, Object.keys(output)))).toEqual(output);
});
