import type { Term, User } from '../../wordpress/model.js';
import { equalityKey } from '../../wordpress/posts/posts.js';
import type { SourceItem, SourcePlace } from '../source.js';

/** Receives a problem of a source, with its location. */
export type Report = (problem: string, at?: SourcePlace) => void;

/** The new id of a post; undefined for a post that is not known. */
export type PostId = (id: number) => number | undefined;

export const userKey = ({ login }: Pick<User, 'login'>): string => login.toLowerCase();
export const termKey = ({ taxonomy, slug }: Pick<Term, 'taxonomy' | 'slug'>): string => `${taxonomy} ${slug}`;
export const termName = ({ taxonomy, nameKey }: Pick<Term, 'taxonomy' | 'nameKey'>): string => `${taxonomy} ${nameKey}`;

/** An item, and what identifies it on every site. */
export interface Keyed {
  _id: number;
  key: string;
}

/** The ids of a source, and what identifies its items: all that their ids on the site depend on. */
export interface Inventory {
  users: readonly Keyed[];
  /** `name`: only mentioned, and matched by name. */
  terms: readonly (Keyed & { name?: string })[];
  posts: ReadonlySet<number>;
  /** The posts that are only mentioned. `slug`: matched by slug, too. */
  mentioned: readonly { _id: number; type: string; titleKey: string; slug?: string }[];
  comments: ReadonlySet<number>;
  /** The files of attachments. */
  files: readonly string[];
}

/**
 * Reads a source once before it is staged, and reports its problems.
 * @param elsewhere new ids of the posts of an earlier source of the same site
 */
export async function takeInventory(items: AsyncIterable<SourceItem>, elsewhere: PostId, report: Report): Promise<Inventory> {
  const users: Inventory['users'][number][] = [];
  const terms: Inventory['terms'][number][] = [];
  const mentioned: Inventory['mentioned'][number][] = [];
  const [posts, comments] = [new Set<number>(), new Set<number>()];
  const commented: { post: number; at: SourcePlace | undefined }[] = [];
  const files: string[] = [];
  const addId = (ids: Set<number>, id: number, { kind, at }: SourceItem): void => {
    if (ids.has(id)) report(`there is another ${kind} with the id ${id}`, at);
    ids.add(id);
  };
  for await (const item of items) {
    if (item.kind === 'user') users.push({ _id: item.user._id, key: userKey(item.user) });
    if (item.kind === 'term') terms.push({ _id: item.term._id, key: termKey(item.term), ...(item.reuse && { name: termName(item.term) }) });
    if (item.kind === 'comment') {
      const { _id, post } = item.comment;
      addId(comments, _id, item);
      if (post !== 0) commented.push({ post, at: item.at });
    }
    if (item.kind === 'post') {
      const { _id, type, title, slug, file } = item.post;
      addId(posts, _id, item);
      if (item.reuse) mentioned.push({ _id, type, titleKey: equalityKey(title), ...(item.bySlug && { slug }) });
      if (file !== undefined) files.push(file);
    }
  }
  for (const { post, at } of commented)
    if (!posts.has(post) && elsewhere(post) === undefined) report(`there is no post with the id ${post} to comment on`, at);
  return { users, terms, posts, mentioned, comments, files };
}
