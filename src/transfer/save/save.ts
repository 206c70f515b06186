import { isRecord } from '../../base/values/records.js';
import { isDeepStrictEqual } from 'node:util';
import type { Zones } from '../../base/php/timezone.js';
import type { DatasetFile } from '../formats/dataset/declaration.js';
import { sourceOf } from '../formats/dataset/file.js';
import { parse, type Syntax } from '../formats/dataset/parse.js';
import { zoneOfSite } from '../formats/dataset/site.js';
import { datasetOf } from '../formats/dataset/write.js';
import type { InputFile } from '../formats/format.js';
import type { Stub } from '../../sdk/types/qa.js';
import type { DatasetSource } from '../source.js';
import { changedMembers, changesOf, eventsOf, labelOf, listsOf, paired, portable, type Dataset, type SavedChanges } from './changes.js';
import { edited, type Edit } from './edits.js';

interface SavedFile extends Pick<InputFile, 'name' | 'folder'> {
  text: string;
  syntax: Syntax;
}

export interface SaveResult extends Omit<SavedChanges, 'edits'> {
  /** The new text of the file. */
  text: string;
}

async function exported(source: DatasetSource) {
  const omitted: string[] = [];
  const dataset = await datasetOf(source, { file: null, warn: (line) => void omitted.push(line) });
  // Converts it to what a reader would see.
  return { dataset: JSON.parse(JSON.stringify(dataset)) as Dataset, omitted };
}

/** TEC: every write through the API of the calendar resets these, sent or not. */
const RESET_FLAGS = ['show_map', 'show_map_link'];

/** Leaves out of events what such a write has reset, and nobody wrote. @returns the dataset, and what is left out of how many events */
function withoutResets(now: Dataset, before: Dataset): { dataset: Dataset; resets: string[] } {
  const loaded = new Map(eventsOf(before).map((event) => [event['id'], event]));
  const names = new Set<string>();
  let count = 0;
  const events = eventsOf(now).map((event) => {
    const old = loaded.get(event['id']) ?? {};
    const flags = RESET_FLAGS.every((name) => event[name] === false && old[name] === undefined) ? RESET_FLAGS : [];
    const reset = [...flags, ...(event['website'] === '' && old['website'] === undefined ? ['website'] : [])];
    for (const name of reset) names.add(name);
    count += reset.length > 0 ? 1 : 0;
    return Object.fromEntries(Object.entries(event).filter(([name]) => !reset.includes(name)));
  });
  if (count === 0) return { dataset: now, resets: [] };
  const line = `${[...names].join(', ')} of ${count} event${count === 1 ? '' : 's'}: the API resets what a request leaves out, so the file stays without them`;
  return { dataset: { ...now, events }, resets: [line] };
}

/** Lists what would differ if the new file were loaded again. */
function missed(read: Dataset, before: Dataset, after: Dataset): string[] {
  return listsOf({ file: {}, read: {}, before, after }).flatMap((list) => {
    const again = listsOf({ file: {}, read: {}, before: {}, after: read }).find(({ at }) => at.join() === list.at.join())?.after ?? [];
    const found = paired(list.after, again);
    const loaded = new Map(list.before.map((entry) => [entry['id'], entry]));
    return list.after.flatMap((entry) => {
      const old = loaded.get(entry['id']);
      const changed = old ? changedMembers(old, entry) : Object.keys(entry).filter((name) => !['id', 'modified', 'date'].includes(name));
      const saved = found.get(entry);
      if (changed.length === 0) return [];
      if (!saved) return [`${labelOf(list, entry)}: the file does not have it`];
      const lost = changed.filter((name) => JSON.stringify(portable(saved[name])) !== JSON.stringify(portable(entry[name])));
      return lost.length === 0 ? [] : [`${labelOf(list, entry)}: ${lost.join(', ')}`];
    });
  });
}

/** Leaves out what has been said of the same item. */
const oncePerItem = (lines: readonly string[]): string[] => {
  const itemOf = (line: string): string => line.slice(0, line.indexOf('": ') + 1);
  return [...new Set(lines)].filter((line, index, all) => all.findIndex((other) => itemOf(other) === itemOf(line)) === index);
};

/**
 * Brings the changes of a site into the text of the dataset file that its content comes from. Everything else in the file stays as it is.
 * @param before the content that was loaded
 * @param after the content now
 * @param base the time that relative dates refer to, ms since 1970 UTC, and the time zones of the site
 * @param stubs stubs that were added
 * @throws NotLoaded if the file has entries that were not loaded; DatasetError if the file is not valid, or would not be
 */
export async function savedDataset(
  file: SavedFile,
  before: DatasetSource,
  after: DatasetSource,
  base: { now: number; zones: Zones },
  stubs: readonly Stub[] = [],
): Promise<SaveResult> {
  const read = async (text: string): Promise<{ value: unknown; dataset: Dataset }> => {
    const { value, ...parsed } = parse(text, file.name, file.syntax);
    const { dataset } = await exported(await sourceOf(value, file, base, parsed));
    return { value, dataset };
  };
  const [own, was, now] = [await read(file.text), await exported(before), await exported(after)];
  const { dataset, resets } = withoutResets(now.dataset, was.dataset);
  const zone = zoneOfSite((own.value as Pick<DatasetFile, 'site'>).site);
  const versions = { file: isRecord(own.value) ? own.value : {}, read: own.dataset, before: was.dataset, after: dataset };
  const { edits: changes, unsaved, ...counts } = changesOf(versions, { now: Math.floor(base.now / 1000), zone, zones: base.zones });
  const known = 'stubs' in versions.file && Array.isArray(versions.file['stubs']) ? (versions.file['stubs'] as unknown[]) : [];
  const further = stubs.filter((stub) => !known.some((each) => isDeepStrictEqual(each, stub)));
  const edits: Edit[] = [...changes, ...further.map((added) => ({ at: ['stubs'], added }))];
  counts.added += further.length;
  const omitted = [...resets, ...now.omitted.filter((line) => !was.omitted.includes(line) && !line.includes('password of a user'))];
  if (edits.length === 0) return { ...counts, text: file.text, unsaved: [...unsaved, ...omitted] };
  const text = edited(file.text, file.syntax, edits);
  const again = await read(text);
  return { ...counts, text, unsaved: [...oncePerItem([...unsaved, ...missed(again.dataset, was.dataset, dataset)]), ...omitted] };
}
