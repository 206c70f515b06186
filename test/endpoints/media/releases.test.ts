import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import sharp from 'sharp';
import { http } from '../../support/http.js';
import { apiOf, signIn, WORLD, type Login, type Refusal } from '../../support/api.js';
import { startTestServer } from '../../support/server.js';

/* What media have since WordPress 6.9, 7.0 and 7.1. */

const server = startTestServer({ dataset: WORLD });
const { get, post, call, reset } = apiOf(server);

beforeEach(reset);

interface Media {
  id: number;
  post: number | null;
  alt_text: string;
  title: { rendered: string };
  caption: { rendered: string };
  source_url: string;
  mime_type: string;
  filename: string;
  filesize: number | null;
  exif_orientation?: number;
  image_quality?: { default: number };
  missing_image_sizes: string[];
  media_details: {
    width: number;
    height: number;
    file: string;
    filesize: number;
    original_image?: string;
    sizes: Record<string, { file: string; width: number; height: number }>;
    image_meta: Record<string, unknown>;
    parent_image?: { attachment_id: number; file: string };
  };
  _links: Record<string, { href: string }[]>;
}

type Made = Media & Refusal;

const LOCAL = { host: 'localhost' };

const picture = (width: number, height: number, type: 'png' | 'jpeg' | 'webp' = 'jpeg') =>
  sharp({ create: { width, height, channels: 3, background: '#357' } }).toFormat(type);

interface Sent {
  query?: string;
  as?: Login | null;
  path?: string;
  host?: string;
}

/** Sends a file as a raw body. */
async function upload<T = Made>(bytes: Buffer, name: string, { query = '', as = 'admin', path: route = '/wp/v2/media', host }: Sent = {}) {
  const headers = {
    ...(as && { authorization: signIn(as) }),
    ...(host && { host }),
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename="${name}"`,
  };
  const { status, text } = await http('POST', `${server().restUrl}${route}${query}`, headers, bytes);
  return { status, body: JSON.parse(text) as T };
}

const stored = (): string[] => readdirSync(server().site.uploads, { recursive: true, encoding: 'utf8' }).sort();

describe('lists by several types', () => {
  test.each([
    ['media_type=image&mime_type=text/plain', [9, 8, 7, 6, 5, 4]],
    ['media_type=text&mime_type=image/png,image/gif', [9, 6, 5]],
    ['mime_type=image/png&media_type=image/none', 400],
    ['mime_type=none/none,image/png', [5]],
    ['mime_type=none/none', [9, 8, 7, 6, 5, 4]],
    ['media_type=', [9, 8, 7, 6, 5, 4]],
    ['media_type=&mime_type=', [9, 8, 7, 6, 5, 4]],
  ])('%s', async (query, expected) => {
    const { status, body } = await get<{ id: number }[]>(`/wp/v2/media?_fields=id&${query}`);
    expect(status === 200 ? body.map(({ id }) => id) : status).toEqual(expected);
  });
});

describe('the file of an attachment', () => {
  test('a scaled picture has the name of the upload and the size of the scaled copy', async () => {
    const { body } = await upload(await picture(2700, 30).toBuffer(), 'wide.jpg');
    expect(body.media_details.file).toMatch(/wide-scaled\.jpg$/);
    expect(body).toMatchObject({ filename: 'wide.jpg', filesize: body.media_details.filesize });
  });

  test.each<[string, 'jpeg' | 'webp', number, number]>([
    ['upright', 'jpeg', 1, 82],
    ['turned, which is undone on upload', 'jpeg', 6, 82],
    ['of another type', 'webp', 1, 86],
  ])('a picture that is %s', async (_what, type, orientation, quality) => {
    const { body } = await upload(await picture(60, 40, type).withMetadata({ orientation }).toBuffer(), `a.${type}`);
    expect(body).toMatchObject({ exif_orientation: 1, image_quality: { default: quality } });
    const { body: shown } = await get<Media>(`/wp/v2/media/${body.id}`);
    expect(Object.keys(shown).slice(-3)).toEqual(['filename', 'filesize', '_links']);
  });

  test('a file of unknown size is measured; one that is not there has none', async () => {
    expect((await get<Media>('/wp/v2/media/9')).body).toMatchObject({ filename: 'programme.txt', filesize: 10 });
    await server().site.store.changePost(9, (current) => ({ ...current, file: '2026/05/gone.txt' }));
    expect((await get<Media>('/wp/v2/media/9')).body).toMatchObject({ filename: 'gone.txt', filesize: null });
  });
});

/** A picture with an alternative text in several languages (XMP). */
const described = (items: string): Promise<Buffer> => {
  const rdf = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
  const text = `<Iptc4xmpCore:AltTextAccessibility><rdf:Alt>${items}</rdf:Alt></Iptc4xmpCore:AltTextAccessibility>`;
  const about = `<rdf:Description xmlns:Iptc4xmpCore="http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/">${text}</rdf:Description>`;
  return picture(8, 6).withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="${rdf}">${about}</rdf:RDF></x:xmpmeta>`).toBuffer();
};

