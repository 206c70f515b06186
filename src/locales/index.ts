import { de } from './de.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { ja } from './ja.js';
import { LANGUAGES, type Language } from './language.js';
import { pagesEn, type PageTexts } from './pages.en.js';
import { ptBR } from './pt-BR.js';
import type { Catalogue } from './catalogue.js';

export { findLanguage, LANGUAGES, OFFERED_TAGS, type Language } from './language.js';
export type { Catalogue } from './catalogue.js';
export type { PageTexts } from './pages.en.js';

/** One catalogue for each language. That of English holds no descriptions: they are its keys. */
export const CATALOGUES: Readonly<Record<Language, Catalogue>> = {
  en: { name: 'English', descriptions: {}, pages: pagesEn },
  de,
  fr,
  es,
  'pt-BR': ptBR,
  ja,
};

/** A description in a language; in English where the catalogue does not have it. */
export function translate(language: Language, text: string): string {
  const { descriptions } = CATALOGUES[language];
  return Object.hasOwn(descriptions, text) ? descriptions[text] : text;
}

/** The words of the pages in a language. */
export const pageTexts = (language: Language): PageTexts => CATALOGUES[language].pages;

/** Puts values into a text: `{name}` stands for the value of that name, which is written as it is. */
export const fill = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{(\w+)\}/g, (named, name: string) => (Object.hasOwn(values, name) ? String(values[name]) : named));

/** All languages with what they call themselves, as a choice to offer. */
export const LANGUAGE_NAMES: readonly (readonly [Language, string])[] = LANGUAGES.map((language) => [language, CATALOGUES[language].name]);

/** Keys whose values are text for people. */
const DESCRIBING: ReadonlySet<string> = new Set(['description', 'summary']);

/** Keys whose values are data, whatever they look like. */
const DATA: ReadonlySet<string> = new Set(['default', 'enum', 'example']);

// An index of all routes holds thousands of objects: plain loops.
function describe(language: Language, value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((item) => describe(language, item));
  const described: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const child = (value as Record<string, unknown>)[key];
    if (typeof child === 'string') described[key] = DESCRIBING.has(key) ? translate(language, child) : child;
    else described[key] = DATA.has(key) ? child : describe(language, child);
  }
  return described;
}

/** A declaration, an index or a document with all of its descriptions in a language, nested ones included. The value itself is left alone. */
export const describedIn = <T>(language: Language, value: T): T => (language === 'en' ? value : (describe(language, value) as T));
