import type { Zones } from '../../base/php/timezone.js';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { InputFile, ReadOptions, Warn } from '../../transfer/formats/format.js';
import type { LoadMode } from '../../transfer/load/load.js';
import { type SourceItem, type DatasetSource, warningText } from '../../transfer/source.js';
import type { Args, Json, RestResponse } from '../../wordpress/rest/route.js';
import { Clock } from '../../wordpress/clock.js';
import { sentMoment, NOW_ARG } from './clock-routes.js';
import type { QaHost } from './host.js';
import { codeOf } from '../../base/values/errors.js';
import { withoutUndefined } from '../../base/values/records.js';
import { FILE_ARG, json, PREFIX, qaError, post, type QaRoute } from '../tenant/api/route.js';
import type { Tenant } from '../tenant/tenant.js';
import { timed } from './timed.js';
import { datasetError } from '../tenant/api/transfer.js';
import { PRIVATE } from '../../base/system/private-folder.js';

interface SeedOptions {
  mode: LoadMode;
  /** Whether the clock and the time zone stay as they are where the dataset has none. */
  keep: boolean;
  /** Whether reset restores the dataset from now on. */
  pristine: boolean;
  /** Time of the clock, which relative dates are relative to. */
  now: string | undefined;
  /** Whether venues, organizers and terms that are only mentioned are created. Default: as the server is set up. */
  create: boolean | undefined;
  /** Whether the dataset is rejected if a part of it would be left out. */
  strict: boolean;
  /** Encoding of files that do not tell theirs and are not UTF-8. */
  encoding: string | undefined;
}

interface UploadedDataset {
  inputs: InputFile[];
  /** Whether files may be missing. */
  partial: boolean;
  /** Name of the dataset, for people. */
  dataset: string;
  /** Real path of the file that changes are saved to from now on. */
  file?: string | undefined;
}

/** Paths below `uploads` of files that a source needs and that do not exist. */
async function missingUploads(source: DatasetSource): Promise<string[]> {
  const missing = [...(source.missing ?? [])];
  for await (const item of source.items(() => undefined))
    if (item.kind === 'file' && !item.file.data && !existsSync(item.file.source)) missing.push(item.file.target);
  return missing;
}

async function rejectMissing(sources: readonly DatasetSource[]): Promise<void> {
  const files = [...new Set((await Promise.all(sources.map(missingUploads))).flat())];
  const stubs = [...new Set(sources.flatMap(({ missingStubs = [] }) => missingStubs))];
  if (files.length + stubs.length === 0) return;
  throw qaError('missing_files', `Files of the dataset were not sent: ${[...files, ...stubs].join(', ')}`, 400, { files, stubs });
}

/** A source whose site has the time zone of another, if it sets none: a list of events is about no site. */
async function withZone(source: DatasetSource, { site }: Tenant): Promise<DatasetSource> {
  const rows = await site.store.options.find({ _id: { $in: ['timezone_string', 'gmt_offset', 'zone_release'] } }).toArray();
  const zone: SourceItem = { kind: 'options', options: Object.fromEntries(rows.map(({ _id, value }) => [_id, value])) };
  return {
    ...source,
    async *items(problems) {
      let isFirst = true;
      for await (const item of source.items(problems)) {
        if (isFirst && item.kind !== 'options') yield zone;
        isFirst = false;
        yield item;
      }
    },
  };
}

/** The time zones that a dataset is read with: it may bring its own if it replaces the content. */
const zonesFor = ({ site }: Tenant, mode: LoadMode): { zones?: Zones } =>
  mode === 'replace' && site.chosenZones === null ? {} : { zones: site.allZones };

/** In mode `add`, files may use the post types that the site declares. */
const declaredFor = ({ site }: Tenant, mode: LoadMode): Pick<ReadOptions, 'declarations'> =>
  mode === 'add' ? { declarations: site.registry.declarations } : {};

