import { isRecord } from '../../base/values/records.js';
import { isDeepStrictEqual } from 'node:util';
import type { Edit, Path } from './edits.js';
import { isRelative, lengthOf, writtenDate, writtenEnd, type ExportedTimes, type WriteBase } from './dates.js';

/** An entry of a list, as files and exports have it. */
export type Entry = Readonly<Record<string, unknown>>;

/** A dataset as a value: what a file has, or an export. */
export type Dataset = Entry;

/** The versions of a dataset that are compared. */
export interface Versions {
  /** The content of the file. */
  file: Dataset;
  /** Exports of the file, of the content that was loaded, and of the content now. */
  read: Dataset;
  before: Dataset;
  after: Dataset;
}

/** Changes of a save, and its omissions. */
export interface SavedChanges {
  edits: Edit[];
  /** Numbers of entries. */
  added: number;
  changed: number;
  deleted: number;
  /** Entries that are in the trash now, and stay in the file. */
  trashed: number;
  /** Content that the file cannot have, one text each. */
  unsaved: string[];
}

/** The file does not belong to the loaded content. */
export class NotLoaded extends Error {}

const isList = (value: unknown): value is readonly Entry[] => Array.isArray(value) && value.every((each) => isRecord(each));

/** Lists of a dataset, before and after. */
interface Lists {
  at: Path;
  file: readonly Entry[];
  read: readonly Entry[];
  before: readonly Entry[];
  after: readonly Entry[];
}

/** Lists that are not entries with ids, or that no request changes. */
const OTHERS: ReadonlySet<string> = new Set(['stubs', 'image_sizes']);

/** Objects whose members are lists: posts and terms of other plugins. */
const MAPS = ['items', 'terms'];

const listAt = (dataset: Dataset, at: Path): readonly Entry[] => {
  const found = at.reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), dataset);
  return isList(found) ? found : [];
};

export const eventsOf = (dataset: Dataset): readonly Entry[] => listAt(dataset, ['events']);

export function listsOf(versions: Versions): Lists[] {
  const all = [versions.file, versions.before, versions.after];
  const names = new Set(all.flatMap((dataset) => Object.keys(dataset).filter((name) => isList(dataset[name]) && !OTHERS.has(name))));
  const inMaps = MAPS.flatMap((map) => {
    const found = all.flatMap((dataset) => (isRecord(dataset[map]) ? Object.keys(dataset[map]) : []));
    return [...new Set(found)].map((name) => [map, name]);
  });
  return [...[...names].map((name) => [name]), ...inMaps].map((at) => ({
    at,
    file: listAt(versions.file, at),
    read: listAt(versions.read, at),
    before: listAt(versions.before, at),
    after: listAt(versions.after, at),
  }));
}

/** Identity of an entry in another version, where ids differ. */
const keyOf = ({ slug, login, title, name, content, id }: Entry): string => String(slug ?? login ?? title ?? name ?? content ?? id);

const nameOf = ({ title, name, login, slug, content, id }: Entry): string => String(title ?? name ?? login ?? slug ?? content ?? id);

/** An entry in messages: `event "Jazz"`. */
export const labelOf = ({ at }: Pick<Lists, 'at'>, entry: Entry): string =>
  `${String(at.at(-1)).replace(/ies$/, 'y').replace(/s$/, '').replaceAll('_', ' ')} "${nameOf(entry)}"`;

/** The entries of one list by their counterparts in another. Those with the same key are paired in order. */
export function paired(from: readonly Entry[], to: readonly Entry[]): Map<Entry, Entry> {
  const waiting = new Map<string, Entry[]>();
  for (const entry of to) waiting.set(keyOf(entry), [...(waiting.get(keyOf(entry)) ?? []), entry]);
  return new Map(
    from.flatMap((entry) => {
      const found = waiting.get(keyOf(entry))?.shift();
      return found ? [[entry, found] as const] : [];
    }),
  );
}

