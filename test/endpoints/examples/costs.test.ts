import { startWorld } from '../../support/api.js';
import { examples, measured, wanted } from './examples.js';

interface Shown {
  cost: string;
  symbol: string;
  position: string;
  values: string[];
}

interface Event {
  cost: string;
  cost_details: { currency_symbol: string; currency_position: string; values: string[] };
}

const api = startWorld();

const EVENT = { title: 'Zed', start_date: '2026-08-01 10:00:00', end_date: '2026-08-01 12:00:00' };

test.each(examples<unknown, Shown>('costs'))('%s', async (_name, { input, output }) => {
  const answer = await api.post<Event>('events', { ...EVENT, cost: input });
  const shown = measured(answer, output, ({ cost, cost_details: { currency_symbol: symbol, currency_position: position, values } }) => ({
    cost,
    symbol,
    position,
    values,
  }));
  expect(shown).toEqual(wanted(output));
});