async function seed(
  tenant: Tenant,
  host: QaHost,
  sent: UploadedDataset,
  { mode, keep, pristine, now, create = host.create, strict, encoding }: SeedOptions,
): Promise<Record<string, Json>> {
  const at = now === undefined ? null : sentMoment(now);
  const { clock } = tenant.site;
  const { seeds } = host.sandboxes;
  const isWhole = mode === 'replace' && pristine && !keep;
  const key = isWhole ? await seeds.keyOf(tenant, sent.inputs, [at, create, strict, encoding, sent.partial, host.adminPassword]) : null;
  const prepared = seeds.find(key);
  if (prepared) {
    await tenant.loadAgain(prepared.content, sent.dataset);
    return prepared.response;
  }
  const warnings: string[] = [];
  const warn: Warn = (line, place) => void warnings.push(warningText(line, place).replace(/[^.?]$/, '$&.'));
  try {
    const { openFiles } = await import('../../transfer/formats/open.js');
    // Relative dates are relative to the site's clock.
    const sources = await Clock.at(at ?? clock.now(), () =>
      openFiles(sent.inputs, {
        now: at,
        warn,
        strict,
        ...withoutUndefined({ encoding }),
        ...zonesFor(tenant, mode),
        ...declaredFor(tenant, mode),
        ...(keep ? { zone: tenant.site.options.timezone } : {}),
      }),
    );
    if (!sent.partial) await rejectMissing(sources);
    const loaded = await tenant.load(keep && mode === 'replace' ? [await withZone(sources[0], tenant), ...sources.slice(1)] : sources, {
      mode,
      keepsClock: keep && at === null && sources[0].clock === null,
      forOnce: !pristine,
      // A seeded dataset must not depend on the previous content.
      keepsAccounts: false,
      adminPassword: host.adminPassword,
      create,
      clock: at ?? undefined,
      dataset: sent.dataset,
      file: sent.file,
    });
    const { posts, terms, users, administrator } = loaded;
    const response = {
      seeded: true,
      posts,
      terms,
      users: administrator?.isNew === true ? users - 1 : users,
      administrator: administrator?.login ?? null,
      warnings,
    };
    // Each sandbox gets another generated password.
    if (administrator === null || host.adminPassword !== undefined) await seeds.keep(key, tenant, sources, loaded, response);
    return response;
  } catch (error) {
    throw datasetError(error);
  }
}

