import { randomUUID } from 'node:crypto';
import { open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { lookup, asJson, type Json } from '../../base/values/records.js';
import { withLock } from '../../database/store/locks.js';
import { codeOf } from '../../base/values/errors.js';
import type { Stub } from '../../sdk/types/qa.js';
import { PRISTINE } from '../../transfer/load/load.js';
import type { SaveResult } from '../../transfer/save/save.js';
import { json, PREFIX, qaError, post, type QaRoute } from '../tenant/api/route.js';
import { datasetError } from '../tenant/api/transfer.js';
import type { Tenant } from '../tenant/tenant.js';
import type { QaHost } from './host.js';

const refused = (message: string): Error => qaError('not_saved', message, 409);

/** The formats that are written, by extension. */
const SYNTAX: Readonly<Record<string, 'json' | 'yaml'>> = lookup({ '.json': 'json', '.yaml': 'yaml', '.yml': 'yaml' });

/** The file that changes are saved to; null: there is none. */
export const savedFileOf = ({ name, pristine: { isSaved, file } }: Tenant, { savedFile }: QaHost): string | null =>
  name !== '' ? null : isSaved === true ? file! : savedFile;

/** Checks that the file of a dataset can be saved to. @throws RestError for a dataset that cannot be saved to */
function savable(tenant: Tenant, host: QaHost): { named: string; name: string; syntax: 'json' | 'yaml' } {
  if (tenant.name !== '') throw refused('A sandbox has no dataset file. Save the main site, or export this one.');
  const savedFile = savedFileOf(tenant, host);
  if (savedFile === null)
    throw refused(
      'The content comes from no file of this project. Load one (the tool seed with "file", understudy seed FILE, or serve --dataset FILE), or export the content.',
    );
  const name = path.basename(savedFile);
  const syntax = SYNTAX[path.extname(name).toLowerCase()];
  if (syntax === undefined) throw refused(`${name} is neither JSON nor YAML, and only these can be changed. Export the content instead.`);
  const { dataset, pristine } = tenant;
  if (dataset !== (pristine.dataset ?? null))
    throw refused(`The content comes from ${dataset ?? 'elsewhere'}, not from ${name}. Reset first, or export the content.`);
  return { named: savedFile, name, syntax };
}

async function readUtf8(file: string, name: string): Promise<string> {
  const bytes = await readFile(file).catch((error: Error) => {
    throw refused(`${name} cannot be read: ${error.message}`);
  });
  const text = bytes.toString('utf8');
  if (!Buffer.from(text, 'utf8').equals(bytes)) throw refused(`${name} is not UTF-8, and only such files can be changed.`);
  return text;
}

/** Replaces the text of a file at once, unless somebody has changed it meanwhile. */
async function replaceText(file: string, name: string, before: string, text: string): Promise<void> {
  const draft = `${file}.${randomUUID()}.part`;
  try {
    const { mode } = await stat(file);
    const handle = await open(draft, 'wx', mode);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if ((await readUtf8(file, name)) !== before) throw refused(`${name} has changed meanwhile. Save again.`);
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    const code = codeOf(error);
    throw code === undefined || !/^E[A-Z]+$/.test(code) ? error : refused(`${name} cannot be written (${code}).`);
  }
}

/** The stubs that were added, and how many of the dataset's were changed or removed. */
function stubsOf({ stubs, site }: Tenant): { added: Stub[]; unsaved: string[] } {
  const all = stubs.list();
  const added = all
    .filter(({ dataset }) => dataset !== true)
    .toSorted((a, b) => a.id - b.id)
    .map(({ id: _id, seen: _seen, hits: _hits, ...stub }) => stub);
  const stored = JSON.parse(site.options.stubs || '[]') as unknown[];
  const kept = all.filter(({ dataset, id: _id, seen: _seen, hits: _hits, ...stub }) => {
    const text = JSON.stringify(stub);
    return dataset === true && stored.some((each) => JSON.stringify(each) === text);
  });
  const lost = stored.length - kept.length;
  return { added, unsaved: lost === 0 ? [] : [`${lost} of the dataset's stubs, which were changed or removed`] };
}

/** The changed lines of a text with some around them, each behind its sign: `−`, `+`, a blank, and `…` for lines that are left out. */
async function differenceOf(before: string, after: string): Promise<string[]> {
  // @ts-expect-error The module of the page has no types.
  const { difference } = (await import('./ui/content/difference.js')) as {
    difference: (...texts: string[]) => { sign: string; text: string }[];
  };
  return before === after ? [] : difference(before, after).map(({ sign, text }) => `${sign}${text}`);
}

/** @param isPreview returns the lines that would change, and writes nothing */
async function save(tenant: Tenant, host: QaHost, isPreview: boolean): Promise<Json> {
  const { named, name, syntax } = savable(tenant, host);
  // Loaded on first use: it reads and writes datasets, which most starts do not.
  const [{ contentSources }, { NotLoaded }, { Uneditable }, { savedDataset }] = await Promise.all([
    import('../../transfer/save/content.js'),
    import('../../transfer/save/changes.js'),
    import('../../transfer/save/edits.js'),
    import('../../transfer/save/save.js'),
  ]);
  const { site, pristine } = tenant;
  const file = await realpath(named).catch(() => {
    throw refused(`${name} does not exist any more.`);
  });
  if (pristine.file !== undefined && file !== pristine.file)
    throw refused(
      `${name} leads to another file than the one that was loaded (${pristine.file}). Let it lead there again, or load the other one first, for instance with understudy seed.`,
    );
  const text = await readUtf8(file, name);
  const { added: stubs, unsaved } = stubsOf(tenant);
  const { before, after } = await contentSources(site.store, site.uploads, pristine.store.snapshots, PRISTINE);
  const base = { now: pristine.loadedAt ?? site.clock.now(), zones: site.zones };
  let result: SaveResult;
  try {
    result = await savedDataset({ name, folder: path.dirname(file), text, syntax }, before, after, base, stubs);
  } catch (error) {
    if (error instanceof NotLoaded) throw refused(`${error.message}. Load ${name} first, for instance with understudy seed.`);
    if (error instanceof Uneditable) throw refused(`${name} cannot be changed: ${error.message}.`);
    throw datasetError(error);
  }
  const { text: written, ...told } = result;
  const all = [...told.unsaved, ...unsaved];
  if (isPreview) return asJson({ saved: false, file: name, ...told, unsaved: all, diff: await differenceOf(text, written) });
  if (written !== text) {
    // Before it is written, since the server may watch the file.
    tenant.savedText = written;
    await replaceText(file, name, text, written);
    await tenant.keepAsPristine();
  }
  return asJson({ saved: written !== text, file: name, ...told, unsaved: all });
}

/** Saves changes to the dataset file that was loaded. */
export const saveRoutes = (tenant: Tenant, host: QaHost): QaRoute[] => [
  post(`${PREFIX}/dataset/save`, {
    summary:
      'Write the changes of the content into the dataset file: the one that a command of this machine loaded last, or that the server was started with. A reset restores the saved content from then on.',
    isLong: true,
    args: { preview: { type: 'boolean', description: 'Write nothing, and get the lines that would change, as `diff`.' } },
    handler: async ({ preview = false }) =>
      json(await withLock(tenant, 'save', () => tenant.gate.exclusive(() => save(tenant, host, preview)))),
  }),
];
