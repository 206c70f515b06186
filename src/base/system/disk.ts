import { existsSync, statfsSync, type StatsFs } from 'node:fs';
import path from 'node:path';
import { FAILURES } from './failures.js';
import { codeOf } from '../values/errors.js';

const MB = 1024 * 1024;

/** Free space that the database needs for its journal and checkpoints, in bytes: without it, its process aborts. */
const RESERVE = 64 * MB;
/** The same as a fraction of a small disk. */
const RESERVED_PART = 0.1;
/** How long a measurement is valid, in ms. */
const MEASURED_FOR = 1_000;
/** How many times a document is written: to the journal, its collection and its indexes. */
const COPIES = 3;

/** Measures a disk. Tests replace it. */
export const disks = { measure: (folder: string): Pick<StatsFs, 'bavail' | 'blocks' | 'bsize'> => statfsSync(folder) };

interface Space {
  free: number;
  reserve: number;
  measured: number;
}

const known = new Map<string, Space>();

/** The space of the disk of a folder; null if it cannot be measured. */
function spaceOf(folder: string): Space | null {
  const now = performance.now();
  const last = known.get(folder);
  if (last && now - last.measured < MEASURED_FOR) return last;
  try {
    const { bavail, blocks, bsize } = disks.measure(folder);
    const space = { free: bavail * bsize, reserve: Math.min(RESERVE, blocks * bsize * RESERVED_PART), measured: now };
    known.set(folder, space);
    return space;
  } catch {
    return null;
  }
}

/** A folder, or the nearest one above it that exists. */
export function existingFolder(folder: string): string {
  const above = path.dirname(folder);
  // On Windows, the drive itself may be missing.
  return existsSync(folder) || above === folder ? folder : existingFolder(above);
}

/** The disk has too little space for what was to be written. */
export class DiskFull extends Error {
  readonly status = FAILURES.diskFull.data.status;
  readonly body = { ...FAILURES.diskFull, message: this.message };
}

const inMb = (bytes: number): string => `${(bytes / MB).toFixed(bytes < 10 * MB ? 1 : 0)} MB`;

/**
 * Whether the disk of a folder has no space for a write: then the database would abort.
 * @param bytes size of what is to be written
 * @returns the error, or null
 */
export function diskError(folder: string, bytes = 0): DiskFull | null {
  const space = spaceOf(folder);
  if (!space || space.free - COPIES * bytes >= space.reserve) return null;
  const least = `${inMb(space.free)} free; the database needs ${inMb(space.reserve)}`;
  return new DiskFull(`The disk of ${folder} is full (${least}). Reads still work. Free some space, then write again.`);
}

/** Whether an error of the system says that a disk is full. */
export const isDiskFull = (error: unknown): boolean => ['ENOSPC', 'EDQUOT'].includes(codeOf(error) ?? '');
