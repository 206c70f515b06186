import { loadContents, type LoadedContent } from '../../../plugins/register.js';
import type { Zones } from '../../../base/php/timezone.js';
import { knownRelease, zonesOf } from '../../../base/php/zone-data.js';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import {
  EVENT_FIELDS,
  EVENT_ORIGIN,
  TICKET_CAPACITY,
  UNLIMITED,
  LINKED,
  LINKED_KINDS,
  eachLinked,
  type LinkedKind,
  readText,
  textFields,
  type Field,
  type Fields,
  type TextField,
} from '../../../plugins/the-events-calendar/model/event.js';
import {
  ATTACHMENT,
  BLOCK,
  CATEGORY,
  MENU_ITEM,
  NAVIGATION,
  PAGE,
  POST,
  TAG,
  ZERO_DATE,
  metaValue,
  metaValues,
  type Comment,
  type MetaRow,
  type Post,
  type Term,
  type User,
} from '../../../wordpress/model.js';
import { EVENT, EVENT_CATEGORY } from '../../../plugins/the-events-calendar/model/index.js';
import { siteZoneText, toLocal, toUtc } from '../../../wordpress/timezones.js';
import { isSet, linkName, wallTimesOf, readPrice, type DatasetCurrencyOf } from '../../fields.js';
import { POST_KINDS, TERM_PARTS } from '../../kinds.js';
import type { DatasetSource } from '../../source.js';
import type { Declarations } from '../../../wordpress/types/declared.js';
import { storedStubs, STUBS_OPTION } from '../../stubs.js';
import { isOfPlugin, Omissions, termText } from '../../writing.js';
import { collect, writeFiles, rowsByKey, type SourceContent } from '../collect.js';
import type { FormatWriteOptions } from '../format.js';
import { blogFields, TEMPLATE, templateName } from './blog.js';
import { byPost, commentEntry, otherComments } from './comments.js';
import { ITEM_ROWS, PATTERN_CATEGORY, isMenu, isPlaced, menuItemFields, itemsOfMenu, usualDescription } from './menus.js';
import type { ContentWriter, ContentWriting } from './content.js';
import { NO_ROLE, ROLE_NAMES } from './declaration.js';
import { COMPOSED, datasetFields } from './values.js';
import { DeclaredWriter } from './registered/write.js';
import { fieldsEntry } from './rest-fields/declared.js';
import { omitEmpty, siteEntry, withAddress, type Entries } from './site.js';
import { isOneOf } from '../../../base/values/records.js';

/** Meta of WordPress that is written as fields, or derived when the file is read. */
const COMMON_ROWS = ['_thumbnail_id', '_wp_trash_meta_status', '_wp_trash_meta_time', '_wp_desired_post_slug'];

const keysOf = (field: Field): string[] => [field.key, ...('alias' in field && field.alias !== undefined ? [field.alias] : [])];

const rowsOfFields = (table: Fields): string[] => datasetFields(table).flatMap(({ field }) => keysOf(field));

const KNOWN_ROWS = new Map<string, ReadonlySet<string>>([
  [ATTACHMENT, new Set([...COMMON_ROWS, '_wp_attachment_image_alt'])],
  ...LINKED_KINDS.map((kind): [string, Set<string>] => {
    const { type, fields, origin } = LINKED[kind];
    return [type, new Set([...COMMON_ROWS, origin, ...rowsOfFields(fields)])];
  }),
  [POST, new Set(COMMON_ROWS)],
  [PAGE, new Set([...COMMON_ROWS, TEMPLATE])],
  [BLOCK, new Set(COMMON_ROWS)],
  [NAVIGATION, new Set(COMMON_ROWS)],
  [MENU_ITEM, new Set([...COMMON_ROWS, ...ITEM_ROWS])],
  [EVENT, new Set([...COMMON_ROWS, EVENT_ORIGIN, ...rowsOfFields(EVENT_FIELDS), ...COMPOSED.map((name) => EVENT_FIELDS[name].key)])],
]);

/** Meta rows that items of other types have as fields. */
const OWN_ROWS: ReadonlySet<string> = new Set([...COMMON_ROWS, TEMPLATE]);

const isKnown = ({ type }: Post, key: string): boolean => (KNOWN_ROWS.get(type) ?? OWN_ROWS).has(key);

/** The lists that are not empty, by name. */
const listsOf = (names: readonly string[], list: (name: string) => Entries[]): Entries | undefined => {
  const lists = names.map((name): [string, Entries[]] => [name, list(name)]).filter(([, entries]) => entries.length > 0);
  return lists.length === 0 ? undefined : Object.fromEntries(lists);
};

