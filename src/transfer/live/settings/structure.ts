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

/** The structure of permalinks that gives most paths; undefined if none gives more than half of them. The others may have a language. */
export function structureOf(posts: readonly Addressed[]): string | undefined {
  let [best, most]: [string | undefined, number] = [undefined, posts.length / 2];
  for (const structure of new Set(posts.flatMap(structuresOf))) {
    const rewrite = rewriteOf(structure);
    const count = posts.filter(({ path, tags }) => rewrite.ofPost((name) => tags[name] ?? '') === path).length;
    if (count > most) [best, most] = [structure, count];
  }
  return best;
}
