import { isDeepStrictEqual } from 'node:util';
import { CALENDAR_V1, EVENT, EVENT_CATEGORY, TEC_V1 } from '../../../../plugins/the-events-calendar/model/index.js';
import { pluginsDeclaring, registryWithDefaults } from '../../../../plugins/register.js';
import { EVENT_FIELDS, LINKED, LINKED_KINDS } from '../../../../plugins/the-events-calendar/model/event.js';
import { ATTACHMENT, MENU, MENU_ITEM, POST, TAG, type Comment, type Post, type Term, type User } from '../../../../wordpress/model.js';
import { CORE } from '../../../../wordpress/rest/rest-fields/shown.js';
import type { HasFields } from '../../../../wordpress/stored-fields.js';
import type { Quirks } from '../../../../wordpress/quirks.js';
import type { Declarations } from '../../../../wordpress/types/declared.js';
import type { Registry } from '../../../../wordpress/types/registry.js';
import { membersOf, tally, type Json } from '../../../../base/values/records.js';
import type { MoveText } from '../../../load/links.js';
import { pictured } from '../../../../wordpress/links.js';
import { avatars } from '../../../../wordpress/wp-v2/users/user-write.js';
import type { Options } from '../../../../wordpress/options.js';
import { permalink } from '../../../../wordpress/posts/permalinks.js';
import { termUrl } from '../../../../wordpress/terms/terms.js';
import { uploadsOf } from '../files.js';
import { toHome } from '../move.js';
import { userDocument } from '../term-user.js';
import type { Fetcher } from '../fetch.js';
import { neededOf, type CorePost, type Summary } from '../summary.js';
import {
  coreTerm,
  corePost,
  extraOf,
  guidOf,
  imageOf,
  mediumPost,
  menuItemPost,
  menuTerm,
  withExtra,
  withOpenMeta,
  type CoreContext,
  type CoreExtra,
} from './documents.js';
import { dateOf, idsOf, numberOf, recordOf, stringOf, textOf, type CoreItem } from './item.js';
import { ACF, FieldGuesses, typesWithFields, withoutAcf } from './field-groups.js';
import { UnknownFieldCollector, type ShownObject } from './unknown-fields.js';
import { NOT_POSTS, SiteDeclarations, SiteReader, EmulatedMembers } from './declare.js';
import { plainItems, plainPages, someOf } from './lists.js';
import { otherBlocks, withCoreTexts } from './texts.js';

const LINKED_TYPES = LINKED_KINDS.map((kind) => LINKED[kind].type);

/** Types whose posts the calendar or another namespace shows better. */
const IN_CALENDAR: readonly string[] = [EVENT, ...LINKED_TYPES];

const EMBEDS = 'oembed/1.0';

const NONE: ReadonlySet<string> = new Set();
const NO_TERMS: readonly number[] = [];

const NOT_TERMS: readonly string[] = [EVENT_CATEGORY, TAG, MENU, 'link_category'];

/** Copies what a site shows in `wp/v2`, and content of plugins that is not emulated. */
export class WpV2Copier {
  readonly keeper = new UnknownFieldCollector();
  private readonly guesses = new FieldGuesses();
  declarations: Declarations = {};
  /** The names of the blocks that the site shows in another way, by the id of their post. */
  private readonly otherBlocks = new Map<number, string[]>();
  private readonly extras = new Map<number, { extra: CoreExtra; texts: CoreItem; shown: ReadonlySet<string> }>();
  /** Events whose duration is not stored. */
  private readonly computed = new Set<number>();
  private readonly media = new Set<number>();
  /** Pages by id, for the addresses of those below them. */
  private readonly pages = new Map<number, Post>();
  /** The authors of posts whose type does not support them, by post. */
  private readonly authors = new Map<number, number>();
  /** Events that the lists of `wp/v2` do not have. */
  readonly pastEvents: CorePost[] = [];
  private readonly reader: SiteReader;
  private readonly found: SiteDeclarations;
  private own: EmulatedMembers;
  private readonly context: CoreContext;

