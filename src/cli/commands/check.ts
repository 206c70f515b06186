import { CALENDAR } from '../../plugins/the-events-calendar/quirks/version.js';
import * as yup from 'yup';
import { ConfigError, OPTIONS, STORE_OPTIONS, fromEnvironment, readArguments, resolveOptions } from '../../server/config/index.js';
import type { Option, ServerOptions } from '../../server/config/index.js';
import type { CheckOptions } from '../../transfer/live/check/site.js';
import { GROUPS } from '../../transfer/live/plugins.js';
import { detectLines, detectVersion } from '../../transfer/live/version/detect.js';
import { inputFile, openFiles } from '../../transfer/formats/open.js';
import type { DatasetSource } from '../../transfer/source.js';
import { readMoment } from '../../base/text/moment.js';
import type { Administrator } from '../../transfer/load/administrator.js';
import type { Site } from '../../wordpress/site.js';
import {
  switchOption,
  valueOption,
  print,
  clientOptions,
  defaultsOf,
  liveSiteOptions,
  siteAddress,
  interruptible,
  startProgress,
  helpOf,
  section,
} from './command.js';
import type { Command, LiveSiteOptions } from './command.js';

interface CheckFlags extends LiveSiteOptions {
  against?: string;
  dataset?: string;
  contract?: boolean;
  tecVersion?: boolean;
  responses?: boolean;
  now?: string;
  zones?: string;
  only?: string;
  limit: number;
  differences: number;
  profile: ServerOptions['profile'];
  words?: boolean;
  json?: boolean;
}

const count = () => yup.number().typeError('${path} must be a number').integer().min(0);

const ZONES = OPTIONS.filter(({ name }) => name === 'zones') as Option<'zones'>[];

const FLAGS: readonly Option<keyof CheckFlags>[] = [
  valueOption('against', 'URL', 'URL of a running server to compare with'),
  valueOption('dataset', 'FILE', 'Dataset to serve in memory and compare with'),
  switchOption('responses', 'Compare recorded responses, whose files or folders are named instead of the URL'),
  valueOption('now', 'ISO', 'With --responses: time of the server (default: when they were recorded)'),
  switchOption('contract', 'Validate the site alone against the published API'),
  switchOption('tecVersion', 'Find the releases of The Events Calendar that the site behaves like'),
  valueOption('only', 'GROUPS', `Only these groups, comma-separated: ${GROUPS.join(', ')}`),
  valueOption('limit', 'N', 'Maximum number of single items of each kind; 0: all', { schema: count(), default: 25 }),
  valueOption('differences', 'N', 'Maximum number of differences to show per response', { schema: count(), default: 5 }),
  valueOption('profile', 'NAME', 'Profile of the server that the command starts: tec or standard', {
    schema: yup.string().oneOf(['tec', 'standard']),
    default: 'tec',
  }),
  ...ZONES,
  ...liveSiteOptions(10),
  switchOption('words', 'Compare the wording of descriptions in documents, schemas and indexes, too'),
  switchOption('json', 'Print JSON'),
];

const checkHelp = (): string =>
  helpOf('check', section('Options', FLAGS), section('Site to compare with [environment variable]', STORE_OPTIONS));

type Store = Partial<Pick<ServerOptions, 'data' | 'mongodbUri'>>;

/** The server to compare with. `end` stops it if the command started it in this process. */
interface ServerToCompare {
  url: string;
  own?: { site: Site; administrator: Pick<Administrator, 'login' | 'password'> | null };
  end: () => Promise<void>;
}

/** @param source content of the server, unless the flags name other content */
async function serverFor(
  flags: CheckFlags,
  store: Store,
  url: string,
  source: DatasetSource | null,
  common: Pick<CheckOptions, 'client' | 'notify' | 'progress'>,
): Promise<ServerToCompare> {
  if (flags.against !== undefined) return { url: siteAddress([flags.against], 'check'), end: () => Promise.resolve() };
  const { startServer } = await import('../../server/app/start.js');
  const own: Partial<ServerOptions> = {
    port: 0,
    profile: flags.profile,
    logLevel: 'error',
    qa: false,
    // TEC: the pro extension shows coordinates.
    ...(JSON.stringify(source?.exchanges ?? []).includes('"geo_lat":') ? { quirks: ['coordinates-are-hidden=off'] } : {}),
    ...(flags.now === undefined ? {} : { now: flags.now }),
    ...(flags.zones === undefined ? {} : { zones: flags.zones }),
  };
  const hasStore = store.data !== undefined || store.mongodbUri !== undefined;
  if (flags.dataset !== undefined || hasStore) {
    const server = await startServer(
      resolveOptions(fromEnvironment(), store, own, flags.dataset === undefined ? {} : { dataset: flags.dataset, ephemeral: true }),
    );
    return { url: server.url, own: server, end: () => server.close() };
  }
  const { copyOf, serverWith } = await import('./copy.js');
  const copy = await (source ? serverWith(source, { ...common, own }) : copyOf(url, { ...common, own }));
  return { url: copy.server.url, own: { site: copy.server.site, administrator: copy.administrator }, end: copy.close };
}

