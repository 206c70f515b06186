import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp, { type Sharp } from 'sharp';
import { presentImage } from '../../../src/calendar-v1/images.js';
import { Clock } from '../../../src/wp/clock.js';
import { MAX_PIXELS, NO_CAMERA_DATA } from '../../../src/wp/media/files.js';
import { MediaError } from '../../../src/wp/media/fetch.js';
import { attachImage, isImageAttachment, isUsableImageUrl } from '../../../src/tec/sideload.js';
import { ATTACHMENT, type ImageMetadata, type Post } from '../../../src/wp/model.js';
import { derive, findPost } from '../../../src/wp/posts.js';
import { quirksOf } from '../../../src/wp/quirks.js';
import { Site } from '../../../src/wp/site.js';
import { Store } from '../../../src/wp/store.js';
import { testDatabase } from '../../support/database.js';

const conformance = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../conformance');
const recorded = path.join(conformance, 'uploads');
const { media } = JSON.parse(readFileSync(path.join(conformance, 'world.json'), 'utf8')) as {
  media: { id: number; file: string; post_mime_type: string; post_name: string; attachment_metadata: ImageMetadata | null }[];
};
const URL_BASE = 'http://town.example:8100';
const UPLOADS = `${URL_BASE}/wp-content/uploads`;
const EDITOR = 7;

const post = (fields: Partial<Post> & { _id: number }): Post => ({
  type: ATTACHMENT,
  status: 'inherit',
  author: 1,
  title: '',
  content: '',
  excerpt: '',
  slug: `a-${fields._id}`,
  password: '',
  parent: 0,
  menuOrder: 0,
  date: '2026-05-02 10:00:00',
  dateGmt: '2026-05-02 14:00:00',
  modified: '2026-05-02 10:00:00',
  modifiedGmt: '2026-05-02 14:00:00',
  meta: [],
  terms: {},
  ...fields,
});

const database = testDatabase();
let store: Store;
let site: Site;
let folder: string;
let uploads: string;

beforeAll(async () => {
  store = await Store.open(database.uri, database.name);
});
afterAll(() => store.close());

beforeEach(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-media-'));
  uploads = path.join(folder, 'uploads');
  cpSync(recorded, uploads, { recursive: true });
  await store.clear();
  await store.insert('options', [{ _id: 'timezone_string', value: 'America/New_York' }]);
  await store.insert(
    'posts',
    media.map((row) =>
      derive(post({ _id: row.id, slug: row.post_name, file: row.file, mimeType: row.post_mime_type, image: row.attachment_metadata })),
    ),
  );
  await store.sequences.reserve('posts', 100);
  // In New York it is still June.
  site = new Site(store, new Clock(Date.parse('2026-07-01T02:00:00Z')), quirksOf('tec'), URL_BASE, uploads);
  await site.reload();
});
afterEach(() => rmSync(folder, { recursive: true }));

const files = (): string[] =>
  readdirSync(uploads, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(uploads, path.join(entry.parentPath, entry.name)))
    .sort();

const attached = async (url: string, to = site): Promise<Post> => {
  const found = await findPost(store, await attachImage(to, url, EDITOR));
  if (!found) throw new Error('there is no attachment');
  return found;
};

const read = (file: string): Buffer => readFileSync(path.join(uploads, file));

const randomOf = (file: string): string => /-([A-Za-z0-9]{6})(?:-scaled|-rotated)?\.\w+$/.exec(file)?.[1] ?? 'nothing random';

/** Files of an attachment, the upload among them, below the uploads folder. */
const filesOf = ({ file = '', image }: Post): string[] => {
  const names = [
    path.basename(file),
    ...Object.values(image?.sizes ?? {}).map((size) => size.file),
    ...(image?.original_image ? [image.original_image] : []),
  ];
  return [...new Set(names)].map((name) => path.join(path.dirname(file), name)).sort();
};

