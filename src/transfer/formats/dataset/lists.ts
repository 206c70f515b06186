import { LINKED, eachLinked, LINKED_KINDS, type LinkColumn } from '../../../plugins/the-events-calendar/model/event.js';
import type { LoadedContent } from '../../../plugins/register.js';
import type { Mention, Problems } from '../../source.js';
import type * as declared from './declaration.js';
import type { ContentReading, DatasetPart } from './content.js';
import { placedItems, type PATTERN_LISTS, type PlacedItem } from './menus.js';
import { Names, assignIds, type NamedEntries, type NamedEntry } from './names.js';
import { entriesOf, fileTitle, idsAfter } from './values.js';
import { inspectImage } from '../../../wordpress/media/files.js';
import { drawPlaceholder, MAX_SIDE, meansPlaceholder, placeholderIn, placeholderName, type Placeholder } from '../../placeholder.js';
import type { DatasetUpload } from '../../uploads.js';

/** Requirements for creating an entry on mention. */
interface Mentions<T> {
  item: (name: string) => T;
  nextId: () => number;
  seen: Map<number, Mention>;
}

/** The lists of a valid dataset, with the names and ids of their items. Venues, organizers and terms that are only mentioned are added to theirs. */
export class Lists {
  protected readonly users: NamedEntries<declared.DeclaredUser>;
  protected readonly categories: NamedEntries<declared.DatasetTerm>;
  protected readonly tags: NamedEntries<declared.DatasetTerm>;
  protected readonly media: NamedEntries<declared.DatasetMedium>;
  protected readonly linked: Record<LinkColumn, NamedEntries<declared.DatasetLinked>>;
  protected readonly events: NamedEntries<declared.DeclaredEvent>;
  protected readonly postCategories: NamedEntries<declared.DatasetTerm>;
  protected readonly posts: NamedEntries<declared.DeclaredPost>;
  protected readonly pages: NamedEntries<declared.DeclaredPage>;
  protected readonly patternCategories: NamedEntries<declared.DatasetTerm>;
  protected readonly shown: Record<keyof typeof PATTERN_LISTS, NamedEntries<declared.DeclaredPattern>>;
  protected readonly menus: NamedEntries<declared.DeclaredMenu>;
  protected readonly placed: readonly PlacedItem[];
  protected readonly menuItems: NamedEntries<declared.DatasetMenuItem>;
  /** The items of plugins. */
  protected readonly added: readonly (Pick<ReturnType<DatasetPart['place']>, 'read'> & {
    plugin: string;
    entries: ContentReading['entries'];
  })[];
  /** The items of the declared types, and the terms of the declared taxonomies, by name. */
  protected readonly own: ReadonlyMap<string, NamedEntries<declared.DeclaredItem>>;
  protected readonly ownTerms: ReadonlyMap<string, NamedEntries<declared.DatasetTerm>>;
  protected readonly mentions = { posts: new Map<number, Mention>(), terms: new Map<number, Mention>() };

