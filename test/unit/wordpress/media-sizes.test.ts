import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ImageMetadata } from '../../../src/wordpress/model.js';
import { constrainDimensions, derivedFileName, planImage, resizeDimensions, type Box } from '../../../src/wordpress/media/sizes.js';

interface WorldMedia {
  file: string;
  post_mime_type: string;
  attachment_metadata: ImageMetadata | null;
}

const worldFile = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../conformance/world.json');
const { media } = JSON.parse(fs.readFileSync(worldFile, 'utf8')) as { media: WorldMedia[] };

/** Dimensions of uploads whose metadata describes only the scaled-down copy. */
const UPLOADED: Record<string, Box> = { 'panorama.jpg': { width: 3000, height: 1500 } };

const planned = media.flatMap(({ post_mime_type, attachment_metadata }) =>
  attachment_metadata ? [{ mimeType: post_mime_type, metadata: attachment_metadata, name: path.basename(attachment_metadata.file) }] : [],
);

test.each(planned)('recorded attachment $name', ({ mimeType, metadata, name }) => {
  const upload = metadata.original_image ?? name;
  const plan = planImage({ ...(UPLOADED[upload] ?? metadata), file: upload, mimeType });
  expect(plan.full).toEqual({ width: metadata.width, height: metadata.height, file: name });
  expect(plan.originalImage).toBe(metadata.original_image ?? null);
  const sizes = plan.sizes.map((size) => [size.name, size.width, size.height, size.file]);
  expect(sizes).toEqual(Object.entries(metadata.sizes).map(([size, { width, height, file }]) => [size, width, height, file]));
});

// [width, height, name, type] of an upload, its full version, and the generated files, as measured.
test.each([
  [3000, 1500, 'p.png', 'image/png', '3000x1500 p.png', ['300x150', '1024x512', '150x150', '768x384', '1536x768', '2048x1024']],
  [2561, 1000, 'p.jpg', 'image/jpeg', '2561x1000 p.jpg', ['300x117', '1024x400', '150x150', '768x300', '1536x600', '2048x800']],
  [4999, 3331, 'p.webp', 'image/webp', '2560x1706 p-scaled.webp', ['300x200', '1024x682', '150x150', '768x512', '1536x1023', '2048x1365']],
  [3000, 2000, 'p.gif', 'image/gif', '2560x1707 p-scaled.gif', ['300x200', '1024x683', '150x150', '768x512', '1536x1024', '2048x1365']],
  [10, 10000, 'p.jpg', 'image/jpeg', '3x2560 p-scaled.jpg', ['1x300', '1x1024', '10x150', '2x1536', '2x2048']],
  [100, 200, 'p.gif', 'image/gif', '100x200 p.gif', ['100x150']],
  [301, 2, 'p.jpeg', 'image/jpeg', '301x2 p.jpeg', ['150x2']],
  [150, 150, 'p.jpg', 'image/jpeg', '150x150 p.jpg', []],
])('%dx%d %s', (width, height, file, mimeType, full, sizes) => {
  const plan = planImage({ width, height, file, mimeType });
  expect(`${plan.full.width}x${plan.full.height} ${plan.full.file}`).toBe(full);
  const extension = file.slice(1);
  expect(plan.sizes.map((size) => size.file)).toEqual(sizes.map((size) => `p-${size}${extension}`));
});

test.each([
  [
    [759, 1100],
    [150, 150],
    [104, 150],
  ],
  [
    [2775, 900],
    [3952, 330],
    [1018, 330],
  ],
  [
    [166, 249],
    [21, 196],
    [21, 32],
  ],
  [
    [5000, 3],
    [300, 300],
    [300, 1],
  ],
  [
    [200, 100],
    [0, 50],
    [100, 50],
  ],
  [
    [200, 100],
    [0, 0],
    [200, 100],
  ],
  [
    [200, 100],
    [400, 300],
    [200, 100],
  ],
])('%j fits %j as %j', ([width, height], [maxWidth, maxHeight], [fitWidth, fitHeight]) => {
  expect(constrainDimensions({ width, height }, { width: maxWidth, height: maxHeight })).toEqual({
    width: fitWidth,
    height: fitHeight,
  });
});

test.each([
  [[245, 394], [4, 0], { width: 4, height: 6, source: { x: 0, y: 13, width: 245, height: 368 } }],
  [[1352, 2080], [150, 150], { width: 150, height: 150, source: { x: 0, y: 364, width: 1352, height: 1352 } }],
  [[151, 150], [150, 150], null],
  [[150, 152], [150, 150], { width: 150, height: 150, source: { x: 0, y: 1, width: 150, height: 150 } }],
  [[0, 152], [150, 150], null],
  [[10, 10], [0, 0], null],
])('%j cropped to %j', ([width, height], [maxWidth, maxHeight], expected) => {
  expect(resizeDimensions({ width, height }, { width: maxWidth, height: maxHeight }, true)).toEqual(expected);
});

test.each([
  ['a.JPG', '300x200', 'a-300x200.jpg'],
  ['a.b.webp', 'scaled', 'a.b-scaled.webp'],
  ['noext', '1x1', 'noext-1x1'],
])('%s with %s is %s', (file, suffix, expected) => {
  expect(derivedFileName(file, suffix)).toBe(expected);
});