  constructor(
    private readonly fetcher: Fetcher,
    private readonly summary: Summary,
    private readonly registry: Registry,
    private readonly options: Options,
    private readonly quirks: Quirks,
    lock: string,
  ) {
    this.own = new EmulatedMembers(registry, quirks);
    this.reader = new SiteReader(fetcher);
    this.found = new SiteDeclarations(this.reader, this.own);
    this.context = {
      home: fetcher.live.home,
      uploadsUrl: '',
      lock,
      move: (text) => text,
      taxonomies: (type) => this.taxonomiesOf(type),
      meta: (type) => (membersOf(membersOf(this.own.properties(type)['meta'])?.['properties']) ?? {}) as Record<string, Json>,
    };
  }

  private taxonomiesOf(type: string): Record<string, string> {
    const { taxonomies = [] } = this.own.registry.findPostType(type) ?? {};
    return Object.fromEntries(taxonomies.map((name) => [this.own.registry.taxonomyOf(name).base, name]));
  }

  /** Reads everything once. What other modules convert is in the summary from then on. */
  async prepare(): Promise<void> {
    await this.findUploads();
    if (!this.fetcher.live.hasCore) return;
    await this.reader.prepare();
    this.declarations = await this.found.declared();
    this.own = new EmulatedMembers(this.registry.with(this.declarations), this.quirks);
    for (const { slug } of this.reader.types) if (this.isCopied(slug)) await this.readPosts(slug);
    await this.readMedia();
    for (const name of this.termLists()) await this.readTerms(name);
    await this.readOthers();
    await this.readFormats();
    await this.readPlain();
  }

  /** Reads some values of fields of Advanced Custom Fields in both formats. */
  private async readFormats(): Promise<void> {
    for (const { type } of typesWithFields(this.keeper.declarations())) {
      const name = type === 'user' || type === 'comment' ? `${type}s` : type;
      const { query } = await this.reader.listOf(name, this.own.registry.findPostType(type) ? 'posts' : 'objects');
      const formatted = query && { ...query, _fields: `id,${ACF}`, acf_format: 'standard' };
      const items = await someOf(this.fetcher, `wp/v2/${this.reader.baseOf(name)}`, { query: formatted });
      this.guesses.compare(type, await this.reader.some(name), items);
    }
    [this.guesses.formatOf] = (await registryWithDefaults(pluginsDeclaring({ acf_field_groups: {} }))).hooks('fieldFormats');
  }

  /** Declares the fields, once all objects were kept. */
  declare(): void {
    const fields = this.keeper.declarations();
    const groups = this.guesses.groups(fields);
    if (Object.keys(fields).length > 0) this.declarations = { ...this.declarations, fields: groups ? withoutAcf(fields) : fields };
    if (!groups) return;
    const { meta = {} } = this.declarations;
    const others = Object.entries(meta).map(([type, { _acf_changed: _changed, ...keys }]) => [type, keys] as const);
    this.declarations = { ...this.declarations, meta: Object.fromEntries(others), acf_field_groups: groups };
    this.found.left.push(
      'The types of the fields of Advanced Custom Fields are guessed from their schemas and values. Put the exported field groups into acf_field_groups for the exact ones.',
    );
  }

  /** Notes what the copy lacks of what is registered. @param registry with the plugins of the site */
  async compare(registry: Registry): Promise<void> {
    if (this.fetcher.live.hasCore) await this.found.compare(new EmulatedMembers(registry.with(this.declarations), this.quirks));
  }

  /** Notes all images, so that the uploads folder is known. */
  private async findUploads(): Promise<void> {
    const { live } = this.fetcher;
    if (live.hasCore)
      for await (const item of this.reader.items(ATTACHMENT, 'objects')) {
        this.media.add(item.id);
        if (stringOf(item, 'source_url') !== '') this.summary.images.set(item.id, imageOf(item));
      }
    this.context.uploadsUrl = uploadsOf(this.summary.images.values());
    this.context.move = toHome(live, this.context.uploadsUrl, this.options);
  }

  get uploadsUrl(): string {
    return this.context.uploadsUrl;
  }