  /** @param repeated entries of the events that repetitions add after the file's own */
  constructor(
    protected readonly file: declared.DatasetFile,
    protected readonly problems: Problems,
    repeated: readonly NamedEntry[],
    contents: readonly LoadedContent[],
  ) {
    const { users = [], categories = [], tags = [], media = [], events = [], post_categories = [], posts = [], pages = [] } = file;
    const { pattern_categories = [], patterns = [], navigation = [], menus = [] } = file;
    /** @param free the ids of this kind, and of the ones that come after it */
    const kind = <T>(
      name: string,
      list: string,
      given: readonly T[],
      entries: NamedEntry[],
      free: number[],
      mentions?: Mentions<T>,
    ): NamedEntries<T> => {
      const items = [...given];
      const ids = free.splice(0, given.length);
      const create =
        mentions &&
        ((mention: Mention): number => {
          const id = mentions.nextId();
          items.push(mentions.item(mention.name));
          entries.push({ path: mention.path, name: mention.name });
          ids.push(id);
          mentions.seen.set(id, mention);
          return id;
        });
      return { items, entries, ids, names: new Names(name, list, entries, ids, problems, create) };
    };
    const { terms: seenTerms, posts: seenPosts } = this.mentions;
    const named = (name: string) => ({ name });

    const userEntries = entriesOf<declared.DeclaredUser & { slug?: string }>('users', users, ({ login }) => login);
    this.users = kind('user', 'users', users, userEntries, assignIds(userEntries, problems));

    const [categoryEntries, tagEntries] = [
      entriesOf('categories', categories, ({ name }) => name),
      entriesOf('tags', tags, ({ name }) => name),
    ];
    const postCategoryEntries = entriesOf('post_categories', post_categories, ({ name }) => name);
    const patternCategoryEntries = entriesOf('pattern_categories', pattern_categories, ({ name }) => name);
    const menuEntries = entriesOf('menus', menus, ({ name }) => name);
    const ofTaxonomies = [...new Set([...Object.keys(file.taxonomies ?? {}), ...Object.keys(file.terms ?? {})])].map((taxonomy) => {
      const given = file.terms?.[taxonomy] ?? [];
      return { taxonomy, given, entries: entriesOf(`terms.${taxonomy}`, given, ({ name }) => name) };
    });
    const builtIn = [...categoryEntries, ...tagEntries, ...postCategoryEntries, ...patternCategoryEntries, ...menuEntries];
    const termEntries = [...builtIn, ...ofTaxonomies.flatMap((each) => each.entries)];
    const termIds = assignIds(termEntries, problems);
    const terms = { item: named, nextId: idsAfter(termIds), seen: seenTerms };
    this.categories = kind('category', 'categories', categories, categoryEntries, termIds, terms);
    this.tags = kind('tag', 'tags', tags, tagEntries, termIds, terms);
    this.postCategories = kind('category', 'post_categories', post_categories, postCategoryEntries, termIds, terms);
    this.patternCategories = kind('category', 'pattern_categories', pattern_categories, patternCategoryEntries, termIds, terms);
    this.menus = kind('menu', 'menus', menus, menuEntries, termIds);
    this.ownTerms = new Map(
      ofTaxonomies.map(({ taxonomy, given, entries: of }) => [
        taxonomy,
        kind<declared.DatasetTerm>(`term of ${taxonomy}`, 'terms', given, of, termIds, terms),
      ]),
    );

    const mediaEntries = entriesOf('media', media, ({ file: name, title }) => title || fileTitle(name));
    const linkedEntries = eachLinked((each) => entriesOf(LINKED[each].column, file[LINKED[each].column] ?? [], ({ name }) => name));
    const ownEvents = events.slice(0, events.length - repeated.length);
    const eventEntries = [...entriesOf('events', ownEvents, ({ title }) => title), ...repeated];
    const [postEntries, pageEntries] = [entriesOf('posts', posts, ({ title }) => title), entriesOf('pages', pages, ({ title }) => title)];
    const shownEntries = [entriesOf('patterns', patterns, ({ title }) => title), entriesOf('navigation', navigation, ({ title }) => title)];
    this.placed = placedItems(menus);
    const itemEntries = this.placed.map(({ item, path: at }): NamedEntry => ({
      path: at,
      id: item.id,
      slug: item.slug,
      name: item.title ?? '',
    }));
    const own = [...mediaEntries, ...Object.values(linkedEntries).flat(), ...eventEntries, ...postEntries, ...pageEntries];
    const held = { file, events, pages, entries: { events: eventEntries, pages: pageEntries } };
    const ofPlugins = contents.flatMap(({ plugin, dataset }) => {
      if (!dataset) return [];
      const { kinds, read } = dataset.place(held);
      const found = Object.entries(kinds).map(([name, all]) => ({
        name,
        items: all.map(({ item }) => item),
        entries: all.map(({ item: { id, slug }, path, title }): NamedEntry => ({ path, id, slug, name: title })),
      }));
      return [{ plugin: plugin.name, read, kinds: found }];
    });
    const ofTypes = Object.entries(file.items ?? {}).map(([type, given = []]) => ({
      ...{ type, given, entries: entriesOf(`items.${type}`, given, ({ title }) => title) },
    }));
    const others = [...ofPlugins.flatMap(({ kinds }) => kinds), ...ofTypes].flatMap((each) => each.entries);
    const entries = [...own, ...shownEntries.flat(), ...itemEntries, ...others];
    const postIds = assignIds(entries, problems);
    const mentioned = { item: named, nextId: idsAfter(postIds), seen: seenPosts };
    this.media = kind('image', 'media', media, mediaEntries, postIds);
    this.linked = eachLinked((each) => {
      const { column } = LINKED[each];
      return kind(each, column, file[column] ?? [], linkedEntries[column], postIds, mentioned);
    });
    this.events = kind('event', 'events', events, eventEntries, postIds);
    this.posts = kind('post', 'posts', posts, postEntries, postIds);
    this.pages = kind('page', 'pages', pages, pageEntries, postIds);
    this.shown = {
      patterns: kind('pattern', 'patterns', patterns, shownEntries[0], postIds),
      navigation: kind('navigation', 'navigation', navigation, shownEntries[1], postIds),
    };
    const items = this.placed.map(({ item }) => item);
    this.menuItems = kind('item', 'menus', items, itemEntries, postIds);
    this.added = ofPlugins.map(({ plugin, read, kinds }) => ({
      plugin,
      read,
      entries: Object.fromEntries(kinds.map((each) => [each.name, kind(each.name, each.name, each.items, each.entries, postIds)])),
    }));
    this.own = new Map(
      ofTypes.map(({ type, given, entries: of }) => [type, kind<declared.DeclaredItem>(type, 'items', given, of, postIds)]),
    );
  }
}

