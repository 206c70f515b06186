import { saveTermName } from '../wp/formatting/sanitize.js';
import { ATTACHMENT, type Post, type Term, type User } from '../wp/model.js';
import { LINKED_TYPES } from '../tec/linked.js';
import { DatasetError } from './problems.js';
import type { DatasetSource, Place } from './source.js';

/** What formats need to write a source. */

/** Faults of a source that is being written out end the writing: a file that lacks something would not be noticed. */
export const failing =
  (source: DatasetSource) =>
  (problem: string, at?: Place): never => {
    throw new DatasetError(at?.file ?? source.name, [[at?.line && `line ${at.line}`, at?.path, problem].filter(Boolean).join(': ')]);
  };

/** What posts point at. */
export interface Index {
  users: Map<number, User>;
  terms: Map<number, Term>;
  /** Linked posts and attachments. */
  posts: Map<number, Post>;
}

const POINTED_AT: readonly string[] = [...LINKED_TYPES, ATTACHMENT];

/** Goes over a source once and keeps what its posts point at: names are written where documents have ids. */
export async function indexOf(source: DatasetSource): Promise<Index> {
  const index: Index = { users: new Map(), terms: new Map(), posts: new Map() };
  for await (const item of source.items(failing(source))) {
    if (item.kind === 'user') index.users.set(item.user._id, item.user);
    if (item.kind === 'term') index.terms.set(item.term._id, item.term);
    if (item.kind === 'post' && POINTED_AT.includes(item.post.type)) index.posts.set(item.post._id, { ...item.post, content: '' });
  }
  return index;
}

/** The text that a term's stored name, which is HTML, was made of. */
export function termText({ name }: Pick<Term, 'name'>): string {
  const text = name.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
  return saveTermName(text) === name ? text : name;
}

/** Counts what a format leaves out, and tells it in the end. */
export class LeftOut {
  private readonly counts = new Map<string, number>();

  add(why: string): void {
    this.counts.set(why, (this.counts.get(why) ?? 0) + 1);
  }

  /** @param format such as `iCalendar` */
  tell(format: string, tell: ((line: string) => void) | undefined): void {
    for (const [why, count] of this.counts) tell?.(`${format}: left out ${count} × ${why}`);
  }
}
