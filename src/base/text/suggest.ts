/** Splits a name into words: `venueId`, `venue_id` and `venue-id` are the same. */
const partsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((part) => part !== '');

const singular = (part: string): string => part.replace(/ies$/, 'y').replace(/(?<=..)s$/, '');

/** The number of insertions, deletions, substitutions and transpositions between two texts (Damerau-Levenshtein distance). */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const differs = a[i - 1] === b[j - 1] ? 0 : 1;
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + differs, swapped ? beforeLast[j - 2] + 1 : Infinity);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length];
}

interface Distance {
  /** From 0 (same words) to 1 (nothing in common). */
  far: number;
  /** The distance of the spelling alone, which breaks ties. */
  spelling: number;
}

const MAX_DISTANCE = 0.4;

/** @param mine the parts of a name */
function distance(mine: readonly string[], known: string): Distance {
  const theirs = partsOf(known).map(singular);
  const [a, b] = [mine.join('_'), theirs.join('_')];
  if (a === b) return { far: 0, spelling: 0 };
  const shared = mine.filter((part) => theirs.includes(part)).length;
  const isPart = shared > 0 && shared === Math.min(mine.length, theirs.length);
  const words = isPart ? 1 - shared / Math.max(mine.length, theirs.length) : 1;
  const longest = Math.max(a.length, b.length);
  // Texts of such different lengths have nothing in common, and a file may have very long ones.
  if (words === 1 && Math.abs(a.length - b.length) > MAX_DISTANCE * longest) return { far: 1, spelling: 1 };
  const spelling = editDistance(a, b) / longest;
  // One of two words counts as much as two wrong letters of six.
  return { far: Math.min(spelling, words * 0.66), spelling };
}

/**
 * Whether a slug is probably a misspelling of a known one: a letter or two differ, depending on the length. Numbers and words of one letter
 * tell names apart, as in `hall-a` and `hall-b`.
 */
export function isMisspelling(slug: string, known: readonly string[]): boolean {
  const marks = (of: string): string =>
    of
      .split('-')
      .filter((part) => part.length === 1 || /\d/.test(part))
      .join('-');
  return known.some((other) => {
    const shorter = Math.min(slug.length, other.length);
    return shorter >= 3 && marks(slug) === marks(other) && editDistance(slug, other) <= (shorter >= 8 ? 2 : 1);
  });
}

/** The known name that was most likely meant by an unknown one; undefined if none is similar. */
export function suggest(name: string, known: readonly string[]): string | undefined {
  const parts = partsOf(name).map(singular);
  const ranked = known
    .map((candidate) => ({ candidate, ...distance(parts, candidate) }))
    .sort((x, y) => x.far - y.far || x.spelling - y.spelling);
  return ranked[0] && ranked[0].far <= MAX_DISTANCE ? ranked[0].candidate : undefined;
}

/** `. Did you mean "hall"?`, to append to a message, if a known name is similar. */
export function didYouMean(name: string, known: readonly string[]): string {
  const meant = suggest(name, known);
  return meant === undefined ? '' : `. Did you mean ${JSON.stringify(meant)}?`;
}