/** Without ids and dates of changes, which belong to a site. */
export function portable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(portable);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== 'id' && name !== 'modified')
      .map(([name, each]) => [name, portable(each)]),
  );
}

const isSame = (a: unknown, b: unknown): boolean => isDeepStrictEqual(portable(a), portable(b));

/** The members that differ between two versions of an entry. */
export const changedMembers = (before: Entry, after: Entry): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => name !== 'id' && name !== 'modified' && !isSame(before[name], after[name]),
  );

const TIMES = ['start', 'end', 'all_day', 'timezone'];

/** Compares the versions of a dataset. */
class Comparison {
  readonly edits: Edit[] = [];
  readonly removals: Edit[] = [];
  readonly additions: Edit[] = [];
  readonly unsaved: string[] = [];
  added = 0;
  changed = 0;
  deleted = 0;
  trashed = 0;
  private readonly usesRelative: boolean;
  private readonly keepsIds: boolean;
  /** Slugs of media that the folder of the file does not have. */
  private readonly foreignMedia: ReadonlySet<unknown>;
  /** Users that the file can name. */
  private readonly logins: ReadonlySet<unknown>;

  constructor(
    private readonly versions: Versions,
    private readonly base: WriteBase,
  ) {
    const { file, before, after } = versions;
    const entries = Object.values(file).flatMap((list) => (isList(list) ? list : []));
    this.usesRelative = entries.some(({ start, date }) => isRelative(start) || isRelative(date));
    this.keepsIds = entries.some(({ id }) => id !== undefined);
    // Where a file lists no users, the first one that it gets would be the author of everything.
    const users = listAt(file, ['users']);
    this.logins = new Set([...users, ...(users.length === 0 ? [] : listAt(after, ['users']))].map(({ login }) => login));
    const known = new Set(listAt(before, ['media']).map(({ id }) => id));
    this.foreignMedia = new Set(listAt(after, ['media']).flatMap(({ id, slug }) => (known.has(id) ? [] : [slug])));
  }

  run(): SavedChanges {
    for (const list of listsOf(this.versions)) this.list(list);
    this.site();
    const { edits, removals, additions, unsaved, added, changed, deleted, trashed } = this;
    return { edits: [...edits, ...removals, ...additions], unsaved, added, changed, deleted, trashed };
  }

  private site(): void {
    const [file, before, after] = [this.versions.file, this.versions.before, this.versions.after].map(({ site }) =>
      isRecord(site) ? site : {},
    );
    const { url: _before, ...was } = before;
    const { url: _after, ...is } = after;
    if (isSame(was, is)) return;
    this.changed += 1;
    if (isRecord(this.versions.file['site'])) this.members(['site'], file, was, is, 'site');
    else this.edits.push({ at: ['site'], value: Object.fromEntries(changedMembers(was, is).map((name) => [name, is[name]])) });
  }

  /** The index in the file of each entry of the loaded content; others were made from mentions, series, or by the server. */
  private places({ at, file, read, before }: Lists): Map<unknown, number> {
    const pairs = paired(read, before);
    return new Map(
      file.map((entry, index) => {
        const found = read[index] && pairs.get(read[index]);
        if (!found) throw new NotLoaded(`${labelOf({ at }, entry)} of the file is not in the loaded content`);
        return [found['id'], index] as const;
      }),
    );
  }

