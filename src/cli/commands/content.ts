import type { Zones } from '../../base/php/timezone.js';
import { LINKED, LINKED_KINDS } from '../../plugins/the-events-calendar/model/event.js';
import { mkdtemp, rm } from 'node:fs/promises';
import { createWriteStream } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import * as yup from 'yup';
import { commandOptions, ConfigError, STORE_OPTIONS, optionHelp, readArguments } from '../../server/config/index.js';
import type { Option, ServerOptions } from '../../server/config/index.js';
import type { InputFile, ReadOptions, Warn } from '../../transfer/formats/format.js';
import { inputFile, openFiles } from '../../transfer/formats/open.js';
import { CONTENT_FORMATS, formatNames, formatSettings } from '../../transfer/formats/registry.js';
import { type DatasetSource, warningText } from '../../transfer/source.js';
import type { LoadMode, LoadResult } from '../../transfer/load/load.js';
import type { Cleanup } from '../../server/app/cleanup.js';
import { Clock } from '../../wordpress/clock.js';
import { newestZones } from '../../base/php/zone-data.js';
import { isTimezoneOrEmpty } from '../../wordpress/timezones.js';
import type { Declarations } from '../../wordpress/types/declared.js';
import { switchOption, valueOption, print, interruptible, startProgress, type Progress } from './command.js';
import { describeAdministrator } from './administrator.js';
import { projectFile, type SiteAddress } from './site/server-api.js';
import { siteAt, type OpenSite } from './site/site-access.js';
import { readMoment } from '../../base/text/moment.js';
import { PARTS } from '../../transfer/kinds.js';

/** Options of the commands that load or export content, besides those that locate the store. */
interface ContentOptions extends SiteAddress {
  format?: string;
  now?: string;
  only?: string;
  json?: boolean;
  zone?: string;
  force?: boolean;
  reporter?: string;
  create?: boolean;
  strict?: boolean;
  encoding?: string;
}

/** An option of these commands, or a setting of a format. */
export type ContentOption = Option<string>;

const text = (): yup.StringSchema => yup.string().strict().min(1);

