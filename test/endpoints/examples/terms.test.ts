import { startWorld } from '../../support/api.js';
import { examples, measured, wanted } from './examples.js';

interface Term {
  id: number;
  name: string;
  slug: string;
  description: string;
}

type Shown = Omit<Term, 'id'>;

const api = startWorld();

describe.each([
  ['categories', 'term-names-category'],
  ['tags', 'term-names-tag'],
])('%s', (route, table) => {
  test.each(examples<string, Shown>(table))('%s', async (_name, { input, output, as }) => {
    const answer = await api.post<Term>(route, { name: input, description: input }, as);
    if (answer.status === 201) await api.delete(`${route}/${answer.body.id}`);
    const shown = measured(answer, output, ({ id, name, slug, description }) => ({
      name,
      slug: slug.replaceAll(String(id), '{{id}}'),
      description,
    }));
    expect(shown).toEqual(wanted(output));
  });
});
