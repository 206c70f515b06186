import type { Random } from './random.js';
import colors from './colors.json' with { type: 'json' };

/** RGB colors; each picture uses some of them. */
const COLORS: readonly (readonly number[])[] = colors;

interface Disc {
  x: number;
  y: number;
  radius: number;
  color: number;
}

/** Draws discs over a horizon, as a PNG. The pixels depend only on the random numbers; the compression depends on the version of sharp. */
export async function makePicture(random: Random, width: number, height: number): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  const palette = random.some(COLORS, 6);
  const horizon = random.whole(Math.floor(height / 3), Math.floor((height * 2) / 3));
  const discs: Disc[] = Array.from({ length: random.whole(2, 5) }, () => ({
    x: random.whole(0, width),
    y: random.whole(0, height),
    radius: random.whole(Math.floor(height / 12), Math.floor(height / 3)),
    color: random.whole(2, palette.length - 1),
  }));
  const colorAt = (x: number, y: number): number => {
    const disc = discs.findLast((each) => (x - each.x) ** 2 + (y - each.y) ** 2 < each.radius ** 2);
    return disc ? disc.color : Number(y > horizon);
  };
  const pixels = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y += 1) for (let x = 0; x < width; x += 1) pixels.set(palette[colorAt(x, y)], (y * width + x) * 3);
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
}
