import { createHash } from 'node:crypto';
import { copyFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ImageFacts, ImageFiles } from '../wordpress/media/files.js';

/** The files generated for an image at build time (`scripts/images.mjs`). */
export interface ReadyImage {
  /** Name of the upload. */
  name: string;
  facts: ImageFacts;
  metadata: ImageFiles['metadata'];
  /** Name of the full version. */
  full: string;
  /** Names of the files, without the upload itself. */
  files: string[];
}

/** Ready images by the SHA-256 of the upload. */
type ReadyImages = Partial<Record<string, ReadyImage>>;

const FOLDER = fileURLToPath(new URL('../images', import.meta.url));

let index: Promise<ReadyImages> | undefined;

const readIndex = async (): Promise<ReadyImages> => {
  const text = await readFile(path.join(FOLDER, 'index.json'), 'utf8').catch(() => '{}');
  return JSON.parse(text) as ReadyImages;
};

const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** The files generated at build time for an image with this content, since generating them takes longer than the rest of a first start. */
export async function findReadyImage(bytes: Uint8Array): Promise<ReadyImage | undefined> {
  index ??= readIndex();
  return (await index)[digestOf(bytes)];
}

/** Copies the generated files of an image to a folder. */
export async function copyReadyImage(bytes: Uint8Array, { files }: ReadyImage, to: string): Promise<void> {
  const from = path.join(FOLDER, digestOf(bytes));
  await Promise.all(files.map((name) => copyFile(path.join(from, name), path.join(to, name))));
}