/** Options that select a running server other than the one on the data folder. */
export const PLACE_OPTIONS: readonly ContentOption[] = [
  valueOption('url', 'URL', 'URL of a running server (default: the server of the project or the data folder)', {
    schema: text().matches(/^https?:\/\/[^\s?#]+$/, '${path} must be a URL such as http://127.0.0.1:8080'),
  }),
  valueOption('token', 'TOKEN', 'Token of that server (see --qa-token of understudy serve)'),
];

export const JSON_OPTION: ContentOption = switchOption('json', 'Print the result as JSON, without progress');

export const NOW_OPTION: ContentOption = valueOption(
  'now',
  'ISO',
  'Time that relative dates refer to (default: the clock of the file, or of the site)',
);

export const CREATE_OPTION: ContentOption = switchOption(
  'create',
  'Reject references to venues, organizers or terms that do not exist, instead of creating them',
  { flag: 'no-create', sets: false },
);

export const FORMAT_OPTION: ContentOption = valueOption(
  'format',
  'NAME',
  `Format (default: by the file extension): ${formatNames().join(', ')}`,
  { schema: yup.string().oneOf(formatNames()) },
);

const SETTING_OPTIONS = formatSettings().map(({ applies = 'reading', ...setting }) => ({
  option: { ...setting, flag: setting.name, schema: text() },
  applies,
}));

export const READ_SETTINGS: readonly ContentOption[] = [
  ...SETTING_OPTIONS.flatMap(({ option, applies }) => (applies === 'writing' ? [] : [option])),
  valueOption('zone', 'ZONE', 'CSV, iCalendar, WordPress export: time zone of times without one (default: the time zone of the site)'),
  valueOption('encoding', 'NAME', 'Encoding of files that do not tell theirs and are not UTF-8, such as windows-1252'),
  switchOption('strict', 'CSV, iCalendar, WordPress export: reject a file with items that cannot be read, instead of leaving them out'),
];

export const WRITE_SETTINGS: readonly ContentOption[] = SETTING_OPTIONS.flatMap(({ option, applies }) =>
  applies === 'reading' ? [] : [option],
);

/** The settings of formats among the flags of a command. */
export const settingsOf = (given: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    SETTING_OPTIONS.flatMap(({ option: { name } }) => {
      const value = given[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );

export interface ContentCall {
  operands: string[];
  given: ContentOptions;
  /** Settings of formats. */
  settings: Record<string, string>;
  options: ServerOptions;
}

/** The files of a command line, and how to read them. */
type FileCall = Omit<ContentCall, 'options'>;

/** The operand `-` is standard input. */
const withStream = (args: readonly string[]): string[] => args.map((arg) => (arg === '-' ? '/dev/stdin' : arg));

/** Parses the command line of a command that only reads files. @throws ConfigError */
export function readFileCall(args: readonly string[], table: readonly ContentOption[]): FileCall {
  const { given, operands } = readArguments<string>(withStream(args), table);
  return { operands, given, settings: settingsOf(given) };
}

/** Parses the command line of a command that loads or exports content. @throws ConfigError */
export async function readCall(args: readonly string[], table: readonly ContentOption[]): Promise<ContentCall> {
  const { given, operands } = readArguments<string>(withStream(args), [...table, ...STORE_OPTIONS]);
  const isOwn = (name: string): boolean => table.some((option) => option.name === name);
  const [own, store] = [true, false].map((wanted) => Object.fromEntries(Object.entries(given).filter(([name]) => isOwn(name) === wanted)));
  const isFolderGiven = 'data' in store;
  return { operands, given: { ...own, isFolderGiven }, settings: settingsOf(own), options: await commandOptions(store) };
}

export const contentHelp = (table: readonly ContentOption[]): string => `Options:
${optionHelp(table)}

Site [environment variable]:
${optionHelp(STORE_OPTIONS)}`;

/** Lists the formats for `--help`, one per line. */
export const formatHelp = (): string =>
  CONTENT_FORMATS.map(({ name, extensions, summary }) => `  ${name.padEnd(11)}${extensions[0].padEnd(12)}${summary}`).join('\n');

/** Whether an operand was `-`. */
export const isStream = (file: string): boolean => file === '/dev/stdin';

/** Saves standard input to a file, because sources are read more than once. */
async function spooled(cleanup: Cleanup): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'understudy-in-'));
  cleanup.add(() => rm(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'input');
  await pipeline(process.stdin, createWriteStream(file));
  return file;
}

const inputOf = async (name: string, cleanup: Cleanup): Promise<InputFile> =>
  isStream(name) ? { file: await spooled(cleanup), name: 'standard input', folder: process.cwd() } : inputFile(name);

/** The site that inputs are read for. */
interface Target {
  siteZone?: string | undefined;
  zones?: Zones | undefined;
  /** Declarations of the site, if content is added to it. */
  declarations?: Declarations | undefined;
  onWarning?: Warn;
}

/**
 * Opens the files of a command line.
 * @param onWarning receives warnings about probable mistakes. Default: prints them
 * @throws DatasetError
 */
export async function openInputs(
  { operands, given, settings }: FileCall,
  signal: AbortSignal,
  cleanup: Cleanup,
  { siteZone, zones, declarations, onWarning }: Target = {},
): Promise<DatasetSource[]> {
  const now = given.now === undefined ? null : readMoment(given.now);
  if (given.now !== undefined && now === null) throw new ConfigError('--now must be a time such as 2026-06-15T12:00:00Z');
  const isQuiet = given.json === true || given.reporter !== undefined;
  const notify = isQuiet ? () => undefined : (line: string) => void process.stderr.write(`${line}\n`);
  const warn: Warn = onWarning ?? ((line, at) => void process.stderr.write(`Warning: ${warningText(line, at)}.\n`));
  const zone = given.zone ?? siteZone;
  if (given.zone !== undefined && !isTimezoneOrEmpty(newestZones(), zone))
    throw new ConfigError('--zone must be a time zone such as Europe/Berlin');
  const options: ReadOptions = {
    now,
    settings,
    signal,
    notify,
    warn,
    strict: given.strict === true,
    ...(given.encoding === undefined ? {} : { encoding: given.encoding }),
    ...(zone === undefined ? {} : { zone }),
    ...(zones ? { zones } : {}),
    ...(declarations ? { declarations } : {}),
  };
  return openFiles(await Promise.all(operands.map((name) => inputOf(name, cleanup))), options, given.format);
}

const count = (n: number, noun: string, plural = noun === 'medium' ? 'media' : `${noun}s`): string =>
  `${n.toLocaleString('en-US')} ${n === 1 ? noun : plural}`;

export const capitalized = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/** Counts for people: `12 events, 3 venues`. */
export function describeCounts(parts: readonly (readonly [n: number, noun: string])[]): string {
  const named = parts.filter(([n]) => n > 0).map(([n, noun]) => count(n, noun));
  return named.length === 0 ? 'nothing' : named.join(', ');
}

/** Describes a result for people: `12 events, 3 venues`. */
export function describeLoad(result: LoadResult): string {
  const { events, posts, terms, users, files } = result;
  const linked = LINKED_KINDS.map((kind): [number, string] => [result[LINKED[kind].column], kind]);
  const others = linked.reduce((left, [n]) => left - n, posts - events);
  const parts: [number, string][] = [
    [events, 'event'],
    ...linked,
    [others, 'other post'],
    [terms, 'term'],
    [users, 'user'],
    [files, 'file'],
  ];
  return describeCounts(parts);
}

/** Runs `work` on the site that a command line selects, then closes everything opened for it. */
export async function onSite<T>(
  { given, options }: ContentCall,
  needs: 'site' | 'folder',
  work: (site: OpenSite, signal: AbortSignal, cleanup: Cleanup) => Promise<T>,
  progress?: Progress,
): Promise<T> {
  return interruptible(async (signal, cleanup) => work(await siteAt(options, given, needs, cleanup), signal, cleanup), progress);
}

/** Runs `understudy seed` and `understudy import`. */
export async function loadFiles(call: ContentCall, mode: LoadMode): Promise<void> {
  const { given } = call;
  const progress = startProgress({ quiet: given.json === true });
  const started = performance.now();
  const warnings: string[] = [];
  const onWarning: Warn = (line, at) => void warnings.push(warningText(line, at).replace(/[^.?]$/, '$&.'));
  const { result, where } = await onSite(
    call,
    mode === 'replace' ? 'folder' : 'site',
    async (site, signal, cleanup) => {
      // On `seed`, the files define the time zone, not the replaced site.
      const zone = mode === 'replace' || given.zone !== undefined ? undefined : await site.zone();
      const known = await site.zones();
      const zones = mode === 'replace' && known.isFree ? undefined : known.zones;
      // Relative dates are read by the clock of the site.
      const loaded = await Clock.at(await site.now(), async () => {
        const sources = await openInputs(call, signal, cleanup, {
          siteZone: zone,
          zones,
          declarations: mode === 'add' ? known.declarations : undefined,
          ...(given.json ? { onWarning } : {}),
        });
        const create = given.create ?? call.options.create;
        const file = call.operands.length === 1 ? await projectFile(call.operands[0]) : undefined;
        return site.load(sources, { mode, signal, create, file, onProgress: (what, done, total) => progress.at(what, done, total) });
      });
      return { result: loaded, where: site.where };
    },
    progress,
  );
  const seconds = Math.round((performance.now() - started) / 100) / 10;
  if (given.json) return print(JSON.stringify({ ...result, seconds, warnings }));
  print(`${mode === 'replace' ? `${capitalized(where)} now holds` : `Added to ${where}:`} ${describeLoad(result)} (${seconds} s).`);
  if (result.administrator === null) return;
  for (const line of describeAdministrator(result.administrator)) print(line);
}

export const ONLY_OPTION: Option<'only'> = valueOption(
  'only',
  'KINDS',
  `Only these kinds of content, comma-separated: ${PARTS.join(', ')}`,
  { schema: yup.string() },
);

/** The parts that `--only` names; null without it. @throws ConfigError for an unknown name */
export function partsNamed(given: unknown): string[] | null {
  if (typeof given !== 'string') return null;
  const names = given.split(',').map((name) => name.trim());
  return names.map((name) => {
    if (PARTS.includes(name)) return name;
    throw new ConfigError(`--only: unknown kind ${JSON.stringify(name)}. Use ${PARTS.join(', ')}`);
  });
}
