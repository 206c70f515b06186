import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { apiOf, signIn, WORLD, type Login } from '../../support/api.js';
import { startTestServer } from '../../support/server.js';

const server = startTestServer({ dataset: WORLD });
const { get, post, delete: remove } = apiOf(server);

interface Media {
  id: number;
  slug: string;
  title: { raw: string };
  post: number | null;
  source_url: string;
  media_details: { file: string; sizes: Record<string, { source_url: string }> };
  code: string;
}

const picture = (width: number, height: number, type: 'png' | 'jpeg' = 'png'): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#357' } })
    .toFormat(type)
    .toBuffer();

let tiny: Buffer;
beforeAll(async () => {
  tiny = await picture(4, 3);
});

async function send(body: Buffer | FormData | string, headers: Record<string, string> = {}, as: Login = 'admin', query = '') {
  const payload = Buffer.isBuffer(body) ? new Uint8Array(body) : body;
  const response = await fetch(`${server().restUrl}/wp/v2/media${query}`, {
    method: 'POST',
    headers: { authorization: signIn(as), ...headers },
    body: payload,
  });
  return { status: response.status, body: (await response.json()) as Media };
}

const raw = (body: Buffer | string, name: string, more: Record<string, string> = {}, as: Login = 'admin', query = '') =>
  send(
    typeof body === 'string' ? Buffer.from(body) : body,
    { 'content-type': 'application/octet-stream', 'content-disposition': `attachment; filename="${name}"`, ...more },
    as,
    query,
  );

const stored = (): string[] => readdirSync(server().site.uploads, { recursive: true, encoding: 'utf8' });
const fileOf = (media: Media): string => media.source_url.slice(server().site.uploadsUrl.length + 1);

test.each([
  ['../../../../etc/cron.d/x.png', 'x.png'],
  ['..\\..\\boot.png', 'boot.png'],
  ['/etc/passwd.png', 'passwd.png'],
  ['a/../../b.png', 'b.png'],
  ['.htaccess.png', 'htaccess.png'],
  ['shell.php.png', 'shell.php_.png'],
  ['Crest & Co.png', 'Crest-Co.png'],
  ['wrong.jpg', 'wrong.png'],
  ['UPPER.PNG', 'UPPER.png'],
  ['photo-300x200.png', 'photo-300x200-1.png'],
  [`${'long'.repeat(100)}.png`, `${'long'.repeat(45)}.png`],
])('an image uploaded as %j is stored as %j', async (name, expected) => {
  // Some names cannot be sent in the header itself.
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(tiny)], { type: 'image/png' }), name);
  const { status, body } = await send(form);
  expect([status, fileOf(body)]).toEqual([201, `2026/06/${expected}`]);
  expect(path.dirname(path.join(server().site.uploads, fileOf(body)))).toBe(path.join(server().site.uploads, '2026/06'));
  await remove(`/wp/v2/media/${body.id}?force=true`);
});

test('a name with a NUL ends there (PHP), and has no extension then', async () => {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(tiny)], { type: 'image/png' }), 'nul\0l.png');
  expect((await send(form)).status).toBe(500);
});

test.each<[string, string | number]>([
  ['inline; filename=q.png', 'q.png'],
  ['form-data; name="f"; filename="r.png"', 'r.png'],
  ['attachment; filename = "s.png"', 's.png'],
  ['attachment; filename="one.png"; filename="two.png"', 'two.png'],
  ["attachment; filename='w.png'", 500],
  ["attachment; filename*=UTF-8''x.png", 400],
  ['filename="y.png"', 400],
])('%s sets the file name', async (disposition, expected) => {
  const { status, body } = await send(tiny, { 'content-type': 'image/png', 'content-disposition': disposition });
  expect(typeof expected === 'number' ? status : fileOf(body)).toBe(typeof expected === 'number' ? expected : `2026/06/${expected}`);
});

const HTML = '<html><script>alert(1)</script>';

test.each<[string, string, string | null]>([
  ['a script of the server', 'x.php', '<?php echo 1;'],
  ['one that ends otherwise', 'x.php5', '<?php echo 1;'],
  ['a page', 'x.html', HTML],
  ['a page called a text', 'x.txt', HTML],
  ['a page called a table', 'x.csv', HTML],
  ['a drawing that may run', 'x.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  ['a script', 'x.js', 'alert(1)'],
  ['text called a picture', 'x.png', 'this is text'],
  ['a page called a picture', 'x.gif', HTML],
  ['a calendar called a text', 'x.txt', 'BEGIN:VCALENDAR\r\nEND:VCALENDAR'],
  ['JSON called a table', 'x.csv', '{"a":1}'],
  ['a picture called a text', 'x.txt', null],
  ['a picture called a page', 'x.html', null],
  ['a program', 'x.exe', 'MZ\x90\0'],
  ['no ending', 'picture', null],
  ['nothing but dots', '...', null],
  ['a settings file of the server', '.htaccess', 'AddType x-php png'],
])('%s is rejected and leaves no files', async (_what, name, text) => {
  const before = stored();
  const body = text === null ? tiny : Buffer.from(text, 'latin1');
  expect(await raw(body, name)).toMatchObject({ status: 500, body: { code: 'rest_upload_sideload_error' } });
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(body)]), name);
  expect(await send(form)).toMatchObject({ status: 500, body: { code: 'rest_upload_unknown_error' } });
  expect(stored()).toEqual(before);
});

