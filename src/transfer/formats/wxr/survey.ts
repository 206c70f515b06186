import { CONTENTS } from '../../../plugins/register.js';
import { readUtf8, type TextFile } from '../encoding.js';

/** The types of posts that need a plugin, with its name. */
const TYPES = new Map(CONTENTS.flatMap(({ plugin, kinds }) => kinds.map(({ type }) => [type, plugin.name] as const)));

const FOUND = new RegExp(
  `<wp:(?:post_type>\\s*(?:<!\\[CDATA\\[)?(${[...TYPES.keys()].join('|')})\\b|(post_id|comment_id)>\\s*(?:<!\\[CDATA\\[)?(\\d{1,16})\\b)`,
  'g',
);

/** More characters than the pattern matches. */
const OVERLAP = 200;

/** Ids are numbers, whose integers are exact up to twice this. */
export const LARGEST_ID = 2 ** 52;

/** Facts that are known of an export before its items are read. */
export interface Survey {
  /** The plugins whose posts it has. */
  plugins: string[];
  /** The highest ids. */
  highest: { posts: number; comments: number };
}

export async function surveyOf(file: TextFile): Promise<Survey> {
  const plugins = new Set<string>();
  const highest = { posts: 0, comments: 0 };
  let before = '';
  for await (const chunk of readUtf8(file, { highWaterMark: 1 << 20 })) {
    const text = before + chunk.toString('latin1');
    for (const [, type, id, digits] of text.matchAll(FOUND)) {
      if (type !== undefined) plugins.add(TYPES.get(type)!);
      const sequence = id === 'post_id' ? 'posts' : 'comments';
      if (id !== undefined && Number(digits) <= LARGEST_ID) highest[sequence] = Math.max(highest[sequence], Number(digits));
    }
    before = text.slice(-OVERLAP);
  }
  return { plugins: [...plugins], highest };
}
