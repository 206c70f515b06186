import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { MAX_PIXELS, NO_CAMERA_DATA } from '../../../src/wordpress/media/files.js';
import { MediaError } from '../../../src/wordpress/media/fetch.js';
import { attachImage, isUsableImageUrl } from '../../../src/plugins/the-events-calendar/model/sideload.js';
import { type ImageMetadata } from '../../../src/wordpress/model.js';
import { EDITOR, post, store, site, uploads, files, attached, read, randomOf, expectTrueMetadata, media } from './sideload.js';

describe('images of other sites', () => {
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
    site.chosen.media = { ...site.chosen.media, allowPrivateUrls: true };
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
  ])('stores %s as .%s', async (type, ending, image, sizes) => {
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

  test('an image larger than 2560 pixels is scaled down', async () => {
    const original = await picture(3000, 1000).jpeg().toBuffer();
    const made = await attached(serve('/wide.jpg', 'image/jpeg', original));
    const name = `wide-${randomOf(made.file!)}`;
    expect(made).toMatchObject({ title: name, file: `2026/06/${name}-scaled.jpg` });
    expect(made.image).toMatchObject({ width: 2560, height: 853, file: made.file, original_image: `${name}.jpg` });
    expect(made.image!.sizes['medium'].file).toBe(`${name}-300x100.jpg`);
    expect(read(`2026/06/${name}.jpg`)).toEqual(original);
    await expectTrueMetadata(made);
  });

  test.each([3, 6, 8])('an image with EXIF orientation %d is rotated', async (orientation) => {
    // Left half red, right half blue, as stored in the file.
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
    // Orientation 6, a turn to the right, moves the left side to the top. The others move the right side to the top left.
    const isRed = topLeft[0] > topLeft[2];
    expect(isRed).toBe(orientation === 6);
  });

  test.each<[string, string, Buffer, Partial<ImageMetadata>]>([
    ['bmp', 'image/bmp', bitmap(1200, -800), { width: 1200, height: 800, filesize: 1058, sizes: {}, image_meta: NO_CAMERA_DATA }],
    ['ico', 'image/x-icon', icon([16, 48, 0]), { width: 256, height: 256, sizes: {}, image_meta: NO_CAMERA_DATA }],
    ['tif', 'image/tiff', Buffer.from('II*\0\b\0\0\0\0\0\0\0', 'latin1'), { width: 0, height: 0, filesize: 12, sizes: {} }],
    ['heic', 'image/heic', Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'), { width: 0, height: 0, sizes: {} }],
  ])('.%s is stored unchanged', async (ending, type, bytes, metadata) => {
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
  ])('a HEAD response of type %s with status %d is usable: %s', async (type, status, expected) => {
    served['/x'] = { type, status, body: Buffer.alloc(0) };
    expect(await isUsableImageUrl(site, `${elsewhere}/x`)).toBe(expected);
    expect(requested).toEqual(['HEAD /x']);
  });

  test('private addresses are not requested by default', async () => {
    const url = serve('/a.png', 'image/png', await picture(10, 10).png().toBuffer());
    const told: string[] = [];
    site.chosen.media = { ...site.chosen.media, allowPrivateUrls: false, tell: (line) => void told.push(line) };
    expect(await isUsableImageUrl(site, url)).toBe(false);
    expect(told).toEqual([`Image not taken: ${url}: 127.0.0.1 is not a public address (see --allow-private-urls)`]);
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
  ])('%s is rejected and leaves no files', async (_name, make) => {
    site.chosen.media = { ...site.chosen.media, maxBytes: _name === 'more bytes than allowed' ? 60_000 : site.chosen.media.maxBytes };
    const url = serve('/x.png', 'image/png', await make());
    const before = files();
    await expect(attachImage(site, url, EDITOR)).rejects.toThrow(MediaError);
    expect(files()).toEqual(before);
    expect(await store.posts.countDocuments({})).toBe(media.length);
    // Failures are not cached.
    serve('/x.png', 'image/png', await picture(10, 10).png().toBuffer());
    expect(await attachImage(site, url, EDITOR)).toBe(100);
  });

  test('a folder that is not writable leaves no files', async () => {
    rmSync(path.join(uploads, '2026'), { recursive: true });
    writeFileSync(path.join(uploads, '2026'), 'a file in the way');
    await expect(attachImage(site, serve('/a.png', 'image/png', await picture(400, 400).png().toBuffer()), EDITOR)).rejects.toThrow();
    expect(files()).toEqual(['2026', 'programme.txt']);
  });

  test('a database failure leaves no files', async () => {
    const before = files();
    await store.insert('posts', [post({ _id: 100 })]);
    const url = serve('/a.png', 'image/png', await picture(400, 400).png().toBuffer());
    await expect(attachImage(site, url, EDITOR)).rejects.toThrow(/E11000/);
    expect(files()).toEqual(before);
  });

  /** An image that does not compress. */
  const noise = (width: number, height: number): Sharp =>
    sharp({ create: { width, height, channels: 3, background: '#000', noise: { type: 'gaussian', mean: 128, sigma: 60 } } });

  const half = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.length / 2);
});

/** The header of a Windows bitmap, and some bytes. */
function bitmap(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(1058);
  bytes.write('BM', 'latin1');
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(width, 18);
  bytes.writeInt32LE(height, 22);
  return bytes;
}

/** An icon file with square images of these sizes, all with the same color depth. */
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
