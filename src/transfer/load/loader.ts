import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Staging } from '../../database/store/staging.js';
import { EVENT } from '../../plugins/the-events-calendar/model/index.js';
import { LINKED, LINKED_KINDS, eachLinked, type LinkColumn } from '../../plugins/the-events-calendar/model/event.js';
import { ATTACHMENT, PAGE, REVISION, type Comment, type ImageMetadata, type Post, type Term, type User } from '../../wordpress/model.js';
import { withDerivedColumns } from '../../wordpress/posts/posts.js';
import type { Store } from '../../wordpress/store.js';
import type { Registry } from '../../wordpress/types/registry.js';
import type { SourceFile, DatasetSource, SourceItem, SourcePlace, SourceProblems } from '../source.js';
import { absenceOf } from '../mentions.js';
import { withOptions } from '../stubs.js';
import { placeFiles, withMadeImage } from '../uploads.js';
import { requireSpace, type SitePlace } from './mirror.js';
import { takeInventory, termKey, userKey, type PostId, type Report } from './inventory.js';
import { moveComment, movePost, moveTerm, moveUser, urlMover, type MoveText } from './links.js';
import { assignIds, type NewIds } from './new-ids.js';
import { PostBatches, type LocatedPost } from './post-batches.js';
import type { Administrator } from './administrator.js';
import type { Settings } from '../settings/settings.js';
import { autosaveSlug } from '../../wordpress/query/autosaves.js';
import { withPatterns, withReferences } from '../references.js';

const VERSION = /(?:-\d+x\d+|-scaled)?(\.\w+)$/;

/** The original of a file: `2026/06/a.jpg` for `2026/06/a-300x200.jpg`. */
const originalOf = (file: string): string => file.replace(VERSION, '$1');

/** Renames files of attachments whose names are in use. */
class FileNames {
  private readonly renamed = new Map<string, string>();

  /**
   * WP: duplicates get `-1`, `-2`, ….
   * @param files the files of attachments
   * @param isTaken whether another file has this path, relative to the uploads folder
   */
  constructor(files: readonly string[], isTaken: (file: string) => boolean) {
    const claimed = new Set<string>();
    for (const original of files.map(originalOf)) {
      if (this.renamed.has(original) || claimed.has(original)) continue;
      let free = original;
      for (let n = 1; claimed.has(free) || isTaken(free); n += 1) free = original.replace(/(\.\w+)$|$/, `-${n}$1`);
      claimed.add(free);
      if (free !== original) this.renamed.set(original, free);
    }
  }

  /** The new name of a file, either an original or one of its sizes. */
  of(file: string): string {
    const original = originalOf(file);
    const now = this.renamed.get(original);
    if (now === undefined) return file;
    const suffix = file.slice(original.length - path.posix.extname(original).length, file.length);
    return now.slice(0, now.length - path.posix.extname(now).length) + suffix;
  }

  /** Updates the file names of an attachment. */
  rename(post: Post): Post {
    if (post.file === undefined || !this.renamed.has(originalOf(post.file))) return post;
    const folder = path.posix.dirname(post.file);
    const beside = (name: string): string => path.posix.basename(this.of(path.posix.join(folder, name)));
    const image = post.image && {
      ...post.image,
      file: this.of(post.image.file),
      sizes: Object.fromEntries(Object.entries(post.image.sizes).map(([name, size]) => [name, { ...size, file: beside(size.file) }])),
      ...(post.image.original_image === undefined ? {} : { original_image: beside(post.image.original_image) }),
    };
    return { ...post, file: this.of(post.file), ...(image === undefined ? {} : { image }) };
  }
}

/** Maps the items of a source to the items of the site. */
interface Mapping {
  /** The item with its ids on the site; null if it exists already. */
  item(item: SourceItem): SourceItem | null;
  postId: PostId;
}

/** Keeps all items unchanged, for an empty site. */
const KEEP: Mapping = { item: (item) => item, postId: (id) => id };

/**
 * Gives the items of a source their ids and file names on the site, and updates references.
 * @param elsewhere new ids of the posts of an earlier source of the same site
 */