/** What the metadata says of each file, and what is true. */
const expectTrueMetadata = async ({ file = '', image, mimeType }: Post): Promise<void> => {
  const month = path.dirname(file);
  const said = [{ ...image!, file: path.basename(file) }, ...Object.values(image!.sizes)];
  for (const version of said) {
    const bytes = read(path.join(month, version.file));
    const found = await sharp(bytes).metadata();
    expect([version.width, version.height, version.filesize]).toEqual([found.width, found.height, bytes.length]);
    expect(found.orientation ?? 1).toBe(1);
    expect(`image/${found.format === 'heif' ? 'avif' : found.format}`).toBe(mimeType);
  }
};

describe('own uploads', () => {
  test('an image becomes an attachment of its own in the folder of the month', async () => {
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
    expect(made.image).toMatchObject({ file: `2026/06/${name}.png`, image_meta: NO_CAMERA_DATA });
    expect(files()).toEqual([...before, ...filesOf(made)].sort());
  });

  test('what is shown is what was recorded', async () => {
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
    // The upload of which the full version is a reduced copy.
    ['2026/06/panorama.jpg', '2026/06/panorama-scaled.jpg'],
  ])('versions of %s are copied, not made anew', async (file, full) => {
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

  test('versions that the library lacks are made', async () => {
    rmSync(path.join(uploads, '2026/05/logo-300x225.png'));
    await expectTrueMetadata(await attached(`${UPLOADS}/2026/05/logo.png`));
    // No attachment knows this one.
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

describe('the same URL', () => {
  test('gives the same attachment, also years later', async () => {
    const url = `${UPLOADS}/2026/05/logo.png`;
    const first = await attachImage(site, url, EDITOR);
    const after = files();
    const later = new Site(store, new Clock(Date.parse('2029-01-01T12:00:00Z')), site.quirks, URL_BASE, uploads);
    expect(await attachImage(later, url, EDITOR + 1)).toBe(first);
    expect(files()).toEqual(after);
    expect(await attachImage(site, `${url}?other`, EDITOR)).not.toBe(first);
  });

  test('gives one attachment to all who ask at once', async () => {
    const url = `${UPLOADS}/2026/05/logo.png`;
    const ids = await Promise.all(Array.from({ length: 8 }, () => attachImage(site, url, EDITOR)));
    expect(new Set(ids).size).toBe(1);
    expect(await store.posts.countDocuments({ type: ATTACHMENT })).toBe(media.length + 1);
  });

  test('is looked up through an index, imported attachments included', async () => {
    const meta = [
      { key: '_wp_attachment_image_alt', value: 'Alt' },
      { key: '_tribe_importer_original_url', value: 'https://elsewhere.example/a.png' },
    ];
    await store.insert('posts', [derive(post({ _id: 50, meta }))]);
    expect(await attachImage(site, 'https://elsewhere.example/a.png', EDITOR)).toBe(50);
    const wanted = { type: ATTACHMENT, meta: { $elemMatch: meta[1] } };
    const plan = await store.posts.find(wanted, { sort: { _id: 1 } }).explain('executionStats');
    expect(JSON.stringify(plan.queryPlanner.winningPlan)).toContain('attachments_by_meta');
    expect(plan.executionStats.totalDocsExamined).toBe(1);
  });
});

describe('foreign images', () => {
  let server: Server;
  let elsewhere: string;
  let served: Record<string, { type: string; body: Buffer; status?: number }>;
  let requested: string[];

  beforeEach(async () => {
    [served, requested] = [{}, []];
    server = createServer((request, response) => {
      requested.push(`${request.method} ${request.url}`);
      const { type, body, status = 200 } = served[request.url ?? ''] ?? { type: 'text/plain', body: Buffer.alloc(0), status: 404 };
      response.writeHead(status, { 'Content-Type': type }).end(body);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    elsewhere = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    site.media = { ...site.media, allowPrivateUrls: true };
  });
  afterEach(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  const picture = (width: number, height: number): Sharp => sharp({ create: { width, height, channels: 3, background: '#a04020' } });

  const serve = (at: string, type: string, body: Buffer): string => {
    served[at] = { type, body };
    return `${elsewhere}${at}`;
  };

  test.each([
    ['image/jpeg', 'jpg', picture(1200, 800).jpeg(), ['medium', 'large', 'thumbnail', 'medium_large']],
    ['image/png', 'png', picture(400, 100).png(), ['medium', 'thumbnail']],
    ['image/gif', 'gif', picture(320, 320).gif(), ['medium', 'thumbnail']],
    ['image/webp', 'webp', picture(100, 2000).webp(), ['medium', 'large', 'thumbnail', '1536x1536']],
    ['image/avif', 'avif', picture(310, 60).avif(), ['medium', 'thumbnail']],
    ['image/jpeg', 'jpeg', picture(20, 10).jpeg(), []],
  ])('%s as .%s', async (type, ending, image, sizes) => {
    const url = serve(`/some/pic.${ending}`, type, await image.toBuffer());
    expect(await isUsableImageUrl(site, url)).toBe(true);
    const made = await attached(url);
    expect(made.file).toMatch(new RegExp(`^2026/06/pic-[A-Za-z0-9]{6}\\.${ending}$`));
    expect(made.mimeType).toBe(type);
    expect(Object.keys(made.image!.sizes)).toEqual(sizes);
    await expectTrueMetadata(made);
    expect(requested).toEqual([`HEAD /some/pic.${ending}`, `GET /some/pic.${ending}`]);
    expect(await attachImage(site, url, EDITOR)).toBe(made._id);
    expect(requested).toHaveLength(2);
  });

  test('above 2560 pixels the full version is a reduced copy', async () => {
    const original = await picture(3000, 1000).jpeg().toBuffer();
    const made = await attached(serve('/wide.jpg', 'image/jpeg', original));
    const name = `wide-${randomOf(made.file!)}`;
    expect(made).toMatchObject({ title: name, file: `2026/06/${name}-scaled.jpg` });
    expect(made.image).toMatchObject({ width: 2560, height: 853, file: made.file, original_image: `${name}.jpg` });
    expect(made.image!.sizes['medium'].file).toBe(`${name}-300x100.jpg`);
    expect(read(`2026/06/${name}.jpg`)).toEqual(original);
    await expectTrueMetadata(made);
  });

  test.each([3, 6, 8])('a picture lying as EXIF %d says is turned upright', async (orientation) => {
    // Left half red, right half blue, as it lies in the file.
    const halves = await sharp({ create: { width: 600, height: 400, channels: 3, background: '#f00' } })
      .composite([{ input: { create: { width: 300, height: 400, channels: 3, background: '#00f' } }, left: 300, top: 0 }])
      .withMetadata({ orientation })
      .jpeg()
      .toBuffer();
    const made = await attached(serve('/lying.jpg', 'image/jpeg', halves));
    const name = `lying-${randomOf(made.file!)}`;
    const [width, height] = orientation === 3 ? [600, 400] : [400, 600];
    expect(made).toMatchObject({
      file: `2026/06/${name}-rotated.jpg`,
      image: { width, height, original_image: `${name}.jpg`, image_meta: { orientation: 1 } },
    });
    await expectTrueMetadata(made);
    const topLeft = await sharp(read(`2026/06/${made.image!.sizes['thumbnail'].file}`))
      .extract({ left: 5, top: 5, width: 1, height: 1 })
      .raw()
      .toBuffer();
    // Turned by half or to the left, what was right comes to the top left; turned to the right, what was left.
    const isRed = topLeft[0] > topLeft[2];
    expect(isRed).toBe(orientation === 6);
  });

  test.each<[string, string, Buffer, Partial<ImageMetadata>]>([
    ['bmp', 'image/bmp', bitmap(1200, -800), { width: 1200, height: 800, filesize: 1058, sizes: {}, image_meta: NO_CAMERA_DATA }],
    ['ico', 'image/x-icon', icon([16, 48, 0]), { width: 256, height: 256, sizes: {}, image_meta: NO_CAMERA_DATA }],
    ['tif', 'image/tiff', Buffer.from('II*\0\b\0\0\0\0\0\0\0', 'latin1'), { width: 0, height: 0, filesize: 12, sizes: {} }],
    ['heic', 'image/heic', Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'), { width: 0, height: 0, sizes: {} }],
  ])('.%s is kept as it is', async (ending, type, bytes, metadata) => {
    const made = await attached(serve(`/x.${ending}`, type, bytes));
    expect(made.mimeType).toBe(type);
    expect(made.file).toMatch(new RegExp(`^2026/06/x-[A-Za-z0-9]{6}\\.${ending}$`));
    expect(made.image).toMatchObject(metadata);
    expect(read(made.file!)).toEqual(bytes);
  });

  test.each([
    ['/caf%C3%A9%20au%20lait.png', 'cafe-au-lait', 'png'],
    ['/A%20%28B%29+c.PNG', 'A-Bc', 'PNG'],
    ['/%E6%97%A5%E6%9C%AC.png', '日本', 'png'],
    ['/a%2F..%2Fb.png', 'a..b', 'png'],
    ['/..%2f..%2fevil.png', 'evil', 'png'],
    ['/.htaccess', 'htaccess', 'png'],
    ['/', 'unnamed-file', 'png'],
    ['/a%00b.png', 'ab', 'png'],
    ['/wrong.jpg', 'wrong', 'png'],
    ['/image.php?name=x.jpg', 'image', 'png'],
    ['/%zz.png', 'zz', 'png'],
    [`/${'n'.repeat(300)}.png`, 'n'.repeat(180), 'png'],
  ])('%s is stored as %s-….%s', async (at, stem, ending) => {
    const made = await attached(serve(at, 'image/png', await picture(200, 200).png().toBuffer()));
    const name = path.basename(made.file!);
    expect(name).toBe(`${stem}-${randomOf(made.file!)}.${ending}`);
    expect(path.dirname(made.file!)).toBe('2026/06');
    expect(made.image!.sizes['thumbnail'].file).toBe(`${stem}-${randomOf(made.file!)}-150x150.${ending.toLowerCase()}`);
  });

  test.each([
    ['image/png', 200, true],
    ['image/jpeg', 200, true],
    ['image/x-icon', 200, true],
    ['image/heic', 200, true],
    ['image/tiff', 200, true],
    ['image/bmp', 200, true],
    ['image/svg+xml', 200, false],
    ['image/jpg', 200, false],
    ['IMAGE/PNG', 200, false],
    ['image/png; charset=binary', 200, false],
    ['image/', 200, false],
    ['text/html', 200, false],
    ['application/pdf', 200, false],
    ['constructor', 200, false],
    ['image/png', 404, false],
    ['image/png', 201, false],
    ['image/png', 302, false],
  ])('a HEAD that says %s with %d is usable: %s', async (type, status, expected) => {
    served['/x'] = { type, status, body: Buffer.alloc(0) };
    expect(await isUsableImageUrl(site, `${elsewhere}/x`)).toBe(expected);
    expect(requested).toEqual(['HEAD /x']);
  });

  test('private addresses are not asked unless an option says so', async () => {
    const url = serve('/a.png', 'image/png', await picture(10, 10).png().toBuffer());
    const told: string[] = [];
    site.media = { ...site.media, allowPrivateUrls: false, tell: (line) => void told.push(line) };
    expect(await isUsableImageUrl(site, url)).toBe(false);
    expect(told).toEqual([`Image not taken: ${url}: 127.0.0.1 is no public address (see --allow-private-urls)`]);
    await expect(attachImage(site, url, EDITOR)).rejects.toThrow(MediaError);
    expect(requested).toEqual([]);
  });

  test.each<[string, () => Promise<Buffer> | Buffer]>([
    ['text', () => Buffer.from('<html>')],
    ['nothing', () => Buffer.alloc(0)],
    ['an SVG drawing', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ['a signature and no image', () => Buffer.from('\x89PNG\r\n\x1a\nand then nothing', 'latin1')],
    ['a bitmap of nothing', () => bitmap(0, 0)],
    ['text that starts as a bitmap', () => Buffer.from('BMW is a make of cars, and this is no picture of one.')],
    ['an icon without pictures', () => icon([])],
    ['half a PNG', async () => half(await noise(400, 400).png().toBuffer())],
    ['half a PNG without smaller versions', async () => half(await noise(100, 100).png().toBuffer())],
    ['half a JPEG', async () => half(await noise(400, 400).jpeg().toBuffer())],
    ['half a JPEG without smaller versions', async () => half(await noise(100, 100).jpeg().toBuffer())],
    ['half a WebP', async () => half(await noise(400, 400).webp().toBuffer())],
    [
      'too many pixels',
      () =>
        picture(MAX_PIXELS / 5000 + 1, 5000)
          .png()
          .toBuffer(),
    ],
    ['more bytes than allowed', () => Buffer.alloc(70_000)],
  ])('%s leaves nothing behind', async (_name, make) => {
    site.media = { ...site.media, maxBytes: _name === 'more bytes than allowed' ? 60_000 : site.media.maxBytes };
    const url = serve('/x.png', 'image/png', await make());
    const before = files();
    await expect(attachImage(site, url, EDITOR)).rejects.toThrow(MediaError);
    expect(files()).toEqual(before);
    expect(await store.posts.countDocuments({})).toBe(media.length);
    // A failure is not remembered.
    serve('/x.png', 'image/png', await picture(10, 10).png().toBuffer());
    expect(await attachImage(site, url, EDITOR)).toBe(100);
  });

  test('a folder that cannot be written leaves nothing behind', async () => {
    rmSync(path.join(uploads, '2026'), { recursive: true });
    writeFileSync(path.join(uploads, '2026'), 'a file in the way');
    await expect(attachImage(site, serve('/a.png', 'image/png', await picture(400, 400).png().toBuffer()), EDITOR)).rejects.toThrow();
    expect(files()).toEqual(['2026', 'programme.txt']);
  });

  test('a database that fails leaves no files behind', async () => {
    const before = files();
    await store.insert('posts', [post({ _id: 100 })]);
    const url = serve('/a.png', 'image/png', await picture(400, 400).png().toBuffer());
    await expect(attachImage(site, url, EDITOR)).rejects.toThrow(/E11000/);
    expect(files()).toEqual(before);
  });

  /** A picture that does not compress. */
  const noise = (width: number, height: number): Sharp =>
    sharp({ create: { width, height, channels: 3, background: '#000', noise: { type: 'gaussian', mean: 128, sigma: 60 } } });

  const half = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.length / 2);
});

/** Header of a Windows bitmap, and some bytes. */
function bitmap(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(1058);
  bytes.write('BM', 'latin1');
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(width, 18);
  bytes.writeInt32LE(height, 22);
  return bytes;
}

/** An icon file with square pictures of these sides, all of the same depth. */
function icon(sides: number[]): Buffer {
  const bytes = Buffer.alloc(6 + sides.length * 16 + 40);
  bytes.writeUInt16LE(1, 2);
  bytes.writeUInt16LE(sides.length, 4);
  sides.forEach((side, index) => {
    const at = 6 + index * 16;
    bytes.writeUInt8(side, at);
    bytes.writeUInt8(side, at + 1);
    bytes.writeUInt16LE(32, at + 6);
    bytes.writeUInt32LE(40, at + 8);
    bytes.writeUInt32LE(bytes.length - 40, at + 12);
  });
  return bytes;
}

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