describe('the alternative text in a picture', () => {
  const TEXT = '<rdf:li xml:lang="de">Bühne</rdf:li><rdf:li xml:lang="x-default">Stage &amp; river</rdf:li>';

  test('becomes that of the attachment', async () => {
    const { body } = await upload(await described(TEXT), 'a.jpg');
    expect([body.alt_text, body.media_details.image_meta.alt]).toEqual(['Stage & river', 'Stage & river']);
  });

  test('unless another is sent', async () => {
    const { body } = await upload(await described(TEXT), 'a.jpg', { query: '?alt_text=Sent' });
    expect([body.alt_text, body.media_details.image_meta.alt]).toEqual(['Sent', 'Stage & river']);
  });

  test.each(['', '<rdf:li>', '<rdf:li xml:lang="x-default"></rdf:li>'])('there is none in %j', async (items) => {
    const { body } = await upload(await described(items), 'a.jpg');
    expect([body.alt_text, body.media_details.image_meta.alt]).toEqual(['', '']);
  });
});

describe('links', () => {
  test('to the parent of any type', async () => {
    const { body } = await post<Media>('/wp/v2/media/5', { post: 2 });
    expect(body._links['wp:attached-to']).toEqual([
      { embeddable: true, post_type: 'page', id: 2, href: `${server().restUrl}/wp/v2/pages/2` },
    ]);
    await post('/wp/v2/media/5', { post: 0 });
    expect((await get<Media>('/wp/v2/media/5')).body._links).not.toHaveProperty('wp:attached-to');
  });

  test('to a featured image that is attached to a draft: only for callers who may read it', async () => {
    const draft = await post<{ id: number }>('/wp/v2/posts', { title: 'Draft' });
    await post('/wp/v2/media/5', { post: draft.body.id });
    const { body } = await post<Media>('/wp/v2/posts', { title: 'Shown', status: 'publish', featured_media: 5 });
    const links = async (as?: Login) => Object.keys((await get<Media>(`/wp/v2/posts/${body.id}`, as)).body._links);
    expect([await links(), await links('subscriber')].flat()).not.toContain('wp:featuredmedia');
    expect(await links('editor')).toContain('wp:featuredmedia');
    await post('/wp/v2/media/6', { featured_media: 5 });
    expect((await get<Media>('/wp/v2/media/6')).body._links).not.toHaveProperty('wp:featuredmedia');
    expect((await get<Media>('/wp/v2/media/6', 'editor')).body._links).toHaveProperty('wp:featuredmedia');
    await post(`/wp/v2/posts/${draft.body.id}`, { status: 'publish' });
    expect(await links()).toContain('wp:featuredmedia');
  });
});