function mappingTo({ users, terms, posts, comments, fallbackAuthor }: NewIds, files: FileNames, elsewhere: PostId): Mapping {
  const postId: PostId = (id) => posts.ids.get(id);
  const reference: PostId = (id) => postId(id) ?? elsewhere(id);
  const termId = (id: number): number | undefined => terms.ids.get(id);

  function mapTerm(term: Term): Term {
    const _id = termId(term._id) ?? term._id;
    return { ...term, _id, termTaxonomyId: _id, parent: termId(term.parent) ?? 0 };
  }

  function mapPost(post: Post): Post {
    const parent = reference(post.parent) ?? 0;
    const ofTaxonomies = Object.entries(post.terms).map(([taxonomy, ids]) => [taxonomy, ids.flatMap((id) => termId(id) ?? [])] as const);
    return files.rename({
      ...post,
      ...(post.type === REVISION ? { slug: autosaveSlug(parent) } : {}),
      content: withPatterns(post.content, reference),
      _id: postId(post._id) ?? post._id,
      author: users.ids.get(post.author) ?? fallbackAuthor,
      parent,
      meta: withReferences(post.meta, reference, termId),
      terms: Object.fromEntries(ofTaxonomies),
    });
  }

  const mapComment = (comment: Comment): Comment => ({
    ...comment,
    _id: comments.ids.get(comment._id) ?? comment._id,
    post: reference(comment.post) ?? 0,
    parent: comments.ids.get(comment.parent) ?? 0,
    author: users.ids.get(comment.author) ?? 0,
  });

  function mapItem(item: SourceItem): SourceItem | null {
    if (item.kind === 'options') return item;
    if (item.kind === 'file') return { ...item, file: { ...item.file, target: files.of(item.file.target) } };
    if (item.kind === 'comment') return { ...item, comment: mapComment(item.comment) };
    if (item.kind === 'post') return posts.existing.has(item.post._id) ? null : { ...item, post: mapPost(item.post) };
    if (item.kind === 'term') return terms.existing.has(item.term._id) ? null : { ...item, term: mapTerm(item.term) };
    const { _id } = item.user;
    return users.existing.has(_id) ? null : { ...item, user: { ...item.user, _id: users.ids.get(_id) ?? _id } };
  }

  return { item: mapItem, postId };
}

export type LoadMode = 'replace' | 'add';

export interface LoadOptions {
  /** `replace`: replaces the content of the site. `add`: adds to it. */
  mode: LoadMode;
  /** Whether resets still restore the previous content. */
  forOnce?: boolean;
  /** Whether to keep the administrators and passwords of the replaced content if the new content has none. */
  keepsAccounts?: boolean;
  place: SitePlace;
  /** URL of the site, without trailing slash. Links to the source site are rewritten to it. */
  siteUrl: string;
  /** Settings of the site instead of those of the content that replaces it. */
  settings?: Settings;
  /** Creation date of new documents, epoch seconds. */
  now: number;
  /** Application password of the first administrator. */
  adminPassword?: string | undefined;
  /** Receives progress reports. */
  onProgress?: (what: string, done: number, total?: number) => void;
  /** Whether to create venues, organizers and terms that are only mentioned. Default: true. */
  create?: boolean | undefined;
  /** Runs the last step, which changes the site, with exclusive access. */
  alone?: (work: () => Promise<void>) => Promise<void>;
  /** Registry of the site that the content replaces. Default: the one with which its store was opened. */
  registry?: Registry;
  /** Cancels the load. Has no effect once everything is staged. */
  signal?: AbortSignal;
}

export interface LoadResult extends Record<LinkColumn, number> {
  events: number;
  posts: number;
  terms: number;
  users: number;
  files: number;
  /** The administrator, if one was created or given a password. */
  administrator: Administrator | null;
  /** Time at which the clock of the content is frozen, ms since 1970 UTC, or null. */
  clock: number | null;
}

/** How many files to copy at a time. */
const FILES = 8;
/** Ids are numbers, whose integers are exact up to twice this; further ones follow. WP: up to 2 to the power of 64. */
const LARGEST_ID = 2 ** 52;
/** Number of items between two progress reports. */
const REPORT_INTERVAL = 500;

