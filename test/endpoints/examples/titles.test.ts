import { startWorld } from '../../support/api.js';
import { examples, measured } from './examples.js';

const api = startWorld();

const DATES = { start_date: '2026-08-01 10:00:00', end_date: '2026-08-01 12:00:00' };

test.each([...examples<string, string>('titles'), ...examples<string, string>('titles-as-roles')])(
  '%s',
  async (_name, { input, output, as }) => {
    const answer = await api.post<{ title: string }>('events', { ...DATES, title: input, description: 'There is one.' }, as);
    expect(measured(answer, output, ({ title }) => title)).toEqual(output);
  },
);
