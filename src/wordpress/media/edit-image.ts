import type { OutputInfo, Raw, Sharp } from 'sharp';
import { encoded, MAX_PIXELS, openPixels, openUpright } from './files.js';
import type { Box } from './sizes.js';

/** A change to an image. Numbers of a crop are in percent of the image as it is then. */
export type ImageChange =
  | { type: 'rotate'; args: { angle: number } }
  | { type: 'crop'; args: { left: number; top: number; width: number; height: number } }
  | { type: 'flip'; args: { flip: { horizontal: boolean; vertical: boolean } } };

/** An image that cannot be changed: the change that failed, or null if it cannot be read. */
export class EditError extends Error {
  override readonly name = 'EditError';

  constructor(
    readonly change: ImageChange['type'] | null,
    options?: ErrorOptions,
  ) {
    super(change === null ? 'the image cannot be read' : `the image cannot be changed: ${change}`, options);
  }
}

const pixelsOf = (image: Sharp) => image.raw().toBuffer({ resolveWithObject: true });

/** The image is enlarged so that its corners stay in it. @throws if it becomes too large to be decoded again */
function rotated(image: Sharp, angle: number, { width, height }: Box): Sharp {
  const radians = (angle * Math.PI) / 180;
  const [sine, cosine] = [Math.abs(Math.sin(radians)), Math.abs(Math.cos(radians))];
  const pixels = (width * cosine + height * sine) * (width * sine + height * cosine);
  if (pixels > MAX_PIXELS) throw new RangeError(`more than ${MAX_PIXELS} pixels`);
  return image.rotate(angle, { background: { r: 0, g: 0, b: 0, alpha: 0 } });
}

function changed(image: Sharp, { width, height }: Box, { type, args }: ImageChange): Sharp {
  switch (type) {
    case 'rotate':
      return args.angle % 360 === 0 ? image : rotated(image, args.angle % 360, { width, height });
    case 'flip': {
      const mirrored = args.flip.horizontal ? image.flop() : image;
      return args.flip.vertical ? mirrored.flip() : mirrored;
    }
    case 'crop': {
      const [left, top] = [Math.round((width * args.left) / 100), Math.round((height * args.top) / 100)];
      const part = { left, top, width: Math.round((width * args.width) / 100), height: Math.round((height * args.height) / 100) };
      if (part.width <= 0 || part.height <= 0) throw new RangeError('nothing is left');
      return part.width === width && part.height === height ? image : image.extract(part);
    }
  }
}

const rawOf = ({ width, height, channels }: OutputInfo): Raw => ({ width, height, channels });

/** Applies changes to an image, in order. @throws EditError */
export async function editImage(bytes: Buffer, mimeType: string, changes: readonly ImageChange[]): Promise<Buffer> {
  const fail = (change: ImageChange['type'] | null) => (cause: unknown) => {
    throw new EditError(change, { cause });
  };
  // Within one pass, the library reorders the changes, so each of them is a pass.
  let pixels = await openUpright(bytes).then(pixelsOf).catch(fail(null));
  for (const change of changes) {
    const { data, info } = pixels;
    pixels = await openPixels(data, rawOf(info))
      .then((image) => pixelsOf(changed(image, info, change)))
      .catch(fail(change.type));
  }
  return openPixels(pixels.data, rawOf(pixels.info))
    .then((image) => encoded(image, mimeType))
    .catch(fail(null));
}
