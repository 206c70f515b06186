import en from './en.json' with { type: 'json' };
import { readJson } from '../system/files.js';
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

/**
 * The texts of the pages in a language. `{name}` is a placeholder. Names of days and months come from `Intl`.
 * Texts with a number have two forms: `…One` and `…Many`.
 */
export type PageTexts = Readonly<Record<keyof typeof en.pages, string>>;

export interface Catalog {
  /** Descriptions of parameters, fields and responses, by their English text. */
  descriptions: Readonly<Record<string, string>>;
  pages: PageTexts;
}

const catalogs = new Map<Language, Catalog>([['en', en]]);

/** The catalog of a language, whose file is read on first use. English needs no descriptions, since they are the keys. */
export function catalogOf(language: Language): Catalog {
  let catalog = catalogs.get(language);
  if (!catalog) catalogs.set(language, (catalog = readJson<Catalog>(new URL(`${language}.json`, import.meta.url))));
  return catalog;
}

/** Translates a description; falls back to English. */
export function translate(language: Language, text: string): string {
  const { descriptions } = catalogOf(language);
  return Object.hasOwn(descriptions, text) ? descriptions[text] : text;
}

export const pageTexts = (language: Language): PageTexts => catalogOf(language).pages;

/** Replaces the placeholders `{name}` of a text by values, unescaped. */
export const interpolate = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{(\w+)\}/g, (named, name: string) => (Object.hasOwn(values, name) ? String(values[name]) : named));

/** Keys whose values are translated. */
const DESCRIBING: ReadonlySet<string> = new Set(['description', 'summary']);

/** Keys whose values are data, which is not translated. */
const DATA: ReadonlySet<string> = new Set(['default', 'enum', 'example', 'value']);

// Plain loops for speed: an index of all routes has thousands of objects.
function describe(language: Language, value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((item) => describe(language, item));
  const described: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const child: unknown = Reflect.get(value, key);
    if (typeof child === 'string') described[key] = DESCRIBING.has(key) ? translate(language, child) : child;
    else described[key] = DATA.has(key) ? child : describe(language, child);
  }
  return described;
}

/** Returns a copy of a declaration, an index or a document with all descriptions translated, including nested ones. */
export const describedIn = <T>(language: Language, value: T): T => (language === 'en' ? value : (describe(language, value) as T));
