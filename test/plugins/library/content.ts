import type { MovingContent } from '../../../src/plugins/plugin.js';
import type { DatasetPart } from '../../../src/transfer/formats/dataset/content.js';
import { filled, listRule, record, textRule } from '../../../src/transfer/formats/schema.js';
import { get } from '../../../src/transfer/live/check/requests.js';
import type { PulledContent } from '../../../src/transfer/live/pull/content.js';
import type { Fetcher } from '../../../src/transfer/live/pull/fetch.js';
import { metaValue, type Post } from '../../../src/wordpress/model.js';
import { BOOK, ISBN, LIBRARY, type Book } from './book.js';

interface DeclaredBook {
  id?: number;
  slug?: string;
  title: string;
  isbn?: string;
}

const isbnRow = (isbn = ''): Post['meta'] => [{ key: ISBN, value: isbn }];

/** The list `books` of a file. */
const DATASET: DatasetPart = {
  rules: ({ id, slug, author, status, date }) => ({
    lists: { books: listRule(record({ id, slug, author, status, date, title: filled(), isbn: textRule() })) },
  }),
  place: ({ file: { books = [] } }) => {
    const items = books as DeclaredBook[];
    return {
      kinds: { books: items.map((item, index) => ({ item, path: `books[${index}]`, title: item.title })) },
      read: ({ entries, post }) =>
        items.map((item, index): Post => {
          const { custom, ...made } = post(entries['books'], index, BOOK, item.title);
          return { ...made, meta: [...isbnRow(item.isbn), ...custom], terms: {} };
        }),
    };
  },
  writer: (posts, { item, omitEmpty, wrote }) => ({
    lists: () => ({
      books: posts
        .filter(({ type }) => type === BOOK)
        .map((post) => {
          wrote('book');
          const { id, slug, author, status, date } = item(post);
          return omitEmpty({ id, slug, title: post.title, isbn: metaValue(post, ISBN), author, status, date });
        }),
    }),
  }),
};

class Shelf implements PulledContent {
  private books: Book[] = [];

  constructor(private readonly fetcher: Fetcher) {}

  async prepare(): Promise<void> {
    this.books = (await this.fetcher.get<Book[]>(`${LIBRARY}/books`)).json;
  }

  async *posts(): AsyncGenerator<Post> {
    for (const { id, slug, title, date, author, isbn } of this.books)
      yield await Promise.resolve({
        ...{ _id: id, type: BOOK, status: 'publish', author, title, content: '', excerpt: '', slug, password: '', parent: 0, menuOrder: 0 },
        ...{ date, dateGmt: date, modified: date, modifiedGmt: date, meta: isbnRow(isbn), terms: {} },
      });
  }
}

/** How books move. */
export const BOOKS: MovingContent = {
  dataset: DATASET,
  pull: { open: (fetcher) => new Shelf(fetcher) },
  check: { read: () => Promise.resolve({ requests: () => [get('books', 'books', 200, { namespace: LIBRARY })] }) },
};
