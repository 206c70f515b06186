import { lookup } from '../../../base/values/records.js';
import { zonesOf } from '../../../base/php/zone-data.js';
import path from 'node:path';
import {
  EVENT_FIELDS,
  EVENT_ORIGIN,
  OWN_ORIGIN,
  TICKET_CAPACITY,
  UNLIMITED,
  LINKED,
  LINKED_KINDS,
  type LinkedKind,
  type Fields,
} from '../../../plugins/the-events-calendar/model/event.js';
import { PAGE_RULES } from '../../../wordpress/formatting/kses/kses.js';
import { saveTermDescription, saveTermName, truncateSlug } from '../../../wordpress/formatting/sanitize.js';
import {
  ATTACHMENT,
  BLOCK,
  CATEGORY,
  MENU,
  MENU_ITEM,
  NAVIGATION,
  PAGE,
  POST,
  TAG,
  ZERO_DATE,
  isDraftLike,
  type Comment,
  type MetaRow,
  type Post,
  type Term,
  type User,
} from '../../../wordpress/model.js';
import { EVENT, EVENT_CATEGORY } from '../../../plugins/the-events-calendar/model/index.js';
import { deriveTerm } from '../../../wordpress/terms/terms.js';
import { countTermUse, type DatasetContent, type SourceFile as File, type Problems } from '../../source.js';
import { eventTimes, postDates, type DatasetBase, type DateBase, type DatedItem } from '../../dates.js';
import { fieldRows, linkName, timeValues, withFieldDefaults, priceValues, type FieldValues } from '../../fields.js';
import { POST_KINDS } from '../../kinds.js';
import { readUpload, type DatasetUpload, type UploadFolder } from '../../uploads.js';
import { blogColumns, templateRows } from './blog.js';
import { readComments } from './comments.js';
import type { ContentReading } from './content.js';
import type { DeclaredEvent, DatasetFile, DatasetTerm } from './declaration.js';
import { loadContents, pluginsDeclaring, registryWithDefaults, type LoadedContent } from '../../../plugins/register.js';
import type { Registry } from '../../../wordpress/types/registry.js';
import { checkDeclarations } from './registered/check.js';
import { checkTermLists, declarationsOf, itemPosts, itemTerms, metaRows } from './registered/read.js';
import { didYouMean } from '../../../base/text/suggest.js';
import { datasetFields, firstFreeId, fileTitle, row, valuesOf } from './values.js';
import { fieldsOfFile, fieldsOfItem } from './rest-fields/declared.js';
import { PATTERN_CATEGORY, PATTERN_LISTS, itemRows, usualDescription } from './menus.js';
import { Lists, placeholderUpload, withPlaceholders, type Placeholders } from './lists.js';
import { parentIds, type NamedEntry, type NamedEntries, type Names } from './names.js';
import { withSeries } from './repeat.js';
import type { Settings } from '../../settings/settings.js';
import { pluginsOption, siteOptions, siteSettings, userDocuments, zoneOfSite } from './site.js';
import { readMoment } from '../../../base/text/moment.js';

type Item = Partial<Pick<DeclaredEvent, 'author' | 'slug' | 'password' | 'description' | 'excerpt' | 'meta' | 'fields'>> &
  DatedItem & {
    status?: string;
    content?: string;
  };

/** Members of an item that name its terms. */
interface WithTerms {
  categories?: readonly string[] | undefined;
  tags?: readonly string[] | undefined;
  terms?: Readonly<Record<string, readonly (string | number)[] | undefined>> | undefined;
}

/** Converts a valid dataset to documents. Venues, organizers and terms that are only mentioned are created. Invalid references, dates and files are added to `problems`. */
class Reader extends Lists {
  /** @param made events that repetitions add after the file's own, and images of placeholders */
  constructor(
    file: DatasetFile,
    private readonly base: DateBase,
    problems: Problems,
    private readonly registry: Registry,
    private readonly made: { events: readonly NamedEntry[]; placeholders: Placeholders },
    contents: readonly LoadedContent[],
  ) {
    super(file, problems, made.events, contents);
    this.checkLogins();
  }