  /** Rewrites links to the main address of the site. */
  get move(): MoveText {
    return this.context.move;
  }

  private isCopied(type: string): boolean {
    return !NOT_POSTS.includes(type) && this.own.registry.findPostType(type) !== undefined;
  }

  private termLists(): string[] {
    return this.reader.taxonomies
      .map(({ slug }) => slug)
      .filter((name) => !NOT_TERMS.includes(name) && this.own.registry.findTaxonomy(name));
  }

  private shownOf(type: string, item: CoreItem, more: Partial<ShownObject> = {}): ShownObject {
    const context = this.reader.isEditing(type) ? 'edit' : 'view';
    return { type, namespace: 'wp/v2', context, members: item, own: this.own.of(type, 'wp/v2'), ...more };
  }

  /** Keeps the fields of an object, and members of ours with another value than ours would have. */
  private keep(type: string, item: CoreItem, others: readonly string[] = []): void {
    this.guesses.note(type, item);
    this.keeper.keep(this.shownOf(type, item, { others }));
  }

  /** Our members whose values cannot be copied: addresses of another site or structure. */
  private foreign(type: string, item: CoreItem): string[] {
    const guid = textOf(item, 'guid').rendered;
    return [
      ...(guid !== undefined && guidOf(item, this.context) === null ? ['guid'] : []),
      ...(this.isElsewhere(type, item) ? ['link'] : []),
    ];
  }

  /** Whether a published post has another address than its copy, such as one with a language. */
  private isElsewhere(type: string, item: CoreItem): boolean {
    // The other posts named their categories and authors as this one does.
    if (type === ATTACHMENT || stringOf(item, 'status') !== 'publish' || (type === POST && this.options.rewrite.namesOthers)) return false;
    return this.move(stringOf(item, 'link')) !== permalink(this.addressed(type, item), this.place, false, this.pages);
  }

  private get place(): { url: string; options: Options; registry: Registry } {
    return { url: this.fetcher.live.home, options: this.options, registry: this.own.registry };
  }

  private addressed(type: string, item: CoreItem): Post {
    const [slug, date, parent] = [stringOf(item, 'slug'), dateOf(item, 'date'), numberOf(item, 'parent')];
    return { _id: item.id, type, slug, status: 'publish', date, author: 0, parent } as Post;
  }

  private async describe(type: string): Promise<void> {
    this.keeper.describe(type, await this.reader.schemaOf(type), this.own.of(type, 'wp/v2'));
  }

  /** Finds out what is for editors: what visitors see, and what is shown in another context. */
  private async compareContexts(type: string): Promise<void> {
    if (!this.fetcher.options.signedIn || !this.reader.isEditing(type)) return;
    const route = `wp/v2/${this.reader.baseOf(type)}`;
    for (const isVisitor of [false, true]) {
      const { status, json } = await this.fetcher.ask<CoreItem[]>(route, { per_page: 100 }, { isVisitor });
      if (status !== 200 || !Array.isArray(json)) continue;
      for (const item of json) this.keeper.note(this.shownOf(type, item, { context: 'view' }), isVisitor);
    }
  }

  private async readPosts(type: string): Promise<void> {
    await this.describe(type);
    const seen = new Set<number>();
    if (this.own.registry.findPostType(type)?.nestedSlugs)
      for await (const item of this.reader.items(type)) this.pages.set(item.id, this.addressed(type, item));
    for await (const item of this.reader.items(type)) {
      seen.add(item.id);
      this.readPost(type, item);
    }
    if (type === EVENT) await this.readPast(seen);
    await this.findAuthors(type);
    await this.compareContexts(type);
  }

