import type { Comment, Post, Term, User } from '../../wordpress/model.js';
import table from './stored.json' with { type: 'json' };

/** Kinds of values: `filled` is a text that is not empty. */
type Value = 'id' | 'whole' | 'text' | 'filled';

interface Documents {
  post: Post;
  term: Term;
  user: User;
  comment: Comment;
}
type Kind = keyof Documents;

/** The members that all documents of a kind have, in stored order. */
type Common<Of extends Kind> = Pick<Documents[Of], keyof Documents[Of] & keyof (typeof table)[Of]>;

/** The rows of `stored.json`: a member, its column in recorded sites, and the kind of its value. */
export const storedRows = (kind: Kind): (readonly [member: string, column: string, value: Value])[] =>
  Object.entries(table[kind] as Record<string, readonly string[]>).map(([member, [column, value]]) => [member, column, value as Value]);

const ROWS = { post: storedRows('post'), term: storedRows('term'), user: storedRows('user'), comment: storedRows('comment') };

/** The columns of a document in a recorded site. */
export const columnsOf = <Of extends Kind>(kind: Of, document: Documents[Of]): Record<string, unknown> =>
  Object.fromEntries(ROWS[kind].map(([member, column]) => [column, document[member as keyof Documents[Of]]]));

/** The members of a document that have no columns. @param own members that are written in another way */
export const othersOf = <Of extends Kind>(kind: Of, document: Documents[Of], own: readonly string[] = []): object =>
  Object.fromEntries(Object.entries(document).filter(([name]) => !Object.hasOwn(table[kind], name) && !own.includes(name)));

/** The members of a document that have columns. */
export const membersIn = <Of extends Kind>(kind: Of, row: object): Common<Of> =>
  Object.fromEntries(ROWS[kind].map(([member, column]) => [member, (row as Record<string, unknown>)[column]])) as Common<Of>;