  private list(lists: Lists): void {
    const { at, file, before, after } = lists;
    if (isDeepStrictEqual(before, after)) return;
    const places = this.places(lists);
    const loaded = new Map(before.map((entry) => [entry['id'], entry]));
    const present = new Set(after.map(({ id }) => id));
    const isEvents = at[0] === 'events';
    for (const entry of after) {
      const old = loaded.get(entry['id']);
      if (!old) this.add(lists, entry);
      else if (changedMembers(old, entry).length > 0) this.change(lists, old, entry, places.get(entry['id']));
    }
    const gone = before.filter(({ id }) => !present.has(id));
    for (const entry of gone.toReversed()) {
      const index = places.get(entry['id']);
      if (index === undefined ? isEvents : file[index]['repeat'] !== undefined) this.leave(lists, entry, 'it is part of a series (repeat)');
      if (index === undefined || file[index]['repeat'] !== undefined) continue;
      this.deleted += 1;
      this.removals.push({ at: [...at, index], removed: true });
    }
    this.removals.sort((a, b) => Number(b.at.at(-1)) - Number(a.at.at(-1)));
  }

  private leave(lists: Pick<Lists, 'at'>, entry: Entry, why: string): void {
    this.unsaved.push(`${labelOf(lists, entry)}: ${why}`);
  }

  private change(lists: Lists, old: Entry, entry: Entry, index: number | undefined): void {
    const { at, file } = lists;
    if (index === undefined && at[0] !== 'events' && at[0] !== 'users' && at[0] !== 'media') return this.add(lists, entry);
    if (index === undefined && at[0] !== 'events') return this.leave(lists, entry, 'the file has no entry for it');
    if (index === undefined || file[index]['repeat'] !== undefined) return this.leave(lists, entry, 'it is part of a series (repeat)');
    if (entry['status'] === 'trash' && old['status'] !== 'trash') this.trashed += 1;
    else this.changed += 1;
    this.entry([...at, index], file[index], old, entry, labelOf(lists, entry));
  }

  private add(lists: Lists, entry: Entry): void {
    const { at } = lists;
    if (at[0] === 'users' && this.logins.size === 0) return this.leave(lists, entry, 'the file lists no users');
    if (at[0] === 'media') return this.leave(lists, entry, 'its file is not in the folder uploads beside the dataset');
    if (at[0] === 'users') this.leave(lists, entry, 'its password, of which only a hash is stored');
    this.added += 1;
    const { id, modified: _modified, date, image, author, ...members } = entry;
    const label = labelOf(lists, entry);
    const own = {
      ...(this.keepsIds ? { id } : {}),
      ...(portable(members) as Entry),
      ...(entry['status'] === 'future' && typeof date === 'string' ? { date: this.date(date, undefined) } : {}),
      ...(image === undefined || this.isForeign(image, label) ? {} : { image }),
      ...(author === undefined || this.isStranger(author, label) ? {} : { author }),
    };
    this.additions.push({ at, added: at[0] === 'events' ? this.newTimes(own, entry) : own });
  }

  /** A new event: relative dates where the file has some, and its duration. */
  private newTimes({ start: _start, end: _end, ...own }: Entry, entry: Entry): Entry {
    const times = entry as unknown as ExportedTimes;
    const zone = times.timezone ?? this.base.zone;
    const style = this.usesRelative ? '+1d' : undefined;
    const isDay = times.all_day === true && times.start === times.end;
    const start = writtenDate(times.start, style, this.base, zone);
    const end = isDay ? {} : writtenEnd(times, { start: style, duration: '1h' }, this.base);
    const { title, ...others } = own;
    return { title, start, ...end, ...others };
  }

  private isForeign(image: unknown, label: string): boolean {
    const isForeign = this.foreignMedia.has(image);
    if (isForeign) this.unsaved.push(`${label}: its image, whose file is not in the folder uploads beside the dataset`);
    return isForeign;
  }

  private isStranger(author: unknown, label: string): boolean {
    const isStranger = !this.logins.has(author);
    if (isStranger) this.unsaved.push(`${label}: its author, whom the file does not list`);
    return isStranger;
  }

  private date(wall: string, before: unknown): string {
    return writtenDate(wall, before ?? (this.usesRelative ? '+1d' : undefined), this.base, this.base.zone);
  }

