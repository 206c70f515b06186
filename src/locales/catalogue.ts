import type { PageTexts } from './pages.en.js';

/** The texts of a language. */
export interface Catalogue {
  /** The name of the language in the language itself. */
  name: string;
  /** Descriptions of parameters, fields and responses, by their English text. */
  descriptions: Readonly<Record<string, string>>;
  /** Texts of the pages, by name. */
  pages: PageTexts;
}