  /** Finds the authors of posts whose type does not support them. WP: only embeds show those, or the site if there is no author. */
  private async findAuthors(type: string): Promise<void> {
    const { fetcher, summary, authors } = this;
    const { home, namespaces } = fetcher.live;
    if (IN_CALENDAR.includes(type) || !this.own.registry.findPostType(type)?.viewable) return;
    const users = new Map<string, number>();
    let hidden = 0;
    for await (const item of this.reader.items(type)) {
      if ('author' in item) return;
      if (users.size === 0) for await (const { id, link = '' } of fetcher.users()) users.set(link, id);
      const query = { url: stringOf(item, 'link') };
      const embed = namespaces.includes(EMBEDS) ? (await fetcher.ask<Json>(`${EMBEDS}/embed`, query, {})).json : {};
      const author = users.set(home, 0).get(String(membersOf(embed)?.['author_url']));
      if (author === undefined) hidden += 1;
      else authors.set(item.id, author);
    }
    for (const author of authors.values()) summary.authors.add(author);
    if (hidden > 0) this.found.left.push(`The authors of ${hidden} posts of the type ${type} are not copied: the site does not show them.`);
  }

  private readPost(type: string, item: CoreItem): void {
    const isOther = !IN_CALENDAR.includes(type);
    this.keep(type, item, this.foreign(type, item));
    const extra = extraOf(item, type, this.context);
    if (isOther) {
      this.summary.others.add(item.id);
      this.summary.authors.add(numberOf(item, 'author'));
    } else {
      const isProtected = recordOf(item, 'content')['protected'] === true;
      const shown = isProtected ? new Set(Object.keys(recordOf(item, 'meta'))) : NONE;
      this.extras.set(item.id, { extra, texts: { id: item.id, content: item['content'], excerpt: item['excerpt'] }, shown });
    }
    this.count(item, type, isOther);
  }

  /**
   * Reads the events that are over. TEC: the lists of `wp/v2` do not have them. `tec/v1` lists them with everything but their meta; where that
   * is not enough, they are requested one by one.
   */
  private async readPast(seen: Set<number>): Promise<void> {
    const { fetcher, summary } = this;
    const isPast = ({ id }: CoreItem): boolean => !seen.has(id) && (summary.ids.events.has(id) || summary.unlisted.has(id));
    const needsMeta = fetcher.options.signedIn || this.declarations.meta?.[EVENT] !== undefined;
    const [first, ...others] = [...summary.ids.events, ...summary.unlisted].filter((id) => !seen.has(id));
    if (first !== undefined) await this.readSingle(first, seen);
    if (!needsMeta && fetcher.live.hasTecV1) {
      const shown = new Set([...this.own.of(EVENT, CORE), ...this.keeper.namesOf(EVENT, CORE)]);
      for await (const item of plainItems(fetcher, 'events')) {
        // TEC: nothing is shown of protected posts, not even to whom it is shown elsewhere.
        if (!isPast(item) || typeof recordOf(item, 'content')['protected'] !== 'boolean') continue;
        seen.add(item.id);
        this.readPost(EVENT, { ...Object.fromEntries(Object.entries(item).filter(([name]) => shown.has(name))), id: item.id });
      }
    }
    for (const id of others) if (!seen.has(id)) await this.readSingle(id, seen);
  }

  private async readSingle(id: number, seen: Set<number>): Promise<void> {
    const { status, json } = await this.fetcher.get<CoreItem>(
      `wp/v2/${this.reader.baseOf(EVENT)}/${id}`,
      this.fetcher.options.signedIn ? { context: 'edit' } : {},
    );
    seen.add(id);
    if (status !== 200) return;
    this.pastEvents.push(neededOf(json));
    this.readPost(EVENT, json);
  }

  /** Counts the published posts of terms. The calendar counts the terms that it shows itself. */
  private count(item: CoreItem, type: string, isOther: boolean): void {
    if (stringOf(item, 'status') !== 'publish') return;
    const { termUse } = this.summary;
    for (const [member, name] of Object.entries(this.taxonomiesOf(type))) {
      const isCounted = !isOther && (name === TAG || name === EVENT_CATEGORY);
      const known = isCounted ? this.knownTerms(item, name) : NO_TERMS;
      for (const id of idsOf(item, member)) if (known !== null && !known.includes(id)) termUse.set(id, (termUse.get(id) ?? 0) + 1);
    }
  }

