import * as yup from 'yup';
import { ConfigError, STORE_OPTIONS, fromEnvironment, optionHelp, readArguments, resolveOptions } from '../config/index.js';
import type { Option, ServerOptions } from '../config/index.js';
import type { CheckOptions } from '../content/live/check/site.js';
import { say, type Command } from './command.js';
import { clientOptions, defaultsOf, liveSiteOptions, siteAddress, type LiveSiteOptions } from './live-site.js';
import { interruptible, startProgress } from './progress.js';

interface CheckFlags extends LiveSiteOptions {
  against?: string;
  dataset?: string;
  contract?: boolean;
  only?: string;
  limit: number;
  differences: number;
  profile: ServerOptions['profile'];
  json?: boolean;
}

const text = () => yup.string().strict().min(1);
const count = () => yup.number().typeError('${path} must be a number').integer().min(0);

const FLAGS: readonly Option<keyof CheckFlags>[] = [
  { name: 'against', flag: 'against', value: 'URL', help: 'A running server to compare with', schema: text() },
  { name: 'dataset', flag: 'dataset', value: 'FILE', help: 'A dataset to serve in memory and compare with', schema: text() },
  { name: 'contract', flag: 'contract', help: 'Hold the site alone against the published interface', schema: yup.boolean(), sets: true },
  {
    name: 'only',
    flag: 'only',
    value: 'GROUPS',
    help: 'Only these, with commas: lists, filters, singles, terms, errors, options, doc',
    schema: text(),
  },
  { name: 'limit', flag: 'limit', value: 'N', help: 'Single items of each kind at most; 0: all', schema: count(), default: 25 },
  { name: 'differences', flag: 'differences', value: 'N', help: 'Differences shown of one answer', schema: count(), default: 5 },
  {
    name: 'profile',
    flag: 'profile',
    value: 'NAME',
    help: 'Profile of a server that is started for this: tec or standard',
    schema: yup.string().oneOf(['tec', 'standard']),
    default: 'tec',
  },
  ...liveSiteOptions(10),
  { name: 'json', flag: 'json', help: 'Print JSON', schema: yup.boolean(), sets: true },
];

const checkHelp = (): string => `Usage: understudy check URL [options]

Sends the same requests to a live WordPress site and to Understudy, and shows where the answers differ. All of them only read. Without
--against, --dataset or --data the site is copied into memory first, and the copy is compared with it. Addresses of the two sites count as
the same.

Exit code: 0 all answers are the same, 1 some differ, 2 the command was not understood.

Options:
${optionHelp(FLAGS)}

A site in a data folder to compare with [environment variable]:
${optionHelp(STORE_OPTIONS)}

Examples:
  understudy check https://example.org
  understudy check https://example.org --against http://127.0.0.1:8080
  understudy check https://example.org --contract --only lists,singles --json`;

type Store = Partial<Pick<ServerOptions, 'data' | 'mongodbUri'>>;

/** A server to compare with, and how to end it. */
async function serverFor(
  flags: CheckFlags,
  store: Store,
  url: string,
  common: Pick<CheckOptions, 'client' | 'tell' | 'progress'>,
): Promise<{ url: string; end: () => Promise<void> }> {
  if (flags.against !== undefined) return { url: siteAddress([flags.against], 'check'), end: () => Promise.resolve() };
  const { startServer } = await import('../app/server.js');
  const own: Partial<ServerOptions> = { port: 0, profile: flags.profile, logLevel: 'error', qa: false };
  const hasStore = store.data !== undefined || store.mongodbUri !== undefined;
  if (flags.dataset !== undefined || hasStore) {
    const server = await startServer(
      resolveOptions(fromEnvironment(), store, own, flags.dataset === undefined ? {} : { dataset: flags.dataset, ephemeral: true }),
    );
    return { url: server.url, end: () => server.close() };
  }
  const { copyOf } = await import('./copy.js');
  const copy = await copyOf(url, { ...common, own });
  return { url: copy.url, end: copy.close };
}

async function runCheck(args: readonly string[]): Promise<void> {
  const { given, operands } = readArguments<keyof CheckFlags | keyof ServerOptions>(args, [...FLAGS, ...STORE_OPTIONS]);
  const flags = { ...defaultsOf(FLAGS), ...given } as unknown as CheckFlags;
  const url = siteAddress(operands, 'check');
  const [{ GROUPS, checkSite, reportLines }, names] = [
    await import('../content/live/check/site.js'),
    new Set<string>(STORE_OPTIONS.map(({ name }) => name)),
  ];
  const wanted = flags.only?.split(',').map((name) => name.trim()) ?? [];
  const only = GROUPS.filter((group) => wanted.includes(group));
  if (only.length < wanted.length) throw new ConfigError(`--only takes ${GROUPS.join(', ')}, with commas`);
  if (flags.contract && (flags.against ?? flags.dataset) !== undefined) throw new ConfigError('--contract looks at one site only');
  const store = Object.fromEntries(Object.entries(given).filter(([name]) => names.has(name))) as Store;
  const quiet = flags.json === true;
  const progress = startProgress({ quiet });
  const tell = (line: string): void => {
    progress.clear();
    if (!quiet) process.stderr.write(`${line}\n`);
  };
  const report = await interruptible(async (signal) => {
    const client = clientOptions(flags, { signal, tell });
    const common: Pick<CheckOptions, 'client' | 'tell' | 'progress'> = {
      client,
      tell,
      progress: (what, done, total) => progress.at(what, done, total),
    };
    const server = flags.contract ? null : await serverFor(flags, store, url, common);
    try {
      return await checkSite({ url, against: server?.url ?? null, only, limit: flags.limit, ...common });
    } finally {
      await server?.end();
    }
  });
  progress.clear();
  say(quiet ? JSON.stringify(report, null, 2) : reportLines(report, flags.differences).join('\n'));
  if (report.findings.length > 0) process.exitCode = 1;
}

export const check: Command = { help: checkHelp, run: runCheck };