/** Whether a text has the value that would be derived from the other fields. */
function isDerived(post: Post, table: Fields, name: string, { derive }: TextField): boolean {
  const others = textFields(table).filter(([other]) => other !== name);
  return derive?.by(Object.fromEntries(others.map(([other, field]) => [other, readText(post, field)]))) === readText(post, table[name]);
}

/** The value to write for a field; undefined if it is the default or derived. */
function fieldValue(post: Post, table: Fields, name: string): unknown {
  const field = table[name];
  if (field.kind === 'flag') return isSet(post, field) === field.default ? undefined : !field.default;
  const text = readText(post, field);
  if (field.kind === 'coordinate') return text === '' ? undefined : Number(text);
  return 'derive' in field && isDerived(post, table, name, field) ? undefined : text;
}

const fieldsOf = (post: Post, table: Fields): Entries =>
  Object.fromEntries(datasetFields(table).map(({ name, formatName }) => [formatName, fieldValue(post, table, name)]));

const TICKETS: MetaRow = { key: TICKET_CAPACITY, value: UNLIMITED };

class Writer {
  private readonly usersById: Map<number, User>;
  private readonly termsById: Map<number, Term>;
  private readonly postsById: Map<number, Post>;
  private readonly comments: Map<number, Comment[]>;
  readonly zone: string;
  readonly zones: Zones;
  private readonly owner: number;
  readonly omissions = new Omissions();
  readonly added: readonly ContentWriter[];
  private readonly declared: DeclaredWriter;

  constructor(
    private readonly all: SourceContent,
    declarations: Declarations,
    contents: readonly LoadedContent[],
    wrote: (kind: string) => void = () => undefined,
  ) {
    this.usersById = new Map(all.users.map((user) => [user._id, user]));
    this.termsById = new Map(all.terms.map((term) => [term._id, term]));
    this.postsById = new Map(all.posts.map((post) => [post._id, post]));
    this.comments = byPost(all.comments);
    this.declared = new DeclaredWriter(declarations, (post, taxonomy) => this.termsOf(post, taxonomy));
    const { timezone_string = 'UTC', gmt_offset } = all.options;
    this.zone = siteZoneText({ timezone_string, gmt_offset });
    this.zones = zonesOf(knownRelease(all.options.zone_release));
    this.owner = (all.users.find(({ role }) => role === 'administrator') ?? all.users[0])?._id ?? 1;
    const writing: ContentWriting = {
      item: (post) => this.item(post, 'name'),
      omitEmpty,
      omitted: (what) => this.omissions.add(what),
      wrote,
      zone: this.zone,
      zones: this.zones,
    };
    this.added = contents.flatMap(({ dataset }) => (dataset ? [dataset.writer(all.posts, writing)] : []));
  }

  file(clock: number | null): Entries {
    const { users, posts, terms } = this.all;
    const { declared } = this;
    const { types = {}, taxonomies = {} } = declared.declarations;
    const ofTaxonomy = (name: string): Entries[] => terms.filter(({ taxonomy }) => taxonomy === name).map((term) => this.term(term));
    const of = (type: string): Post[] => posts.filter((post) => post.type === type);
    const stubs = storedStubs(this.all.options[STUBS_OPTION]);
    for (const { type } of posts)
      if (!KNOWN_ROWS.has(type) && !isOfPlugin({ type }) && !declared.hasType(type)) this.omissions.add(`post of type ${type}`);
    for (const post of posts) if (!isPlaced(post)) this.omissions.add('item of no menu');
    for (const { taxonomy } of terms)
      if (!TERM_PARTS.has(taxonomy) && !declared.hasTaxonomy(taxonomy)) this.omissions.add(`term of taxonomy ${taxonomy}`);
    return omitEmpty({
      site: siteEntry(this.all.options, this.zone, (page) => this.pageReference(page)),
      clock: clock === null ? undefined : new Date(clock).toISOString(),
      ...declared.sections(stubs),
      users: users.flatMap((user) => this.user(user) ?? []),
      categories: ofTaxonomy(EVENT_CATEGORY),
      tags: ofTaxonomy(TAG),
      media: of(ATTACHMENT).flatMap((post) => this.medium(post) ?? []),
      ...eachLinked((kind) => of(LINKED[kind].type).map((post) => this.linked(kind, post))),
      events: of(EVENT).flatMap((post) => this.event(post) ?? []),
      post_categories: ofTaxonomy(CATEGORY),
      posts: of(POST).map((post) => this.blogPost(post)),
      pages: of(PAGE).map((post) => this.blogPage(post)),
      pattern_categories: ofTaxonomy(PATTERN_CATEGORY),
      patterns: of(BLOCK).map((post) => this.pattern(post)),
      navigation: of(NAVIGATION).map((post) => this.pattern(post)),
      menus: terms.filter(isMenu).map((term) => this.menu(term)),
      items: listsOf(Object.keys(types), (type) => of(type).map((post) => this.ownItem(post))),
      terms: listsOf(Object.keys(taxonomies), ofTaxonomy),
      ...(Object.assign({}, ...this.added.map(({ lists }) => lists?.())) as Entries),
      comments: otherComments(this.all.comments, this.postsById, [EVENT, POST, PAGE, ...Object.keys(types)]).map((comment) => ({
        ...(comment.post === 0 ? {} : { post: comment.post }),
        ...this.comment(comment),
      })),
      stubs,
    });
  }