describe('an upload whose sizes its client makes', () => {
  test('is neither turned nor scaled', async () => {
    const bytes = await picture(2700, 1800).withMetadata({ orientation: 6 }).toBuffer();
    const { status, body } = await upload(bytes, 'turned.jpg', { query: '?generate_sub_sizes=false' });
    expect([status, body.exif_orientation, body.media_details]).toMatchObject([
      201,
      6,
      { width: 2700, height: 1800, sizes: {}, filesize: bytes.length, image_meta: { orientation: '6' } },
    ]);
    expect(body.media_details).not.toHaveProperty('original_image');
    expect(body.missing_image_sizes).toEqual(['thumbnail', 'medium', 'medium_large', 'large', '1536x1536', '2048x2048']);
  });

  const route = (id: number, what: string): string => `/wp/v2/media/${id}/${what}`;

  /** Requests under `localhost`. */
  const send = <T = Made>(to: string, file: Buffer, name: string, as: Login = 'admin') =>
    upload<T>(file, name, { path: to, as, host: 'localhost' });
  const finalize = (id: number, body: object = {}, as: Login | null = 'admin') =>
    call<Made>('POST', route(id, 'finalize'), { ...(as && { as }), body, headers: LOCAL });

  const original = async (width = 800, height = 600): Promise<Made> =>
    (await upload(await picture(width, height).toBuffer(), 'photo.jpg', { query: '?generate_sub_sizes=false' })).body;

  test('gets them one by one', async () => {
    const { id } = await original();
    const file = await picture(150, 150).toBuffer();
    const { status, body } = await send<object>(`${route(id, 'sideload')}?image_size=thumbnail`, file, 'photo-150x150.jpg');
    expect([status, body]).toEqual([
      200,
      {
        image_size: 'thumbnail',
        width: 150,
        height: 150,
        file: 'photo-150x150.jpg',
        mime_type: 'image/jpeg',
        filesize: file.length,
      },
    ]);
    expect((await get<Media>(`/wp/v2/media/${id}`)).body.media_details.sizes).toEqual({});
    const done = await finalize(id, { sub_sizes: [body] });
    expect([done.status, Object.keys(done.body.media_details.sizes)]).toEqual([200, ['thumbnail', 'full']]);
    expect(done.body.missing_image_sizes).toEqual(['medium', 'medium_large']);
    // Again: the attachment has the file now.
    expect((await finalize(id, { sub_sizes: [body] })).status).toBe(200);
    const meta = (await server().site.store.posts.findOne({ _id: id }))?.meta;
    expect(meta).toEqual([]);
    await call('DELETE', `/wp/v2/media/${id}?force=true`, { as: 'admin' });
    expect(stored().filter((name) => name.includes('photo'))).toEqual([]);
  });

  test('a scaled copy takes the place of the full version', async () => {
    const { id } = await original(2700, 1800);
    const file = await picture(2560, 1707).toBuffer();
    const { body } = await send<object>(`${route(id, 'sideload')}?image_size=scaled`, file, 'photo-scaled.jpg');
    const main = { width: 2560, height: 1707, filesize: file.length, file: '2026/06/photo-scaled.jpg' };
    expect(body).toEqual({ image_size: 'scaled', original_image: 'photo.jpg', ...main });
    const done = await finalize(id, { sub_sizes: [body] });
    expect(done.body).toMatchObject({ filename: 'photo.jpg', media_details: { ...main, original_image: 'photo.jpg' } });
    expect(done.body.source_url).toMatch(/photo-scaled\.jpg$/);
    await call('DELETE', `/wp/v2/media/${id}?force=true`, { as: 'admin' });
    expect(stored().filter((name) => name.includes('photo'))).toEqual([]);
  });

  test('files that were never registered go with the attachment', async () => {
    const { id } = await original();
    await send(`${route(id, 'sideload')}?image_size=medium`, await picture(300, 225).toBuffer(), 'photo-300x225.jpg');
    await call('DELETE', `/wp/v2/media/${id}?force=true`, { as: 'admin' });
    expect(stored().filter((name) => name.includes('photo'))).toEqual([]);
  });

  test('one file may have several sizes', async () => {
    const { id } = await original();
    const query = '?image_size[]=medium_large&image_size[]=large';
    const { body } = await send<object>(route(id, 'sideload') + query, await picture(768, 576).toBuffer(), 'photo-768x576.jpg');
    const done = await finalize(id, { sub_sizes: [body] });
    expect(done.body.media_details.sizes).toMatchObject({
      large: { file: 'photo-768x576.jpg' },
      medium_large: { file: 'photo-768x576.jpg' },
    });
  });

  test.each<[string, string, [number, number] | null, Login, number, string]>([
    ['no size', '', [9, 9], 'admin', 400, 'rest_missing_callback_param'],
    ['an unknown size', '?image_size=none', [9, 9], 'admin', 400, 'rest_invalid_param'],
    ['a size and a full version', '?image_size[]=medium&image_size[]=scaled', [9, 9], 'admin', 400, 'rest_invalid_param'],
    ['too wide', '?image_size=thumbnail', [152, 9], 'admin', 400, 'rest_upload_dimension_mismatch'],
    ['too high', '?image_size=thumbnail', [9, 152], 'admin', 400, 'rest_upload_dimension_mismatch'],
    ['not like the original', '?image_size=original', [9, 9], 'admin', 400, 'rest_upload_dimension_mismatch'],
    ['no picture', '?image_size=full', null, 'admin', 400, 'rest_upload_invalid_image'],
    ['of another author', '?image_size=medium', [9, 9], 'author', 403, 'rest_cannot_edit'],
    ['without the right', '?image_size=medium', [9, 9], 'subscriber', 403, 'rest_cannot_edit_image'],
  ])('rejects a file: %s', async (_what, query, size, as, status, code) => {
    const { id } = await original();
    const before = stored();
    const bytes = size ? await picture(...size).toBuffer() : Buffer.from('Notes');
    const answer = await send(route(id, 'sideload') + query, bytes, size ? 'x.jpg' : 'x.txt', as);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(stored()).toEqual(before);
  });

  test.each(['photo-1.jpg', 'logo.png', '../05/logo.png', '2026/05/logo.png', '/etc/passwd', 'PHOTO.jpg'])(
    'does not take the file %s',
    async (file) => {
      const { id } = await original();
      for (const entry of [
        { image_size: 'medium', file },
        { image_size: 'scaled', file: 'photo.jpg', original_image: file },
      ]) {
        const { status, body } = await finalize(id, { sub_sizes: [entry] });
        expect([status, body.code]).toEqual([400, 'rest_invalid_sub_size_file']);
      }
    },
  );

  test.each<[object, string]>([
    [{ file: 'photo.jpg' }, 'rest_property_required'],
    [{ image_size: 'none' }, 'rest_not_in_enum'],
    [{ image_size: ['medium', 'original'] }, 'rest_not_in_enum'],
    [{ image_size: 'medium', width: 0 }, 'rest_out_of_bounds'],
    [{ image_size: '' }, 'rest_too_short'],
  ])('rejects the entry %j', async (entry, detail) => {
    const { body } = await finalize((await original()).id, { sub_sizes: [entry] });
    expect(body).toMatchObject({ code: 'rest_invalid_param', data: { details: { sub_sizes: { code: detail } } } });
  });

  test('anonymous callers and missing files', async () => {
    expect((await finalize(4, {}, null)).status).toBe(401);
    expect((await finalize(99)).body.code).toBe('rest_post_invalid_id');
  });
});

