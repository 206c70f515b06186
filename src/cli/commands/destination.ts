import * as yup from 'yup';
import { commandOptions, ConfigError, STORE_OPTIONS, readArguments, type Option, type ServerOptions } from '../../server/config/index.js';
import type { DatasetSource } from '../../transfer/source.js';
import type { LoadResult } from '../../transfer/load/load.js';
import type { Cleanup } from '../../server/app/cleanup.js';
import { switchOption, valueOption, CommandError, print, interruptible, startProgress, type Progress } from './command.js';
import { describeAdministrator } from './administrator.js';
import { FORMAT_OPTION, PLACE_OPTIONS, capitalized, describeLoad } from './content.js';
import { watched, WrittenCounts, formatFor, modeOf, toFile } from './export.js';
import { siteAt } from './site/site-access.js';

/** Flags of the commands that produce content and write or load it. */
interface DestinationFlags {
  output?: string;
  format?: string;
  url?: string;
  token?: string;
  json?: boolean;
}

export const DESTINATION_OPTIONS: readonly Option<keyof DestinationFlags>[] = [
  valueOption('output', 'FILE', 'Write the content to a file, or - for standard output; also -o FILE', {
    schema: yup.string().strict().min(1),
  }),
  FORMAT_OPTION as Option<'format'>,
  ...(PLACE_OPTIONS as readonly Option<'url' | 'token'>[]),
  switchOption('json', 'Print the result as JSON, without progress'),
];

interface DestinationCall<Flags extends object> {
  flags: Flags & DestinationFlags;
  operands: string[];
  options: ServerOptions;
}

/** Parses a command line. @param defaults values of omitted flags @throws ConfigError */
export async function readDestination<Flags extends object>(
  args: readonly string[],
  table: readonly Option<string>[],
  defaults: object,
): Promise<DestinationCall<Flags>> {
  const spelled = args.map((arg) => (arg === '-o' ? '--output' : arg));
  const { given, operands } = readArguments<string>(spelled, [...table, ...DESTINATION_OPTIONS, ...STORE_OPTIONS]);
  const isStore = (name: string): boolean => STORE_OPTIONS.some((option) => option.name === name);
  const [store, own] = [true, false].map((wanted) =>
    Object.fromEntries(Object.entries(given).filter(([name]) => isStore(name) === wanted)),
  );
  return {
    flags: { ...defaults, ...own } as Flags & DestinationFlags,
    operands,
    options: await commandOptions(store),
  };
}

/** Context of a running command. */
export interface Work {
  signal: AbortSignal;
  progress: Progress;
  cleanup: Cleanup;
}

async function writeTo(source: DatasetSource, flags: DestinationFlags, { signal, progress }: Work) {
  const { output } = flags;
  const format = formatFor(output === '-' ? undefined : output, flags.format ?? (output === '-' ? 'ndjson' : undefined));
  if (!format.write) throw new CommandError(`The format ${format.name} is read-only. Use another with --format`);
  const write = await format.write();
  const written = new WrittenCounts();
  const warnings: string[] = [];
  const file = output === undefined || output === '-' ? null : output;
  const settings = { file, warn: (line: string) => void warnings.push(line), wrote: written.add, settings: {}, signal };
  const all = watched(source, progress);
  await (file === null ? write(all, process.stdout, settings) : toFile(file, (out) => write(all, out, settings), modeOf(format)));
  progress.clear();
  if (!flags.json) for (const line of warnings) process.stderr.write(`${line}\n`);
  return { report: { file, format: format.name, ...written.result, warnings }, summary: String(written) };
}

async function loadInto(
  source: DatasetSource,
  { flags, options }: DestinationCall<object>,
  work: Work,
): Promise<{ where: string; result: LoadResult }> {
  const site = await siteAt(options, flags, 'folder', work.cleanup);
  const result = await site.load([source], {
    mode: 'replace',
    signal: work.signal,
    onProgress: (what, done, total) => work.progress.at(what, done, total),
  });
  return { where: site.where, result };
}

function printLoaded(where: string, { administrator, ...result }: LoadResult, seconds: number): void {
  print(`${capitalized(where)} now holds ${describeLoad({ ...result, administrator })} (${seconds} s).`);
  if (administrator === null) return;
  for (const line of describeAdministrator(administrator)) print(line);
}

/**
 * Produces content and writes it to a file or to standard output, or replaces the content of a site with it.
 * @param make produces the content
 * @param after runs once the content is stored; returns notes to print
 */
export async function writeOrLoad(
  call: DestinationCall<object>,
  make: (work: Work) => Promise<DatasetSource>,
  after: () => Promise<string[]> = () => Promise.resolve([]),
): Promise<void> {
  const { flags } = call;
  const quiet = flags.json === true;
  const progress = startProgress({ quiet });
  const started = performance.now();
  await interruptible(async (signal, cleanup) => {
    const work: Work = { signal, progress, cleanup };
    const source = await make(work);
    const isFile = flags.output !== undefined;
    const done = isFile ? await writeTo(source, flags, work) : await loadInto(source, call, work);
    progress.clear();
    const notes = await after();
    const seconds = Math.round((performance.now() - started) / 100) / 10;
    if (quiet && flags.output !== '-') return print(JSON.stringify({ ...('report' in done ? done.report : done.result), notes, seconds }));
    if ('result' in done) printLoaded(done.where, done.result, seconds);
    else if (flags.output !== '-') process.stderr.write(`Wrote ${done.summary} to ${flags.output ?? ''} (${seconds} s).\n`);
    for (const line of notes) process.stderr.write(`${line}\n`);
  }, progress);
}

/** Rejects operands. @throws ConfigError */
export function noOperands({ operands: [first] }: DestinationCall<object>, command: string): void {
  if (first !== undefined)
    throw new ConfigError(`Unexpected argument ${first}. Name a file with --output: understudy ${command} --output ${first}`);
}