const FORM_TYPE = 'multipart/form-data';
const FORM = (name: string): string => `--B\r\nContent-Disposition: form-data; name="${name}"; filename="a.png"\r\n\r\nx\r\n--B--\r\n`;

test.each<[string, () => ReturnType<typeof send>, number, string]>([
  ['nothing at all', () => raw('', 'a.png'), 400, 'rest_upload_no_data'],
  ['no file name', () => raw(tiny, '', { 'content-disposition': 'attachment' }), 400, 'rest_upload_invalid_disposition'],
  ['JSON', () => send('{"title":"x"}', { 'content-type': 'application/json' }), 400, 'rest_upload_no_content_disposition'],
  [
    'a file whose field has an empty name',
    () => send(FORM(''), { 'content-type': `${FORM_TYPE}; boundary=B` }),
    400,
    'rest_upload_no_data',
  ],
  [
    'a file whose field has no name but a key',
    () => send(FORM('[a]'), { 'content-type': `${FORM_TYPE}; boundary=B` }),
    400,
    'rest_upload_no_data',
  ],
  ['a form without a boundary', () => send(FORM('file'), { 'content-type': FORM_TYPE }), 400, 'rest_upload_no_content_disposition'],
  ['a wrong checksum', () => raw(tiny, 'a.png', { 'content-md5': 'x' }), 412, 'rest_upload_hash_mismatch'],
  ['what belongs to somebody else', () => raw(tiny, 'a.png', {}, 'author', '?post=35'), 403, 'rest_cannot_edit'],
  ['what belongs to nothing there is', () => raw(tiny, 'a.png', {}, 'admin', '?post=99999'), 403, 'rest_cannot_edit'],
  ['what belongs to a picture', () => raw(tiny, 'a.png', {}, 'admin', '?post=4'), 400, 'rest_invalid_param'],
  ['under another name', () => raw(tiny, 'a.png', {}, 'author', '?author=1'), 403, 'rest_cannot_edit_others'],
])('an upload by %s is rejected', async (_what, request, status, code) => {
  const before = stored();
  expect(await request()).toMatchObject({ status, body: { code } });
  expect(stored()).toEqual(before);
});

test('accepts a correct checksum and stores the fields of the upload', async () => {
  const md5 = createHash('md5').update(tiny).digest('hex');
  const query = '?title=On+stage&alt_text=A+%3Cb%3Estage%3C/b%3E&caption=Now&post=36';
  const { status, body } = await raw(tiny, 'festival-week.png', { 'content-md5': md5 }, 'editor', query);
  expect([status, body.post, body.slug]).toEqual([201, 36, 'on-stage']);
  expect(body).toMatchObject({
    alt_text: 'A stage',
    caption: { raw: 'Now' },
    link: expect.stringMatching(/\/event\/early-bird-yoga\/on-stage\/$/),
  });
});

test('slugs are unique across all post types', async () => {
  const { body } = await raw(tiny, 'festival-week.png');
  expect(body.slug).toBe('festival-week-2');
});

test('concurrent uploads get distinct files', async () => {
  const answers = await Promise.all(Array.from({ length: 4 }, () => raw(tiny, 'same.png')));
  expect(answers.map(({ body }) => fileOf(body)).sort()).toEqual(
    ['same-1.png', 'same-2.png', 'same-3.png', 'same.png'].map((name) => `2026/06/${name}`),
  );
});

test('deleting an image deletes its files and removes it from posts', async () => {
  const { body } = await raw(await picture(900, 600, 'jpeg'), 'wide.jpg');
  const urls = [body.source_url, ...Object.values(body.media_details.sizes).map(({ source_url }) => source_url)];
  expect(new Set(urls).size).toBe(4);
  const files = [...new Set(urls)].map((url) => path.join(server().site.uploads, url.slice(server().site.uploadsUrl.length + 1)));
  expect(files.map((file) => existsSync(file))).toEqual([true, true, true, true]);
  const event = await post<{ id: number; image: { id: number } | false }>('events', {
    title: 'Shown',
    start_date: '2026-07-01 10:00',
    end_date: '2026-07-01 11:00',
    image: String(body.id),
  });
  expect(event.body.image).toMatchObject({ id: body.id });
  expect((await remove(`/wp/v2/media/${body.id}?force=true`, 'author')).status).toBe(403);
  expect((await remove(`/wp/v2/media/${body.id}?force=true`)).status).toBe(200);
  expect(files.map((file) => existsSync(file))).toEqual([false, false, false, false]);
  expect((await get<{ image: unknown }>(`events/${event.body.id}`)).body.image).toBe(false);
  expect(await server().site.store.workLog.unfinished()).toEqual([]);
});

test('images of unpublished posts are not public', async () => {
  const draft = await post<{ id: number }>('events', {
    title: 'Hidden',
    status: 'draft',
    start_date: '2026-07-01',
    end_date: '2026-07-01',
  });
  const { body } = await raw(tiny, 'secret.png', {}, 'admin', `?post=${draft.body.id}`);
  const ids = async (as?: Login): Promise<number[]> =>
    (await get<{ id: number }[]>('/wp/v2/media?per_page=5', as)).body.map(({ id }) => id);
  expect((await get(`/wp/v2/media/${body.id}`)).status).toBe(401);
  expect((await get(`/wp/v2/media/${body.id}`, 'editor')).status).toBe(200);
  expect([(await ids()).includes(body.id), (await ids('editor')).includes(body.id)]).toEqual([false, true]);
});
