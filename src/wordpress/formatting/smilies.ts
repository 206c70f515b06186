import { lookup } from '../../base/values/records.js';
import { Seeker, WORD_SPACE } from './html-tokens.js';
import CHARACTERS from './characters.json' with { type: 'json' };

/** The default smilies of WordPress; the one without an emoji is an image. */
const SMILIES: Readonly<Record<string, string>> = lookup(CHARACTERS.smilies);

// Entities end in semicolons, so the text before them is included.
const MIGHT_SMILE = new RegExp(`[:;8](?<=(?:^|>|${WORD_SPACE}).)`);
const SMILEY = new RegExp(
  `(?=[:;8])(?<=^|${WORD_SPACE})(?:${Object.keys(SMILIES)
    .map((typed) => typed.replace(/[()?|]/g, '\\$&'))
    .join('|')})(?=$|${WORD_SPACE})`,
  'g',
);
const SILENT_ELEMENT = /^<(code|pre|style|script|textarea)[^>]*>/;

/**
 * Smilies surrounded by white space become emoji, except in tags, code, pre, style, script and textarea. `siteUrl` (without trailing slash)
 * is the base of smiley images. Behavior of convert_smilies.
 */
export function convertSmilies(text: string, siteUrl = ''): string {
  if (!MIGHT_SMILE.test(text)) return text;
  SMILEY.lastIndex = 0;
  const show = (typed: string): string => smileyHtml(typed, siteUrl);
  if (!text.includes('<')) return text.replace(SMILEY, show);
  let silent = '';
  return splitOnLines(text)
    .map((piece) => {
      if (silent === '') silent = SILENT_ELEMENT.exec(piece)?.[1] ?? '';
      const shown = silent === '' && !piece.startsWith('<') ? piece.replace(SMILEY, show) : piece;
      if (piece === `</${silent}>`) silent = '';
      return shown;
    })
    .join('');
}

/** Splits off tags. WP: for smilies, a tag must end on the line on which it starts. */
function splitOnLines(text: string): string[] {
  const pieces: string[] = [];
  const lineEnds = new Seeker(text, '\n');
  const closers = new Seeker(text, '>');
  let copied = 0;
  for (let open = text.indexOf('<'); open !== -1; open = text.indexOf('<', open)) {
    const close = closers.next(open);
    const lineEnd = lineEnds.next(open);
    if (close === -1) break;
    if (lineEnd !== -1 && lineEnd < close) {
      open += 1;
      continue;
    }
    pieces.push(text.slice(copied, open), text.slice(open, close + 1));
    copied = close + 1;
    open = copied;
  }
  pieces.push(text.slice(copied));
  return pieces;
}

function smileyHtml(typed: string, siteUrl: string): string {
  const shown = SMILIES[typed] ?? typed;
  if (!shown.endsWith('.png')) return shown;
  const source = `${siteUrl}/wp-includes/images/smilies/${shown}`;
  return `<img src="${source}" alt="${typed}" class="wp-smiley" style="height: 1em; max-height: 1em;" />`;
}