describe('the index depends on the host', () => {
  const KEYS = ['image_sizes', 'image_size_threshold', 'image_strip_meta', 'image_max_bit_depth'];
  const index = async (host: string | undefined, as?: Login) =>
    (await call<Record<string, object>>('GET', '/', { ...(as && { as }), ...(host && { headers: { host } }) })).body;

  test.each<[string | undefined, Login | undefined, boolean, boolean]>([
    [undefined, 'admin', false, false],
    ['town.example', 'admin', false, false],
    ['notlocalhost', 'admin', false, false],
    ['localhost.example', 'admin', false, false],
    ['localhost', 'admin', true, true],
    ['LOCALHOST:80', 'author', true, true],
    ['a.localhost:1', 'contributor', true, false],
    ['localhost', undefined, true, false],
  ])('%s for %s', async (host, as, hasRoutes, hasSettings) => {
    const body = await index(host, as);
    expect(Object.hasOwn(body.routes, '/wp/v2/media/(?P<id>[\\d]+)/finalize')).toBe(hasRoutes);
    expect(Object.keys(body).filter((key) => KEYS.includes(key))).toEqual(hasSettings ? KEYS : []);
    if (hasSettings)
      expect(body).toMatchObject({ image_size_threshold: 2560, image_sizes: { thumbnail: { width: 150, height: 150, crop: true } } });
  });

  test('a stored response of one host is not sent to another', async () => {
    const lengths = await Promise.all(
      [undefined, 'localhost', undefined, 'localhost'].map(async (host) => Object.keys((await index(host)).routes).length),
    );
    expect(lengths).toEqual([lengths[0], lengths[0] + 2, lengths[0], lengths[0] + 2]);
  });
});

