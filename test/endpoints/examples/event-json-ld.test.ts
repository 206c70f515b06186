import { startWorld } from '../../support/api.js';
import { examples, pick } from './examples.js';

interface JsonLd {
  offers?: Record<string, unknown>;
}

const api = startWorld();

const EVENT = { title: 'Zed', start_date: '2026-08-01 10:00:00', end_date: '2026-08-01 12:00:00' };

test.each(examples<string | Record<string, unknown>, JsonLd>('json-ld-event'))('%s', async (_name, { input, output }) => {
  const sent = typeof input === 'string' ? { description: input } : input;
  const created = await api.post<{ id: number }>('events', { ...EVENT, ...sent });
  const { body } = await api.get<{ url: string; json_ld: JsonLd }>(`events/${created.body.id}`);
  const shown = pick(body.json_ld, Object.keys(output));
  if (shown.offers) {
    const { url, ...offers } = shown.offers;
    expect(url).toBe(body.url);
    shown.offers = offers;
  }
  expect(shown).toEqual(output);
});
