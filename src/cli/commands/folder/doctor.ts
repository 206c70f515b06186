import { knownRelease, zonesOf } from '../../../base/php/zone-data.js';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Cleanup } from '../../../server/app/cleanup.js';
import { openEngine } from '../../../server/app/start.js';
import {
  commandOptions,
  ConfigError,
  OPTIONS,
  readArguments,
  resolveOptions,
  STORE_OPTIONS,
  environmentVariable,
} from '../../../server/config/index.js';
import type { Option, ServerOptions } from '../../../server/config/index.js';
import { placeIn } from '../../../transfer/load/mirror.js';
import { logTo } from '../../../base/system/log.js';
import { packageVersion } from '../../../base/system/package-version.js';
import { EngineError } from '../../../database/engine/index.js';
import { realTime } from '../../../wordpress/clock.js';
import { findingsOf, inspectDatabase, inspectSite, type Finding } from '../../../transfer/inspect.js';
import { registryWithDefaults } from '../../../plugins/register.js';
import { Connection } from '../../../database/store/connection.js';
import { Store } from '../../../wordpress/store.js';
import { print, type Command, helpOf, section } from '../command.js';
import { JSON_OPTION, PLACE_OPTIONS } from '../content.js';
import { ServerApi, runningServers, knownServerFor, type Reachable } from '../site/server-api.js';
import { inspectFolder, inspectPort, inspectTls } from './data-folder-checks.js';
import { messageOf } from '../../../base/values/errors.js';
import { nodeProblem } from '../../../base/system/node-version.js';
import { thisMachine, findPackage, unsupported } from '../../../database/engine/native.js';
import { INSTALLED_MONGOD } from '../../../database/engine/memory-server.js';

/** Checks of the machine: Node.js, clock, time zones, and what the database engines need. */

export function inspectNode(version: string): Finding {
  const check = findingsOf('node');
  const problem = nodeProblem(version);
  return problem === null
    ? check.ok(`Node.js ${version} on ${process.platform} ${process.arch}.`)
    : check.problem(`${problem}.`, 'Install a current Node.js');
}

/** The first release: no clock was earlier. */
const EARLIEST = Date.UTC(2026, 0, 1);
const LATEST = Date.UTC(2100, 0, 1);

export function inspectClock(now: number): Finding {
  const check = findingsOf('clock');
  const shown = new Date(now).toISOString().replace(/\.\d+Z$/, 'Z');
  if (now >= EARLIEST && now < LATEST) return check.ok(`The time of this machine is ${shown}.`);
  return check.warning(
    `The time of this machine is ${shown}, which is unlikely. Lists of upcoming events and TLS certificates depend on it.`,
    'Set the clock of this machine, or freeze the clock of the site with --now',
  );
}

/** Zones that a complete set of data has. */
const PROBED = ['Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Asia/Kolkata', 'Pacific/Kiritimati'];

const isKnown = (timeZone: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};

/** @param data the zone data of the options */
export function inspectZones(zone: string | undefined, data: string | undefined): Finding {
  const check = findingsOf('time zones');
  const unknown = PROBED.filter((name) => !isKnown(name));
  const { icu = 'none', tz = 'unknown' } = process.versions;
  if (unknown.length > 0)
    return check.problem(
      `This Node.js (ICU ${icu}) does not know the time zone ${unknown[0]}.`,
      'Install a Node.js with full ICU data, or set NODE_ICU_DATA',
    );
  if (zone !== undefined && zone !== '' && !isKnown(zone.replace(/^:/, '')))
    return check.warning(`The variable TZ names no time zone: ${JSON.stringify(zone)}.`, 'Unset TZ, or set a name such as Europe/Berlin');
  const local = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return check.ok(`Time zone data ${zonesOf(data ?? null).release}; ICU ${icu} with ${tz}; this machine is in ${local}.`);
}

