import { ConfigError } from '../../../server/config/index.js';
import { PRISTINE } from '../../../transfer/load/mirror.js';
import type { Manifest } from '../../../transfer/backup/format.js';
import { describeCounts, isStream, type ContentOption } from '../content.js';
import { switchOption } from '../command.js';

/** Code that `backup` and `restore` share. */

export const forceOption = (help: string): ContentOption => switchOption('force', help);

/** The file of a command line. @throws ConfigError unless there is exactly one; standard input and output cannot be read twice */
export function oneOperand(operands: readonly string[], usage: string): string {
  const [file, unexpected] = operands;
  if (file === undefined) throw new ConfigError(`No file is given. Usage: ${usage}`);
  if (unexpected !== undefined) throw new ConfigError(`Unexpected argument ${unexpected}. Usage: ${usage}`);
  if (isStream(file)) throw new ConfigError(`A file is needed, since it is read twice. Usage: ${usage}`);
  return file;
}

/** Names of counts, in the order they are shown. */
const NOUNS: Record<string, string> = {
  events: 'event',
  venues: 'venue',
  organizers: 'organizer',
  others: 'other post',
  terms: 'term',
  users: 'user',
  files: 'file',
};

/** Lists the contents of a backup for people: `12 events, 3 venues, …`. The snapshot that a reset restores is not counted. */
export function describeBackup({ counts, snapshots }: Manifest): string {
  const named = Object.entries(NOUNS).map(([key, noun]) => [counts[key] ?? 0, noun] as const);
  return describeCounts([...named, [snapshots.filter((name) => name !== PRISTINE).length, 'snapshot']]);
}

const MB = 1024 * 1024;

/** A size for people: `512 KB`, `1.4 MB`. */
export const sizeText = (bytes: number): string => (bytes < MB ? `${Math.ceil(bytes / 1024)} KB` : `${(bytes / MB).toFixed(1)} MB`);