  private comment(comment: Comment): Entries {
    return commentEntry(comment, this.usersById.get(comment.author), this, (what) => this.omissions.add(what));
  }

  private commentsOf({ _id }: Post): Entries[] {
    return (this.comments.get(_id) ?? []).map((comment) => this.comment(comment));
  }

  /** WP: the slugs of pages with different parents may be the same. */
  private pageReference(id: number): string | number | undefined {
    const page = this.postsById.get(id);
    if (page?.type !== PAGE) return undefined;
    const isUnique = page.slug !== '' && this.all.posts.every(({ _id, type, slug }) => _id === id || type !== PAGE || slug !== page.slug);
    return isUnique ? page.slug : id;
  }

  private user(user: User): Entries | null {
    const { _id, login, email, displayName, url, passwordHash, applicationPasswords } = user;
    const role = user.role || NO_ROLE;
    const fields = fieldsEntry(user);
    if (role !== NO_ROLE && !isOneOf(ROLE_NAMES, role)) {
      this.omissions.add(`user with the role ${role}`);
      return null;
    }
    if (passwordHash !== undefined || applicationPasswords.length > 0) this.omissions.add('password of a user: only its hash is stored');
    return omitEmpty({
      id: _id,
      login,
      email,
      name: displayName === login ? undefined : displayName,
      url,
      avatar: user.avatar,
      role,
      super_admin: user.superAdmin,
      fields,
    });
  }

  private term(term: Term): Entries {
    const { _id, slug, description, parent } = term;
    return omitEmpty({
      id: _id,
      slug,
      name: termText(term),
      description,
      parent: this.termsById.get(parent)?.slug,
      fields: fieldsEntry(term),
    });
  }

  /** The fields that all types of posts share. */
  private item(post: Post, title: 'title' | 'name'): Entries {
    const author = post.author === this.owner ? undefined : this.usersById.get(post.author)?.login;
    const image = this.postsById.get(Number(metaValue(post, '_thumbnail_id') ?? 0));
    return {
      id: post._id,
      slug: slugOf(post),
      [title]: post.title,
      author,
      status: post.status === 'publish' ? undefined : post.status,
      date: post.date,
      date_gmt: this.utcOf(post.date, post.dateGmt),
      // A scheduled post was last changed when it was written.
      ...(post.status === 'future'
        ? {}
        : {
            modified: post.modified === post.date ? undefined : post.modified,
            modified_gmt: this.utcOf(post.modified, post.modifiedGmt),
          }),
      password: post.password,
      description: post.content,
      excerpt: post.excerpt,
      image: image?.file === undefined ? undefined : slugOf(image),
      meta: this.meta(post),
      terms: this.declared.terms(post),
      fields: fieldsEntry(post),
    };
  }

  /** A UTC date where the zone of the site gives another; undefined otherwise, for drafts without a date, and in parts of a site, which have no zone. */
  private utcOf(local: string, utc: string): string | undefined {
    if (Object.keys(this.all.options).length === 0) return undefined;
    return utc === ZERO_DATE || utc === toUtc(this.zones, local, this.zone) ? undefined : utc;
  }

  private meta(post: Post): Entries | undefined {
    const rows = post.meta.filter((row) => !isKnown(post, row.key) && !isDeepStrictEqual(row, TICKETS));
    if (rows.length === 0) return undefined;
    return Object.fromEntries(
      Object.entries(rowsByKey(rows)).map(([key, values]) => [key, this.declared.metaValue(post.type, key, values)]),
    );
  }

