import { existsSync } from 'node:fs';
import path from 'node:path';
import { ANY_CASE } from '../../database/store/indexes.js';
import type { InsertError, SlugConflict, Staging } from '../../database/store/staging.js';
import type { LastStep } from '../../database/store/work-log.js';
import { truncateSlug } from '../../wordpress/formatting/slug.js';
import { EVENT } from '../../plugins/the-events-calendar/model/index.js';
import { LINKED, LINKED_KINDS, eachLinked, type LinkColumn } from '../../plugins/the-events-calendar/model/linked.js';
import { ATTACHMENT, type Comment, type ImageMetadata, type Post, type Term, type User } from '../../wordpress/model.js';
import { withDerivedColumns, slugKeyOf } from '../../wordpress/posts/posts.js';
import type { Store } from '../../wordpress/store.js';
import { branchSums } from '../../wordpress/terms/term-counts.js';
import { deriveTerm } from '../../wordpress/terms/terms.js';
import type { SourceFile } from '../dataset.js';
import type { SourceProblems } from '../problems.js';
import { absenceOf } from '../mentions.js';
import type { SourceItem, DatasetSource, SourcePlace } from '../source.js';
import { withOptions } from '../stubs.js';
import { placeFiles, withMadeImage } from '../uploads.js';
import { admitAdministrator, makeAdministrator, type Administrator } from './administrator.js';
import { requireSpace } from './files.js';
import { moveComment, movePost, moveTerm, moveUser, urlMover, type MoveText } from './links.js';
import type { LoadOptions, LoadResult } from './types.js';
import { CLOCK_OPTION, HOME_OPTION, SOURCE_OPTION } from './options.js';
import { KEEP, Survey, type Mapping } from './survey.js';

/** Size of a batch: number of documents or characters of text. */
const BATCH = { documents: 1_000, characters: 3_000_000 };
/** Maximum number of concurrent batches. */
const CONCURRENCY = 2;
/** How many files to copy at a time. */
const FILES = 8;
/** Ids are numbers, whose integers are exact up to twice this; further ones follow. WP: up to 2 to the power of 64. */
const LARGEST_ID = 2 ** 52;
/** Number of characters of a title in a message. */
const NAMED = 60;

/** Number of items between two progress reports. */
const REPORT_INTERVAL = 500;

const COUNTED = new Map<string, 'events' | LinkColumn>([
  [EVENT, 'events'],
  ...LINKED_KINDS.map((kind): [string, LinkColumn] => [LINKED[kind].type, LINKED[kind].column]),
]);

const sizeOf = (post: Post): number => post.content.length + post.excerpt.length + 60 * post.meta.length + 500;

/** Whether a post is an attachment whose image metadata may not be known yet. */
const isPendingImage = (post: Post): boolean => post.type === ATTACHMENT && !post.image;

/** Finds another slug for a post whose slug is in use. WP: `-2`, `-3`, …. */
async function settleSlug({ type, slug, parent }: SlugConflict, isTaken: (slug: string) => Promise<boolean>): Promise<object> {
  let free = slug;
  for (let n = 2; free === slug || (await isTaken(free)); n += 1) free = truncateSlug(slug, `-${n}`);
  return { slug: free, slugKey: slugKeyOf({ type, status: 'publish', slug: free, parent }) };
}

/** Stages the sources of a load. */
export class Loader {
  private readonly users = new Map<string, User>();
  private readonly terms = new Map<string, Term>();
  private readonly comments = new Map<number, Comment>();
  private options: Record<string, unknown> = {};
  /** Number of published posts by term id. */
  private readonly termUse = new Map<number, number>();
  private readonly images = new Map<string, ImageMetadata>();
  /** Attachments whose image sizes may be generated later. */
  private pendingImages: { post: Post; at?: SourcePlace | undefined }[] = [];
  private files: SourceFile[] = [];
  private batch: { post: Post; at?: SourcePlace | undefined }[] = [];
  private characters = 0;
  private readonly writing = new Set<Promise<void>>();
  private failure: unknown;
  private highest = 0;
  private readonly counts = { events: 0, ...eachLinked(() => 0), posts: 0, files: 0 };
  /** Maps the post ids of earlier sources to new ids, by the URL of their site. */
  private readonly places = new Map<string, (id: number) => number | undefined>();
  private clock: number | null = null;
  private origin = '';
  private nextIds = { posts: 1, terms: 1 };

