import { journalExportRoutes } from '../journal/export.js';
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { SiteBusy } from '../../../database/store/site-copy.js';
import { DatasetError } from '../../../transfer/source.js';
import { type LoadMode, type LoadResult, storeSource } from '../../../transfer/load/load.js';
import type { RestResponse, Json } from '../../../wordpress/rest/route.js';
import { realTime } from '../../../wordpress/clock.js';
import { inspectDatabase, inspectSite, type Alone, type Finding } from '../../../transfer/inspect.js';
import { packageVersion } from '../../../base/system/package-version.js';
import { UserError } from '../../../wordpress/users/users.js';
import { FILE_ARG, PREFIX, QaFile, json, qaError, post, get, type QaRequest, type QaRoute } from './route.js';
import { savedState } from '../saved-state.js';
import type { Tenant } from '../tenant.js';
import { USER_ACTION_NAMES, USER_ACTIONS } from './user-actions.js';
import { PRIVATE, PRIVATE_FILE } from '../../../base/system/private-folder.js';

/** Media type of newline-delimited JSON. */
const NDJSON_TYPE = 'application/x-ndjson';

const BACKUP_TYPE = 'application/gzip';

/** Writes the body of a request to a temporary file, since it is read more than once. */
async function spool(request: QaRequest, folder: string): Promise<string> {
  await mkdir(folder, PRIVATE);
  const file = path.join(folder, `incoming-${randomUUID()}.ndjson`);
  await pipeline(request.incoming, createWriteStream(file, { mode: PRIVATE_FILE }));
  return file;
}

/** Converts the problems of a dataset to an error response; returns other errors unchanged. */
export const datasetError = (error: unknown): unknown =>
  error instanceof DatasetError ? qaError('invalid_dataset', error.message, 400, { problems: [...error.problems] }) : error;

async function importItems(
  tenant: Tenant,
  request: QaRequest,
  { mode, create, file: named }: { mode: LoadMode; create: boolean; file?: string },
): Promise<LoadResult> {
  const ended = new AbortController();
  // If the client disconnects before the last step, nothing changes.
  const abort = (): void => ended.abort();
  const { socket } = request.incoming;
  socket.once('close', abort);
  const file = await spool(request, tenant.folder);
  try {
    const { openAll } = await import('../../../transfer/formats/ndjson/read.js');
    const sources = await openAll(file, 'the request', ended.signal);
    const ownFile = tenant.fileNamedBy(request, named);
    const dataset = ownFile === undefined ? 'import' : path.basename(ownFile);
    return await tenant.load(sources, { mode, create, signal: ended.signal, dataset, file: ownFile });
  } catch (error) {
    throw datasetError(error);
  } finally {
    socket.off('close', abort);
    await rm(file, { force: true });
  }
}

const asJson = ({ administrator, ...counts }: LoadResult): Json => ({ ...counts, administrator: administrator && { ...administrator } });

/** Import and export of content in the lossless format, one item per line; backups, checks and users. */
export function transferRoutes(tenant: Tenant): QaRoute[] {
  return [
    userRoute(tenant),
    post(`${PREFIX}/import`, {
      summary: 'Import a dataset, one item per line, to replace all content or to add to it',
      args: {
        mode: {
          type: 'string',
          enum: ['replace', 'add'] as const,
          default: 'add',
          description: 'replace: replaces all content, and resets restore this dataset from now on.',
        },
        create: {
          type: 'boolean',
          default: true,
          description: 'Whether to create venues, organizers and terms that are referenced but not defined.',
        },
        file: FILE_ARG,
      },
      body: 'stream',
      isLong: true,
      handler: async (params, request) => json(asJson(await importItems(tenant, request, params))),
    }),
    get(`${PREFIX}/export`, {
      summary: 'Export all content, one item per line',
      handler: async () => {
        const { ndjsonOf } = await import('../../../transfer/formats/ndjson/write.js');
        return new QaFile(Readable.from(ndjsonOf(await storeSource(tenant.site.store, tenant.site.uploads))), NDJSON_TYPE);
      },
    }),
    get(`${PREFIX}/zones`, {
      summary:
        'Get what datasets are read with: the release of the time zone data, whether a dataset may bring another, and declared post types',
      handler: () => {
        const { zones, chosenZones, registry } = tenant.site;
        return json({ zones: zones.release, isFixed: chosenZones !== null, declarations: registry.declarations as Json });
      },
    }),
    get(`${PREFIX}/doctor`, {
      summary: 'Check the stored data: format, indexes, consistency, media files',
      isLong: true,
      handler: () => doctorReport(tenant),
    }),
    post(`${PREFIX}/backup`, {
      summary: 'Write a backup of the whole site, for understudy restore',
      args: { state: { type: 'boolean', default: false, description: 'Adds clock, faults, stubs and journal, for understudy open.' } },
      isLong: true,
      handler: ({ state }) => backupOf(tenant, state),
    }),
  ];
}

