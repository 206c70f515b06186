import type { PageTexts } from './pages.en.js';

/** Everything that is said in one language. */
export interface Catalogue {
  /** What the language calls itself. */
  name: string;
  /** Descriptions of parameters, fields and answers, by their English text. */
  descriptions: Readonly<Record<string, string>>;
  /** Words of the pages, by name. */
  pages: PageTexts;
}
