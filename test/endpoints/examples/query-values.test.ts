import { startWorld } from '../../support/api.js';
import { examples, measured, pick } from './examples.js';

interface Listed {
  events?: unknown[];
  venues?: unknown[];
  rest_url: string;
  total: number;
}

interface Shown {
  status: number;
  ids: number;
  rest_url: string;
  rest_url_page: string | null;
  total: number;
}

const api = startWorld();

test.each(examples<string, Partial<Shown>>('query-values'))('%s', async (_name, { input, output }) => {
  const answer = await api.get<Listed>(input.slice(1));
  const shown = measured(answer, output, ({ events, venues, rest_url, total }) => {
    const { search, searchParams } = new URL(rest_url);
    const all: Shown = {
      status: answer.status,
      ids: (events ?? venues ?? []).length,
      rest_url: search,
      rest_url_page: searchParams.get('page'),
      total,
    };
    return pick(all, Object.keys(output));
  });
  expect(shown).toEqual(output);
});