/** The zone data of a running server; null if it has no test API, or keeps it to itself. */
async function zonesAt(url: string): Promise<string | null> {
  try {
    const { zones } = (await (await fetch(`${url}/__qa/health`)).json()) as { zones?: unknown };
    return typeof zones === 'string' ? zones : null;
  } catch {
    return null;
  }
}

/** Finds the release of a site. @param server a server with its content */
async function detect(url: string, { url: at, own }: ServerToCompare, { client, progress }: Pick<CheckOptions, 'client' | 'progress'>) {
  return detectVersion({
    url,
    client,
    progress,
    against: {
      url: at,
      ...(client.credentials && own?.administrator ? { credentials: own.administrator } : {}),
      setVersion: (version) => {
        if (own) own.site.chosenReleases = { ...own.site.chosenReleases, [CALENDAR]: version };
      },
    },
  });
}

/** @throws ConfigError if a file is no recording */
async function openRecorded(files: readonly string[], flags: CheckFlags, notify: (line: string) => void): Promise<DatasetSource> {
  const now = flags.now === undefined ? null : readMoment(flags.now);
  if (flags.now !== undefined && now === null) throw new ConfigError('--now must be a time such as 2026-06-15T12:00:00Z');
  const warn = (line: string): void => notify(`Warning: ${line}.`);
  const [source, ...others] = await openFiles(files.map(inputFile), { now, warn, notify });
  const other = [source, ...others].find(({ exchanges }) => !exchanges);
  if (other)
    throw new ConfigError(`${other.name} is a dataset, and no recorded response. Compare a site with it: understudy check URL --dataset`);
  return source;
}

async function runCheck(args: readonly string[]): Promise<void> {
  const { given, operands } = readArguments<keyof CheckFlags | keyof ServerOptions>(args, [...FLAGS, ...STORE_OPTIONS]);
  const flags = { ...defaultsOf(FLAGS), ...given } as unknown as CheckFlags;
  if (flags.responses && operands.length === 0)
    throw new ConfigError('No file to check. Usage: understudy check --responses FILE… [options]');
  const url = flags.responses ? operands[0] : siteAddress(operands, 'check');
  const [{ checkSite, reportLines }, names] = [
    await import('../../transfer/live/check/site.js'),
    new Set<string>(STORE_OPTIONS.map(({ name }) => name)),
  ];
  const wanted = flags.only?.split(',').map((name) => name.trim()) ?? [];
  const only = GROUPS.filter((group) => wanted.includes(group));
  if (only.length < wanted.length) throw new ConfigError(`--only: unknown group. Use a comma-separated list of ${GROUPS.join(', ')}`);
  if (flags.contract && (flags.against ?? flags.dataset) !== undefined)
    throw new ConfigError('--contract validates one site: it cannot be combined with --against or --dataset');
  if (flags.tecVersion && (flags.against !== undefined || flags.contract === true || flags.only !== undefined))
    throw new ConfigError('--tec-version compares with many releases: it cannot be combined with --against, --contract or --only');
  const store = Object.fromEntries(Object.entries(given).filter(([name]) => names.has(name))) as Store;
  const quiet = flags.json === true;
  const progress = startProgress({ quiet });
  const { notify } = progress;
  const report = await interruptible(async (signal) => {
    const client = clientOptions(flags, { signal, notify });
    const common: Pick<CheckOptions, 'client' | 'notify' | 'progress'> = {
      client,
      notify,
      progress: (what, done, total) => progress.at(what, done, total),
    };
    const source = flags.responses ? await openRecorded(operands, flags, notify) : null;
    const time = Math.min(...(source?.exchanges ?? []).flatMap((exchange) => exchange.time ?? []));
    const now = flags.now ?? (Number.isFinite(time) ? new Date(time).toISOString() : undefined);
    const server = flags.contract ? null : await serverFor({ ...flags, ...(now === undefined ? {} : { now }) }, store, url, source, common);
    try {
      if (source?.exchanges && server) {
        const { checkResponses } = await import('../../transfer/live/check/responses.js');
        return await checkResponses({
          exchanges: source.exchanges,
          url: server.url,
          client: { ...client, rate: 0 },
          progress: common.progress,
        });
      }
      if (flags.tecVersion && server) return await detect(url, server, common);
      const zones = server && (server.own?.site.zones.release ?? (await zonesAt(server.url)));
      const administrator = server?.own?.administrator;
      return await checkSite({
        url,
        against: server?.url ?? null,
        administrator,
        isCopy: server?.own !== undefined && flags.dataset === undefined && store.data === undefined && store.mongodbUri === undefined,
        zones,
        only,
        limit: flags.limit,
        words: flags.words ?? false,
        ...common,
      });
    } finally {
      await server?.end();
    }
  }, progress);
  if ('best' in report) {
    print(quiet ? JSON.stringify(report, null, 2) : detectLines(report).join('\n'));
    return;
  }
  print(quiet ? JSON.stringify(report, null, 2) : reportLines(report, flags.differences).join('\n'));
  if (report.findings.length > 0) process.exitCode = 1;
}

export const checkCommand: Command = { help: checkHelp, options: [...FLAGS, ...STORE_OPTIONS], run: runCheck };
