import { recordOf } from '../values/records.js';

/** The supported languages. English comes first, since its texts are the keys of the other catalogs. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'pt-BR', 'ja'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Languages by primary subtag: `pt` means `pt-BR`. */
const BY_PRIMARY = new Map<string, Language>(LANGUAGES.map((language) => [language.split('-')[0], language]));

const TAG = /^([a-z]{2,3})(?:[-_][a-z0-9]+)*$/i;

/**
 * Finds the language of a tag (`de-AT`), a code (`de`) or a WordPress locale (`pt_BR`, `de_DE_formal`). Regional variants map to their
 * language. Null if the language is not supported or the tag is invalid.
 */
export function findLanguage(tag: string): Language | null {
  const [, primary] = TAG.exec(tag) ?? [];
  return primary === undefined ? null : (BY_PRIMARY.get(primary.toLowerCase()) ?? null);
}

/** Tags for content negotiation, in order of preference. */
function offeredTags(first: Language): string[] {
  const others = LANGUAGES.filter((language) => language !== first);
  return [first, ...others].flatMap((language) => [...new Set([language, language.split('-')[0]])]);
}

/** Tags for content negotiation by default language, which comes first. */
export const OFFERED_TAGS = recordOf(LANGUAGES, offeredTags);