  /** @param folder folder for staged files */
  constructor(
    private readonly store: Store,
    private readonly staging: Staging,
    private readonly problems: SourceProblems,
    private readonly folder: string,
    private readonly given: LoadOptions,
  ) {}

  /** Stages a source. Adds its problems to `problems`; after the first one, nothing more is written. */
  async stageSource(source: DatasetSource, isFirst: boolean): Promise<void> {
    const { mode, siteUrl, signal } = this.given;
    this.problems.source = source.name;
    const survey = mode === 'replace' && isFirst ? null : await this.survey(source);
    if (survey && this.problems.count > 0) return;
    const mapping = survey ?? KEEP;
    const move = urlMover(source.siteUrl, siteUrl);
    const stays = source.siteUrl === '' || source.siteUrl === siteUrl;
    let done = 0;
    const report = (problem: string, at?: SourcePlace): void => {
      // The survey has already reported the problems.
      if (!survey) this.problems.add(problem, at);
    };
    for await (const item of source.items(report)) {
      signal?.throwIfAborted();
      await this.stageItem(item, mapping, stays ? null : move);
      done += 1;
      if (done % REPORT_INTERVAL === 0) this.given.onProgress?.('Loading', done, source.count);
    }
    if (source.siteUrl !== '') this.places.set(source.siteUrl, survey ? (id) => survey.idOf(id) : (id) => id);
    if (isFirst) [this.clock, this.origin] = [source.clock, source.siteUrl];
    if (mode === 'replace' && isFirst && source.nextIds) this.nextIds = source.nextIds;
    await this.flushAll();
  }

  private async survey(source: DatasetSource): Promise<Survey> {
    await this.flushAll();
    const { mode, signal, onProgress, place } = this.given;
    const folders = mode === 'add' ? [place.uploads, this.folder] : [this.folder];
    const isFileTaken = (file: string): boolean => folders.some((folder) => existsSync(path.join(folder, file)));
    const elsewhere = this.places.get(source.siteUrl);
    const survey = new Survey(this.store, mode === 'add', this.staging, this.users, this.terms, isFileTaken, elsewhere);
    let done = 0;
    const report = (problem: string, at?: SourcePlace): void => this.problems.add(problem, at);
    for await (const item of source.items(report)) {
      signal?.throwIfAborted();
      survey.add(item, report);
      done += 1;
      if (done % REPORT_INTERVAL === 0 && this.store.isInFolder) requireSpace(place);
      if (done % REPORT_INTERVAL === 0) onProgress?.('Reading', done, source.count);
    }
    survey.checkComments(report);
    await survey.assign(source.keepsIds, new Set(this.comments.keys()));
    return survey;
  }

  private checkId(item: SourceItem): void {
    if (item.kind === 'options' || item.kind === 'file') return;
    const { _id: id } =
      item.kind === 'post' ? item.post : item.kind === 'term' ? item.term : item.kind === 'comment' ? item.comment : item.user;
    if (id > LARGEST_ID) this.problems.add(`the id ${id} is larger than ${LARGEST_ID}, the largest that can be kept`, item.at);
  }

  private async stageItem(item: SourceItem, mapping: Mapping, move: MoveText | null): Promise<void> {
    this.checkId(item);
    if (item.kind === 'post') return this.stagePost(item, mapping, move);
    if (item.kind === 'file') return this.stageFile(item, mapping);
    if (item.kind === 'comment') return this.stageComment(mapping.comment(item.comment), move, item.at);
    if (item.kind === 'options') {
      if (this.given.mode === 'replace') this.options = withOptions(this.options, item.options);
      return;
    }
    if (item.kind === 'user') return this.stageUser(mapping.user(item.user), move, item.at);
    const term = mapping.term(item.term);
    this.checkMention(item, term);
    this.stageTerm(term, move, item.at);
  }

  /** Reports an item that is only mentioned and that would be created, if nothing may be. */
  private checkMention(item: Extract<SourceItem, { kind: 'post' | 'term' }>, placed: Post | Term | null): void {
    if (this.given.create !== false || !item.reuse || placed === null) return;
    this.problems.add(item.absent ?? absenceOf(item), item.at);
  }