  async read(folder: UploadFolder): Promise<DatasetContent> {
    const uploads = await this.uploads(folder);
    const declared = [...this.attachments(uploads), ...LINKED_KINDS.flatMap((kind) => this.linkedPosts(kind)), ...this.eventPosts()];
    const mentioned = LINKED_KINDS.flatMap((kind) => this.linkedPosts(kind, this.linked[LINKED[kind].column].names.declared));
    const others = [
      ...declared,
      ...this.blogPosts(),
      ...this.blogPages(),
      ...this.ownPosts(),
      ...this.shownPosts('patterns'),
      ...this.shownPosts('navigation'),
    ];
    const known = [...others, ...mentioned];
    const targets = this.terms(known);
    const items = this.menuPosts(known, targets);
    const added = this.added.map(({ plugin, entries, read }) => ({ plugin, posts: read(this.contentReading(entries, known)) }));
    const ofContent = added.flatMap(({ plugin, posts: all }) => (all.length > 0 ? [plugin] : []));
    const needed = [...ofContent, ...pluginsDeclaring(this.registry.declarations)];
    const posts = [...known, ...items, ...added.flatMap((each) => each.posts)];
    const inMenus = countTermUse(items);
    const terms = targets.map((term) => deriveTerm({ ...term, count: inMenus.get(term._id) ?? term.count }));
    const users = await userDocuments(this.users.items, this.users.ids, this.users.names.slugs, this.base.now, this.problems);
    const comments = this.comments(posts, users);
    const fields = fieldsOfFile(this.registry.declarations.fields, { posts, terms, users, comments }, this.registry, this.problems);
    return {
      posts,
      terms,
      users,
      comments,
      declarations: { ...this.registry.declarations, ...fields },
      options: { ...siteOptions(this.file.site, this.settings()), ...(needed.length > 0 ? pluginsOption(this.file.site, needed) : {}) },
      nextIds: { posts: firstFreeId(posts), terms: firstFreeId(terms) },
      clock: this.file.clock === undefined ? null : readMoment(this.file.clock),
      siteUrl: (this.file.site?.url ?? '').replace(/\/+$/, ''),
      files: uploads.flatMap((upload): File[] => (upload ? [upload.file] : [])),
      mentions: this.mentions,
    };
  }

  private settings(): Settings {
    const { ids, names } = this.pages;
    const pageOf = (reference: string | number, at: string): number | undefined => {
      if (typeof reference === 'string') return names.find(reference, at);
      if (!ids.includes(reference)) this.problems.add(at, `there is no page with the id ${reference}`);
      return reference;
    };
    return siteSettings(this.file.site, pageOf);
  }

  private comments(posts: readonly Post[], users: readonly User[]): Comment[] {
    const postOf = (reference: string | number, at: string): number => {
      const found = posts.find(({ _id, slug }) => (typeof reference === 'number' ? _id === reference : slug === reference));
      if (!found)
        this.problems.add(at, `there is no post with the ${typeof reference === 'number' ? 'id' : 'slug'} ${JSON.stringify(reference)}`);
      return found?._id ?? 0;
    };
    const userOf = (login: string, at: string): number => this.author(login, at.replace(/\.author$/, ''));
    return readComments(
      this.file,
      users,
      { postOf, userOf, idsOf: (list) => this[list].ids, idsOfItems: (type) => this.own.get(type)?.ids ?? [] },
      this.base,
      this.problems,
    );
  }

  private checkLogins(): void {
    const logins = this.users.items.map(({ login }) => login.toLowerCase());
    logins.forEach((login, index) => {
      const first = logins.indexOf(login);
      if (first < index) this.problems.add(`users[${index}].login`, `"${login}" is already the login of users[${first}]`);
    });
  }

  /** WP: posts without an author belong to the administrator; in a dataset without users, that is user 1. */
  private author(login: string | undefined, at: string): number {
    const { items, ids } = this.users;
    if (login === undefined) {
      const administrator = items.findIndex(({ role }) => role === 'administrator');
      return ids[Math.max(0, administrator)] ?? 1;
    }
    const index = items.findIndex((user) => user.login.toLowerCase() === login.toLowerCase());
    if (index < 0) {
      const hint = didYouMean(
        login,
        items.map((user) => user.login),
      );
      this.problems.add(`${at}.author`, `there is no user with the login "${login}"${hint}`, { list: 'users' });
    }
    return ids[index] ?? 0;
  }

