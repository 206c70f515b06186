import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { presentImage } from '../../../src/plugins/the-events-calendar/calendar-v1/view.js';
import { Clock } from '../../../src/wordpress/clock.js';
import { NO_CAMERA_DATA } from '../../../src/wordpress/media/files.js';
import { MediaError } from '../../../src/wordpress/media/fetch.js';
import { storeUpload, insertAttachment } from '../../../src/wordpress/media/upload.js';
import { attachImage, isImageAttachment, isUsableImageUrl } from '../../../src/plugins/the-events-calendar/model/sideload.js';
import { ATTACHMENT } from '../../../src/wordpress/model.js';
import { withDerivedColumns } from '../../../src/wordpress/posts/posts.js';
import { Site } from '../../../src/wordpress/site.js';
import {
  URL_BASE,
  UPLOADS,
  EDITOR,
  post,
  store,
  site,
  folder,
  uploads,
  files,
  attached,
  read,
  randomOf,
  filesOf,
  expectTrueMetadata,
  media,
} from './sideload.js';
import { registry } from '../../support/registry.js';

describe("images of the site's own uploads", () => {
  test('an image becomes a new attachment in the folder of the month', async () => {
    const before = files();
    const made = await attached(`${UPLOADS}/2026/05/logo.png`);
    const name = `logo-${randomOf(made.file!)}`;
    expect(made).toMatchObject({
      _id: 100,
      type: 'attachment',
      status: 'inherit',
      author: EDITOR,
      title: name,
      slug: name.toLowerCase(),
      parent: 0,
      date: '2026-06-30 22:00:00',
      dateGmt: '2026-07-01 02:00:00',
      modified: '2026-06-30 22:00:00',
      modifiedGmt: '2026-07-01 02:00:00',
      mimeType: 'image/png',
      file: `2026/06/${name}.png`,
      meta: [{ key: '_tribe_importer_original_url', value: `${UPLOADS}/2026/05/logo.png` }],
    });
    // Copied from the image, which an older release stored.
    const { alt: _alt, ...older } = NO_CAMERA_DATA;
    expect(made.image).toMatchObject({ file: `2026/06/${name}.png`, image_meta: older });
    expect(files()).toEqual([...before, ...filesOf(made)].sort());
  });

  test('the image reads as recorded', async () => {
    const made = await attached(`${UPLOADS}/2026/05/logo.png`);
    const base = `${UPLOADS}/2026/06/logo-${randomOf(made.file!)}`;
    const size = (width: number, height: number, filesize: number): object => ({
      width,
      height,
      'mime-type': 'image/png',
      filesize,
      url: `${base}-${width}x${height}.png`,
    });
    const shown = presentImage(made, site.uploadsUrl);
    const expected = {
      url: `${base}.png`,
      id: 100,
      extension: 'png',
      width: 800,
      height: 600,
      filesize: 2833,
      sizes: { medium: size(300, 225, 870), thumbnail: size(150, 150, 494), medium_large: size(768, 576, 3083) },
    };
    expect(JSON.stringify(shown)).toBe(JSON.stringify(expected));
  });

  test.each([
    ['2026/05/river-stage.jpg', '2026/05/river-stage.jpg'],
    ['2026/06/poster.webp', '2026/06/poster.webp'],
    ['2026/05/dot.gif', '2026/05/dot.gif'],
    // The full version is a scaled-down copy of the upload.
    ['2026/06/panorama.jpg', '2026/06/panorama-scaled.jpg'],
  ])('sizes of %s are copied, not regenerated', async (file, full) => {
    const made = await attached(`${UPLOADS}/${file}`);
    const source = media.find((row) => row.file === full)!.attachment_metadata!;
    expect(read(made.file!)).toEqual(read(full));
    expect(Object.keys(made.image!.sizes)).toEqual(Object.keys(source.sizes));
    for (const [name, size] of Object.entries(made.image!.sizes)) {
      expect(read(path.join('2026/06', size.file))).toEqual(read(path.join(path.dirname(full), source.sizes[name].file)));
      expect(size).toMatchObject({ filesize: source.sizes[name].filesize, width: source.sizes[name].width });
    }
    const stem = path.basename(file, path.extname(file));
    expect(made.image!.original_image).toBe(source.original_image && `${stem}-${randomOf(made.file!)}${path.extname(file)}`);
    for (const stored of filesOf(made)) expect(existsSync(path.join(uploads, stored))).toBe(true);
  });

  test('missing sizes are generated', async () => {
    rmSync(path.join(uploads, '2026/05/logo-300x225.png'));
    await expectTrueMetadata(await attached(`${UPLOADS}/2026/05/logo.png`));
    // A file without an attachment.
    cpSync(path.join(uploads, '2026/05/river-stage.jpg'), path.join(uploads, 'loose.jpg'));
    await expectTrueMetadata(await attached(`${UPLOADS}/loose.jpg`));
    await expectTrueMetadata(await attached(`${UPLOADS}/2026/05/river-stage-300x225.jpg`));
  });

  test.each([
    [`${UPLOADS}/2026/05/logo.png`, true],
    [`${UPLOADS}/2026/06/panorama.jpg`, true],
    [`${UPLOADS}/2026/05/river-stage-300x225.jpg`, true],
    ['https://town.example:8100/wp-content/uploads/2026/05/dot.gif', true],
    ['HTTP://TOWN.example:8100/wp-content/uploads/2026/05/dot.gif', true],
    [`${UPLOADS}/2026/05/logo.png?ver=2`, true],
    [`${UPLOADS}/2026/05/../06/poster.webp`, true],
    [`${UPLOADS}/2026/05/l%6Fgo.png`, true],
    [`${UPLOADS}/2026/05/missing.png`, false],
    [`${UPLOADS}/2026/05`, false],
    [`${UPLOADS}/`, false],
    [`${UPLOADS}/programme.txt`, false],
    [`${UPLOADS}/fake.png`, false],
    [`${UPLOADS}/picture.txt`, false],
    [`${UPLOADS}/drawing.svg`, false],
    [`${UPLOADS}/%2e%2e/outside.png`, false],
    [`${UPLOADS}/..%2foutside.png`, false],
    [`${UPLOADS}/2026/05/logo.png%00.txt`, false],
    [`${UPLOADS}/%zz.png`, false],
    ['/wp-content/uploads/2026/05/logo.png', false],
    ['not-an-image', false],
    ['', false],
    [' http://town.example:8100/wp-content/uploads/2026/05/logo.png', false],
    ['http:town.example:8100/wp-content/uploads/2026/05/logo.png', false],
    ['http:\\\\town.example:8100\\wp-content\\uploads\\2026\\05\\logo.png', false],
    ['file:///wp-content/uploads/2026/05/logo.png', false],
    ['http://', false],
  ])('%s is usable: %s', async (url, expected) => {
    writeFileSync(path.join(uploads, 'fake.png'), '<?php echo "no image";');
    writeFileSync(path.join(uploads, 'drawing.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
    cpSync(path.join(uploads, '2026/05/logo.png'), path.join(uploads, 'picture.txt'));
    cpSync(path.join(uploads, '2026/05/logo.png'), path.join(folder, 'outside.png'));
    const before = files();
    expect(await isUsableImageUrl(site, url)).toBe(expected);
    const attachedOrNot = await attachImage(site, url, EDITOR).catch((error: unknown) => error);
    if (expected) expect(attachedOrNot).toBe(100);
    else {
      expect(attachedOrNot).toBeInstanceOf(MediaError);
      expect(files()).toEqual(before);
    }
  });
});

describe('the same image URL', () => {
  test('returns the same attachment, even years later', async () => {
    const url = `${UPLOADS}/2026/05/logo.png`;
    const first = await attachImage(site, url, EDITOR);
    const after = files();
    const later = new Site(store, new Clock(Date.parse('2029-01-01T12:00:00Z')), site.quirks, URL_BASE, uploads);
    expect(await attachImage(later, url, EDITOR + 1)).toBe(first);
    expect(files()).toEqual(after);
    expect(await attachImage(site, `${url}?other`, EDITOR)).not.toBe(first);
  });

  test('returns one attachment to concurrent requests', async () => {
    const url = `${UPLOADS}/2026/05/logo.png`;
    const ids = await Promise.all(Array.from({ length: 8 }, () => attachImage(site, url, EDITOR)));
    expect(new Set(ids).size).toBe(1);
    expect(await store.posts.countDocuments({ type: ATTACHMENT })).toBe(media.length + 1);
  });

  test('is looked up with an index, including imported attachments', async () => {
    const meta = [
      { key: '_wp_attachment_image_alt', value: 'Alt' },
      { key: '_tribe_importer_original_url', value: 'https://elsewhere.example/a.png' },
    ];
    await store.insert('posts', [withDerivedColumns(post({ _id: 50, meta }), registry)]);
    expect(await attachImage(site, 'https://elsewhere.example/a.png', EDITOR)).toBe(50);
    const wanted = { type: ATTACHMENT, meta: { $elemMatch: meta[1] } };
    const plan = await store.posts.find(wanted, { sort: { _id: 1 } }).explain('executionStats');
    expect(JSON.stringify(plan.queryPlanner.winningPlan)).toContain('attachments_by_meta');
    expect(plan.executionStats.totalDocsExamined).toBe(1);
  });
});

test('a URL that is the guid of an upload is that upload; others are copied', async () => {
  const large = await sharp({ create: { width: 2600, height: 2000, channels: 3, background: '#369' } })
    .jpeg()
    .toBuffer();
  const stored = await storeUpload(site, { name: 'large.jpg', bytes: large }, '2026/06', (made) =>
    insertAttachment(site, made, { ...post({ _id: 0 }), slug: undefined }),
  );
  expect(stored).toMatchObject({ file: '2026/06/large-scaled.jpg', guid: '/wp-content/uploads/2026/06/large.jpg' });
  const found = (name: string): Promise<number> => attachImage(site, `${UPLOADS}/2026/06/${name}`, EDITOR);
  expect(await found('large.jpg')).toBe(stored._id);
  for (const other of ['large-scaled.jpg', 'large-300x231.jpg', 'large.jpg?x']) expect(await found(other)).not.toBe(stored._id);
  const plan = await store.posts.find({ type: ATTACHMENT, guid: stored.guid! }, { sort: { _id: 1 } }).explain('executionStats');
  expect(JSON.stringify(plan.queryPlanner.winningPlan)).toContain('attachments_by_guid');
});

test.each([
  [{ _id: 50, mimeType: 'image/png', file: '2026/05/x.png' }, true],
  [{ _id: 50, mimeType: 'image/png', file: '2026/05/x.png', status: 'trash' }, true],
  [{ _id: 50, mimeType: 'text/plain', file: 'programme.txt' }, false],
  [{ _id: 50, mimeType: 'image/png' }, false],
  [{ _id: 50, file: 'x.png' }, false],
  [{ _id: 50, mimeType: 'image/png', file: 'x.png', type: 'post' }, false],
  [{ _id: 51, mimeType: 'image/png', file: 'x.png' }, false],
])('%j is an image attachment: %s', async (fields, expected) => {
  await store.insert('posts', [post(fields)]);
  expect(await isImageAttachment(store, 50)).toBe(expected);
});

test('files of the same name that arrive at the same time by different URLs of the site get different names', async () => {
  const upload = { name: 'poster.png', bytes: readFileSync(path.join(uploads, '2026/05/logo.png')) };
  const sites = [site, site.at('https://other.example')];
  const stored = await Promise.all(sites.map((each) => storeUpload(each, upload, '2026/06', async ({ file }) => file)));
  expect(stored.toSorted()).toEqual(['2026/06/poster-1.png', '2026/06/poster.png']);
});
