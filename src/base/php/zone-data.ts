import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readJson } from '../system/files.js';
import { Zones, type Periods, type ZoneCatalog } from './timezone.js';
import { createHash } from 'node:crypto';
import path from 'node:path';
import { messageOf } from '../values/errors.js';
import { periodsOf } from './tzif.js';

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
class ZoneFiles implements ZoneCatalog {
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

/** The newest release, as the build writes it. */
interface PackedData {
  version: string;
  zones: string[];
  links: string[];
  /** Names that are kept for compatibility only. */
  older: string[];
}

/** How a section of a packed zone differs: what to keep of the newer one at its start and end, and what is between. Null: it does not. */
type Difference = readonly [start: number, end: number, between: string] | null;

/** Differences of a release from the next one (scripts/zone-releases.mjs). */
interface OlderRelease {
  release: string;
  zones: { names: string[]; changed: Difference[] }[];
  missing: string[];
}

interface OlderReleases {
  newest: string;
  /** Newest first. */
  releases: OlderRelease[];
}

const base60Digit = (code: number): number => {
  if (code > 96) return code - 87;
  return code > 64 ? code - 29 : code - 48;
};

/** Decodes packed minutes to seconds: base 60 with the digits 0-9 a-z A-X, a sign, and a fraction whose first digit is seconds. */
const unpackMinutes = (text: string): number => {
  const negative = text.startsWith('-');
  const [whole = '', fraction = ''] = (negative ? text.slice(1) : text).split('.');
  let minutes = 0;
  for (let i = 0; i < whole.length; i++) minutes = minutes * 60 + base60Digit(whole.charCodeAt(i));
  const seconds = minutes * 60 + (fraction ? base60Digit(fraction.charCodeAt(0)) : 0);
  return negative ? -seconds : seconds;
};

const unpack = (packed: string): Periods => {
  const [, names = '', offsets = '', indices = '', differences = ''] = packed.split('|');
  const abbreviations = names.split(' ');
  const west = offsets.split(' ').map(unpackMinutes);
  const order = Array.from(indices, (digit) => base60Digit(digit.charCodeAt(0)));
  const steps = differences ? differences.split(' ').map(unpackMinutes) : [];
  const ends = new Float64Array(order.length - 1);
  let sum = 0;
  for (let i = 0; i < ends.length; i++) ends[i] = sum += steps[i] ?? 0;
  return {
    ends,
    offsets: Int32Array.from(order, (i) => 0 - west[i]),
    abbreviations: order.map((i) => abbreviations[i]),
    recent: order.length - 1,
  };
};

/** Unpacked periods by packed data. Aliases and releases share them. */
const periodsByText = new Map<string, Periods>();

/** A release of the data in this package. */
class PackedRelease implements ZoneCatalog {
  /** @param packed keys to packed data */
  constructor(
    readonly release: string,
    readonly packed: ReadonlyMap<string, string>,
    readonly spelling: ReadonlyMap<string, string>,
  ) {}

  get identity(): string {
    return this.release;
  }

  periods(key: string): Periods | null {
    const text = this.packed.get(key);
    if (text === undefined) return null;
    let periods = periodsByText.get(text);
    if (!periods) periodsByText.set(text, (periods = unpack(text)));
    return periods;
  }