/** Runs a function with a temporary folder. */
async function inFolder<T>(tenant: Tenant, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = path.join(tenant.folder, `incoming-${randomUUID()}`);
  await mkdir(folder, PRIVATE);
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes the body to a file. Its media are in the folder of the server's dataset. */
async function bodyInput(bytes: Buffer, folder: string, host: QaHost): Promise<InputFile> {
  const file = path.join(folder, 'body');
  await writeFile(file, bytes);
  return { file, name: 'The body', folder: host.datasetFolder };
}

const textOf = (value: Json | undefined): string | undefined => (typeof value === 'string' ? value : undefined);

/** The errors of names that no file can have: too long, with a NUL, of a folder, or below another file. */
const INVALID_NAME: ReadonlySet<string> = new Set(['ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE', 'EISDIR', 'ENOTDIR', 'EEXIST']);

/** Writes a file below a folder. @throws RestError if the path leads elsewhere, or no file can have it */
async function writeBelow(folder: string, name: string, content: Json): Promise<void> {
  const file = path.join(folder, name);
  const invalid = (): Error => qaError('invalid_path', `${JSON.stringify(name)} must be a path below ${path.basename(folder)}.`);
  if (!file.startsWith(folder + path.sep)) throw invalid();
  try {
    await mkdir(path.dirname(file), PRIVATE);
    await writeFile(file, Buffer.from(textOf(content) ?? '', 'base64'));
  } catch (error) {
    throw INVALID_NAME.has(codeOf(error) ?? '') ? invalid() : error;
  }
}

/** The name of a dataset of several files. */
const nameOf = (dataset: readonly Record<string, Json>[]): string =>
  dataset.map(({ name }) => path.basename(textOf(name) ?? 'dataset')).join(', ');

/** Writes files that were sent to a folder. */
async function writeSent(
  dataset: readonly Record<string, Json>[],
  files: Readonly<Record<'uploads' | 'stubs', Readonly<Record<string, Json>>>>,
  folder: string,
): Promise<InputFile[]> {
  for (const [below, contents] of Object.entries(files))
    await Promise.all(Object.entries(contents).map(([name, content]) => writeBelow(path.join(folder, below), name, content)));
  return Promise.all(
    dataset.map(async ({ name, folder: shownFolder, content }, index): Promise<InputFile> => {
      const file = path.join(folder, `dataset-${index}`);
      await writeFile(file, Buffer.from(textOf(content) ?? '', 'base64'));
      return { file, name: textOf(name) ?? 'The dataset', folder, shownFolder: textOf(shownFolder) ?? '' };
    }),
  );
}

const SEED_ARGS = {
  mode: {
    type: 'string',
    enum: ['replace', 'add'] as const,
    default: 'replace',
    description: 'Whether the dataset replaces all content or is added to it.',
  },
  keep: {
    type: 'boolean',
    default: false,
    description: 'Whether clock and time zone stay as they are where the dataset has none.',
  },
  pristine: { type: 'boolean', default: true, description: 'Whether reset restores this dataset from now on.' },
  now: NOW_ARG,
  create: { type: 'boolean', description: 'Whether to create venues, organizers and terms that are referenced but not defined.' },
  strict: {
    type: 'boolean',
    default: false,
    description: 'Whether to reject a file with items that cannot be read, instead of leaving them out with a warning.',
  },
  encoding: { type: 'string', description: 'Encoding of files that do not tell theirs and are not UTF-8, such as windows-1252.' },
} satisfies Args;

const FILE_ARGS = {
  dataset: {
    type: 'array',
    minItems: 1,
    required: true,
    items: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        folder: { type: 'string' },
        content: { type: 'string' },
      },
    },
    description:
      'Files of the dataset: name, folder for messages, content in base64. The first replaces all content, the others are added.',
  },
  uploads: { type: 'object', default: {}, description: 'Files of the media library in base64, by path below uploads.' },
  stubs: { type: 'object', default: {}, description: 'Files that stubs respond with in base64, by path below stubs.' },
  partial: { type: 'boolean', default: false, description: 'Whether optional files may be missing.' },
  file: FILE_ARG,
} satisfies Args;

const seeded = async (work: () => Promise<Record<string, Json>>): Promise<RestResponse> => json(await timed(work));

const optionsOf = ({ now, encoding, ...given }: Omit<SeedOptions, 'now' | 'encoding'> & { now?: Json; encoding?: Json }): SeedOptions => ({
  ...given,
  now: textOf(now),
  encoding: textOf(encoding),
});

export const seedRoutes = (tenant: Tenant, host: QaHost): QaRoute[] => [
  post(`${PREFIX}/seed`, {
    summary: 'Replace all content with the dataset in the body, a file of any format',
    args: SEED_ARGS,
    body: 'bytes',
    isLong: true,
    handler: (params, { bytes }) =>
      inFolder(tenant, (folder) =>
        seeded(async () =>
          seed(
            tenant,
            host,
            { inputs: [await bodyInput(bytes, folder, host)], partial: true, dataset: 'sent over HTTP' },
            optionsOf(params),
          ),
        ),
      ),
  }),
  post(`${PREFIX}/seed/files`, {
    summary: 'Replace all content with the files in the body. If files are missing, the response names them.',
    args: { ...FILE_ARGS, ...SEED_ARGS },
    isLong: true,
    handler: ({ dataset, uploads, stubs, partial, file, ...params }, request) =>
      inFolder(tenant, (folder) =>
        seeded(async () =>
          seed(
            tenant,
            host,
            {
              ...{ inputs: await writeSent(dataset, { uploads, stubs }, folder), partial, dataset: nameOf(dataset) },
              file: tenant.fileNamedBy(request, file),
            },
            optionsOf(params),
          ),
        ),
      ),
  }),
];
