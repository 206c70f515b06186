import { TAG } from '../../../src/wordpress/model.js';
import { EVENT_CATEGORY } from '../../../src/plugins/the-events-calendar/model/index.js';
import { deriveTerm } from '../../../src/wordpress/terms/terms.js';
import * as tables from './permissions.table.js';
import { ROLES, TERM_OPERATIONS } from './permissions.table.js';
import {
  server,
  EVENTS,
  nextId,
  ask,
  allow,
  expected,
  summary,
  compare,
  describeRows,
  newItem,
  freshName,
  METHODS,
} from './permissions.js';

async function putTerm(taxonomy: string): Promise<number> {
  const _id = nextId();
  await server().site.store.insert('terms', [
    deriveTerm({
      _id,
      taxonomy,
      name: `Term ${_id}`,
      slug: `term-${_id}`,
      description: '',
      parent: 0,
      termGroup: 0,
      termTaxonomyId: _id,
      count: 0,
    }),
  ]);
  return _id;
}

describe.each([
  { path: 'categories', taxonomy: EVENT_CATEGORY, otherTaxonomy: TAG, rows: tables.CATEGORIES },
  { path: 'tags', taxonomy: TAG, otherTaxonomy: EVENT_CATEGORY, rows: tables.TAGS },
])('$path', ({ path: collection, taxonomy, otherTaxonomy, rows }) => {
  const noun = 'term';

  test.each(describeRows(rows))('%s', async (_, row) => {
    await compare(TERM_OPERATIONS, row, { noun }, async (operation) => {
      const [word, where] = operation.split('-');
      if (word === 'list') return summary(await ask(row.role, 'GET', collection), 'nothing');
      if (word === 'create') return summary(await ask(row.role, 'POST', collection, { name: freshName() }), 'nothing');
      const id = where === 'none' ? 99999 : await putTerm(where === 'other' ? otherTaxonomy : taxonomy);
      return summary(
        await ask(row.role, METHODS[word], `${collection}/${id}`, word === 'update' ? { description: 'New' } : undefined),
        'nothing',
      );
    });
  });

  test.each(ROLES)('invalid parameters are reported to %s before missing permissions', async (role) => {
    expect(summary(await ask(role, 'POST', collection, {}), 'nothing')).toBe('400 rest_missing_callback_param');
    expect(summary(await ask(role, 'POST', collection, { name: '' }), 'nothing')).toBe('400 rest_invalid_param');
  });

  test.each(describeRows(rows))('Allow header: %s', async (_, row) => {
    const mayCreate = row.cells.create === 'created';
    expect(allow(await ask(row.role, 'GET', collection))).toBe(mayCreate ? 'GET, POST' : 'GET');
    expect(allow(await ask(row.role, 'GET', `${collection}/${await putTerm(taxonomy)}`))).toBe(
      mayCreate ? 'GET, POST, PUT, PATCH, DELETE' : 'GET',
    );
  });
});

test.each(describeRows(tables.NAMING))('terms named in an event: %s', async (_, row) => {
  for (const [field, taxonomy] of [
    ['categories', EVENT_CATEGORY],
    ['tags', TAG],
  ] as const) {
    const name = freshName();
    const answer = await ask(row.role, 'POST', 'events', { ...newItem(EVENTS, freshName()), [field]: [name] });
    expect(summary(answer, 'nothing')).toBe(expected(row.cells[field], 'event'));
    const made = await server().site.store.terms.countDocuments({ taxonomy, name });
    expect(made).toBe(row.cells[field] === 'created' ? 1 : 0);
  }
});