  /** The release before, from its differences. */
  before({ release, zones, missing }: OlderRelease): PackedRelease {
    const packed = new Map(this.packed);
    const spelling = new Map(this.spelling);
    for (const { names, changed } of zones)
      for (const key of names.map((name) => name.toLowerCase())) packed.set(key, changedText(this.packed.get(key)!, changed));
    for (const key of missing.map((name) => name.toLowerCase())) {
      packed.delete(key);
      spelling.delete(key);
    }
    return new PackedRelease(release, packed, spelling);
  }
}

const changedText = (text: string, changed: readonly Difference[]): string => {
  const [name, ...sections] = text.split('|');
  const older = changed.map((difference, index) => {
    if (!difference) return sections[index];
    const [start, end, between] = difference;
    const section = sections[index];
    return section.slice(0, start) + between + section.slice(section.length - end);
  });
  return [name, ...older].join('|');
};

/** PHP: identifiers of the zone database of a system that the data does not include. */
const LOCAL = ['Factory|-00|0|0|', 'localtime|UTC|0|0|'];

interface Included {
  newest: PackedRelease;
  /** Keys of the names that are kept for compatibility only. */
  compatible: ReadonlySet<string>;
}

let included: Included | null = null;

const readIncluded = (): Included => {
  const data = readJson<PackedData>(new URL('time-zones.json', import.meta.url));
  const packed = new Map<string, string>();
  const spelling = new Map<string, string>();
  for (const text of [...data.zones, ...LOCAL]) {
    const name = text.slice(0, text.indexOf('|'));
    packed.set(name.toLowerCase(), text);
    spelling.set(name.toLowerCase(), name);
  }
  for (const link of data.links) {
    const [target = '', alias = ''] = link.split('|');
    packed.set(alias.toLowerCase(), packed.get(target.toLowerCase())!);
    spelling.set(alias.toLowerCase(), alias);
  }
  return { newest: new PackedRelease(data.version, packed, spelling), compatible: new Set(data.older.map((name) => name.toLowerCase())) };
};

const getIncluded = (): Included => (included ??= readIncluded());

let olderReleases: OlderReleases | null = null;

const readOlder = (): OlderReleases => (olderReleases ??= readJson<OlderReleases>(new URL('time-zone-releases.json', import.meta.url)));

const byName = new Map<string, Zones>();

const remembered = (name: string, make: () => ZoneCatalog): Zones => {
  const known = byName.get(name) ?? new Zones(make());
  byName.set(name, known);
  return known;
};

/** The newest zone data. It is read on first use. */
export const newestZones = (): Zones => remembered('', () => getIncluded().newest);

/** The releases that are included, newest first. */
export const zoneReleases = (): string[] => [newestZones().release, ...readOlder().releases.map(({ release }) => release)];

const olderRelease = (name: string): PackedRelease | null => {
  const { releases } = readOlder();
  const at = releases.findIndex(({ release }) => release === name);
  return at < 0 ? null : releases.slice(0, at + 1).reduce((newer, older) => newer.before(older), getIncluded().newest);
};

/** Whether a name of zone data is a folder of compiled zone files rather than a release. */
export const isZoneFolder = (name: string): boolean => /[/\\]/.test(name);

const isRelease = (name: string): boolean => zoneReleases().includes(name);

/** A release that content names; null, which is the newest, if there is none by that name. */
export const knownRelease = (name: unknown): string | null => (typeof name === 'string' && name !== '' && isRelease(name) ? name : null);

/** Problem with the name of a release; null: none. */
export const zoneReleaseProblem = (name: string): string | null =>
  isRelease(name) ? null : `unknown release of time zone data ${JSON.stringify(name)}. Use ${zoneReleases().join(', ')}`;

/** Problem with the name of a release or folder; null: none. */
export function zonesProblem(name: string): string | null {
  if (isZoneFolder(name)) return existsSync(name) ? ZoneFiles.problem(name) : `there is no folder ${name} with time zone files`;
  const problem = zoneReleaseProblem(name);
  return problem && `${problem}, or a folder of compiled zone files such as /usr/share/zoneinfo`;
}

/**
 * The zones of a release, or of a folder of compiled zone files as systems have them. They are read on first use.
 * @param name a release such as `2025b`, or the path of a folder; null: the newest release
 * @throws Error with the problem
 */
export function zonesOf(name: string | null): Zones {
  if (name === null || name === newestZones().release) return newestZones();
  return remembered(name, () => {
    const problem = zonesProblem(name);
    if (problem !== null) throw new Error(problem);
    return isZoneFolder(name) ? new ZoneFiles(name) : olderRelease(name)!;
  });
}

/** A catalog without the names that are kept for compatibility only. */
class CurrentNames implements ZoneCatalog {
  readonly release: string;
  readonly identity: string;
  readonly spelling: ReadonlyMap<string, string>;

  constructor(private readonly all: ZoneCatalog) {
    const { compatible } = getIncluded();
    this.release = all.release;
    this.identity = all.identity;
    this.spelling = new Map([...all.spelling].filter(([key]) => !compatible.has(key)));
  }

  periods(key: string): Periods | null {
    return this.spelling.has(key) ? this.all.periods(key) : null;
  }
}

const withoutOlder = new WeakMap<Zones, Zones>();

/** The zones of a machine that has no names which are kept for compatibility only, such as `Asia/Calcutta` and `US/Eastern`. */
export function withoutOlderNames(zones: Zones): Zones {
  const known = withoutOlder.get(zones) ?? new Zones(new CurrentNames(zones.catalog));
  withoutOlder.set(zones, known);
  return known;
}