  private stageUser(user: User | null, move: MoveText | null, at: SourcePlace | undefined): void {
    if (user === null) return;
    const key = user.login.toLowerCase();
    if (this.users.has(key)) return this.problems.add(`there is another user with the login "${user.login}"`, at);
    this.users.set(key, move ? moveUser(user, move) : user);
  }

  private stageTerm(term: Term | null, move: MoveText | null, at: SourcePlace | undefined): void {
    if (term === null) return;
    const key = `${term.taxonomy} ${term.slug}`;
    if (this.terms.has(key)) return this.problems.add(`there is another term of ${term.taxonomy} with the slug "${term.slug}"`, at);
    this.terms.set(key, move ? moveTerm(term, move) : term);
  }

  private stageComment(comment: Comment, move: MoveText | null, at: SourcePlace | undefined): void {
    const { _id } = comment;
    if (this.comments.has(_id)) return this.problems.add(`there is another comment with the id ${_id}`, at);
    this.comments.set(_id, move ? moveComment(comment, move) : comment);
  }

  private async stageFile({ file }: Extract<SourceItem, { kind: 'file' }>, mapping: Mapping): Promise<void> {
    this.counts.files += 1;
    this.files.push({ ...file, target: mapping.file(file.target) });
    if (this.files.length >= FILES) await this.flushFiles();
  }

  private async flushFiles(): Promise<void> {
    const { files } = this;
    this.files = [];
    if (this.problems.count > 0) return;
    for (const [name, image] of await placeFiles(files, this.folder, this.given.place.uploads)) this.images.set(name, image);
  }

  private async stagePost(item: Extract<SourceItem, { kind: 'post' }>, mapping: Mapping, move: MoveText | null): Promise<void> {
    const { post, at, reuse } = item;
    const placed = mapping.post(post, reuse === true);
    this.checkMention(item, placed);
    if (placed === null) return;
    if (placed.status === 'publish')
      for (const id of new Set(Object.values(placed.terms).flat())) this.termUse.set(id, (this.termUse.get(id) ?? 0) + 1);
    const { registry } = this.store;
    const moved = move ? movePost(placed, move, registry) : withDerivedColumns(placed, registry);
    if (isPendingImage(moved)) this.pendingImages.push({ post: moved, at });
    else await this.put(moved, at);
  }

  private async put(post: Post, at: SourcePlace | undefined): Promise<void> {
    const { counts } = this;
    counts.posts += 1;
    const counted = COUNTED.get(post.type);
    if (counted !== undefined) counts[counted] += 1;
    if (post._id > this.highest) this.highest = post._id;
    this.batch.push({ post, at });
    this.characters += sizeOf(post);
    if (this.batch.length >= BATCH.documents || this.characters >= BATCH.characters) await this.flush();
  }

  private async flush(): Promise<void> {
    const { batch } = this;
    this.batch = [];
    this.characters = 0;
    if (batch.length === 0 || this.problems.count > 0) return;
    while (this.writing.size >= CONCURRENCY) await Promise.race(this.writing);
    const writing = this.write(batch).catch((error: unknown) => {
      this.failure ??= error;
    });
    this.writing.add(writing);
    void writing.finally(() => this.writing.delete(writing));
    if (this.failure) throw this.failure;
  }

  private async write(batch: readonly { post: Post; at?: SourcePlace | undefined }[]): Promise<void> {
    const rejected = await this.staging.insert(
      'posts',
      batch.map(({ post }) => post),
    );
    for (const error of rejected) this.reportRejected(batch[error.index], error);
  }

  private reportRejected({ post, at }: { post: Post; at?: SourcePlace | undefined }, { isDuplicate, message }: InsertError): void {
    this.problems.add(
      isDuplicate ? `there is another post with the id ${post._id}` : `the ${post.type} "${post.title.slice(0, NAMED)}" ${message}`,
      at,
    );
  }

  private async flushAll(): Promise<void> {
    await this.flushFiles();
    const { pendingImages } = this;
    this.pendingImages = [];
    for (const { post, at } of pendingImages) await this.put(withMadeImage(post, this.images), at);
    await this.flush();
    await Promise.all(this.writing);
    if (this.failure) throw this.failure;
  }

  /** Waits for pending writes, which would otherwise recreate dropped collections. */
  async waitForWrites(): Promise<void> {
    await Promise.allSettled(this.writing);
  }

