import { isRecord } from '../../../base/values/records.js';
import { LINKED, LINKED_KINDS } from '../../../plugins/the-events-calendar/model/event.js';
import { Problems, type FileProblem } from '../../source.js';
import type { DatasetFile } from './declaration.js';
import { stepsOf } from './parse.js';

/**
 * A file with structural problems is read nevertheless, so that its references and dates are reported in the same run: what is invalid is
 * removed, and what is missing becomes empty. It is never loaded.
 */

type Entries = Record<string | number, unknown>;

/** The required texts of the items of each list. */
const REQUIRED: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    users: ['login'],
    categories: ['name'],
    tags: ['name'],
    media: ['file'],
    ...Object.fromEntries(LINKED_KINDS.map((kind) => [LINKED[kind].column, ['name']])),
    events: ['title', 'start'],
    post_categories: ['name'],
    posts: ['title'],
    pages: ['title'],
    pattern_categories: ['name'],
    patterns: ['title'],
    navigation: ['title'],
    menus: ['name'],
    comments: ['content'],
    stubs: [],
  }),
);

/** The required texts of the items of plugins' lists. */
const OF_PLUGINS = ['title'];

/** The sections with a list, or an entry, for each name. */
const MAPS: readonly unknown[] = ['types', 'taxonomies', 'image_sizes', 'meta', 'items', 'terms'];

/** Removes an invalid value with the field that contains it: of the file, of the site, or of an item of a list. */
function removeAt(file: Entries, path: string): void {
  const steps = stepsOf(path);
  const [map, entry] = steps;
  const below = file[map];
  if (MAPS.includes(map) && isRecord(below) && steps.length > 2 && entry !== undefined) removeFrom(below, steps.slice(1));
  else removeFrom(file, steps);
}

function removeFrom(file: Entries, [top, inner, field]: readonly (string | number)[]): void {
  const value = file[top];
  const list: unknown[] | null = Array.isArray(value) ? value : null;
  if (list && typeof inner === 'number') {
    const item = list[inner];
    if (field !== undefined && isRecord(item)) delete item[field];
    else list[inner] = {};
  } else if (isRecord(value) && inner !== undefined) delete value[inner];
  else delete file[top];
}

function complete(file: Entries): void {
  const mapOf = (name: string): Entries => (isRecord(file[name]) ? file[name] : {});
  for (const [map, field] of [
    ['items', 'title'],
    ['terms', 'name'],
  ])
    for (const list of Object.values(mapOf(map))) if (Array.isArray(list)) for (const item of list as Entries[]) item[field] ??= '';
  for (const map of ['types', 'taxonomies']) for (const entry of Object.values(mapOf(map))) if (isRecord(entry)) entry.name ??= '';
  for (const [name, list] of Object.entries(file)) {
    if (!Array.isArray(list)) continue;
    for (const item of list.filter(isRecord) as Entries[]) for (const field of REQUIRED.get(name) ?? OF_PLUGINS) item[field] ??= '';
  }
}

/** The valid parts of a file; null if it has none. */
export function validParts(value: unknown, problems: Problems): DatasetFile | null {
  if (!isRecord(value)) return null;
  const file = structuredClone(value);
  for (const { path } of problems.entries) removeAt(file, path);
  complete(file);
  return file;
}

const isBelow = (path: string, ancestor: string): boolean =>
  path === ancestor || (path.startsWith(ancestor) && /^[.[]/.test(path.slice(ancestor.length)));

/** The fields that an item is referred to by. */
const NAMES: readonly unknown[] = ['slug', 'name', 'title', 'login', 'file'];

/** Whether a problem may be the reason why a reference to an item of a list cannot be resolved. */
function hidesNames({ path, meant }: FileProblem, list: string): boolean {
  const [top, item, field] = stepsOf(meant ?? path);
  return top === list && (item === undefined || field === undefined || NAMES.includes(field));
}

/** Adds the problems of the valid parts, except for those that others cause. */
export function addFurther(problems: Problems, further: Problems): void {
  const known = [...problems.entries];
  const isCaused = ({ path, list }: FileProblem): boolean =>
    known.some((each) => isBelow(path, each.path) || path === each.meant) ||
    (list !== undefined && known.some((each) => hidesNames(each, list)));
  for (const each of further.entries) if (!isCaused(each)) problems.entries.push(each);
}
