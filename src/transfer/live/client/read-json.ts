import { parseSentJson } from '../../../base/values/nesting.js';

/** The JSON of a response, and what the site has put before it. */
interface ReadJson {
  /** `undefined` if there is none. */
  json: unknown;
  /** In words for people; null: nothing. */
  skipped: string | null;
}

const BOM = '\uFEFF';

/** How many places to try. */
const MOST_STARTS = 20;

/** How much of a notice a message repeats. */
const SHOWN = 160;

function parse(text: string): unknown {
  try {
    return parseSentJson(text);
  } catch {
    return undefined;
  }
}

/** The text of HTML, in one line. */
const plain = (html: string): string =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** Where JSON may start after something else: after a tag, or in a new line. Not within other JSON, which may be cut off. */
function* starts(text: string): Generator<number> {
  if (/^[{[]/.test(text)) return;
  let found = 0;
  for (const { 0: before, index } of text.matchAll(/[>\n]\s*(?=[{[])/g)) {
    yield index + before.length;
    found += 1;
    if (found === MOST_STARTS) return;
  }
}

const isPage = (text: string): boolean => /^\s*(?:<!doctype|<html|<\?xml)/i.test(text);

/** Reads the JSON of a response. PHP: notices and warnings may be displayed before it, and files that were saved with a byte order mark send that. */
export function readJson(text: string): ReadJson {
  // A mark counts as white space.
  const bare = text.trimStart();
  const hasMark = text.slice(0, text.length - bare.length).includes(BOM);
  const json = parse(bare);
  if (json !== undefined) return { json, skipped: hasMark ? 'a byte order mark' : null };
  if (isPage(bare)) return { json, skipped: null };
  for (const start of starts(bare)) {
    const behind = parse(bare.slice(start));
    if (behind !== undefined) return { json: behind, skipped: `the text ${JSON.stringify(plain(bare.slice(0, start)).slice(0, SHOWN))}` };
  }
  return { json: undefined, skipped: null };
}
