import { metaValue, type Post } from '../../../src/wordpress/model.js';

export const LIBRARY = 'library/v1';
export const BOOK = 'library_book';
export const ISBN = '_library_isbn';

/** A book as its route shows it. */
export const bookOf = (post: Post): { id: number; slug: string; title: string; date: string; author: number; isbn: string } => ({
  ...{ id: post._id, slug: post.slug, title: post.title, date: post.date, author: post.author, isbn: metaValue(post, ISBN) ?? '' },
});

export type Book = ReturnType<typeof bookOf>;
