import { escapeRegExp } from '../../../base/text/pattern.js';
import { Rewrite } from '../../../wordpress/rewrite.js';

/** A published blog post: the path of its address, and its values of the tags in structures of permalinks. */
export interface Addressed {
  path: string;
  tags: Readonly<Record<string, string>>;
}

/** Structures that give a path, those with the most tags first. */
const structuresOf = ({ path, tags }: Addressed): string[] =>
  Object.entries(tags).reduce(
    (found, [tag, value]) => {
      const whole = new RegExp(`(?<![\\w%])${escapeRegExp(value)}(?![\\w%])`);
      return value === '' ? found : [...new Set(found.flatMap((each) => [each.replace(whole, () => `%${tag}%`), each]))];
    },
    [path],
  );

export const rewriteOf = (structure: string): Rewrite => new Rewrite({ structure, categoryBase: '', tagBase: '', restPrefix: 'wp-json' });

/** The structure of permalinks that gives all paths; undefined if none does. */
export function structureOf([first, ...others]: readonly Addressed[]): string | undefined {
  if (first === undefined) return undefined;
  return structuresOf(first).find((structure) => {
    const rewrite = rewriteOf(structure);
    return [first, ...others].every(({ path, tags }) => rewrite.ofPost((name) => tags[name] ?? '') === path);
  });
}
