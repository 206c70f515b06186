import type { Post } from '../../src/wordpress/model.js';

/** A published post without content. @param fields override its fields */
export const storedPost = (_id: number, fields: Partial<Post> = {}): Post => ({
  _id,
  type: 'post',
  status: 'publish',
  author: 1,
  title: `Post ${_id}`,
  content: '',
  excerpt: '',
  slug: `post-${_id}`,
  password: '',
  parent: 0,
  menuOrder: 0,
  date: '2026-01-01 10:00:00',
  dateGmt: '2026-01-01 10:00:00',
  modified: '2026-01-01 10:00:00',
  modifiedGmt: '2026-01-01 10:00:00',
  meta: [],
  terms: {},
  ...fields,
});