  /** Stages terms, users, options and counters, which are known only at the end. */
  async finish(): Promise<LoadResult> {
    const administrator = await this.ensureAdministrator();
    const terms = this.countedTerms();
    await this.insertAll('terms', terms);
    await this.insertAll('users', [...this.users.values()]);
    await this.insertAll('comments', [...this.comments.values()]);
    if (this.given.mode === 'replace') {
      await this.insertAll('options', this.optionDocuments());
      await this.insertAll('counters', [
        { _id: 'posts', value: Math.max(this.highest, this.nextIds.posts - 1) },
        { _id: 'terms', value: Math.max(0, this.nextIds.terms - 1, ...terms.map(({ _id }) => _id)) },
        { _id: 'comments', value: [...this.comments.keys()].reduce((last, id) => Math.max(last, id), 0) },
        { _id: 'users', value: Math.max(0, ...[...this.users.values()].map(({ _id }) => _id)) },
      ]);
    }
    return { ...this.counts, terms: terms.length, users: this.users.size, administrator, clock: this.clock };
  }

  /** Builds indexes and completes the staged collections that replace the content. @returns the last step of the load */
  complete(snapshot: string | undefined): Promise<LastStep> {
    this.given.onProgress?.('Indexing', this.counts.posts);
    return this.staging.finish(snapshot, settleSlug);
  }

  /** Ensures that a site has an administrator: keeps the existing ones, or creates one. The password given is the first one's. */
  private async ensureAdministrator(): Promise<Administrator | null> {
    const { mode, keepsAccounts = true, siteUrl, now, adminPassword } = this.given;
    if (mode === 'add') return null;
    if (keepsAccounts) await this.keepPasswords();
    if (keepsAccounts && this.administrators.length === 0)
      for (const user of await this.store.users.find({ role: 'administrator' }).toArray()) this.keepUser(user);
    const { administrators } = this;
    if (administrators.length > 0 && adminPassword === undefined) return null;
    const { user, administrator } =
      administrators.length > 0 && adminPassword !== undefined
        ? admitAdministrator(administrators, adminPassword, now)
        : makeAdministrator([...this.users.values()], siteUrl, now, adminPassword);
    this.users.set(user.login.toLowerCase(), user);
    return administrator;
  }

  private get administrators(): User[] {
    return [...this.users.values()].filter(({ role }) => role === 'administrator');
  }

  /** Most formats contain no passwords: existing users keep theirs. */
  private async keepPasswords(): Promise<void> {
    const lacking = [...this.users.values()].filter((user) => user.passwordHash === undefined && user.applicationPasswords.length === 0);
    for (const user of lacking) {
      const before = await this.store.users.findOne({ login: user.login }, { collation: ANY_CASE });
      if (!before) continue;
      const { passwordHash, applicationPasswords } = before;
      this.users.set(user.login.toLowerCase(), { ...user, ...(passwordHash === undefined ? {} : { passwordHash }), applicationPasswords });
    }
  }

  private keepUser(user: User): void {
    const others = [...this.users.values()];
    const isTaken = others.some(({ _id }) => _id === user._id);
    const _id = isTaken ? Math.max(...others.map((other) => other._id)) + 1 : user._id;
    const key = user.login.toLowerCase();
    if (!this.users.has(key)) this.users.set(key, { ...user, _id });
  }

  private countedTerms(): Term[] {
    const terms = [...this.terms.values()].map((term) =>
      deriveTerm({ ...term, count: (this.termUse.get(term._id) ?? 0) + (term.elsewhere ?? 0) }),
    );
    const sums = branchSums(terms);
    return terms.map((term) => ({ ...term, branchCount: sums.get(term._id) ?? 0 }));
  }

  private optionDocuments(): { _id: string; value: unknown }[] {
    const options = {
      ...this.options,
      [HOME_OPTION]: this.given.siteUrl,
      ...(this.clock === null ? {} : { [CLOCK_OPTION]: this.clock }),
      ...(this.origin === '' ? {} : { [SOURCE_OPTION]: this.origin }),
    };
    return Object.entries(options).map(([_id, value]) => ({ _id, value }));
  }

  private async insertAll(collection: string, documents: readonly object[]): Promise<void> {
    for (let start = 0; start < documents.length; start += BATCH.documents) {
      const rejected = await this.staging.insert(collection, documents.slice(start, start + BATCH.documents));
      for (const { message } of rejected) this.problems.add(`${collection}: ${message}`);
    }
  }
}