  /** The edits for a changed entry of a list. */
  private entry(at: Path, file: Entry, before: Entry, after: Entry, label: string): void {
    const isEvent = at[0] === 'events' && at.length === 2;
    const [was, is] = [before, after].map((version): Entry => {
      if (!isEvent) return version;
      const { start: _start, end: _end, ...members } = version;
      return members;
    });
    if (isEvent && TIMES.some((name) => !isDeepStrictEqual(before[name], after[name])))
      this.times(at, file, before as unknown as ExportedTimes, after as unknown as ExportedTimes);
    // WP: publishing a draft dates it. TEC: so does every write through the API of the calendar that sends no date.
    const isPublished = before['status'] !== after['status'] && after['status'] === undefined;
    const isDated = file['date'] === undefined && (isPublished || after['modified'] === undefined);
    const { date: _was, ...undated } = was;
    const { date: _is, ...now } = is;
    this.members(at, file, isDated ? undated : was, isDated ? now : is, label);
    // A new title would make another slug, and drafts get none.
    const isRenamed = ['title', 'name', 'status'].some((name) => before[name] !== after[name]);
    if (isRenamed && file['slug'] === undefined && before['slug'] === after['slug'] && after['slug'] !== undefined)
      this.edits.push({ at: [...at, 'slug'], value: after['slug'] });
  }

  private times(at: Path, file: Entry, before: ExportedTimes, after: ExportedTimes): void {
    const zone = after.timezone ?? this.base.zone;
    if (before.start !== after.start)
      this.edits.push({ at: [...at, 'start'], value: writtenDate(after.start, file['start'], this.base, zone) });
    const isMoved = before.end !== after.end || lengthOf(before, this.base) !== lengthOf(after, this.base);
    if (!isMoved) return;
    const end = writtenEnd(after, file, this.base);
    for (const name of ['end', 'duration'] as const) {
      const value = end[name];
      if (value === undefined && file[name] !== undefined) this.edits.push({ at: [...at, name], removed: true });
      if (value !== undefined && value !== file[name]) this.edits.push({ at: [...at, name], value });
    }
  }

  /** The edits for the members of an object. */
  private members(at: Path, file: Entry, before: Entry, after: Entry, label: string): void {
    for (const name of changedMembers(before, after)) {
      const [own, was, is] = [file[name], before[name], after[name]];
      const place = [...at, name];
      if (is === undefined) {
        if (own !== undefined) this.edits.push({ at: place, removed: true });
      } else if ((name === 'image' && this.isForeign(is, label)) || (name === 'author' && this.isStranger(is, label))) continue;
      else if (isRecord(own) && isRecord(was ?? {}) && isRecord(is)) this.members(place, own, (was ?? {}) as Entry, is, label);
      else if (isList(own) && isList(was) && isList(is) && own.length === was.length && own.length > 0)
        this.nested(place, own, was, is, label);
      else if (typeof is === 'string' && (name === 'date' || isRelative(own))) this.edits.push({ at: place, value: this.date(is, own) });
      else this.edits.push({ at: place, value: portable(is) });
    }
  }

  /** The edits for a list within an entry, such as its tickets. */
  private nested(at: Path, file: readonly Entry[], before: readonly Entry[], after: readonly Entry[], label: string): void {
    const present = new Map(after.map((entry) => [entry['id'], entry]));
    for (const [index, old] of before.entries()) {
      const now = present.get(old['id']);
      if (now) this.members([...at, index], file[index], old, now, label);
    }
    for (const [index, { id }] of [...before.entries()].toReversed())
      if (!present.has(id)) this.edits.push({ at: [...at, index], removed: true });
    const known = new Set(before.map(({ id }) => id));
    for (const entry of after) if (!known.has(entry['id'])) this.edits.push({ at, added: portable(entry) });
  }
}

/**
 * The edits that bring the changes of a site into the file of its dataset.
 * @throws NotLoaded if the file has entries that the loaded content does not have
 */
export const changesOf = (versions: Versions, base: WriteBase): SavedChanges => new Comparison(versions, base).run();
