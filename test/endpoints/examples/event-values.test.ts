import { startWorld } from '../../support/api.js';
import { examples, measured } from './examples.js';

const api = startWorld();

const EVENT = { title: 'Zed', start_date: '2026-08-01 10:00:00', end_date: '2026-08-01 12:00:00' };

test.each(examples<unknown, boolean>('boolean-event-flag'))('featured %s', async (_name, { input, output }) => {
  const answer = await api.post<{ featured: boolean }>('events', { ...EVENT, featured: input });
  expect(measured(answer, output, ({ featured }) => featured)).toEqual(output);
});

test.each(examples<unknown, string>('websites'))('website %s', async (_name, { input, output }) => {
  const answer = await api.post<{ url: string; website: string }>('events', { ...EVENT, website: input });
  expect(measured(answer, output, ({ url, website }) => (website === url ? '=url' : website))).toEqual(output);
});
