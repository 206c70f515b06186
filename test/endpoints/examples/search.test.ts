import { startWorld } from '../../support/api.js';
import { examples, measured } from './examples.js';

interface Row {
  id: number;
}

const api = startWorld();

test.each(examples<string, number[]>('event-search'))('events with %s', async (_name, { input, output }) => {
  const query = new URLSearchParams({ start_date: '2020-01-01', end_date: '2035-01-01', per_page: '50', search: input });
  const answer = await api.get<{ events: Row[] }>(`events?${query.toString()}`);
  expect(measured(answer, output, ({ events }) => events.map(({ id }) => id))).toEqual(output);
});

test.each(examples<string, { ids: number[]; total: number }>('venue-search'))('venues with %s', async (_name, { input, output }) => {
  const answer = await api.get<{ venues: Row[]; total: number }>(`venues?search=${encodeURIComponent(input)}`);
  expect(measured(answer, output, ({ venues, total }) => ({ ids: venues.map(({ id }) => id), total }))).toEqual(output);
});
