import { registryOf } from '../../../src/plugins/register.js';
import { mergeDeclarations, readDeclarations, type Declarations } from '../../../src/wordpress/types/declared.js';

const BOOKS: Declarations = {
  types: { book: { name: 'Books', capability_type: 'book' } },
  taxonomies: { genre: { name: 'Genres', types: ['book', 'page'] } },
};

test('sites that declare the same share a registry', async () => {
  const base = await registryOf();
  const books = base.with(BOOKS);
  expect(base.with(structuredClone(BOOKS))).toBe(books);
  expect(books.with({})).toBe(base);
  expect(books.with({ ...BOOKS, image_sizes: { card: { width: 9 } } })).not.toBe(books);
  expect(books.base).toBe(base);
  expect(base.findPostType('book')).toBeUndefined();
});

test('few of many registries are kept', async () => {
  const base = await registryOf();
  const first = base.with({ types: { first: { name: 'First' } } });
  for (let i = 0; i < 200; i += 1) base.with({ types: { [`type_${i}`]: { name: 'More' } } });
  expect(base.with({ types: { first: { name: 'First' } } })).not.toBe(first);
});

test('declared types have taxonomies in the order of their registration, capabilities and columns; the indexes stay the same', async () => {
  const base = await registryOf();
  const books = base.with(BOOKS);
  expect(books.findPostType('page')?.taxonomies).toEqual(['genre']);
  expect(books.families).toContain('books');
  expect(Object.keys(books.queries.columnKinds)).toContain('terms.genre');
  expect(books.indexes).toEqual(base.indexes);
});

test('what is stored is read with care', () => {
  expect(readDeclarations(JSON.stringify(BOOKS))).toEqual(BOOKS);
  for (const text of [undefined, '', 'x', '[]', 'null', 7]) expect(readDeclarations(text)).toEqual({});
  expect(mergeDeclarations([BOOKS, { types: { film: { name: 'Films' } } }]).types).toEqual({ ...BOOKS.types, film: { name: 'Films' } });
});
