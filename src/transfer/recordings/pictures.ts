import { imageTypeOfName } from '../../wordpress/media/types.js';
import type { Post } from '../../wordpress/model.js';
import path from 'node:path';
import { drawPlaceholder, MAX_SIDE } from '../placeholder.js';
import type { SourceFile } from '../dataset.js';

/** The files of images, as drawings: responses have the addresses of images alone. Those of a size and type are drawn once. */
export class Pictures {
  private readonly drawn = new Map<string, Promise<Buffer | null>>();

  /** The files of an attachment, with those of its sizes. */
  async *of({ file = '', image }: Post): AsyncGenerator<SourceFile> {
    if (!image) return;
    const folder = path.posix.dirname(file);
    const { width, height, original_image: original, sizes } = image;
    const all = [{ file: path.posix.basename(file), width, height }, ...Object.values(sizes)];
    for (const each of original === undefined ? all : [...all, { file: original, width, height }]) {
      const data = await this.draw(each);
      if (data) yield { source: '', data, target: path.posix.join(folder, each.file) };
    }
  }

  private draw({ file, width, height }: { file: string; width: number; height: number }): Promise<Buffer | null> {
    const type = imageTypeOfName(file)?.replace('image/', '');
    const key = `${type} ${width}x${height}`;
    const known = this.drawn.get(key) ?? drawAs(type, Math.min(width, MAX_SIDE), Math.min(height, MAX_SIDE));
    this.drawn.set(key, known);
    return known;
  }
}

async function drawAs(type: string | undefined, width: number, height: number): Promise<Buffer | null> {
  if (width < 1 || height < 1 || (type !== 'png' && type !== 'jpeg' && type !== 'webp' && type !== 'gif' && type !== 'avif')) return null;
  const bytes = drawPlaceholder({ width, height, text: `${width} × ${height}` });
  if (type === 'png') return bytes;
  const { default: sharp } = await import('sharp');
  return sharp(bytes).toFormat(type).toBuffer();
}