/** Which engines this machine can run. Whether they start is another question. */
export function inspectEngines(embedded: boolean, mongod: string | undefined): Finding[] {
  const machine = thisMachine();
  const libc =
    machine.platform !== 'linux' ? '' : `, ${machine.glibc === undefined ? 'another C library than glibc' : `glibc ${machine.glibc}`}`;
  const why = embedded ? (unsupported(machine) ?? missingPackage()) : 'it is disabled (--no-embedded)';
  const installed = mongod ?? INSTALLED_MONGOD.find((file) => existsSync(file));
  const [engine, program] = [findingsOf('embedded engine'), findingsOf('mongod')];
  const none = 'No mongod is installed. mongodb-memory-server would download one if the embedded engine cannot start.';
  return [
    why === undefined
      ? engine.ok(`The embedded engine supports this machine (${machine.platform} ${machine.arch}${libc}).`)
      : engine[installed === undefined && embedded ? 'warning' : 'ok'](
          `The embedded engine is not used: ${why}.`,
          'A mongod is used instead',
        ),
    installed !== undefined && existsSync(installed)
      ? program.ok(`mongod is installed: ${installed}. It is used if the embedded engine cannot start.`)
      : mongod === undefined
        ? program.ok(none)
        : program.problem(`${mongod} does not exist.`, 'Correct --mongod'),
  ];
}

