import words from './words.json' with { type: 'json' };

/** A kind of event: titles, times and descriptions. */
export interface EventKind {
  categories: readonly string[];
  /** Patterns of titles; `%a` is an adjective, `%p` a person, `%t` a theme, `%c` the city. */
  titles: readonly string[];
  /** Titles of events that last whole days. Without them, events of this kind never do. */
  wholeDays?: readonly string[];
  themes: readonly string[];
  sentences: readonly string[];
  /** Possible start hours. */
  hours: readonly number[];
  /** Possible durations, in minutes. */
  minutes: readonly number[];
  /** Price level relative to a typical ticket. */
  price: number;
  tags: readonly string[];
}

export const CATEGORY_WORDS: readonly { slug: string; name: string; parent?: string; description: string }[] = words.categories;

export const TAG_WORDS: readonly { slug: string; name: string }[] = words.tags;

export const ADJECTIVES: readonly string[] = words.adjectives;

export const PEOPLE: readonly string[] = words.people;

export const ORGANIZER_WORDS: readonly string[] = words.organizers;

/** Closing sentences of descriptions. */
export const ENDINGS: readonly string[] = words.endings;

export const KINDS: readonly EventKind[] = words.kinds;

/** Kinds of events that can last whole days. */
export const WHOLE_DAY_KINDS = KINDS.filter(({ wholeDays }) => wholeDays !== undefined);

/** Slugs of other scripts are percent-encoded. */
const JAPANESE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|^(?:%[0-9a-f]{2})+$/u;

const withoutJapanese = new Map<readonly string[], readonly string[]>();

/** The words for a country: those in Japanese only for Japan. */
export function wordsFor(country: string, all: readonly string[]): readonly string[] {
  if (country === 'JP') return all;
  const others = withoutJapanese.get(all) ?? all.filter((word) => !JAPANESE.test(word));
  withoutJapanese.set(all, others);
  return others;
}
