import type { Plugin } from '../../../src/plugins/plugin.js';
import { endpoint } from '../../../src/wordpress/rest/params.js';
import { RestResponse } from '../../../src/wordpress/rest/route.js';
import { BOOK, bookOf, LIBRARY } from './book.js';

const RELEASE = '1.0.0';

/** A plugin with content: books, as the list `books` of datasets, and under `library/v1/books`. */
export const library: Plugin = {
  name: 'library',
  title: 'Library',
  releases: [RELEASE],
  findRelease: (text) => (text === RELEASE ? text : null),
  isDefault: false,
  requires: [],
  namespaces: [],
  quirks: {},
  content: {
    name: 'books',
    namespace: LIBRARY,
    kinds: [{ type: BOOK, noun: 'book' }],
    load: async () => (await import('./content.js')).BOOKS,
  },
  loadRegistrations: () =>
    Promise.resolve({
      types: {
        types: [
          {
            ...{
              name: BOOK,
              label: 'Books',
              singular: 'Book',
              base: BOOK,
              capability: ['post', 'posts'],
              viewable: false,
              isInternal: true,
            },
            ...{ inMenus: false, inAdmin: false, supports: ['title'] },
          },
        ],
      },
    }),
  loadResponses: () => Promise.resolve({ namespaces: () => [{ name: LIBRARY, routes: [BOOKS_ROUTE] }] }),
};

const BOOKS_ROUTE = {
  path: `/${LIBRARY}/books`,
  endpoints: [
    endpoint({
      methods: ['GET'],
      args: {},
      permission: 'public',
      handler: async ({ site }) => {
        const books = await site.store.posts.find({ type: BOOK, status: 'publish' }, { sort: { _id: 1 } }).toArray();
        return new RestResponse(books.map(bookOf));
      },
    }),
  ],
};
