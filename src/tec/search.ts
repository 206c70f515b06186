import { foldForSearch } from '../wp/formatting/accents.js';
import type { SearchClause } from '../wp/query/post-query.js';

/**
 * What a search for venues or organizers looks for (TEC): the runs of ASCII letters, digits and hyphens, all in one field.
 * Null when there is none: such a search finds nothing.
 */
export function parseLinkedSearch(input: string): SearchClause | null {
  const words = input.split(/[^A-Za-z0-9-]+/).filter((word) => word !== '' && word !== '0');
  return words.length === 0 ? null : { words: words.map(foldForSearch), without: [], inOneField: true };
}