/** A backup of a consistent state of the site, with what tests control if wanted. Requests wait while it is copied, and continue while the copy is sent. */
async function backupOf(tenant: Tenant, hasState: boolean): Promise<QaFile> {
  const state = hasState ? savedState(tenant) : undefined;
  // Loaded on first use.
  const [{ takeSite }, { writeBackup }] = await Promise.all([
    import('../../../transfer/backup/write.js'),
    import('../../../transfer/backup/write.js'),
  ]);
  const { store } = tenant.site;
  const taken = await takeSite(store, tenant.place, (work) => tenant.gate.exclusive(work)).catch((error: unknown) => {
    throw error instanceof SiteBusy ? qaError('busy', error.message, 503) : error;
  });
  const out = new PassThrough();
  // An error ends the stream, and with it the response: the client then has an incomplete file.
  void writeBackup({ ...taken, state }, out)
    .catch((error: Error) => out.destroy(error))
    .then(taken.release)
    // Recovery deletes it.
    .catch(() => undefined);
  return new QaFile(out, BACKUP_TYPE);
}

async function doctorReport({ site: { store, uploads, zones }, gate }: Tenant): Promise<RestResponse> {
  const alone: Alone = (work) => gate.exclusive(work);
  const data: Finding = { check: 'time zones of the site', status: 'ok', message: `The site has the time zone data ${zones.release}.` };
  const findings = [...(await inspectDatabase(store, realTime())), ...(await inspectSite(store, uploads, alone)), data];
  return json({ version: packageVersion(), findings: findings.map((finding) => ({ ...finding })) });
}

/** Manages users, as `understudy users` does. */
const userRoute = ({ site }: Tenant): QaRoute =>
  post(`${PREFIX}/users`, {
    summary: 'Add, list or remove users, or set passwords, as understudy users does',
    args: {
      action: { type: 'string', enum: USER_ACTION_NAMES, required: true, description: 'What to do.' },
      login: { type: 'string', default: '', description: 'The user; not for list.' },
      role: { type: 'string', description: 'For add: the role.' },
      email: { type: 'string', description: 'For add: the email address.' },
      displayName: { type: 'string', description: 'For add: the display name.' },
      accountPassword: { type: 'string', description: 'For add and password: the account password.' },
      keep: { type: 'boolean', default: false, description: 'For password: whether existing application passwords stay valid.' },
      reassign: { type: 'string', description: "For remove: the new author of the user's posts." },
      json: { type: 'boolean', default: false, description: 'For list: whether the text is JSON.' },
    },
    isLong: true,
    handler: async ({ action, login, ...call }) => {
      try {
        return json({ text: await USER_ACTIONS[action](site.store, login, call) });
      } catch (error) {
        throw error instanceof UserError ? qaError('user', error.message) : error;
      }
    },
  });

export const commandRoutes = (tenant: Tenant): QaRoute[] => [
  ...transferRoutes(tenant),
  ...journalExportRoutes(tenant),
  get(`${PREFIX}/clock`, {
    summary: 'Get the time of the site',
    handler: () => json({ now: new Date(tenant.site.clock.now()).toISOString() }),
  }),
  post(`${PREFIX}/reset`, {
    summary: 'Reset to the loaded content',
    handler: async () => {
      await tenant.reset();
      return json({ reset: true });
    },
  }),
];