  private terms(posts: Post[]): Term[] {
    const counts = countTermUse(posts);
    const make = ({ items, entries, ids, names }: NamedEntries<DatasetTerm>, taxonomy: string, parents: number[]): Term[] =>
      items.map(({ name, description }, index) =>
        deriveTerm({
          ...fieldsOfItem(items[index], taxonomy, entries[index].path, this.problems),
          _id: ids[index],
          taxonomy,
          name: this.termName(name, `${entries[index].path}.name`),
          slug: names.slugs[index],
          description: saveTermDescription(description ?? '', PAGE_RULES),
          parent: parents[index] ?? 0,
          termGroup: 0,
          termTaxonomyId: ids[index],
          count: counts.get(ids[index]) ?? 0,
        }),
      );
    const tree = (kind: NamedEntries<DatasetTerm>, taxonomy: string): Term[] => make(kind, taxonomy, parentIds(kind, this.problems));
    const menus = make(this.menus, MENU, []).map((menu, index) => (this.menus.items[index].auto_add ? { ...menu, autoAdd: true } : menu));
    return [
      ...tree(this.categories, EVENT_CATEGORY),
      ...make(this.tags, TAG, []),
      ...tree(this.postCategories, CATEGORY),
      ...make(this.patternCategories, PATTERN_CATEGORY, []),
      ...menus,
      ...[...this.ownTerms].flatMap(([taxonomy, kind]): Term[] =>
        this.registry.isTree(taxonomy) ? tree(kind, taxonomy) : make(kind, taxonomy, []),
      ),
    ];
  }

  private termName(name: string, at: string): string {
    const stored = saveTermName(name);
    if (stored === '') this.problems.add(at, `"${name}" is empty without its markup`);
    return stored;
  }

  private async uploads(folder: UploadFolder): Promise<(DatasetUpload | null)[]> {
    const names = this.media.items.map(({ file }) => path.posix.normalize(file));
    const uploads = await Promise.all(
      names.map((name) => {
        const placeholder = this.made.placeholders.get(name);
        return placeholder ? placeholderUpload(name, placeholder) : readUpload(folder, name);
      }),
    );
    return uploads.map((upload, index) => {
      const first = names.indexOf(names[index]);
      const problem = first < index ? { message: `"${this.media.items[index].file}" is already the file of media[${first}]` } : upload;
      if (!('message' in problem)) return problem;
      this.problems.add(`media[${index}].file`, problem.message);
      if ('isMissing' in problem) this.problems.missingFiles.push(names[index]);
      return null;
    });
  }

  /** The columns that all types of posts share, without meta and terms. */
  private post(kind: NamedEntries<Item>, index: number, type: string, title: string): Omit<Post, 'meta' | 'terms'> & { custom: MetaRow[] } {
    const item = kind.items[index];
    const at = kind.entries[index].path;
    const dates = postDates(item, at, this.base, this.problems);
    const wanted = item.status ?? 'publish';
    const status = wanted === 'publish' && dates.epoch > this.base.now ? 'future' : wanted;
    const desired = kind.names.slugs[index];
    const trashed = status === 'trash';
    return {
      _id: kind.ids[index],
      type,
      status,
      author: this.author(item.author, at),
      title,
      content: item.content ?? item.description ?? '',
      excerpt: item.excerpt ?? '',
      slug: trashed
        ? truncateSlug(desired, '__trashed')
        : (POST_KINDS.get(type)?.hasDraftSlugs === false || this.own.has(type)) && isDraftLike(status) && !item.slug
          ? ''
          : desired,
      password: item.password ?? '',
      parent: 0,
      menuOrder: 0,
      date: dates.date,
      dateGmt: isDraftLike(status) && item.date_gmt === undefined ? ZERO_DATE : dates.dateGmt,
      modified: dates.modified,
      modifiedGmt: dates.modifiedGmt,
      ...fieldsOfItem(item, type, at, this.problems),
      custom: [
        ...metaRows(item.meta, type, this.registry, `${at}.meta`, this.problems),
        ...(trashed
          ? row('_wp_trash_meta_status', 'publish').concat(row('_wp_trash_meta_time', this.base.now), row('_wp_desired_post_slug', desired))
          : []),
      ],
    };
  }

  private thumbnail(image: string | undefined, at: string): MetaRow[] {
    return image ? row('_thumbnail_id', this.media.names.find(image, `${at}.image`)) : [];
  }

  private attachments(uploads: (DatasetUpload | null)[]): Post[] {
    return this.media.items.map((medium, index): Post => {
      const { title, alt, caption } = medium;
      const { custom, ...post } = this.post(this.media, index, ATTACHMENT, title ?? fileTitle(medium.file));
      const { mimeType = '', file } = uploads[index] ?? {};
      return {
        ...post,
        status: 'inherit',
        excerpt: caption ?? '',
        mimeType,
        file: file?.target ?? medium.file,
        image: null,
        meta: [...row('_wp_attachment_image_alt', alt), ...custom],
        terms: this.termsOf(medium, ATTACHMENT, `media[${index}]`),
      };
    });
  }

