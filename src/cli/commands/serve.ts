import { existsSync } from 'node:fs';
import path from 'node:path';
import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics } from 'node:v8';
import {
  DEMO_DATASET,
  fromFlags,
  optionHelp,
  OPTIONS,
  resolveOptions,
  serverOptionHelp,
  setOptions,
  type Option,
  type ServerOptions,
} from '../../server/config/index.js';
import type { SavedState } from '../../transfer/backup/state.js';
import type { Server } from '../../server/app/server.js';
import { openLog } from '../../base/system/log.js';
import { setFlag } from '../../base/system/v8.js';
import { PRODUCTS } from '../../plugins/quirks.js';
import { behavior } from '../../control/qa/version-routes.js';
import { switchOption, print, runnerCommand, type Command, helpOf } from './command.js';
import { describeAdministrator } from './administrator.js';
import { announceServer, announceStart, requireNotServed } from './site/server-api.js';
import { onShellKilled } from './shell.js';

const OPEN: Option<'open'> = switchOption('open', 'Open the control page in a browser; without the test API, the calendar');

/** The addresses to open, one per line, with what is there. */
function addressLines({ url, addresses: [local, ...network], namespaces, restUrl, explorerUrl }: Server): string[] {
  const line = (label: string, address: string): string => `  ${`${label}:`.padEnd(14)}${address}`;
  return [
    ...(network.length === 0 ? [] : [line('Local', local), ...network.map((address) => line('Network', address)), '']),
    line('Events', `${restUrl}/${namespaces[0]}/events`),
    ...namespaces.slice(1).map((name) => line('The same', `${restUrl}/${name}/events, for clients of the plugin`)),
    line('OpenAPI', `${restUrl}/${namespaces[0]}/doc`),
    ...(explorerUrl === null ? [] : [line('Control page', explorerUrl)]),
    line('Calendar', `${url}/events/`),
    '',
  ];
}

/** Prints what is served, and where. @param notes further paragraphs */
function announce(server: Server, notes: readonly string[] = []): void {
  const { profile, wordpress } = behavior(server.site);
  const plugins = server.site.registry.plugins.toReversed().map((name) => `${PRODUCTS[name].title} ${server.site.quirks.releases[name]}`);
  print(`Understudy serves a calendar at ${server.url}`);
  print(`It behaves like ${plugins.join(' and ')} on WordPress ${wordpress}, profile ${profile}.`);
  print('');
  for (const line of addressLines(server)) print(line);
  if (server.administrator !== null) {
    for (const line of describeAdministrator(server.administrator)) print(line);
    print('');
  }
  if (server.certificate !== null) {
    print(`Certificate: ${server.certificate}`);
    print(
      `To trust it: NODE_EXTRA_CA_CERTS=${server.certificate} for Node.js, --cacert for curl, or open the URL in a browser and accept it.`,
    );
    print('');
  }
  for (const line of notes) print(line);
  print('Stop with Ctrl-C.');
}

/** The same for programs, as a line of the log. */
async function announceAsJson(server: Server): Promise<void> {
  const { url, addresses, restUrl, namespaces, explorerUrl, certificate, administrator } = server;
  const log = await openLog(process.stdout, 'info', 'json');
  const apis = namespaces.map((name) => `${restUrl}/${name}`);
  log.info('Understudy serves a calendar', {
    url,
    addresses,
    apis,
    explorer: explorerUrl,
    ...(certificate === null ? {} : { certificate }),
  });
  if (administrator) log.info(describeAdministrator(administrator).join('. '), { ...administrator });
}

/** How much the heap may grow before V8 collects garbage, in percent. By default, it may grow to several times its size. */
const HEAP_GROWTH = 60;

/** Size of the space for young objects, in bytes: a quarter of V8's default, which hardly slows down requests. */
const YOUNG = 8 * 1024 * 1024;

const youngBytes = (): number => getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0;

/** Makes V8 use less memory, at little cost. */
function limitGarbage(): void {
  setFlag('heap-growing-percent', HEAP_GROWTH);
  let growth = 0;
  // It grows during garbage collection, and an idle server releases it.
  const limitYoung = (): void => {
    const next = Math.max(1, Math.floor(YOUNG / (youngBytes() || YOUNG)));
    if (next !== growth) setFlag('semi-space-growth-factor', next);
    growth = next;
  };
  new PerformanceObserver(limitYoung).observe({ entryTypes: ['gc'] });
}

