import { saveTermName } from '../wordpress/formatting/sanitize.js';
import { ATTACHMENT, type Post, type Term, type User } from '../wordpress/model.js';
import { LINKED_TYPES } from '../plugins/the-events-calendar/model/event.js';
import type { HasFields } from '../wordpress/stored-fields.js';
import { POST_KINDS } from './kinds.js';
import { type DatasetSource, type SourcePlace, DatasetError } from './source.js';

/** Helpers for writers. */

/** Handles problems of a source during writing by throwing, so that no incomplete file goes unnoticed. */
export const throwProblem =
  (source: DatasetSource) =>
  (problem: string, at?: SourcePlace): never => {
    throw new DatasetError(at?.file ?? source.name, [{ ...at, message: problem }]);
  };

/** The kind of a post in counts. */
export const kindOfPost = ({ type }: Pick<Post, 'type'>): string => POST_KINDS.get(type)?.noun ?? 'other post';

/** Whether a post is content of a plugin besides the calendar. Formats of events alone leave these out. */
export const isOfPlugin = ({ type }: Pick<Post, 'type'>): boolean => POST_KINDS.get(type)?.plugin !== undefined;

/** Documents that posts refer to, by id. */
export interface Index {
  users: Map<number, User>;
  terms: Map<number, Term>;
  /** Linked posts and attachments. */
  posts: Map<number, Post>;
}

const REFERENCED_TYPES: readonly string[] = [...LINKED_TYPES, ATTACHMENT];

/** Reads a source once and indexes the documents that its posts refer to, so that names can be written instead of ids. */
export async function indexSource(source: DatasetSource): Promise<Index> {
  const index: Index = { users: new Map(), terms: new Map(), posts: new Map() };
  for await (const item of source.items(throwProblem(source))) {
    if (item.kind === 'user') index.users.set(item.user._id, item.user);
    if (item.kind === 'term') index.terms.set(item.term._id, item.term);
    if (item.kind === 'post' && REFERENCED_TYPES.includes(item.post.type)) index.posts.set(item.post._id, { ...item.post, content: '' });
  }
  return index;
}

/** Converts the stored name of a term, which is HTML, back to text. */
export function termText({ name }: Pick<Term, 'name'>): string {
  const text = name.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
  return saveTermName(text) === name ? text : name;
}

/** Counts what a format omits, and reports it at the end. */
export class Omissions {
  private readonly counts = new Map<string, number>();

  add(why: string): void {
    this.counts.set(why, (this.counts.get(why) ?? 0) + 1);
  }

  addFields({ fields }: HasFields): void {
    if (fields !== undefined) this.add('fields of plugins of an item');
  }

  /** @param format name for messages, such as `iCalendar` */
  report(format: string, notify: ((line: string) => void) | undefined): void {
    for (const [why, count] of this.counts) notify?.(`${format}: left out ${why} (${count})`);
  }
}
