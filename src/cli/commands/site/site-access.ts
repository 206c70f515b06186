import type { Zones } from '../../../base/php/timezone.js';
import { knownRelease, zonesOf } from '../../../base/php/zone-data.js';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { registryWithDefaults } from '../../../plugins/register.js';
import { fixedUrl, type ServerOptions } from '../../../server/config/index.js';
import { inputFile, openFile } from '../../../transfer/formats/open.js';
import { storedHome } from '../../../transfer/load/options.js';
import { ndjsonOf } from '../../../transfer/formats/ndjson/write.js';
import { recoverWork } from '../../../transfer/load/commit.js';
import type { DatasetSource } from '../../../transfer/source.js';
import { PRISTINE, loadSources, type LoadMode, type LoadResult, storeSource } from '../../../transfer/load/load.js';
import { logTo } from '../../../base/system/log.js';
import { mirrorFiles, placeIn } from '../../../transfer/load/mirror.js';
import type { Cleanup } from '../../../server/app/cleanup.js';
import { openStoreFor } from '../../../server/app/open.js';
import { openEngine } from '../../../server/app/start.js';
import { Clock } from '../../../wordpress/clock.js';
import { siteZoneText } from '../../../wordpress/timezones.js';
import type { Declarations } from '../../../wordpress/types/declared.js';
import { checkConsistency } from '../../../wordpress/check.js';
import type { Store } from '../../../wordpress/store.js';
import { openSite, requireKept } from '../command.js';
import { ServerApi, serverFor, type SiteAddress } from './server-api.js';
import { PRIVATE } from '../../../base/system/private-folder.js';

interface LoadCall {
  mode: LoadMode;
  signal: AbortSignal;
  /** Whether to create venues, organizers and terms that are only mentioned. Default: true. */
  create?: boolean;
  /** Real path of the file that changes are saved to from now on. */
  file?: string | undefined;
  onProgress: (what: string, done: number, total?: number) => void;
}

/** Zones with which files for a site are read. */
interface SiteZones {
  zones: Zones;
  /** Whether content that replaces the site's may name other data. */
  isFree: boolean;
  declarations: Declarations;
}

/** The site that a command works on: in a running server, or in a data folder that no server has open. */
export interface OpenSite {
  /** Name of the site in messages. */
  where: string;
  load(sources: readonly DatasetSource[], call: LoadCall): Promise<LoadResult>;
  export(signal: AbortSignal): Promise<DatasetSource>;
  zone(): Promise<string>;
  /** The time zones that the site knows, and whether those of a new dataset would replace them. */
  zones(): Promise<SiteZones>;
  /** Restores the loaded content. */
  reset(): Promise<void>;
  /** The site's clock, ms since 1970 UTC: the base of relative dates. */
  now(): Promise<number>;
}

/** URL of a site that has never been served. The first start rewrites its links. */
const DEFAULT_URL = 'http://127.0.0.1:8080';

/** A site in a data folder or a MongoDB that no server serves. */
class StoredSite implements OpenSite {
  constructor(
    private readonly store: Store,
    private readonly folder: string,
    private readonly options: ServerOptions,
    readonly where: string,
  ) {}

  async load(sources: readonly DatasetSource[], call: LoadCall): Promise<LoadResult> {
    const siteUrl = (await storedHome(this.store)) ?? fixedUrl(this.options) ?? DEFAULT_URL;
    const { plugins } = this.options;
    const brought = plugins.length > 0 ? plugins : sources.flatMap((source) => source.plugins ?? []);
    return loadSources(this.store, sources, {
      ...call,
      ...(call.mode === 'replace' ? { registry: await registryWithDefaults(brought) } : {}),
      place: placeIn(this.folder),
      siteUrl,
      now: new Clock().seconds(),
      adminPassword: this.options.adminPassword,
    });
  }

  export(): Promise<DatasetSource> {
    return storeSource(this.store, placeIn(this.folder).uploads);
  }

  async zone(): Promise<string> {
    const rows = await this.store.options.find({ _id: { $in: ['timezone_string', 'gmt_offset'] } }).toArray();
    return siteZoneText(Object.fromEntries(rows.map(({ _id, value }) => [_id, value])));
  }

