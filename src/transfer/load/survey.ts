import { REVISION, type Comment, type Post, type Term, type User } from '../../wordpress/model.js';
import { autosaveSlug } from '../../wordpress/query/autosaves.js';
import { equalityKey } from '../../wordpress/posts/posts.js';
import type { Staging } from '../../database/store/staging.js';
import type { Sequence } from '../../database/store/sequences.js';
import { withPatterns, withReferences } from '../references.js';
import type { Store } from '../../wordpress/store.js';
import { FileNames } from './file-names.js';
import type { SourceItem, SourcePlace } from '../source.js';

/** Maps the items of a source to the items of the site; null for items that already exist. */
export interface Mapping {
  user(user: User): User | null;
  term(term: Term): Term | null;
  post(post: Post, reuse: boolean): Post | null;
  comment(comment: Comment): Comment;
  /** Path of a file, relative to the uploads folder. */
  file(target: string): string;
}

/** Keeps all items unchanged, for an empty site. */
export const KEEP: Mapping = {
  user: (user) => user,
  term: (term) => term,
  post: (post) => post,
  comment: (comment) => comment,
  file: (target) => target,
};

const LOOKUP = 1_000;

/** The keys and ids that are in use in a small collection. */
interface Holders {
  byKey: Map<string, number>;
  ids: Set<number>;
}

const userKey = ({ login }: Pick<User, 'login'>): string => login.toLowerCase();
const termKey = ({ taxonomy, slug }: Pick<Term, 'taxonomy' | 'slug'>): string => `${taxonomy} ${slug}`;

const holdersOf = <T extends { _id: number }>(documents: readonly T[], key: (document: T) => string): Holders => ({
  byKey: new Map(documents.map((document) => [key(document), document._id])),
  ids: new Set(documents.map(({ _id }) => _id)),
});

/** Reads a source once before it is staged, and finds new ids and file names for those that are in use. */
export class Survey implements Mapping {
  private readonly users: { _id: number; login: string }[] = [];
  /** Terms with `nameKey` are matched by name. */
  private readonly terms: (Pick<Term, '_id' | 'taxonomy' | 'slug'> & { nameKey?: string })[] = [];
  /** New post ids by old id; the old id until the new one is assigned. */
  private readonly postIds = new Map<number, number>();
  private readonly commentIds = new Map<number, number>();
  private readonly commented: { post: number; at?: SourcePlace | undefined }[] = [];
  private readonly userIds = new Map<number, number>();
  private readonly termIds = new Map<number, number>();
  private readonly knownUsers = new Set<number>();
  private readonly knownTerms = new Set<number>();
  private readonly named: { _id: number; type: string; titleKey: string; slug?: string }[] = [];
  private readonly reused = new Set<number>();
  private readonly fileNames: FileNames;
  private fallbackAuthor = 1;

  /**
   * @param keepsContent whether the content of the store is kept
   * @param stagedUsers users of earlier sources of this load
   * @param stagedTerms terms of earlier sources of this load
   * @param elsewhere maps ids of posts in an earlier source of the same site to their new ids
   */
  constructor(
    private readonly store: Store,
    private readonly keepsContent: boolean,
    private readonly staging: Staging,
    private readonly stagedUsers: ReadonlyMap<string, User>,
    private readonly stagedTerms: ReadonlyMap<string, Term>,
    isFileTaken: (file: string) => boolean,
    private readonly elsewhere: (id: number) => number | undefined = () => undefined,
  ) {
    this.fileNames = new FileNames(isFileTaken);
  }

  add(item: SourceItem, report: (problem: string, at?: SourcePlace) => void): void {
    if (item.kind === 'user') this.users.push({ _id: item.user._id, login: item.user.login });
    else if (item.kind === 'term') {
      const { _id, taxonomy, slug, nameKey } = item.term;
      this.terms.push({ _id, taxonomy, slug, ...(item.reuse ? { nameKey } : {}) });
    }
    if (item.kind === 'post') this.addPost(item, report);
    if (item.kind === 'comment') this.addComment(item, report);
  }

  private addComment({ comment, at }: Extract<SourceItem, { kind: 'comment' }>, report: (problem: string, at?: SourcePlace) => void): void {
    const { _id, post } = comment;
    if (this.commentIds.has(_id)) report(`there is another comment with the id ${_id}`, at);
    this.commentIds.set(_id, _id);
    if (post !== 0) this.commented.push({ post, at });
  }