describe('an image by URL', () => {
  const own = (file: string): string => `${server().url}/wp-content/uploads/2026/05/${file}`;
  const take = (url: string, body: object = {}, as: Login | null = 'admin') =>
    call<Made>('POST', '/wp/v2/media', { ...(as && { as }), body: { url, ...body } });

  test('of the site itself is copied as an upload', async () => {
    const { status, body } = await take(own('logo.png'), { alt_text: 'Sent', post: 2 });
    expect([status, body]).toMatchObject([201, { title: { rendered: 'logo' }, alt_text: 'Sent', post: 2, filename: 'logo.png' }]);
    expect(Object.keys(body.media_details.sizes)).toContain('medium');
  });

  test.each([
    'nonsense',
    'ftp://site.example/a.png',
    'http://user:secret@site.example/a.png',
    'http://127.0.0.1/a.png',
    'http://[::1]/a.png',
    'http://169.254.169.254/a.png',
    'http://10.0.0.1:8080/a.png',
    'http://0x7f000001/a.png',
    'http://93.184.215.14:22/a.png',
    'http://localhost:8080/a.png',
  ])('%s is rejected before permissions, and nothing is sent to it', async (url) => {
    expect((await take(url)).body).toMatchObject({ code: 'rest_invalid_param', data: { details: { url: { code: 'rest_invalid_url' } } } });
    // Names are not resolved for everybody.
    const code = url.includes('localhost') ? 'rest_cannot_create' : 'rest_invalid_param';
    expect((await take(url, {}, null)).body.code).toBe(code);
  });

  test('of another site is downloaded, unless it is no image', async () => {
    const bytes = await picture(20, 10).toBuffer();
    const elsewhere = createServer(({ url = '' }, response) => {
      const isFound = url.startsWith('/a.jpg');
      response.writeHead(isFound ? 200 : 404, { 'content-type': 'image/jpeg' }).end(isFound ? bytes : '');
    }).listen(0, '127.0.0.1');
    await once(elsewhere, 'listening');
    const at = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
    const before = server().site.chosen.media;
    server().site.chosen.media = { ...before, allowPrivateUrls: true };
    try {
      const { status, body } = await take(`${at}/a.jpg?size=1`);
      expect([status, body]).toMatchObject([201, { filename: 'a.jpg', filesize: bytes.length, media_details: { width: 20 } }]);
      expect((await take(`${at}/b.jpg`)).body.code).toBe('http_404');
      expect((await take(`${at}/a.jpg`, {}, 'contributor')).body.code).toBe('rest_cannot_create');
    } finally {
      server().site.chosen.media = before;
      elsewhere.close();
    }
  });

  test.each([
    [() => own('programme.txt'), 'rest_invalid_url'],
    [() => own(''), 'rest_invalid_url'],
    [() => own('none.png'), 'http_404'],
    [() => `${server().url}/wp-content/uploads/..%2f..%2fa.png`, 'http_404'],
  ])('%s: no image', async (url, code) => {
    const before = stored();
    expect((await take(url())).body.code).toBe(code);
    expect(stored()).toEqual(before);
  });
});

