import { isDeepStrictEqual } from 'node:util';
import { isRecord, lookup, membersOf } from '../../base/values/records.js';
import kinds from './kinds.json' with { type: 'json' };
import members from './members.json' with { type: 'json' };

/** An item of a response: an event, a venue, a post, a term, a user. */
export type Item = Record<string, unknown>;

/** An item that responses show, with all that they show of it. */
export interface Entry {
  /** The route of its list, such as `tribe/events/v1/events`. */
  route: string;
  /** Null until one is made up. */
  id: number | null;
  item: Item;
  /** The file that it is from first. */
  file: string;
}

export const EVENTS = 'tribe/events/v1/events';

const LISTS: Readonly<Record<string, string>> = lookup(kinds.lists);
const BASES: Readonly<Record<string, string>> = lookup(kinds.bases);
const ELSEWHERE: Readonly<Record<string, string>> = lookup(kinds.shownElsewhere);

/** The text of a member, which `wp/v2` shows as an object. */
export const shownText = (value: unknown): string => {
  const text = isRecord(value) ? (value['rendered'] ?? value['raw']) : value;
  return typeof text === 'string' || typeof text === 'number' ? String(text) : '';
};

/** The name of an item of any kind. */
export const nameOf = (item: Item): string =>
  ['title', 'name', 'venue', 'organizer'].map((name) => shownText(item[name])).find((text) => text !== '') ?? '';

const CORE = ['title', 'content', 'excerpt', 'guid', 'caption'];

/** Whether an item is shown as in `wp/v2`, with objects as texts. */
const isOfCore = (item: Item): boolean => CORE.some((name) => membersOf(item[name])?.['rendered'] !== undefined);

/**
 * The route of the list that has an item like this; null: it is no item.
 * @param hint the name of the list that it is in
 */
export function routeOfItem(item: Item, hint: string): string | null {
  const { type, taxonomy } = item;
  if (isOfCore(item) && typeof type === 'string') {
    const isPlain = type.startsWith('tribe_') && ('start_date' in item || 'directions_link' in item || 'stateprovince' in item);
    return isPlain ? `tec/v1/${type.slice('tribe_'.length).replace(/s?$/, 's')}` : `wp/v2/${BASES[type] ?? type}`;
  }
  if (typeof taxonomy === 'string') {
    const inCalendar = taxonomy === 'tribe_events_cat' || (taxonomy === 'post_tag' && !('link' in item));
    if (inCalendar && !('link' in item)) return taxonomy === 'post_tag' ? LISTS['tags'] : LISTS['categories'];
    return `wp/v2/${BASES[taxonomy] ?? taxonomy}`;
  }
  const sign = kinds.signs.find(([name]) => name in item);
  if (sign) return sign[1];
  for (const kind of ['venue', 'organizer']) if (typeof item[kind] === 'string') return LISTS[kind];
  return (nameOf(item) !== '' || typeof item['slug'] === 'string') && hint in LISTS ? LISTS[hint] : null;
}

const idOf = ({ id }: Item): number | null => (/^[1-9]\d{0,14}$/.test(String(id)) ? Number(id) : null);

/** The names of an item without an id. */
const namesOf = (item: Item): string[] => {
  const [slug, name] = [shownText(item['slug']), nameOf(item)];
  return [...(slug === '' ? [] : [`=${slug}`]), ...(name === '' ? [] : [`~${name} ${shownText(item['start_date'])}`])];
};

/** Members that say nothing about an item itself, or that are items of their own. */
const VOLATILE = new Set(members.volatile);

const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
};

/** The items of recorded responses, each once. */
export class Collection {
  readonly entries: Entry[] = [];
  private readonly found = new Map<string, Entry>();
  private readonly ofItem = new Map<object, Entry>();

  /** @param warn receives contradictions */
  constructor(private readonly warn: (line: string) => void) {}

  /** The entry of an item as a response has it. */
  entryOf(item: object): Entry | undefined {
    return this.ofItem.get(item);
  }

  withId(route: string, id: unknown): Entry | undefined {
    return this.found.get(`${route} #${String(id)}`);
  }

  *of(route: string): Generator<Entry> {
    for (const entry of this.entries) if (entry.route === route) yield entry;
  }

  /** Adds what a response shows of an item. Of two that show the same, the fuller one counts. */
  add(route: string, item: Item, file: string): Entry {
    const id = idOf(item);
    const names = namesOf(item).map((name) => `${route} ${name}`);
    const byName = names.map((name) => this.found.get(name)).find((entry) => entry && (id === null || entry.id === null));
    const known = (id === null ? undefined : this.withId(route, id)) ?? byName;
    const entry: Entry = known ?? { route, id: null, item: {}, file };
    if (known) this.merge(known, item, file);
    else {
      entry.item = { ...item };
      this.entries.push(entry);
    }
    entry.id ??= id;
    for (const key of [...names, ...(id === null ? [] : [`${route} #${id}`])]) if (!this.found.has(key)) this.found.set(key, entry);
    this.ofItem.set(item, entry);
    return entry;
  }

  private merge(entry: Entry, item: Item, file: string): void {
    const isFuller = Object.keys(item).length > Object.keys(entry.item).length;
    const [more, less] = isFuller ? [item, entry.item] : [entry.item, item];
    const [used, other] = isFuller ? [file, entry.file] : [entry.file, file];
    for (const name of Object.keys(less))
      if (name in more && !VOLATILE.has(name) && !isRecord(more[name]) && !isDeepStrictEqual(more[name], less[name]))
        this.warn(
          `${entry.route} ${entry.id ?? nameOf(more)}: ${name} is ${shown(more[name])} in ${used}, and ${shown(less[name])} in ${other}. The first is used, since more is known of the item there`,
        );
    const both = Object.keys(less).filter((name) => isRecord(less[name]) && isRecord(more[name]));
    entry.item = {
      ...less,
      ...more,
      ...Object.fromEntries(both.map((name) => [name, { ...(less[name] as Item), ...(more[name] as Item) }])),
    };
    if (isFuller) entry.file = file;
  }

  /** Makes up the ids that are missing. Posts of all types share theirs, as terms do. */
  number(): Entry[] {
    const made: Entry[] = [];
    const next = new Map<string, number>();
    const spaceOf = ({ route, item }: Entry): string =>
      'taxonomy' in item || /\/(?:categories|tags)$/.test(route) ? 'terms' : (/\/(users|comments)$/.exec(route)?.[1] ?? 'posts');
    const images = this.entries.map(({ item }) => membersOf(item['image'])?.['id']).filter((id) => typeof id === 'number');
    next.set('posts', Math.max(0, ...images));
    for (const entry of this.entries) next.set(spaceOf(entry), Math.max(next.get(spaceOf(entry)) ?? 0, entry.id ?? 0));
    for (const entry of this.entries) {
      if (entry.id !== null) continue;
      entry.id = (next.get(spaceOf(entry)) ?? 0) + 1;
      next.set(spaceOf(entry), entry.id);
      made.push(entry);
    }
    this.highest = next.get('posts') ?? 0;
    return made;
  }

  /** The highest id of a post. */
  highest = 0;

  /** Adds to the items of the calendar what other namespaces show of them. @param translate the item as the calendar shows it */
  translate(translate: (entry: Entry) => Item): void {
    for (const entry of [...this.entries]) {
      const route = ELSEWHERE[entry.route];
      if (route === undefined) continue;
      const item = translate(entry);
      const known = this.withId(route, entry.id) ?? this.add(route, item, entry.file);
      known.item = { ...item, ...known.item };
    }
  }
}