  async zones(): Promise<SiteZones> {
    const { zones } = this.options;
    const { declarations } = this.store.registry;
    if (zones !== undefined) return { zones: zonesOf(zones), isFree: false, declarations };
    const row = await this.store.options.findOne({ _id: 'zone_release' });
    return { zones: zonesOf(knownRelease(row?.value)), isFree: true, declarations };
  }

  now(): Promise<number> {
    return Promise.resolve(new Clock().now());
  }

  async reset(): Promise<void> {
    const { uploads, pristine } = placeIn(this.folder);
    const { snapshots } = this.store;
    await snapshots.restore(PRISTINE, snapshots, { alongside: () => mirrorFiles(pristine, uploads) });
  }
}

/** The site of a running server, accessed through its test API. */
class ServedSite implements OpenSite {
  readonly where: string;

  private readonly api: ServerApi;

  constructor(
    url: string,
    token: string | undefined,
    private readonly cleanup: Cleanup,
  ) {
    this.where = `the server at ${url}`;
    this.api = new ServerApi(url, token);
  }

  async load(sources: readonly DatasetSource[], { mode, create = true, file, signal, onProgress }: LoadCall): Promise<LoadResult> {
    const named = file === undefined ? '' : `&file=${encodeURIComponent(file)}`;
    return this.api.json('POST', `/__qa/import?mode=${mode}&create=${create}${named}`, signal, ndjsonStream(sources, onProgress));
  }

  async export(signal: AbortSignal): Promise<DatasetSource> {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'understudy-export-'));
    this.cleanup.add(() => rm(folder, { recursive: true, force: true }));
    const file = path.join(folder, 'site.ndjson');
    await pipeline(await this.api.ask('GET', '/__qa/export', signal), createWriteStream(file));
    return openFile({ ...inputFile(file), name: this.where }, { now: null, signal }, 'ndjson');
  }

  async zone(): Promise<string> {
    return siteZoneText(await this.api.json<Record<string, unknown>>('GET', '/?rest_route=/'));
  }

  async zones(): Promise<SiteZones> {
    const told = await this.api.json<{ zones: string; isFixed: boolean; declarations?: Declarations }>('GET', '/__qa/zones');
    return { zones: zonesOf(knownRelease(told.zones)), isFree: !told.isFixed, declarations: told.declarations ?? {} };
  }

  now(): Promise<number> {
    return this.api.now();
  }

  async reset(): Promise<void> {
    await this.api.json('POST', '/__qa/reset');
  }
}

/** Streams the items of sources as NDJSON, one source after the other. */
function ndjsonStream(sources: readonly DatasetSource[], onProgress: LoadCall['onProgress']): Readable {
  async function* texts(): AsyncGenerator<string> {
    for (const source of sources) {
      let done = 0;
      for await (const text of ndjsonOf(source, true)) {
        done += text.split('\n').length - 1;
        onProgress('Sending', done, source.count);
        yield text;
      }
    }
    onProgress('Loading', 0);
  }
  return Readable.from(texts());
}

/** Opens the site of the data folder in this process. */
async function storedSite(options: ServerOptions, needs: 'site' | 'folder', cleanup: Cleanup): Promise<OpenSite> {
  const folder = path.resolve(options.data);
  const where = options.mongodbUri ? 'the database' : folder;
  if (needs === 'folder') await mkdir(folder, PRIVATE);
  const log = logTo(process.stderr, 'warn');
  const store =
    needs === 'site' ? await openSite(options, cleanup) : await openStoreFor(openEngine(options, folder, { log, cleanup }), cleanup);
  for (const line of await recoverWork(store, placeIn(folder))) log.warn(line);
  if (!store.isConsistent) for (const line of await checkConsistency(store, placeIn(folder).uploads)) log.warn(line);
  return new StoredSite(store, folder, options, where);
}

/**
 * The site that a command line selects: the server at `--url`, otherwise the running one of the data folder or project, otherwise the
 * folder.
 * @param needs `site`: it must exist; `folder`: it is created if missing
 * @param cleanup closes everything opened here
 */
export async function siteAt(options: ServerOptions, place: SiteAddress, needs: 'site' | 'folder', cleanup: Cleanup): Promise<OpenSite> {
  const server = await serverFor(options, place);
  if (server) return new ServedSite(server.url, server.token, cleanup);
  requireKept(options);
  return storedSite(options, needs, cleanup);
}