const COUNTED = new Map<string, 'events' | LinkColumn>([
  [EVENT, 'events'],
  ...LINKED_KINDS.map((kind): [string, LinkColumn] => [LINKED[kind].type, LINKED[kind].column]),
]);

/** Whether a post is an attachment whose image metadata may not be known yet. */
const isPendingImage = (post: Post): boolean => post.type === ATTACHMENT && !post.image;

/** The id of an item; 0: it has none. */
function idOf(item: SourceItem): number {
  if (item.kind === 'options' || item.kind === 'file') return 0;
  return (item.kind === 'post' ? item.post : item.kind === 'term' ? item.term : item.kind === 'user' ? item.user : item.comment)._id;
}

/** State that the sources of a load share, and content that is staged after the last of them. */
export class StagedContent {
  readonly users = new Map<string, User>();
  readonly terms = new Map<string, Term>();
  readonly comments = new Map<number, Comment>();
  options: Record<string, unknown> = {};
  /** Ids of pages by slug. */
  readonly pages = new Map<string, number>();
  /** Number of published posts by term id. */
  readonly termUse = new Map<number, number>();
  readonly counts = { events: 0, ...eachLinked(() => 0), posts: 0, files: 0 };
  highest = 0;
  nextIds = { posts: 1, terms: 1 };
  clock: number | null = null;
  origin = '';
}

/** Stages the sources of a load, one after another. */
export class Loader {
  readonly loaded = new StagedContent();
  readonly posts: PostBatches;
  private readonly images = new Map<string, ImageMetadata>();
  /** Attachments whose image sizes may be generated later. */
  private pendingImages: LocatedPost[] = [];
  private files: SourceFile[] = [];
  /** New ids of the posts of earlier sources, by the URL of their site. */
  private readonly postIds = new Map<string, PostId>();

  /** @param folder folder for staged files */
  constructor(
    private readonly store: Store,
    /** Registry of the site once the content is loaded. */
    private readonly registry: Registry,
    private readonly staging: Staging,
    private readonly problems: SourceProblems,
    private readonly folder: string,
    private readonly given: LoadOptions,
  ) {
    this.posts = new PostBatches(staging, problems);
  }

  /** Stages a source. Adds its problems to `problems`; after the first one, nothing more is written. */
  async stageSource(source: DatasetSource, isFirst: boolean): Promise<void> {
    const { loaded, problems } = this;
    const { mode, siteUrl } = this.given;
    const isContent = mode === 'replace' && isFirst;
    problems.source = source.name;
    const mapping = isContent ? KEEP : await this.map(source);
    if (!isContent && problems.count > 0) return;
    const move = source.siteUrl === '' || source.siteUrl === siteUrl ? null : urlMover(source.siteUrl, siteUrl);
    // Problems of a source that was read before are known.
    const report: Report = (problem, at) => void (isContent && problems.add(problem, at));
    for await (const item of this.read(source, 'Loading', report)) await this.stageItem(item, mapping, move);
    if (source.siteUrl !== '') this.postIds.set(source.siteUrl, mapping.postId);
    if (isFirst) [loaded.clock, loaded.origin] = [source.clock, source.siteUrl];
    if (isContent && source.nextIds) loaded.nextIds = source.nextIds;
    await this.flush();
  }

  private async *read(source: DatasetSource, what: 'Reading' | 'Loading', report: Report): AsyncGenerator<SourceItem> {
    const { signal, onProgress, place } = this.given;
    let done = 0;
    for await (const item of source.items(report)) {
      signal?.throwIfAborted();
      yield item;
      done += 1;
      if (done % REPORT_INTERVAL > 0) continue;
      if (what === 'Reading' && this.store.isInFolder) requireSpace(place);
      onProgress?.(what, done, source.count);
    }
  }

