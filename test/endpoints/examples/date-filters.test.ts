import { startWorld } from '../../support/api.js';
import { examples, measured } from './examples.js';

interface Shown {
  effective: string | null;
  total: number;
}

interface Listed {
  rest_url: string;
  total: number;
}

const api = startWorld();

const FILTERS = ['start_date', 'end_date', 'starts_after', 'ends_before'];

describe.each(FILTERS)('%s', (filter) => {
  describe.each([
    ['whole days', `filter-${filter.replace('_', '-')}`, ''],
    ['strict', `filter-${filter.replace('_', '-')}-strict`, '&strict_dates=true'],
  ])('%s', (_mode, table, more) => {
    test.each(examples<string, Shown>(table))('%s', async (_name, { input, output }) => {
      const answer = await api.get<Listed>(`events?${filter}=${input}${more}`);
      const shown = measured(answer, output, ({ rest_url, total }) => ({ effective: new URL(rest_url).searchParams.get(filter), total }));
      expect(shown).toEqual(output);
    });
  });
});