/** Images that are drawn: `image: placeholder(1200x630, "Jazz")`. */

const LISTS = ['events', 'posts', 'pages', ...LINKED_KINDS.map((kind) => LINKED[kind].column)] as const;

const FORMS = 'must be placeholder, placeholder(1200x630) or placeholder(1200x630, "Text")';

interface Shown {
  image?: string;
  title?: string;
  name?: string;
}

/** The placeholders of a file, by the name of their file. */
export type Placeholders = ReadonlyMap<string, Placeholder>;

/**
 * Adds the placeholders that items of a file have to its media, each once.
 * @returns the file, whose items then have the slugs of these media, and what is to be drawn
 */
export function withPlaceholders(
  file: declared.DatasetFile,
  problems: Problems,
): { file: declared.DatasetFile; placeholders: Placeholders } {
  const placeholders = new Map<string, Placeholder>();
  const media = [...(file.media ?? [])];
  // A slug of the file wins.
  const declared = new Set(media.map(({ slug }) => slug));
  const drawn = (item: Shown, at: string): Shown => {
    const wanted = item.image === undefined || declared.has(item.image) ? null : placeholderIn(item.image, item.title ?? item.name ?? '');
    if (!wanted && item.image !== undefined && !declared.has(item.image) && meansPlaceholder(item.image)) {
      problems.add(`${at}.image`, FORMS);
      return { ...item, image: undefined };
    }
    if (!wanted) return item;
    if ([wanted.width, wanted.height].some((side) => side < 1 || side > MAX_SIDE)) {
      problems.add(`${at}.image`, `a placeholder is from 1 to ${MAX_SIDE} pixels wide and high, not ${wanted.width}x${wanted.height}`);
      return { ...item, image: undefined };
    }
    const slug = placeholderName(wanted);
    const name = `${slug}.png`;
    if (!placeholders.has(name)) media.push({ slug, file: name, title: wanted.text || slug, alt: wanted.text });
    placeholders.set(name, wanted);
    return { ...item, image: slug };
  };
  const lists = LISTS.flatMap((list) => {
    const items = file[list] as readonly Shown[] | undefined;
    return items ? [[list, items.map((item, index) => drawn(item, `${list}[${index}]`))] as const] : [];
  });
  const items = Object.entries(file.items ?? {}).map(([type, all = []]) => [
    type,
    all.map((item, i) => drawn(item, `items.${type}[${i}]`)),
  ]);
  const own = file.items ? { items: Object.fromEntries(items) as declared.DatasetFile['items'] } : {};
  return { file: { ...file, ...Object.fromEntries(lists), ...own, media }, placeholders };
}

/** Draws a placeholder as an upload. */
export async function placeholderUpload(name: string, placeholder: Placeholder): Promise<DatasetUpload> {
  const data = drawPlaceholder(placeholder);
  return { mimeType: 'image/png', file: { source: '', data, target: name, image: await inspectImage(data) } };
}