/** Closes the server on the first signal, and when the database is lost for good. A second signal ends the process at once. */
function closeInTime(server: Server): void {
  let closing = false;
  void server.lost.then(() => server.close()).finally(() => process.exit(1));
  const close = (signal: NodeJS.Signals): void => {
    if (closing) process.exit(signal === 'SIGINT' ? 130 : 143);
    closing = true;
    server.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on('SIGINT', close);
  process.on('SIGTERM', close);
  onShellKilled(() => close('SIGTERM'));
}

const watchNotes = ({ watch, dataset }: ServerOptions): string[] =>
  watch && typeof dataset === 'string' ? [`Reloads ${dataset} when it changes.`, ''] : [];

const MODES: Record<ServerOptions['proxyMode'], string> = {
  auto: 'the cassette is replayed, the rest is requested and stored',
  record: 'everything is requested and stored',
  replay: 'the cassette is replayed, nothing is requested',
  passthrough: 'everything is requested, nothing is stored',
};

async function proxyNotes({ proxy, proxyMode, cassette }: ServerOptions): Promise<string[]> {
  if (proxy === undefined) return [];
  const { cassetteFolder } = await import('../../server/proxy/folder.js');
  return [`What it does not have comes from ${proxy}: ${MODES[proxyMode]}.`, `Cassette: ${cassetteFolder(proxy, cassette)}`, ''];
}

const portNotes = ({ port }: ServerOptions, { localUrl }: Server): string[] => {
  const { port: own } = new URL(localUrl);
  return port === 0 || own === String(port)
    ? []
    : [`Port ${port} is in use: this server has the next free one. Choose one with --port.`, ''];
};

/** Opens a page of the server in a browser, or says why not. */
async function openPage({ explorerUrl, localUrl }: Server, { logFormat }: ServerOptions): Promise<void> {
  const { openInBrowser } = await import('./site/browser.js');
  // By HTTP on this machine: the host name in other URLs may not lead here yet, nor the browser trust the certificate.
  const problem = await openInBrowser(`${localUrl}${explorerUrl === null ? '/events/' : '/__qa/ui'}`);
  if (problem === null) return;
  if (logFormat === 'json') (await openLog(process.stdout, 'info', 'json')).info(problem);
  else print(problem);
}

/** Members of a command line that say how to run a server, besides its options. */
interface Running {
  /** Further paragraphs to print. */
  notes?: readonly string[];
  /** Whether it names the dataset, which then has to exist, also if the store has content. */
  isDatasetNamed?: boolean;
  /** Whether to open a page of the server in a browser. */
  opens?: boolean;
  /** State of the site besides its content. */
  state?: SavedState;
}

/**
 * Serves until a signal ends it. If no port is set and the default one is in use, uses the next free one.
 * @param set the options that are set; the others have their default
 */
export async function run(
  set: Partial<ServerOptions>,
  { notes = [], isDatasetNamed = false, opens = false, state }: Running = {},
): Promise<void> {
  limitGarbage();
  const options = resolveOptions(set);
  const { portOf, requireDataset, startServer } = await import('../../server/app/start.js');
  if (isDatasetNamed) requireDataset(options);
  await requireNotServed(options);
  announceStart(options);
  const server = await startServer(options, undefined, portOf(options, set.port === undefined));
  if (state) server.resume(state);
  closeInTime(server);
  announceServer(server, options);
  if (options.logFormat === 'json') await announceAsJson(server);
  else announce(server, [...portNotes(options, server), ...(await proxyNotes(options)), ...notes, ...watchNotes(options)]);
  if (opens) await openPage(server, options);
}

/** Suggests what to do with a temporary calendar. */
const demoNotes = (command: string, what: string): string[] => [
  `This is ${what}. Its content is deleted when the server stops. Next:`,
  `  ${command} init          write a configuration file and a dataset to edit`,
  `  ${command} serve         serve a calendar that keeps its changes`,
  `  ${command} --help        list all commands`,
  '',
];

/**
 * Serves what is configured for the working directory: by a configuration file, the environment or an earlier start. If nothing is, or a
 * dataset is named without a folder to keep it in, serves that or the demo calendar temporarily.
 */
export async function serveHere(args: readonly string[]): Promise<void> {
  const { open, ...flags } = fromFlags(args, [OPEN]);
  const set = await setOptions(flags);
  const running = { isDatasetNamed: flags.dataset !== undefined, opens: open !== undefined };
  const { dataset, data, mongodbUri } = resolveOptions(set);
  const isNamed = flags.dataset !== undefined && flags.data === undefined;
  const isConfigured = dataset !== DEMO_DATASET || mongodbUri !== undefined || existsSync(path.join(data, 'db'));
  if (isConfigured && !isNamed) return run(set, running);
  const what = dataset === DEMO_DATASET ? 'a demo calendar' : 'a temporary copy of the dataset';
  await run({ ...set, ephemeral: true }, { ...running, notes: demoNotes(runnerCommand(), what) });
}

export const serve: Command = {
  help: () => helpOf('serve', optionHelp([OPEN]), 'The name in brackets is the environment variable of an option.', serverOptionHelp()),
  options: [OPEN, ...OPTIONS],
  operand: OPTIONS.find(({ name }) => name === 'dataset'),
  run: async (args) => {
    const { open, ...flags } = fromFlags(args, [OPEN]);
    await run(await setOptions(flags), { isDatasetNamed: flags.dataset !== undefined, opens: open !== undefined });
  },
};