  /** @param from index of the first item */
  private linkedPosts(kind: LinkedKind, from = 0): Post[] {
    const { type, column, fields, origin } = LINKED[kind];
    const entries = this.linked[column];
    return entries.items.slice(from).map((item, offset): Post => {
      const index = from + offset;
      const at = `${column}[${index}]`;
      const { custom, ...post } = this.post(entries, index, type, item.name);
      const values = valuesOf(item, fields);
      this.checkCoordinates(values, fields, at);
      const meta = [
        { key: origin, value: OWN_ORIGIN },
        ...this.thumbnail(item.image, at),
        ...fieldRows(fields, withFieldDefaults(fields, values)),
        ...custom,
      ];
      return { ...post, meta, terms: this.termsOf(item, type, at) };
    });
  }

  /** Requires either both coordinates or none. */
  private checkCoordinates(values: FieldValues, table: Fields, at: string): void {
    const coordinates = datasetFields(table).filter(({ field }) => field.kind === 'coordinate');
    const given = coordinates.find(({ name }) => values[name] !== undefined);
    if (!given) return;
    for (const { name, formatName } of coordinates)
      if (values[name] === undefined) this.problems.add(`${at}.${formatName}`, `is required with ${given.formatName}`);
  }

  private eventPosts(): Post[] {
    const parents = parentIds(this.events, this.problems);
    return this.events.items.map((event, index): Post => {
      const at = this.events.entries[index].path;
      const { custom, ...post } = this.post(this.events, index, EVENT, event.title);
      const values = {
        ...valuesOf(event, EVENT_FIELDS),
        ...this.linksOf(event, at),
        ...this.times(event, at),
        ...priceValues(event.cost, event.currency),
      };
      const meta = [
        { key: EVENT_ORIGIN, value: OWN_ORIGIN },
        ...this.thumbnail(event.image, at),
        ...fieldRows(EVENT_FIELDS, withFieldDefaults(EVENT_FIELDS, values)),
        // An event with an empty website differs from one without a website.
        ...(values.website === '' ? [{ key: EVENT_FIELDS.website.key, value: '' }] : []),
        ...(event.ticketed ? [{ key: TICKET_CAPACITY, value: UNLIMITED }] : []),
        ...custom,
      ];
      const terms = this.termsOf(event, EVENT, at);
      return { ...post, parent: parents[index], menuOrder: event.sticky ? -1 : 0, meta, terms };
    });
  }

  private blogPosts(): Post[] {
    return this.posts.items.map((item, index): Post => {
      const at = `posts[${index}]`;
      const { custom, ...post } = this.post(this.posts, index, POST, item.title);
      const terms = this.termsOf(item, POST, at);
      return { ...post, ...blogColumns(item), meta: [...this.thumbnail(item.image, at), ...custom], terms };
    });
  }

  private blogPages(): Post[] {
    const parents = parentIds(this.pages, this.problems);
    return this.pages.items.map((item, index): Post => {
      const at = `pages[${index}]`;
      const { custom, ...post } = this.post(this.pages, index, PAGE, item.title);
      const meta = [...this.thumbnail(item.image, at), ...templateRows(item), ...custom];
      return { ...post, ...blogColumns(item), parent: parents[index], meta, terms: this.termsOf(item, PAGE, at) };
    });
  }

  private shownPosts(list: keyof typeof PATTERN_LISTS): Post[] {
    const kind = this.shown[list];
    return kind.items.map((item, index): Post => {
      const { custom, ...post } = this.post(kind, index, PATTERN_LISTS[list], item.title);
      return { ...post, meta: custom, terms: this.termsOf(item, PATTERN_LISTS[list], kind.entries[index].path) };
    });
  }

  private contentReading(entries: ContentReading['entries'], posts: readonly Post[]): ContentReading {
    const { base, problems } = this;
    return { entries, posts, post: (kind, index, type, title) => this.post(kind, index, type, title), base, problems };
  }

  /** @param posts what items can lead to, as `terms` */
  private menuPosts(posts: readonly Post[], terms: readonly Term[]): Post[] {
    const items = new Set(this.menuItems.ids);
    return this.placed.map((placed, index): Post => {
      const { item, menu, place } = placed;
      const { custom, ...post } = this.post(this.menuItems, index, MENU_ITEM, item.title ?? '');
      const rows = itemRows(placed, post._id, { posts, terms, items }, this.problems);
      return {
        ...post,
        content: item.description ?? usualDescription(item),
        excerpt: item.attr_title ?? '',
        menuOrder: item.menu_order ?? place + 1,
        meta: [...rows, ...custom],
        terms: { [MENU]: [this.menus.ids[menu]] },
      };
    });
  }

