import { crc32 } from 'node:zlib';
import type { Random } from './random.js';

/** Colours of the pictures, as red, green and blue; each picture takes some of them. */
const COLOURS: readonly (readonly [number, number, number])[] = [
  [19, 42, 67],
  [34, 87, 122],
  [56, 163, 165],
  [128, 237, 153],
  [255, 209, 102],
  [239, 131, 84],
  [214, 64, 69],
  [93, 46, 70],
  [240, 239, 235],
  [61, 64, 91],
];

const SIGNATURE = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** Writes bits as deflate wants them: numbers from the lowest bit on, codes from the highest. */
class Bits {
  private readonly bytes: number[] = [];
  private held = 0;
  private count = 0;

  number(value: number, width: number): void {
    for (let i = 0; i < width; i += 1) this.bit((value >>> i) & 1);
  }

  code(value: number, width: number): void {
    for (let i = width - 1; i >= 0; i -= 1) this.bit((value >>> i) & 1);
  }

  private bit(bit: number): void {
    this.held |= bit << this.count;
    this.count += 1;
    if (this.count < 8) return;
    this.bytes.push(this.held);
    [this.held, this.count] = [0, 0];
  }

  end(): Buffer {
    while (this.count > 0) this.bit(0);
    return Buffer.from(this.bytes);
  }
}

/** Deflate's fixed code of a literal or length symbol. */
function symbol(bits: Bits, value: number): void {
  if (value < 144) bits.code(0x30 + value, 8);
  else if (value < 256) bits.code(0x190 + value - 144, 9);
  else if (value < 280) bits.code(value - 256, 7);
  else bits.code(0xc0 + value - 280, 8);
}

/** Lengths of repetitions whose symbols need no further bits, the longest first. */
const LENGTHS: readonly (readonly [number, number])[] = [
  [258, 285],
  ...[10, 9, 8, 7, 6, 5, 4, 3].map((length): [number, number] => [length, 254 + length]),
];

/** How often the byte at a place follows itself. */
function repetitions(data: Uint8Array, at: number): number {
  let end = at + 1;
  while (end < data.length && data[end] === data[at]) end += 1;
  return end - at - 1;
}

/**
 * Compresses flat pictures: literals and repetitions of the byte before, by the fixed codes of deflate. The compressors of zlib
 * differ between versions and processors in the bytes that they make; this one does not.
 */
function deflate(data: Uint8Array): Buffer {
  const bits = new Bits();
  bits.number(1, 1);
  bits.number(1, 2);
  for (let at = 0; at < data.length;) {
    symbol(bits, data[at]);
    let left = repetitions(data, at);
    for (const [length, code] of LENGTHS) {
      for (; left >= length; left -= length) {
        symbol(bits, code);
        // The distance: one byte back.
        bits.code(0, 5);
      }
    }
    for (let i = 0; i < left; i += 1) symbol(bits, data[at]);
    at += 1 + repetitions(data, at);
  }
  symbol(bits, 256);
  const [low, high] = adler(data);
  return Buffer.concat([Buffer.from([0x78, 0x01]), bits.end(), Buffer.from([high >> 8, high & 255, low >> 8, low & 255])]);
}

function adler(data: Uint8Array): [number, number] {
  let [low, high] = [1, 0];
  for (const byte of data) {
    low = (low + byte) % 65521;
    high = (high + low) % 65521;
  }
  return [low, high];
}

interface Disc {
  x: number;
  y: number;
  radius: number;
  colour: number;
}

/**
 * A picture of discs over a horizon, as the bytes of a PNG: the same for the same chance, on every machine.
 * @param width,height in pixels; the width must be even
 */
export function makePicture(random: Random, width: number, height: number): Buffer {
  const palette = random.some(COLOURS, 6);
  const horizon = random.whole(Math.floor(height / 3), Math.floor((height * 2) / 3));
  const discs: Disc[] = Array.from({ length: random.whole(2, 5) }, () => ({
    x: random.whole(0, width),
    y: random.whole(0, height),
    radius: random.whole(Math.floor(height / 12), Math.floor(height / 3)),
    colour: random.whole(2, palette.length - 1),
  }));
  const colourAt = (x: number, y: number): number => {
    const disc = discs.findLast((each) => (x - each.x) ** 2 + (y - each.y) ** 2 < each.radius ** 2);
    return disc ? disc.colour : Number(y > horizon);
  };
  // Two pixels a byte, and before each row the name of its filter: none.
  const stride = width / 2 + 1;
  const rows = new Uint8Array(stride * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 2) rows[y * stride + 1 + x / 2] = (colourAt(x, y) << 4) | colourAt(x + 1, y);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([4, 3, 0, 0, 0], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flat())),
    chunk('IDAT', deflate(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