  /** Reports the comments on posts that neither this source nor an earlier one of the same site contains. */
  checkComments(report: (problem: string, at?: SourcePlace) => void): void {
    for (const { post, at } of this.commented)
      if (this.reference(post) === undefined) report(`there is no post with the id ${post} to comment on`, at);
  }

  private addPost(
    { post, reuse, bySlug, at }: Extract<SourceItem, { kind: 'post' }>,
    report: (problem: string, at?: SourcePlace) => void,
  ): void {
    const { _id, type, title, file } = post;
    if (this.postIds.has(_id)) report(`there is another post with the id ${_id}`, at);
    this.postIds.set(_id, _id);
    if (reuse) this.named.push({ _id, type, titleKey: equalityKey(title), ...(bySlug ? { slug: post.slug } : {}) });
    if (file !== undefined) this.fileNames.claim(file);
  }

  /** Assigns all ids. @param keepsIds whether free ids are kept @param stagedComments ids of the comments of earlier sources of this load */
  async assign(keepsIds: boolean, stagedComments: ReadonlySet<number>): Promise<void> {
    await this.assignUsers(keepsIds);
    await this.assignTerms(keepsIds);
    await this.findNamed();
    await this.assignPosts(keepsIds);
    await this.assignComments(keepsIds, stagedComments);
  }

  private async assignUsers(keepsIds: boolean): Promise<void> {
    const live = this.keepsContent ? await this.store.users.find({}).project<User>({ login: 1, role: 1 }).toArray() : [];
    const all = [...live, ...this.stagedUsers.values()];
    this.fallbackAuthor = (all.find(({ role }) => role === 'administrator') ?? all[0])?._id ?? 1;
    const items = this.users.map((user) => ({ _id: user._id, key: userKey(user) }));
    await this.assignSmall('users', items, holdersOf(all, userKey), this.userIds, this.knownUsers, keepsIds);
  }

  private async assignTerms(keepsIds: boolean): Promise<void> {
    const live = this.keepsContent ? await this.store.terms.find({}).project<Term>({ taxonomy: 1, slug: 1, nameKey: 1 }).toArray() : [];
    const there = [...live, ...this.stagedTerms.values()];
    const named = new Map(there.map((term) => [`${term.taxonomy} ${term.nameKey}`, termKey(term)]));
    const items = this.terms.map((term) => ({
      _id: term._id,
      key: (term.nameKey === undefined ? undefined : named.get(`${term.taxonomy} ${term.nameKey}`)) ?? termKey(term),
    }));
    const holders = holdersOf(there, termKey);
    await this.assignSmall('terms', items, holders, this.termIds, this.knownTerms, keepsIds);
  }

  private async assignSmall(
    sequence: Sequence,
    items: readonly { _id: number; key: string }[],
    { byKey, ids }: Holders,
    assigned: Map<number, number>,
    known: Set<number>,
    keepsIds: boolean,
  ): Promise<void> {
    const unassigned: number[] = [];
    for (const { _id, key } of items) {
      const holder = byKey.get(key);
      if (holder !== undefined) {
        assigned.set(_id, holder);
        known.add(_id);
      } else if (keepsIds && !ids.has(_id)) {
        assigned.set(_id, _id);
        ids.add(_id);
      } else unassigned.push(_id);
    }
    const highest = [...ids].reduce((max, id) => Math.max(max, id), 0);
    const first = await this.reserveIds(sequence, highest, unassigned.length);
    unassigned.forEach((id, index) => assigned.set(id, first + index));
  }

  /** Reserves `count` new ids. @returns the first */
  private async reserveIds(sequence: Sequence, highest: number, count: number): Promise<number> {
    if (!this.keepsContent) return highest + 1;
    await this.store.sequences.reserve(sequence, highest + 1);
    return count === 0 ? 0 : this.store.sequences.next(sequence, count);
  }

  private async findNamed(): Promise<void> {
    for (const { _id, type, titleKey, slug } of this.named) {
      const either = slug === undefined ? { type, titleKey } : { type, $or: [{ titleKey }, { slug }] };
      const live = this.keepsContent ? await this.store.posts.findOne(either, { sort: { _id: 1 }, projection: { _id: 1 } }) : null;
      const found = live?._id ?? (await this.staging.find('posts', either));
      if (found === undefined) continue;
      this.postIds.set(_id, found);
      this.reused.add(_id);
    }
  }