  /** The terms of an event that the calendar has counted; null: all. A password hides some. */
  private knownTerms({ id }: CoreItem, taxonomy: string): readonly number[] | null {
    if (!this.summary.withheld.has(id)) return null;
    const facts = this.summary.protectedEvents.get(id);
    return (taxonomy === TAG ? facts?.tags : facts?.categories) ?? NO_TERMS;
  }

  private async readMedia(): Promise<void> {
    await this.describe(ATTACHMENT);
    for await (const item of this.reader.items(ATTACHMENT, 'objects')) {
      this.keep(ATTACHMENT, item, this.foreign(ATTACHMENT, item));
      this.summary.authors.add(numberOf(item, 'author'));
    }
    await this.compareContexts(ATTACHMENT);
  }

  private async readTerms(name: string): Promise<void> {
    await this.describe(name);
    const terms = new Map<number, Term>();
    for await (const item of this.reader.items(name, 'objects')) terms.set(item.id, coreTerm(item, 0));
    for await (const item of this.reader.items(name, 'objects'))
      this.keep(name, item, this.move(stringOf(item, 'link')) === termUrl(terms.get(item.id)!, terms, this.place) ? [] : ['link']);
    await this.compareContexts(name);
  }

  /**
   * Users, comments, and the terms of the calendar. WP: their pictures depend on email addresses, which are not shown. Those that follow from
   * the addresses or hashes of the copy are left out.
   */
  private async readOthers(): Promise<void> {
    for (const name of [EVENT_CATEGORY, TAG]) await this.readTerms(name);
    for (const [type, base] of [
      ['user', 'users'],
      ['comment', 'comments'],
    ])
      this.keeper.describe(type, await this.reader.schemaOf(base), this.own.of(type, 'wp/v2'));
    const pictures = new Map<number, object>();
    for await (const user of this.fetcher.users()) {
      const ours = avatars(pictured(userDocument(user.id, user)));
      const isOurs = isDeepStrictEqual(user.avatar_urls, ours);
      if (isOurs) pictures.set(user.id, ours);
      this.keep('user', user as unknown as CoreItem, isOurs ? [] : ['avatar_urls']);
    }
    for await (const comment of this.fetcher.comments()) this.keepComment(comment as unknown as CoreItem, pictures);
  }

  /** Pictures of users, and of guests whose address is known, follow from theirs. */
  private keepComment(comment: CoreItem, pictures: ReadonlyMap<number, object>): void {
    const author = numberOf(comment, 'author');
    const ours = author === 0 ? avatars(stringOf(comment, 'author_email')) : pictures.get(author);
    const isOurs = isDeepStrictEqual(comment['author_avatar_urls'], ours);
    this.keep('comment', comment, isOurs ? [] : ['author_avatar_urls']);
  }

  /** Keeps the fields of `tec/v1`. Lists are read further only if the first items have some. */
  private async readPlain(): Promise<void> {
    const { fetcher } = this;
    if (!fetcher.live.hasTecV1) return;
    const routes = [['events', EVENT], ...LINKED_KINDS.map((kind) => [LINKED[kind].column, LINKED[kind].type])];
    for (const [route, type] of routes) {
      const own = new Set([...this.own.of(type, TEC_V1), ...this.keeper.namesOf(type, 'wp/v2')]);
      for await (const [page, members] of plainPages(fetcher, route)) {
        const isFurther = members.some((item) => Object.keys(item).some((name) => !own.has(name)));
        // TEC: a duration that is not stored is a number.
        for (const item of members)
          if (type === EVENT && typeof item['duration'] === 'number' && item['duration'] !== 0) this.computed.add(item.id);
        if (!isFurther && page === 1 && type !== EVENT) break;
        for (const item of members) this.keeper.keep({ type, namespace: TEC_V1, context: 'view', members: item, own });
      }
    }
  }

  keepOfCalendar(type: string, item: object, part = false): void {
    const shown: ShownObject = {
      type,
      namespace: CALENDAR_V1,
      context: part ? 'embed' : 'view',
      members: item as ShownObject['members'],
      own: this.own.of(type, CALENDAR_V1),
    };
    if (part) return this.keeper.note(shown);
    this.keeper.keep(shown);
    this.keepAddress(type, shown.members as CoreItem);
  }

