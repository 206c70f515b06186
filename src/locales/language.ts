/** The languages that there is a catalogue for, English first: its texts are the keys of the others. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'pt-BR', 'ja'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Each language by its first subtag: `pt` stands for `pt-BR`. */
const BY_PRIMARY = new Map<string, Language>(LANGUAGES.map((language) => [language.split('-')[0], language]));

const TAG = /^([a-z]{2,3})(?:[-_][a-z0-9]+)*$/i;

/**
 * The language that a tag (`de-AT`), a code (`de`) or a locale as WordPress spells it (`pt_BR`, `de_DE_formal`) asks for.
 * Regional variants come down to their language. `null` when it is none of ours, or no tag at all.
 */
export function findLanguage(tag: string): Language | null {
  const [, primary] = TAG.exec(tag) ?? [];
  return primary === undefined ? null : (BY_PRIMARY.get(primary.toLowerCase()) ?? null);
}

/** Tags that a client may ask for, in the order of our preference; `findLanguage` knows each. */
function offerOf(first: Language): string[] {
  const others = LANGUAGES.filter((language) => language !== first);
  return [first, ...others].flatMap((language) => [...new Set([language, language.split('-')[0]])]);
}

/** For every language what a client may ask for, that language first. */
export const OFFERED_TAGS = Object.fromEntries(LANGUAGES.map((language) => [language, offerOf(language)])) as Readonly<
  Record<Language, string[]>
>;
