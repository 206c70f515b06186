import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { ConfigError, STORE_OPTIONS } from '../../server/config/index.js';
import type { Format } from '../../transfer/formats/format.js';
import { formatNamed, formatOfName } from '../../transfer/formats/registry.js';
import { restricted } from '../../transfer/restrict.js';
import type { DatasetSource } from '../../transfer/source.js';
import { switchOption, CommandError, FILE_OPERAND, print, startProgress, type Command, type Progress, helpOf } from './command.js';
import {
  FORMAT_OPTION,
  JSON_OPTION,
  describeCounts,
  PLACE_OPTIONS,
  WRITE_SETTINGS,
  contentHelp,
  formatHelp,
  isStream,
  onSite,
  readCall,
  ONLY_OPTION,
  partsNamed,
} from './content.js';
import type { ContentCall, ContentOption } from './content.js';
import { PRIVATE_FILE } from '../../base/system/private-folder.js';

const FORCE_OPTION: ContentOption = switchOption('force', 'Replace FILE if it exists');

const OPTIONS = [FORMAT_OPTION, ONLY_OPTION, FORCE_OPTION, ...WRITE_SETTINGS, ...PLACE_OPTIONS, JSON_OPTION];

export function formatFor(file: string | undefined, name: string | undefined): Format {
  if (name !== undefined) return formatNamed(name);
  if (file === undefined) return formatNamed('json');
  const format = formatOfName(file);
  if (!format) throw new ConfigError(`${file}: unknown file extension. Set the format with --format`);
  return format;
}

/** Wraps a source to report progress. */
export function watched(source: DatasetSource, progress: Progress): DatasetSource {
  return {
    ...source,
    async *items(problems) {
      let done = 0;
      for await (const item of source.items(problems)) {
        done += 1;
        progress.at('Writing', done, source.count);
        yield item;
      }
    },
  };
}

export class WrittenCounts {
  private readonly counts = new Map<string, number>();

  readonly add = (kind: string): void => void this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);

  /** For `--json`. */
  get result(): { items: number; written: Record<string, number> } {
    return { items: [...this.counts.values()].reduce((sum, n) => sum + n, 0), written: Object.fromEntries(this.counts) };
  }

  /** For people: `12 events, 3 venues`. */
  toString(): string {
    return describeCounts([...this.counts].map(([kind, n]) => [n, kind]));
  }
}

/** @throws ConfigError if a file exists and may not be replaced */
function checkFree(file: string | undefined, isForced: boolean): void {
  if (file !== undefined && !isForced && existsSync(file)) throw new ConfigError(`${file} already exists. Replace it with --force`);
}

/** The mode of a file: lossless formats have the hashes of passwords. */
export const modeOf = ({ lossless }: Format): number | undefined => (lossless ? PRIVATE_FILE : undefined);

/** Writes to a temporary file and renames it when complete. @param mode of the file. Default: the system's */
export async function toFile(file: string, write: (out: Writable) => Promise<void>, mode?: number): Promise<void> {
  await mkdir(path.dirname(path.resolve(file)), { recursive: true });
  const draft = `${file}.${process.pid}.part`;
  const out = createWriteStream(draft, mode === undefined ? {} : { mode });
  const failed = new Promise<never>((_, reject) => out.once('error', reject));
  try {
    await Promise.race([write(out), failed]);
    await Promise.race([new Promise<void>((resolve) => out.end(resolve)), failed]);
    await rename(draft, file);
  } catch (error) {
    out.destroy();
    await rm(draft, { force: true });
    throw error;
  }
}

async function exportSite(call: ContentCall): Promise<void> {
  const { given, operands, settings } = call;
  const [file] = operands;
  const format = formatFor(file, given.format);
  const only = partsNamed(given.only);
  if (!format.write) throw new CommandError(`The format ${format.name} is read-only. Use another with --format`);
  const write = await format.write();
  checkFree(file, given.force === true);
  const progress = startProgress({ quiet: given.json === true });
  const written = new WrittenCounts();
  const warnings: string[] = [];
  await onSite(call, 'site', async (site, signal) => {
    const all = await site.export(signal);
    const source = watched(only ? restricted(all, only) : all, progress);
    const warn = (line: string): void => void warnings.push(line);
    const options = { file: file ?? null, warn, wrote: written.add, settings, signal };
    await (file === undefined
      ? write(source, process.stdout, options)
      : toFile(file, (out) => write(source, out, options), modeOf(format)));
  }).finally(() => progress.clear());
  if (given.json && file !== undefined) return print(JSON.stringify({ file, format: format.name, ...written.result, warnings }));
  for (const line of warnings) process.stderr.write(`${line}\n`);
  if (file !== undefined) process.stderr.write(`Wrote ${String(written)} to ${file}.\n`);
}

export const exportFile: Command = {
  help: () =>
    helpOf(
      'export',
      `Formats:
${formatHelp()}`,
      contentHelp(OPTIONS),
    ),
  options: [...OPTIONS, ...STORE_OPTIONS],
  operand: FILE_OPERAND,
  run: async (args) => {
    const named = args.find((arg) => /^(?:-o|--(?:output|out|file))(?:=|$)/.test(arg));
    if (named !== undefined)
      throw new ConfigError(`Unknown option ${named.split('=')[0]}. The file is an argument: understudy export calendar.yaml`);
    const call = await readCall(args, OPTIONS);
    if (call.operands.length > 1)
      throw new ConfigError(`Unexpected argument ${call.operands[1]}. Usage: understudy export [FILE] [options]`);
    await exportSite({ ...call, operands: call.operands.filter((file) => !isStream(file)) });
  },
};
