import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { messageOf } from '../values/errors.js';
import { periodsOf } from './tzif.js';
import type { Periods, ZoneCatalog } from './timezone.js';

/** Folders with other forms of the same zones. */
const OTHER_FORMS = new Set(['posix', 'right']);

/** Beside the zones there are tables, whose names have a dot, and the release. */
const ZONE_NAME = /^[A-Za-z][\w+-]*$/;
const NO_ZONES = new Set(['leapseconds', 'posixrules']);

function namesIn(folder: string, prefix = ''): string[] {
  return readdirSync(path.join(folder, prefix), { withFileTypes: true }).flatMap((entry) => {
    const name = prefix + entry.name;
    if (!ZONE_NAME.test(entry.name) || NO_ZONES.has(name) || OTHER_FORMS.has(name)) return [];
    return entry.isDirectory() ? namesIn(folder, `${name}/`) : [name];
  });
}

/** Files that say the release, which packages of systems contain one or both of. */
const RELEASE_FILES = { '+VERSION': /^(\d{4}[a-z]+)/, 'tzdata.zi': /^# version (\d{4}[a-z]+)/ };

function releaseOf(folder: string): string {
  for (const [name, pattern] of Object.entries(RELEASE_FILES)) {
    const file = path.join(folder, name);
    const release = existsSync(file) ? pattern.exec(readFileSync(file, 'latin1'))?.[1] : undefined;
    if (release !== undefined) return release;
  }
  return folder;
}

/** A folder of compiled zone files (RFC 9636), as systems have them in `/usr/share/zoneinfo`. A file is read on first use. */
export class ZoneFiles implements ZoneCatalog {
  readonly release: string;
  readonly spelling: ReadonlyMap<string, string>;
  private readonly read = new Map<string, Periods | null>();

  constructor(private readonly folder: string) {
    this.release = releaseOf(folder);
    this.spelling = new Map(namesIn(folder).map((name) => [name.toLowerCase(), name]));
  }

  private hash: string | undefined;

  /** The release and a hash of all files. */
  get identity(): string {
    if (this.hash === undefined) {
      const hash = createHash('sha256');
      for (const name of [...this.spelling.values()].toSorted()) {
        const file = path.join(this.folder, name);
        hash.update(`${name}\n`).update(existsSync(file) ? createHash('sha256').update(readFileSync(file)).digest() : '');
      }
      this.hash = hash.digest('hex');
    }
    return `${this.release} ${this.hash}`;
  }

  /** Problem with a folder; null: none. */
  static problem(folder: string): string | null {
    try {
      const files = new ZoneFiles(folder);
      const utc = files.spelling.get('utc') ?? files.spelling.get('etc/utc');
      if (utc === undefined) return `${folder} has no time zone files: there is no UTC`;
      files.readPeriods(utc);
      return null;
    } catch (error) {
      return `${folder} has no time zone files: ${messageOf(error)}`;
    }
  }

  /** PHP ignores other files. */
  periods(key: string): Periods | null {
    const name = this.spelling.get(key);
    if (name === undefined) return null;
    let known = this.read.get(key);
    if (known === undefined) {
      try {
        known = this.readPeriods(name);
      } catch {
        known = null;
      }
      this.read.set(key, known);
    }
    return known;
  }

  private readPeriods(name: string): Periods {
    return periodsOf(readFileSync(path.join(this.folder, name)));
  }
}