  private medium(post: Post): Entries | null {
    if (post.file === undefined) {
      this.omissions.add('attachment without a file');
      return null;
    }
    const { title: _title, status: _status, password: _password, excerpt: _excerpt, image: _image, ...item } = this.item(post, 'title');
    const alt = metaValue(post, '_wp_attachment_image_alt');
    const file = originalOf(post);
    return omitEmpty({ ...item, file, title: post.title, alt, caption: post.excerpt });
  }

  private termsOf(post: Post, taxonomy: string): string[] {
    return (post.terms[taxonomy] ?? []).flatMap((id) => this.termsById.get(id)?.slug ?? []);
  }

  /** The fields that blog posts and pages share. */
  private blogItem(post: Post): Entries {
    const { description: content, ...item } = this.item(post, 'title');
    return { ...item, content, ...blogFields(post), comments: this.commentsOf(post) };
  }

  private blogPost(post: Post): Entries {
    return omitEmpty({ ...this.blogItem(post), categories: this.termsOf(post, CATEGORY), tags: this.termsOf(post, TAG) });
  }

  private ownItem(post: Post): Entries {
    const parent = this.postsById.get(post.parent);
    const [categories, tags, template] = [this.termsOf(post, CATEGORY), this.termsOf(post, TAG), templateName(post)];
    return omitEmpty({ ...this.blogItem(post), categories, tags, parent: parent && slugOf(parent), template });
  }

  /** The members that plugins add to an event or a page. */
  private addedTo(post: Post): Entries {
    return Object.assign({}, ...this.added.map(({ membersOf }) => membersOf?.(post))) as Entries;
  }

  private blogPage(post: Post): Entries {
    const parent = this.postsById.get(post.parent);
    return omitEmpty({
      ...this.blogItem(post),
      parent: parent && slugOf(parent),
      template: templateName(post),
      ...this.addedTo(post),
    });
  }

  private pattern(post: Post): Entries {
    const { description: content, image: _image, terms: _terms, ...item } = this.item(post, 'title');
    return omitEmpty({ ...item, content, categories: this.termsOf(post, PATTERN_CATEGORY) });
  }

  private menu(term: Term): Entries {
    const items = itemsOfMenu(term, this.all.posts).flatMap((post, place): Entries[] => {
      const leads = menuItemFields(post, place, this.postsById, this.termsById);
      if (!leads) {
        this.omissions.add('menu item that leads to nothing of the content');
        return [];
      }
      const { id, title, author, status, date, meta, fields, slug, description, excerpt } = this.item(post, 'title');
      const usual = usualDescription({ title: post.title, url: leads.url });
      return [
        omitEmpty({
          id,
          title,
          author,
          status,
          date,
          slug: slug === String(post._id) ? undefined : slug,
          ...leads,
          attr_title: excerpt,
          description: description === usual ? undefined : description,
          meta,
          fields,
        }),
      ];
    });
    return omitEmpty({ ...this.term(term), auto_add: term.autoAdd || undefined, items });
  }

  private linked(kind: LinkedKind, post: Post): Entries {
    return omitEmpty({ ...this.item(post, 'name'), ...fieldsOf(post, LINKED[kind].fields) });
  }

  private event(post: Post): Entries | null {
    const times = this.times(post);
    const parent = this.postsById.get(post.parent);
    if (!times) {
      this.omissions.add('event without a start and an end');
      return null;
    }
    const fields = omitEmpty({
      ...this.item(post, 'title'),
      ...times,
      ...Object.fromEntries(LINKED_KINDS.map((kind) => [linkName(kind), this.references(post, kind)])),
      categories: this.termsOf(post, EVENT_CATEGORY),
      tags: this.termsOf(post, TAG),
      ...this.price(post),
      ...fieldsOf(post, EVENT_FIELDS),
      sticky: post.menuOrder === -1 || undefined,
      ticketed: metaValue(post, TICKETS.key) === TICKETS.value || undefined,
      parent: parent && slugOf(parent),
      ...this.addedTo(post),
      comments: this.commentsOf(post),
    });
    // An event with an empty website differs from one without a website.
    return { ...fields, ...(metaValue(post, EVENT_FIELDS.website.key) === '' ? { website: '' } : {}) };
  }

  /** Slugs of the linked posts of one kind: an array, or a single slug. */
  private references(post: Post, kind: LinkedKind): string[] | string | undefined {
    const { link, many } = LINKED[kind];
    const ids = metaValues(post, link.key).map(Number);
    const found = ids.flatMap((id) => this.postsById.get(id) ?? []);
    if (found.length < ids.filter((id) => id > 0).length) this.omissions.add(`reference to a ${kind} that is not part of the content`);
    const slugs = found.map(slugOf);
    return many ? slugs : slugs[0];
  }

