import { mkdir, readFile, readdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { placeFiles, withMadeImage } from '../../../../src/transfer/uploads.js';
import { DEFAULT_IMAGE_SIZES } from '../../../../src/wordpress/media/sizes.js';
import { folder, read, problemsOf } from './read.js';

describe('media', () => {
  beforeAll(async () => {
    await mkdir(path.join(folder, 'uploads'), { recursive: true });
    const picture = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: '#369' } });
    await picture(3000, 1500).jpeg().toFile(path.join(folder, 'uploads/wide.jpg'));
    await picture(400, 300).png().toFile(path.join(folder, 'uploads/small.PNG'));
    await picture(300, 225).png().toFile(path.join(folder, 'uploads/small-300x225.png'));
    await writeFile(path.join(folder, 'uploads/plan.txt'), 'text');
    await writeFile(path.join(folder, 'uploads/broken.jpg'), 'text');
    await picture(2, 2).png().toFile(path.join(folder, 'uploads/really-png.jpg.png'));
    await rename(path.join(folder, 'uploads/really-png.jpg.png'), path.join(folder, 'uploads/really-png.jpg'));
  });

  test('images get the sizes that WordPress creates; existing sizes are reused', async () => {
    const set = await read({
      media: [{ file: 'wide.jpg', title: 'Wide', alt: 'A colour' }, { file: 'small.PNG' }, { file: 'plan.txt' }],
    });
    expect(set.posts).toMatchObject([
      {
        slug: 'wide',
        status: 'inherit',
        file: 'wide.jpg',
        mimeType: 'image/jpeg',
        meta: [{ key: '_wp_attachment_image_alt', value: 'A colour' }],
      },
      { slug: 'small', file: 'small.PNG', mimeType: 'image/png' },
      { slug: 'plan', file: 'plan.txt', mimeType: 'text/plain', image: null },
    ]);
    const uploads = path.join(folder, 'stored');
    const made = await placeFiles(set.files, { uploads, site: path.join(folder, 'none'), sizes: DEFAULT_IMAGE_SIZES });
    expect((await readdir(uploads)).toSorted()).toEqual([
      'plan.txt',
      'small-150x150.png',
      'small-300x225.png',
      'small.PNG',
      'wide-1024x512.jpg',
      'wide-150x150.jpg',
      'wide-1536x768.jpg',
      'wide-2048x1024.jpg',
      'wide-300x150.jpg',
      'wide-768x384.jpg',
      'wide-scaled.jpg',
      'wide.jpg',
    ]);
    expect(set.posts.map((post) => withMadeImage(post, made))).toMatchObject([
      { file: 'wide-scaled.jpg', image: { width: 2560, height: 1280, file: 'wide-scaled.jpg', original_image: 'wide.jpg' } },
      { file: 'small.PNG', image: { width: 400, sizes: { medium: { file: 'small-300x225.png', width: 300, height: 225 } } } },
      { file: 'plan.txt', image: null },
    ]);
    expect(await readFile(path.join(uploads, 'small-300x225.png'))).toEqual(await readFile(path.join(folder, 'uploads/small-300x225.png')));
  });

  test('reports invalid files', async () => {
    const files = ['missing.jpg', 'broken.jpg', 'tool.exe', 'plan.txt', './plan.txt', 'really-png.jpg'];
    expect(await problemsOf({ media: files.map((file) => ({ file })) })).toEqual([
      expect.stringMatching(/^media\[0\]\.file: file not found: .*missing\.jpg$/),
      expect.stringMatching(/^media\[1\]\.file: .*broken\.jpg cannot be used: not an image/),
      expect.stringMatching(/^media\[2\]\.file: is not of a file type that can be uploaded/),
      'media[4].file: "./plan.txt" is already the file of media[3]',
      expect.stringMatching(/^media\[5\]\.file: .*really-png\.jpg is image\/png, which does not match its extension/),
    ]);
    const outside = ['/etc/passwd.txt', '../x.txt', 'a/../../x.txt', 'C:\\x.txt'];
    expect(await problemsOf({ media: outside.map((file) => ({ file })) })).toEqual(
      outside.map((_, i) => `media[${i}].file: must be a path relative to the uploads folder`),
    );
  });
});