  private async assignPosts(keepsIds: boolean): Promise<void> {
    const wanted = [...this.postIds.keys()].filter((id) => !this.reused.has(id));
    const highest = keepsIds ? wanted.reduce((max, id) => Math.max(max, id), 0) : 0;
    // Prevents that these ids are assigned to other posts during the load.
    if (this.keepsContent) await this.store.sequences.reserve('posts', highest + 1);
    const unassigned = keepsIds ? await this.taken('posts', wanted, (ids) => this.staging.present('posts', ids)) : wanted;
    const first = await this.reserveIds('posts', Math.max(highest, await this.staging.highest('posts')), unassigned.length);
    unassigned.forEach((id, index) => this.postIds.set(id, first + index));
  }

  private async assignComments(keepsIds: boolean, staged: ReadonlySet<number>): Promise<void> {
    const wanted = [...this.commentIds.keys()];
    if (wanted.length === 0) return;
    const highest = [...staged, ...(keepsIds ? wanted : [])].reduce((max, id) => Math.max(max, id), 0);
    if (this.keepsContent) await this.store.sequences.reserve('comments', highest + 1);
    const unassigned = keepsIds ? await this.taken('comments', wanted, (ids) => new Set(ids.filter((id) => staged.has(id)))) : wanted;
    const first = await this.reserveIds('comments', highest, unassigned.length);
    unassigned.forEach((id, index) => this.commentIds.set(id, first + index));
  }

  /** The ids that are in use. @param inLoad finds ids of earlier sources of this load */
  private async taken(
    collection: 'posts' | 'comments',
    ids: readonly number[],
    inLoad: (ids: readonly number[]) => Set<number> | Promise<Set<number>>,
  ): Promise<number[]> {
    const taken: number[] = [];
    for (let start = 0; start < ids.length; start += LOOKUP) {
      const some = ids.slice(start, start + LOOKUP);
      const present = await inLoad(some);
      if (this.keepsContent) {
        const { posts, comments } = this.store;
        const find = { _id: { $in: some } };
        const live = await (collection === 'posts' ? posts : comments).find(find, { projection: { _id: 1 } }).toArray();
        for (const { _id } of live) present.add(_id);
      }
      taken.push(...some.filter((id) => present.has(id)));
    }
    return taken;
  }

  /** The new id of a post of this source. */
  idOf(id: number): number | undefined {
    return this.postIds.get(id);
  }

  user(user: User): User | null {
    return this.knownUsers.has(user._id) ? null : { ...user, _id: this.userIds.get(user._id) ?? user._id };
  }

  term(term: Term): Term | null {
    if (this.knownTerms.has(term._id)) return null;
    const _id = this.termIds.get(term._id) ?? term._id;
    return { ...term, _id, termTaxonomyId: _id, parent: this.termIds.get(term.parent) ?? 0 };
  }

  post(post: Post): Post | null {
    if (this.reused.has(post._id)) return null;
    const terms = Object.entries(post.terms).map(([taxonomy, ids]) => [taxonomy, ids.flatMap((id) => this.termIds.get(id) ?? [])] as const);
    const parent = this.reference(post.parent) ?? 0;
    const idOf = (id: number): number | undefined => this.reference(id);
    return this.fileNames.rename({
      ...post,
      ...(post.type === REVISION ? { slug: autosaveSlug(parent) } : {}),
      content: withPatterns(post.content, idOf),
      _id: this.postIds.get(post._id) ?? post._id,
      author: this.userIds.get(post.author) ?? this.fallbackAuthor,
      parent,
      meta: withReferences(post.meta, idOf, (id) => this.termIds.get(id)),
      terms: Object.fromEntries(terms),
    });
  }

  comment(comment: Comment): Comment {
    return {
      ...comment,
      _id: this.commentIds.get(comment._id) ?? comment._id,
      post: this.reference(comment.post) ?? 0,
      parent: this.commentIds.get(comment.parent) ?? 0,
      author: this.userIds.get(comment.author) ?? 0,
    };
  }

  private reference(id: number): number | undefined {
    return this.postIds.get(id) ?? this.elsewhere(id);
  }

  file(target: string): string {
    return this.fileNames.of(target);
  }
}
