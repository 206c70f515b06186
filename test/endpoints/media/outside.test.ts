import { mkdirSync, readdirSync, readFileSync, writeFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import type { Post } from '../../../src/wordpress/model.js';
import { apiOf, signIn, WORLD } from '../../support/api.js';
import { http } from '../../support/http.js';
import { startTestServer } from '../../support/server.js';

/* Attachments whose stored files are outside of the uploads folder: nothing reads, writes or deletes those. */

const server = startTestServer({ dataset: WORLD, wordpress: '7.1' });
const { call, get, reset } = apiOf(server);

const NAME = 'beside.jpg';
let picture: Buffer;
/** The folder beside the uploads, with a picture. */
let folder = '';
beforeAll(async () => {
  picture = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#357' } })
    .jpeg()
    .toBuffer();
});
beforeEach(async () => {
  await reset();
  folder = path.join(path.dirname(server().site.uploads), 'beside');
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) writeFileSync(path.join(folder, name), '');
  writeFileSync(path.join(folder, NAME), picture);
});

const ID = 4;

/** Makes the image 4 name another file. */
async function nameFile(file: string, sizes: Record<string, string> = {}): Promise<void> {
  const box = { width: 40, height: 30, filesize: picture.length };
  const image = {
    ...box,
    file,
    sizes: Object.fromEntries(Object.entries(sizes).map(([name, of]) => [name, { ...box, file: of, 'mime-type': 'image/jpeg' }])),
  };
  await server().site.store.changePost(ID, (current): Post => ({ ...current, file, image: image }));
}

const untouched = (): void => {
  expect(readdirSync(folder)).toEqual([NAME]);
  expect(readFileSync(path.join(folder, NAME))).toEqual(picture);
};

const route = (step = ''): string => `/wp/v2/media/${ID}${step}`;

const upload = async (step: string, name: string) => {
  const headers = {
    ...{ authorization: signIn('admin'), host: 'localhost' },
    ...{ 'content-type': 'application/octet-stream', 'content-disposition': `attachment; filename="${name}"` },
  };
  const { status, text } = await http('POST', `${server().restUrl}${route(step)}`, headers, picture);
  return { status, body: JSON.parse(text) as { code: string } };
};

/** Paths of the picture beside the uploads. */
const PATHS: [string, () => string][] = [
  ['dots', () => `../beside/${NAME}`],
  ['dots in the middle', () => `2026/05/../../../beside/${NAME}`],
  ['an absolute path', () => path.join(folder, NAME)],
];

describe.each(PATHS)('%s', (_what, pathOf) => {
  test('are not edited', async () => {
    await nameFile(pathOf());
    const src = `${server().url}/wp-content/uploads/${pathOf()}`;
    const modifiers = [{ type: 'rotate', args: { angle: 90 } }];
    const { status, body } = await call<{ code: string }>('POST', route('/edit'), { as: 'admin', body: { src, modifiers } });
    expect([status, body.code]).toEqual([500, 'rest_unknown_image_file_type']);
    untouched();
  });

  test('get no other versions', async () => {
    await nameFile(pathOf());
    const { status, body } = await upload('/sideload?image_size=medium', 'beside-40x30.jpg');
    expect([status, body.code]).toEqual([403, 'rest_sideload_attachment_not_in_uploads']);
    untouched();
  });

  test('have no size', async () => {
    await server().site.store.changePost(ID, (current): Post => ({ ...current, file: pathOf(), image: null }));
    expect((await get<{ filesize: number | null }>(route())).body.filesize).toBeNull();
  });

  test('are not in exports', async () => {
    await nameFile(pathOf());
    const { text } = await http('GET', `${server().url}/__qa/export`);
    expect(text).not.toContain(picture.toString('base64').slice(0, 200));
  });

  test('stay when the attachment is deleted', async () => {
    await nameFile(pathOf(), { medium: pathOf() });
    expect((await call('DELETE', `${route()}?force=true`, { as: 'admin' })).status).toBe(200);
    untouched();
  });
});

test('a symbolic link is not edited', async () => {
  const link = path.join(server().site.uploads, 'link.jpg');
  symlinkSync(path.join(folder, NAME), link);
  await nameFile('link.jpg');
  const src = `${server().url}/wp-content/uploads/link.jpg`;
  const { body } = await call<{ code: string }>('POST', route('/edit'), { as: 'admin', body: { src, rotation: 90 } });
  expect(body.code).toBe('rest_unknown_image_file_type');
});

test('a version that is registered is named without a folder, and the full one is in the folder of the attachment', async () => {
  const { store } = server().site;
  const file = (await store.posts.findOne({ _id: ID }))?.file ?? '';
  const base = path.posix.basename(file);
  const sizes = [
    { image_size: 'medium', width: 40, height: 30, file, mime_type: 'image/jpeg' },
    { image_size: 'scaled', width: 40, height: 30, file: base, original_image: file },
  ];
  const { status } = await call('POST', route('/finalize'), { as: 'admin', body: { sub_sizes: sizes }, headers: { host: 'localhost' } });
  expect(status).toBe(200);
  const image = (await store.posts.findOne({ _id: ID }))?.image;
  expect(image).toMatchObject({ file, original_image: base, sizes: { medium: { file: base } } });
});
