import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { presentImage, type ImageSource } from '../../../../src/plugins/the-events-calendar/calendar-v1/view.js';
import type { ImageMetadata } from '../../../../src/wordpress/model.js';

interface WorldMedia {
  id: number;
  file: string;
  post_mime_type: string;
  attachment_metadata: ImageMetadata | null;
}

const conformance = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../../conformance');
const readJson = (file: string): unknown => JSON.parse(fs.readFileSync(path.join(conformance, file), 'utf8'));
const world = readJson('world.json') as { site: { url: string }; media: WorldMedia[] };
const uploads = `${world.site.url}/wp-content/uploads`;

const attachment = (media: WorldMedia): ImageSource => ({
  _id: media.id,
  file: media.file,
  mimeType: media.post_mime_type,
  image: media.attachment_metadata,
});

/** Every complete image object in a recorded response. */
function* imagesIn(value: unknown): Generator<{ id: number }> {
  if (typeof value !== 'object' || value === null) return;
  const image = (value as { image?: unknown }).image;
  if (typeof image === 'object' && image !== null && typeof (image as { id?: unknown }).id === 'number') yield image as { id: number };
  for (const member of Object.values(value)) yield* imagesIn(member);
}

const recorded = new Map(
  fs
    .readdirSync(path.join(conformance, 'cases'))
    .flatMap((file) => [...imagesIn(readJson(path.join('cases', file)))])
    .map((image) => [JSON.stringify(image), image]),
);

test('the recordings hold images', () => {
  expect(recorded.size).toBe(4);
});

test.each([...recorded.values()])('recorded image $id', (image) => {
  const media = world.media.find(({ id }) => id === image.id);
  const shown = presentImage(attachment(media!), uploads);
  expect(shown).toEqual(image);
  expect(Object.keys(shown)).toEqual(Object.keys(image));
});

const dot = world.media.find(({ id }) => id === 6)!;

test('a small image has no sizes', () => {
  expect(presentImage(attachment(dot), `${uploads}/`)).toEqual({
    url: `${uploads}/2026/05/dot.gif`,
    id: 6,
    extension: 'gif',
    width: 120,
    height: 90,
    filesize: 997,
  });
});

test('members that are empty or zero are left out', () => {
  const image = {
    width: 0,
    height: 90,
    file: 'a',
    sizes: { medium: { file: 'b.gif', width: 1, height: 2, 'mime-type': 'image/gif', filesize: 0 } },
  };
  expect(presentImage({ _id: 6, file: 'b', mimeType: 'image/gif', image }, uploads)).toEqual({
    url: `${uploads}/b`,
    id: 6,
    height: 90,
    sizes: { medium: { width: 1, height: 2, 'mime-type': 'image/gif', url: `${uploads}/b.gif` } },
  });
});

test.each([
  ['no attachment', undefined],
  ['no file', { ...attachment(dot), file: '' }],
  ['a text file', attachment(world.media.find(({ id }) => id === 9)!)],
])('%s: false', (_name, source) => {
  expect(presentImage(source, uploads)).toBe(false);
});
