import { createHash } from 'node:crypto';
import { constants, crc32, deflateSync } from 'node:zlib';
import { lookup } from '../base/values/records.js';

/*
 * Placeholder images: a text on a plain background, as a PNG of two colors. The letters are the table below and the compression looks for
 * runs of one byte only, so the bytes depend neither on the fonts nor on the processor of a machine.
 */

export interface Placeholder {
  /** In pixels. */
  width: number;
  height: number;
  text: string;
}

/** The largest width and height, in pixels. */
export const MAX_SIDE = 4_000;

/** Letters of 5 × 7 pixels: a digit in base 32 for each row, whose bits are its pixels. */
const GLYPHS: Readonly<Record<string, string>> = lookup({
  ...{ A: 'ehhvhhh', B: 'uhhuhhu', C: 'ehggghe', D: 'uhhhhhu', E: 'vgguggv', F: 'vgguggg', G: 'ehgnhhe', H: 'hhhvhhh', I: 'e44444e' },
  ...{ J: '72222ic', K: 'hikokih', L: 'ggggggv', M: 'hrllhhh', N: 'hpljhhh', O: 'ehhhhhe', P: 'uhhuggg', Q: 'ehhhlid', R: 'uhhukih' },
  ...{ S: 'fgge11u', T: 'v444444', U: 'hhhhhhe', V: 'hhhhha4', W: 'hhhllrh', X: 'hha4ahh', Y: 'hha4444', Z: 'v1248gv' },
  ...{ 0: 'ehjlphe', 1: '4c4444e', 2: 'eh168gv', 3: 'u11e11u', 4: '26aiv22', 5: 'vgu11he', 6: '68guhhe', 7: 'v124888' },
  ...{ 8: 'ehhehhe', 9: 'ehhf12c', '-': '000v000', '.': '00000cc', ',': '0000c48', "'": '4480000', '!': '4444404', '?': 'eh12404' },
  ...{ '&': 'cik8lid', '/': '11248gg', ':': '0cc0cc0', '×': '0ha4ah0', '+': '044v440', '(': '2488842', ')': '8422248', ' ': '0000000' },
});

/** Columns and rows of a letter, with the space after it. */
const CELL = { width: 6, height: 9 };

/** The part of the picture that the text may fill. */
const FILLED = 0.8;
/** The most lines of text. */
const MAX_LINES = 4;

/** Reduces a text to the available letters: capitals without accents. */
const drawable = (text: string): string =>
  Array.from(text.normalize('NFD').toUpperCase().replace(/[’‘`]/g, "'").replace(/[–—_]/g, '-').replace(/\s/g, ' '))
    .filter((letter) => letter in GLYPHS)
    .join('')
    .replace(/ +/g, ' ')
    .trim();

/** Breaks a text between words. @returns null if a word is longer than a line */
function wrapped(text: string, columns: number): string[] | null {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (word.length > columns) return null;
    if (last !== undefined && last.length + 1 + word.length <= columns) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.length <= MAX_LINES ? lines : null;
}

/** The lines of a text and how many pixels a dot of its letters is wide, as large as fits. */
function laidOut(text: string, width: number, height: number): { lines: string[]; dot: number } {
  for (let dot = Math.floor(height / CELL.height / 3); dot >= 1; dot -= 1) {
    const lines = wrapped(text, Math.floor((width * FILLED) / (CELL.width * dot)));
    if (lines && lines.length * CELL.height * dot <= height * FILLED) return { lines, dot };
  }
  return { lines: [], dot: 1 };
}

/** A background that white letters can be read on. The same text has the same color. */
function colorOf(text: string): [red: number, green: number, blue: number] {
  const [a, b, c] = createHash('sha256').update(text).digest();
  return [40 + (a % 80), 40 + (b % 80), 40 + (c % 80)];
}

/** Draws the lines into rows of pixels, a bit each, set for white. */
function draw(rows: Buffer[], { lines, dot }: { lines: readonly string[]; dot: number }, width: number, height: number): void {
  const top = Math.floor((height - lines.length * CELL.height * dot) / 2);
  for (const [l, line] of lines.entries()) {
    const left = Math.floor((width - line.length * CELL.width * dot) / 2);
    for (const [c, letter] of line.split('').entries())
      for (const [y, bits] of GLYPHS[letter].split('').entries())
        for (let x = 0; x < 5; x += 1) {
          if (((Number.parseInt(bits, 32) >> (4 - x)) & 1) === 0) continue;
          for (let row = 0; row < dot; row += 1)
            for (let column = 0; column < dot; column += 1) {
              const at = left + (c * CELL.width + x) * dot + column;
              rows[top + (l * CELL.height + y) * dot + row][at >> 3] |= 0x80 >> (at & 7);
            }
        }
  }
}

const chunk = (type: string, data: Buffer): Buffer => {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, sum]);
};

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** PNG: a bit for each pixel, from a palette. */
const [ONE_BIT, PALETTE] = [1, 3];
/** PNG: each row as its difference from the one above. */
const UP = 2;

/** Draws a placeholder. @returns the bytes of a PNG */
export function drawPlaceholder({ width, height, text }: Placeholder): Buffer {
  const shown = drawable(text);
  const rows = Array.from({ length: height }, () => Buffer.alloc(Math.ceil(width / 8)));
  draw(rows, laidOut(shown === '' ? `${width} × ${height}` : shown, width, height), width, height);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([ONE_BIT, PALETTE], 8);
  const filtered = rows.flatMap((row, y) => [Buffer.from([UP]), row.map((byte, x) => byte - (y === 0 ? 0 : rows[y - 1][x]))]);
  const pixels = deflateSync(Buffer.concat(filtered), { strategy: constants.Z_RLE });
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', head),
    chunk('PLTE', Buffer.from([...colorOf(text), 255, 255, 255])),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const USUAL = { width: 1200, height: 675 };
const CALL = /^placeholder(?:\(\s*(?:(\d{1,5})\s*[x×]\s*(\d{1,5}))?\s*(?:,?\s*"([^"]*)")?\s*\))?$/i;

/** Meaning of `placeholder`, `placeholder(1200x630)` or `placeholder(1200x630, "Text")` stands for; null: other texts. */
export function placeholderIn(text: string, title: string): Placeholder | null {
  const call = CALL.exec(text.trim());
  if (!call) return null;
  const [, width, height, written] = call;
  return { width: Number(width ?? USUAL.width), height: Number(height ?? USUAL.height), text: written ?? title };
}

/** Whether a text is meant as a placeholder, whether or not it is one. */
export const meansPlaceholder = (text: string): boolean => /^placeholder\s*\(/i.test(text.trim());

/** The name of its file, the same for the same picture. */
export const placeholderName = ({ width, height, text }: Placeholder): string =>
  `placeholder-${width}x${height}-${createHash('sha256').update(text).digest('hex').slice(0, 8)}`;