describe('an edit of an image', () => {
  const edit = (body: object, id = 4, as: Login = 'admin') => post<Made>(`/wp/v2/media/${id}/edit`, body, as);
  const src = (file = 'river-stage.jpg'): string => `${server().url}/wp-content/uploads/2026/05/${file}`;
  const flip = (horizontal: boolean, vertical: boolean) => ({ type: 'flip', args: { flip: { horizontal, vertical } } });
  const rotate = (angle: number) => ({ type: 'rotate', args: { angle } });
  const crop = (left: number, top: number, width: number, height: number) => ({ type: 'crop', args: { left, top, width, height } });

  test('is a new attachment, with texts of the original', async () => {
    await post('/wp/v2/media/4', { alt_text: 'Stage', caption: 'At night', post: 2 });
    const { status, body } = await edit({ src: src(), modifiers: [rotate(90), crop(0, 0, 50, 25)] });
    expect([status, body]).toMatchObject([
      201,
      {
        alt_text: 'Stage',
        caption: { rendered: '<p>At night</p>\n' },
        post: null,
        filename: 'river-stage-edited.jpg',
        media_details: { width: 600, height: 400, file: '2026/06/river-stage-edited.jpg' },
      },
    ]);
    expect(body.media_details.parent_image).toEqual({ attachment_id: 4, file: '2026/05/river-stage.jpg' });
    expect(body).not.toHaveProperty('missing_image_sizes');
    const again = await edit({ src: body.source_url, modifiers: [rotate(180)] }, body.id);
    expect(again.body.filename).toBe('river-stage-edited-1.jpg');
  });

  test('or with its own', async () => {
    const own = { title: 'Turned', caption: 'Now', description: 'Then', post: 36, alt_text: 'Other' };
    const { body } = await edit({ src: src('river-stage-300x225.jpg'), modifiers: [flip(true, false)], ...own });
    expect(body).toMatchObject({ title: { rendered: 'Turned' }, post: 36, alt_text: 'Other' });
  });

  test.each<[object[], string]>([
    [[flip(true, false)], 'BADC'],
    [[flip(false, true)], 'CDAB'],
    [[flip(true, true)], 'DCBA'],
    [[rotate(90)], 'CADB'],
    [[rotate(-90)], 'BDAC'],
    [[rotate(90), flip(true, false)], 'ACBD'],
    [[flip(true, false), rotate(90)], 'DBCA'],
  ])('%j', async (modifiers, expected) => {
    const colors = { A: 0, B: 80, C: 160, D: 240 };
    const squares = Object.values(colors).map((value, index) => ({
      input: { create: { width: 20, height: 20, channels: 3 as const, background: { r: value, g: value, b: value } } },
      left: (index % 2) * 20,
      top: index < 2 ? 0 : 20,
    }));
    const { body } = await upload(await picture(40, 40, 'png').composite(squares).png().toBuffer(), 'squares.png');
    const made = (await edit({ src: body.source_url, modifiers }, body.id)).body;
    const bytes = readFileSync(path.join(server().site.uploads, made.media_details.file));
    const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
    const at = (x: number, y: number): number => data[(y * info.width + x) * info.channels];
    const found = [at(10, 10), at(30, 10), at(10, 30), at(30, 30)];
    expect(found.map((value) => 'ABCD'[Math.round(value / 80)]).join('')).toBe(expected);
  });

  test.each<[string, object, number, string]>([
    ['another image', { src: 'http://x/y.jpg', rotation: 90 }, 404, 'rest_unknown_attachment'],
    ['nothing to do', {}, 400, 'rest_image_not_edited'],
    ['an incomplete crop', { x: 1, y: 1, width: 1 }, 400, 'rest_image_not_edited'],
    ['nothing left', { modifiers: [crop(0, 0, 0, 10)] }, 500, 'rest_image_crop_failed'],
    ['out of the image', { modifiers: [crop(60, 0, 60, 10)] }, 500, 'rest_image_crop_failed'],
    ['more changes than one request may contain', { modifiers: Array.from({ length: 21 }, () => rotate(90)) }, 400, 'rest_too_many_items'],
    ['no such change', { modifiers: [{ type: 'blur', args: {} }] }, 400, 'rest_invalid_param'],
    ['half a flip', { modifiers: [{ type: 'flip', args: { flip: { horizontal: true } } }] }, 400, 'rest_invalid_param'],
    ['no arguments', { modifiers: [{ type: 'rotate' }] }, 400, 'rest_invalid_param'],
  ])('is rejected: %s', async (_what, body, status, code) => {
    const before = stored();
    const answer = await edit({ src: src(), ...body });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(stored()).toEqual(before);
  });

  test('of a text file', async () => {
    expect((await edit({ src: src('programme.txt'), rotation: 90 }, 9)).body.code).toBe('rest_unknown_attachment');
  });
});