function missingPackage(): string | undefined {
  try {
    findPackage(thisMachine());
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

const inspectMachine = ({ zones }: Pick<ServerOptions, 'zones'>): Finding[] => [
  inspectNode(process.versions.node),
  inspectClock(realTime()),
  inspectZones(environmentVariable('TZ'), zones),
];

/** Options of a server that are checked, besides those that locate the store. */
const CHECKED: readonly (keyof ServerOptions)[] = ['host', 'port', 'tls', 'tlsCert', 'tlsKey', 'zones'];
const SERVER_OPTIONS = OPTIONS.filter(({ name }) => CHECKED.includes(name));
const OWN_OPTIONS: readonly Option<string>[] = [...PLACE_OPTIONS, JSON_OPTION];

interface Call {
  url: string | undefined;
  token: string | undefined;
  isJson: boolean;
  isFolderGiven: boolean;
  options: ServerOptions;
  configuration: Finding;
}

/** Checks the environment and the configuration file, but not the command line. @throws ConfigError for a usage error */
async function readDoctorCall(args: readonly string[]): Promise<Call> {
  const { given, operands } = readArguments<string>(args, [...OWN_OPTIONS, ...SERVER_OPTIONS, ...STORE_OPTIONS]);
  const [unexpected] = operands;
  if (unexpected !== undefined) throw new ConfigError(`Unexpected argument ${unexpected}. Usage: understudy doctor [options]`);
  const { url, token, json, ...flags } = given;
  const isText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
  const call = { url: isText(url), token: isText(token), isJson: json === true, isFolderGiven: 'data' in flags };
  const check = findingsOf('configuration');
  try {
    const options = await commandOptions(flags);
    return {
      ...call,
      options,
      configuration: check.ok('Command line, environment and configuration file are valid.'),
    };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const configuration: Finding = check.problem(
      `${error.message}.`,
      'Correct it. The other checks ignore environment and configuration file',
    );
    return { ...call, options: resolveOptions(flags), configuration };
  }
}

/** Asks a running server about its data. */
async function inspectServer({ url, token }: Reachable): Promise<Finding[]> {
  const check = findingsOf('server');
  try {
    const api = new ServerApi(url, token);
    const { version, findings } = await api.json<{ version: string; findings: Finding[] }>('GET', '/__qa/doctor');
    const own = packageVersion();
    const found: Finding =
      version === own
        ? check.ok(`The server at ${url} responds: Understudy ${version}.`)
        : check.warning(`The server at ${url} is Understudy ${version}; this command is ${own}.`, 'Use the same version for both');
    return [found, ...findings];
  } catch (error) {
    return [check.problem(`The server at ${url} could not be checked: ${messageOf(error)}.`)];
  }
}

function engineProblem(error: unknown): Finding {
  if (!(error instanceof EngineError)) return findingsOf('database').problem(`The database could not be checked: ${messageOf(error)}.`);
  const tried = error.attempts.map(({ what, why }) => `${what}: ${why}`).join('; ');
  return findingsOf('database').problem(`${error.summary}${tried === '' ? '' : ` (${tried})`}`, error.advice.replace(/\.$/, ''));
}

const KINDS = { uri: 'The MongoDB at --mongodb-uri is used.', embedded: 'The embedded engine starts.', mongod: 'A mongod starts.' };

/** The zone data of a stored site, if it is not the one of the options. */
async function inspectZonesOf(store: Store, { zones }: ServerOptions): Promise<Finding[]> {
  const row = await store.options.findOne({ _id: 'zone_release' });
  const release = knownRelease(row?.value);
  if (zones !== undefined || release === null) return [];
  return [findingsOf('time zones of the site').ok(`The site has the time zone data ${release}.`)];
}

/** Starts the engine: on the data folder, or on a temporary one if there is no site. Changes nothing that is stored. */
async function inspectStored(options: ServerOptions, cleanup: Cleanup): Promise<Finding[]> {
  let folder = path.resolve(options.data);
  if (options.mongodbUri === undefined && !existsSync(path.join(folder, 'db'))) {
    folder = await mkdtemp(path.join(os.tmpdir(), 'understudy-doctor-'));
    cleanup.add(() => rm(folder, { recursive: true, force: true }));
  }
  try {
    const engine = await openEngine(options, folder, { log: logTo(process.stderr, 'silent'), cleanup, download: false });
    const connection = await Connection.open(engine.uri);
    const registry = await registryWithDefaults((await Store.storedPlugins(connection, engine.database)) ?? []);
    const store = await Store.openAsIs(connection, registry, engine.database, engine.kind === 'uri');
    cleanup.add(() => store.close());
    await store.registerStored();
    return [
      findingsOf('engine').ok(KINDS[engine.kind]),
      ...(await inspectDatabase(store, realTime())),
      ...(await inspectSite(store, placeIn(folder).uploads)),
      ...(await inspectZonesOf(store, options)),
    ];
  } catch (error) {
    return [engineProblem(error)];
  }
}

/** The server that runs here, to be checked. @returns a problem if several run */
function findServer({ options, isFolderGiven }: Call): { server: Reachable | null; findings: Finding[] } {
  try {
    return { server: knownServerFor(options, { isFolderGiven }), findings: [] };
  } catch (error) {
    return { server: null, findings: [findingsOf('server').warning(messageOf(error))] };
  }
}

async function inspectHere(call: Call): Promise<Finding[]> {
  const { options, configuration } = call;
  const { server, findings } = findServer(call);
  const cleanup = new Cleanup();
  try {
    return [
      ...inspectMachine(options),
      configuration,
      ...(options.mongodbUri === undefined ? inspectEngines(options.embedded, options.mongod) : []),
      ...inspectFolder(options),
      await inspectPort(
        options,
        [...(server ? [server] : []), ...runningServers()].map(({ url }) => url),
      ),
      ...inspectTls(options),
      ...findings,
      ...(server ? await inspectServer(server) : await inspectStored(options, cleanup)),
    ];
  } finally {
    await cleanup.run();
  }
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** A line for each finding, with what to do next below it, and a summary. */
function linesOf(findings: readonly Finding[]): string[] {
  const count = (status: Finding['status']): number => findings.filter((finding) => finding.status === status).length;
  const lines = findings.flatMap(({ status, message, advice }) => [
    `${status.padEnd(8)} ${message}`,
    ...(advice === undefined ? [] : [`${' '.repeat(9)}${advice}.`]),
  ]);
  return [...lines, '', `${counted(count('problem'), 'problem')}, ${counted(count('warning'), 'warning')}.`];
}

export const doctor: Command = {
  help: () =>
    helpOf(
      'doctor',
      section('Options', OWN_OPTIONS),
      section('Server to check [environment variable]', SERVER_OPTIONS),
      section('Site [environment variable]', STORE_OPTIONS),
      'Exit codes: 0 no problems (warnings are allowed), 1 problems, 2 usage error.',
    ),
  options: [...OWN_OPTIONS, ...SERVER_OPTIONS, ...STORE_OPTIONS],
  run: async (args) => {
    const call = await readDoctorCall(args);
    const { url, token, options, isJson } = call;
    const server = url === undefined ? null : knownServerFor(options, { url, token });
    const findings = server ? [inspectNode(process.versions.node), ...(await inspectServer(server))] : await inspectHere(call);
    const isFine = findings.every(({ status }) => status !== 'problem');
    print(isJson ? JSON.stringify({ ok: isFine, version: packageVersion(), findings }, null, 2) : linesOf(findings).join('\n'));
    if (!isFine) process.exitCode = 1;
  },
};