  /** Finds new ids and file names for the items of a source that is added to other content. */
  private async map(source: DatasetSource): Promise<Mapping> {
    const { store, staging, folder, problems } = this;
    const { mode, place } = this.given;
    const keepsContent = mode === 'add';
    const report: Report = (problem, at) => problems.add(problem, at);
    const elsewhere = this.postIds.get(source.siteUrl) ?? (() => undefined);
    const inventory = await takeInventory(this.read(source, 'Reading', report), elsewhere, report);
    const folders = keepsContent ? [place.uploads, folder] : [folder];
    const files = new FileNames(inventory.files, (file) => folders.some((each) => existsSync(path.join(each, file))));
    const { users, terms, comments } = this.loaded;
    const ids = await assignIds(inventory, source.keepsIds, { store, keepsContent, staging, users, terms, comments });
    return mappingTo(ids, files, elsewhere);
  }

  /** @param item an item of the source */
  private async stageItem(item: SourceItem, mapping: Mapping, move: MoveText | null): Promise<void> {
    const { loaded, problems, given } = this;
    const id = idOf(item);
    if (id > LARGEST_ID) problems.add(`the id ${id} is larger than ${LARGEST_ID}, the largest that can be kept`, item.at);
    const mapped = mapping.item(item);
    if (mapped === null) return;
    // Only mentioned, and nothing may be created.
    if (given.create === false && (mapped.kind === 'post' || mapped.kind === 'term') && mapped.reuse)
      problems.add(mapped.absent ?? absenceOf(mapped), mapped.at);
    if (mapped.kind === 'post')
      return this.stagePost(move ? movePost(mapped.post, move, this.registry) : withDerivedColumns(mapped.post, this.registry), mapped.at);
    if (mapped.kind === 'file') return this.stageFile(mapped.file);
    if (mapped.kind === 'options') {
      if (given.mode === 'replace') loaded.options = withOptions(loaded.options, mapped.options);
    } else if (mapped.kind === 'user') {
      const { user } = mapped;
      this.stage(loaded.users, userKey(user), move ? moveUser(user, move) : user, `user with the login "${user.login}"`, mapped.at);
    } else if (mapped.kind === 'term') {
      const { term } = mapped;
      const name = `term of ${term.taxonomy} with the slug "${term.slug}"`;
      this.stage(loaded.terms, termKey(term), move ? moveTerm(term, move) : term, name, mapped.at);
    } else {
      const { comment } = mapped;
      const { _id } = comment;
      this.stage(loaded.comments, _id, move ? moveComment(comment, move) : comment, `comment with the id ${_id}`, mapped.at);
    }
  }

  private stage<K, T>(staged: Map<K, T>, key: K, document: T, name: string, at: SourcePlace | undefined): void {
    if (staged.has(key)) this.problems.add(`there is another ${name}`, at);
    else staged.set(key, document);
  }

  private async stageFile(file: SourceFile): Promise<void> {
    this.loaded.counts.files += 1;
    this.files.push(file);
    if (this.files.length >= FILES) await this.flushFiles();
  }

  private async flushFiles(): Promise<void> {
    const { files } = this;
    this.files = [];
    if (files.length === 0 || this.problems.count > 0) return;
    const placing = { uploads: this.folder, site: this.given.place.uploads, sizes: this.registry.imageSizes };
    for (const [name, image] of await placeFiles(files, placing)) this.images.set(name, image);
  }

  private async stagePost(post: Post, at: SourcePlace | undefined): Promise<void> {
    const { termUse, pages } = this.loaded;
    if (post.type === PAGE) pages.set(post.slug, post._id);
    if (post.status === 'publish') for (const id of new Set(Object.values(post.terms).flat())) termUse.set(id, (termUse.get(id) ?? 0) + 1);
    if (isPendingImage(post)) this.pendingImages.push({ post, at });
    else await this.put({ post, at });
  }

  private async put(located: LocatedPost): Promise<void> {
    const { loaded } = this;
    const { type, _id } = located.post;
    loaded.counts.posts += 1;
    const counted = COUNTED.get(type);
    if (counted !== undefined) loaded.counts[counted] += 1;
    loaded.highest = Math.max(loaded.highest, _id);
    await this.posts.put(located);
  }

  private async flush(): Promise<void> {
    await this.flushFiles();
    const { pendingImages } = this;
    this.pendingImages = [];
    for (const { post, at } of pendingImages) await this.put({ post: withMadeImage(post, this.images), at });
    await this.posts.complete();
  }
}