  private ownPosts(): Post[] {
    return itemPosts({
      kinds: this.own,
      registry: this.registry,
      post: (kind, index, type, title) => this.post(kind, index, type, title),
      thumbnail: (image, at) => this.thumbnail(image, at),
      termsOf: (item, type, at) => this.termsOf(item, type, at),
      parentsOf: (kind) => parentIds(kind, this.problems),
      problems: this.problems,
    });
  }

  /** The terms of an item, in the fields of the built-in taxonomies of its type and in `terms`. */
  private termsOf(item: WithTerms, type: string, at: string): Record<string, number[]> {
    const lists: ReadonlyMap<string, NamedEntries<DatasetTerm>> = new Map([
      [EVENT_CATEGORY, this.categories],
      [TAG, this.tags],
      [CATEGORY, this.postCategories],
      [PATTERN_CATEGORY, this.patternCategories],
      ...this.ownTerms,
    ]);
    const { categories, tags, terms } = item;
    const ofCategories =
      lookup<Record<string, string>>({ [EVENT]: EVENT_CATEGORY, [BLOCK]: PATTERN_CATEGORY, [NAVIGATION]: PATTERN_CATEGORY })[type] ??
      CATEGORY;
    const named = itemTerms(terms, type, { registry: this.registry, lists, problems: this.problems }, at);
    const fields = { [ofCategories]: { list: 'categories', given: categories }, [TAG]: { list: 'tags', given: tags } };
    const found = Object.entries(fields).map(([taxonomy, { list, given }]): [string, number[]] => [
      taxonomy,
      this.references(lists.get(taxonomy)!.names, given, `${at}.${list}`),
    ]);
    return Object.fromEntries([...found, ...Object.entries(named)].filter(([, ids]) => ids.length > 0));
  }

  private references(names: Names, references: readonly string[] = [], at: string): number[] {
    return [...new Set(references.flatMap((reference, index) => names.find(reference, `${at}[${index}]`) ?? []))];
  }

  /** Ids of the venues and organizers of an event. */
  private linksOf(event: object, at: string): FieldValues {
    return Object.fromEntries(
      LINKED_KINDS.map((kind): [string, number[]] => {
        const { column, many } = LINKED[kind];
        const { names } = this.linked[column];
        const name = linkName(kind);
        const given: unknown = Reflect.get(event, name);
        const slugs = [given].flat().filter((slug): slug is string => typeof slug === 'string' && slug !== '');
        return [
          kind,
          many ? this.references(names, slugs, `${at}.${name}`) : slugs.flatMap((slug) => names.find(slug, `${at}.${name}`) ?? []),
        ];
      }),
    );
  }

  private times(event: DeclaredEvent, at: string): FieldValues {
    const { start, end, duration, timezone } = event;
    const allDay = event.all_day ?? false;
    const times = eventTimes({ start, end, duration, timezone: timezone || undefined, allDay }, this.base);
    if ('message' in times) {
      this.problems.add(`${at}.${times.field}`, times.message);
      return {};
    }
    return timeValues(times, this.base.zones);
  }
}

/**
 * Converts a valid dataset to documents.
 * @param uploads the media folder
 */
export async function readDatasetFile(
  file: DatasetFile,
  uploads: UploadFolder,
  { now, zones, warn }: DatasetBase,
  problems: Problems,
): Promise<DatasetContent> {
  const base = { now, zone: zoneOfSite(file.site), zones: zones ?? zonesOf(file.site?.zones ?? null), warn };
  const drawn = withPlaceholders(file, problems);
  const contents = await loadContents();
  const { events, further } = withSeries(drawn.file.events ?? [], base, contents, problems);
  const declarations = declarationsOf(file);
  const registry = await registryWithDefaults([...(file.site?.plugins ?? []), ...pluginsDeclaring(declarations)]);
  await checkDeclarations(declarations, registry, (at, message) => problems.add(at, message));
  const declaring = registry.with(declarations);
  checkTermLists(file, declaring, problems);
  const made = { events: further, placeholders: drawn.placeholders };
  return new Reader({ ...drawn.file, events }, base, problems, declaring, made, contents).read(uploads);
}
