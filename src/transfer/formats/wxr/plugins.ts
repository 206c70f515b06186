import { CONTENTS } from '../../../plugins/register.js';
import { readUtf8, type TextFile } from '../encoding.js';

/** The types of posts that need a plugin, with its name. */
const TYPES = new Map(CONTENTS.flatMap(({ plugin, kinds }) => kinds.map(({ type }) => [type, plugin.name] as const)));

const TYPE = new RegExp(`<wp:post_type>\\s*(?:<!\\[CDATA\\[)?(${[...TYPES.keys()].join('|')})\\b`, 'g');

/** More characters than the pattern matches. */
const OVERLAP = 200;

/** The plugins whose posts an export has. They are known before the items are read. */
export async function pluginsIn(file: TextFile): Promise<string[]> {
  const found = new Set<string>();
  let before = '';
  for await (const chunk of readUtf8(file, { highWaterMark: 1 << 20 })) {
    const text = before + chunk.toString('latin1');
    for (const [, type] of text.matchAll(TYPE)) found.add(TYPES.get(type)!);
    if (found.size === CONTENTS.length) break;
    before = text.slice(-OVERLAP);
  }
  return [...found];
}