  private times(post: Post): Entries | null {
    const { start, end, timezone: stored, allDay } = wallTimesOf(post);
    const timezone = stored || this.zone;
    if (start === '' || end === '') return null;
    const zone = timezone === this.zone ? undefined : timezone;
    const isWholeDays = allDay && start.endsWith('00:00:00') && end.endsWith('23:59:59');
    if (isWholeDays) return { start: start.slice(0, 10), end: end.slice(0, 10), all_day: true, timezone: zone };
    // A local time that occurs twice when clocks change is written in UTC, which is unambiguous. UTC by other zone data is not written.
    const dateText = (wall: string, utc: string): string =>
      utc === '' || toUtc(this.zones, wall, timezone) === utc || toLocal(this.zones, utc, timezone) !== wall
        ? wall
        : `${utc.replace(' ', 'T')}Z`;
    const [startUtc, endUtc] = [EVENT_FIELDS.utc_start_date, EVENT_FIELDS.utc_end_date].map((field) => readText(post, field));
    return { start: dateText(start, startUtc), end: dateText(end, endUtc), timezone: zone };
  }

  private price(post: Post): Entries {
    const values = metaValues(post, EVENT_FIELDS.cost.key);
    const position = readText(post, EVENT_FIELDS.currency_position);
    const stored = omitEmpty({
      symbol: readText(post, EVENT_FIELDS.currency_symbol),
      code: readText(post, EVENT_FIELDS.currency_code),
      position: position === 'prefix' || position === 'postfix' ? position : undefined,
    }) as DatasetCurrencyOf;
    const { values: _, ...seen } = readPrice(values);
    const cost = values.length === 1 ? values[0] : values;
    return { cost, currency: isDeepStrictEqual(omitEmpty({ ...seen }), stored) ? undefined : stored };
  }
}

/** Nouns for the items of each list, in counts. */
const KINDS: Readonly<Record<string, string>> = {
  users: 'user',
  ...Object.fromEntries([...TERM_PARTS.values()].map((part) => [part, 'term'])),
  ...Object.fromEntries([...POST_KINDS.values()].flatMap(({ part, noun, plugin }) => (plugin === undefined ? [[part, noun]] : []))),
  menus: 'term',
  comments: 'comment',
  stubs: 'stub',
};

/** The slug to refer to a post by. WP: in the trash it is kept in the meta. */
const slugOf = (post: Post): string => (post.status === 'trash' ? metaValue(post, '_wp_desired_post_slug') : undefined) ?? post.slug;

/** The original upload of an attachment. Its sizes are generated again when the file is read. */
const originalOf = ({ file = '', image }: Post): string =>
  image?.original_image === undefined ? file : path.posix.join(path.posix.dirname(file), image.original_image);

/**
 * Converts a source to the dataset format: references by slug, local times, no derived values. Passwords, posts of other types and
 * unsupported settings are omitted; `warn` receives what is omitted.
 */
export async function datasetOf(source: DatasetSource, options: FormatWriteOptions): Promise<object> {
  const all = await collect(source);
  const writer = new Writer(all, source.declarations ?? {}, await loadContents(), options.wrote);
  const { site, ...content } = writer.file(source.clock);
  const value: Entries = { ...withAddress(site, content, source.siteUrl), ...content };
  for (const { end } of writer.added) end?.();
  for (const [list, kind] of Object.entries(KINDS)) for (const _ of [value[list] ?? []].flat()) options.wrote?.(kind);
  for (const list of Object.values((value['terms'] ?? {}) as Entries)) for (const _ of list as unknown[]) options.wrote?.('term');
  for (const list of Object.values((value['items'] ?? {}) as Entries)) for (const _ of list as unknown[]) options.wrote?.('post');
  writer.omissions.report(options.file ?? 'Output', options.warn);
  const attachments = all.posts.filter(({ type, file }) => type === ATTACHMENT && file !== undefined);
  const uploads = new Set(attachments.map(originalOf));
  const present = new Set(all.files.map(({ target }) => target));
  const absent = [...uploads].filter((file) => !present.has(file));
  if (absent.length > 0)
    options.warn(
      `${absent.length} image${absent.length === 1 ? '' : 's'} without ${absent.length === 1 ? 'its file' : 'their files'}, such as ${absent[0]}. Copy it to uploads before you load the dataset`,
    );
  await writeFiles(
    all.files.filter(({ target }) => uploads.has(target)),
    options,
  );
  return value;
}