  /** Keeps the address of a post that `wp/v2` does not show, if it has another one than its copy. */
  private keepAddress(type: string, item: CoreItem): void {
    const link = this.move(stringOf(item, 'url'));
    const isShown = this.extras.has(item.id) || 'taxonomy' in item || stringOf(item, 'status') !== 'publish';
    if (isShown || !link.startsWith(`${this.place.url}/`) || link === permalink(this.addressed(type, item), this.place, false)) return;
    const names = ['id', 'link'];
    this.keeper.keep({ ...this.shownOf(type, { id: item.id, link }), own: new Set(names), others: names.slice(1) });
  }

  private fieldsOf(type: string, id: number): HasFields {
    return this.keeper.fieldsOf(type, id, this.context.move);
  }

  /** A post of the calendar with what `wp/v2` shows besides. */
  extended(post: Post): Post {
    const found = this.extras.get(post._id);
    return { ...this.withDuration(found ? this.counted(this.withFound(post, found)) : post), ...this.fieldsOf(post.type, post._id) };
  }

  private withFound(post: Post, { extra, texts, shown }: { extra: CoreExtra; texts: CoreItem; shown: ReadonlySet<string> }): Post {
    const whole = { ...post, ...withCoreTexts(post, texts, this.context.home) };
    return withExtra(withOpenMeta(whole, extra, shown), extra);
  }

  private withDuration(post: Post): Post {
    const { key: duration } = EVENT_FIELDS.duration;
    return this.computed.has(post._id) ? { ...post, meta: post.meta.filter(({ key }) => key !== duration) } : post;
  }

  withFields = <Document extends Term | User | Comment>(document: Document, type: string): Document => ({
    ...document,
    ...this.fieldsOf(type, document._id),
  });

  /** Whether an attachment is in the media library as it is shown. */
  hasMedium(id: number): boolean {
    return this.media.has(id);
  }

  /** The posts that no other module converts. */
  async *posts(): AsyncGenerator<Post> {
    if (!this.fetcher.live.hasCore) return;
    for await (const item of this.reader.items(ATTACHMENT, 'objects'))
      yield { ...mediumPost(item, this.context), ...this.fieldsOf(ATTACHMENT, item.id) };
    for (const { slug } of this.reader.types) {
      if (!this.isCopied(slug) || IN_CALENDAR.includes(slug)) continue;
      for await (const item of this.reader.items(slug))
        yield this.authored({ ...this.counted(corePost(item, slug, this.context)), ...this.fieldsOf(slug, item.id) });
    }
    if (this.fetcher.options.signedIn) for await (const item of this.reader.items(MENU_ITEM, 'other')) yield menuItemPost(item);
  }

  /** The terms that no other module converts. */
  async *terms(): AsyncGenerator<Term> {
    if (!this.fetcher.live.hasCore) return;
    for (const name of this.termLists())
      for await (const item of this.reader.items(name, 'objects'))
        yield this.withFields(coreTerm(item, this.summary.termUse.get(item.id) ?? 0), name);
    if (this.fetcher.options.signedIn) for await (const item of this.reader.items(MENU, 'other')) yield menuTerm(item);
  }

  private authored = (post: Post): Post => ({ ...post, author: this.authors.get(post._id) ?? post.author });

  private counted(post: Post): Post {
    const names = otherBlocks(post, this.context.home);
    if (names.length > 0) this.otherBlocks.set(post._id, names);
    return post;
  }

  /** Notes about content that was not copied, and texts that are kept as they are shown, one sentence each. */
  notes(): string[] {
    const blocks = [...tally([...this.otherBlocks.values()].flat())].map(([name, count]) => `${name} (${count})`).join(', ');
    return [
      ...this.found.left,
      ...(blocks === '' ? [] : [`Texts with blocks that the site shows in another way are kept as shown: ${blocks}.`]),
    ];
  }
}
