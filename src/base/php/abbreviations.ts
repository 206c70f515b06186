import table from './abbreviations.json' with { type: 'json' };

/** A zone abbreviation: seconds east of UTC, and whether it names a daylight saving time. */
export interface Abbreviation {
  readonly name: string;
  readonly offset: number;
  readonly dst: boolean;
}

/**
 * The zone abbreviations of PHP 8.2, measured, with `*` for daylight saving time. If several regions use an abbreviation, the offset is
 * PHP's choice (`IST` is Israel, `BST` Britain, `CST` North America).
 */
const ABBREVIATIONS = new Map<string, Abbreviation>(
  Object.entries(table).map(([key, offset]) => {
    const name = key.replace('*', '');
    return [name, { name, offset, dst: key !== name }];
  }),
);

/** Finds an abbreviation, ignoring case; null if PHP does not know it. */
export const findAbbreviation = (name: string): Abbreviation | null => ABBREVIATIONS.get(name.toUpperCase()) ?? null;
