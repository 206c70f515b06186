import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { inputFile, openFile } from '../../../../src/transfer/formats/open.js';
import { sourceOf } from '../../../../src/transfer/formats/dataset/file.js';
import { placeFiles } from '../../../../src/transfer/uploads.js';
import { DEFAULT_IMAGE_SIZES } from '../../../../src/wordpress/media/sizes.js';
import { problemsOf } from '../../../../src/transfer/validate.js';
import type { SourceFile } from '../../../../src/transfer/source.js';
import { seedDataset } from '../../../../src/sdk/testing/dataset.js';
import { ApiError } from '../../../../src/sdk/client/errors.js';

/** Files that datasets name, and that links lead out of their folder. */

const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'understudy-outside-')));
afterAll(() => rmSync(root, { recursive: true }));

const secrets = path.join(root, 'secrets');
mkdirSync(secrets);
const picture = await sharp({ create: { width: 600, height: 400, channels: 3, background: '#336699' } })
  .png()
  .toBuffer();
writeFileSync(path.join(secrets, 'a.png'), picture);
writeFileSync(path.join(secrets, 'a.json'), '{"secret": true}');

let count = 0;
/** A folder with a dataset, whose `uploads` and `stubs` are made by a function. */
function datasetFolder(make: (folder: string, name: 'uploads' | 'stubs', file: string) => void): string {
  const folder = path.join(root, `dataset-${(count += 1)}`);
  mkdirSync(folder);
  make(folder, 'uploads', 'a.png');
  make(folder, 'stubs', 'a.json');
  return folder;
}

const into = (...parts: string[]): string => {
  mkdirSync(path.join(...parts.slice(0, -1)), { recursive: true });
  return path.join(...parts);
};

/** Each makes a link that leads out, and is named as `in/FILE`. */
const LINKS: Readonly<Record<string, (folder: string, name: string, file: string) => void>> = {
  'a link to a file': (folder, name, file) => symlinkSync(path.join(secrets, file), into(folder, name, 'in', file)),
  'a relative link': (folder, name, file) => symlinkSync(`../../../secrets/${file}`, into(folder, name, 'in', file)),
  'a link to a folder': (folder, name) => symlinkSync(secrets, into(folder, name, 'in'), 'junction'),
  'a link to a link': (folder, name, file) => {
    symlinkSync(path.join(secrets, file), into(folder, name, 'other'));
    symlinkSync('../other', into(folder, name, 'in', file));
  },
  'a link to a file beside the dataset': (folder, name, file) => {
    copyFileSync(path.join(secrets, file), path.join(folder, `beside-${file}`));
    symlinkSync(path.join(folder, `beside-${file}`), into(folder, name, 'in', file));
  },
  'links in a circle': (folder, name, file) => symlinkSync(file, into(folder, name, 'in', file)),
  'a folder that is a link': (folder, name, file) => {
    copyFileSync(path.join(secrets, file), into(secrets, 'in', file));
    symlinkSync(secrets, path.join(folder, name), 'junction');
  },
};

const ATTACHMENT = `<?xml version="1.0"?><rss version="2.0" xmlns:wp="http://wordpress.org/export/1.2/" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>
<title>T</title><link>http://x.test</link><wp:wxr_version>1.2</wp:wxr_version><wp:base_site_url>http://x.test</wp:base_site_url><wp:base_blog_url>http://x.test</wp:base_blog_url>
<item><title>A</title><wp:post_id>5</wp:post_id><wp:post_type>attachment</wp:post_type><wp:status>inherit</wp:status><wp:post_name>a</wp:post_name><wp:post_date>2026-01-01 10:00:00</wp:post_date>
<wp:attachment_url>http://x.test/wp-content/uploads/in/a.png</wp:attachment_url><wp:postmeta><wp:meta_key>_wp_attached_file</wp:meta_key><wp:meta_value>in/a.png</wp:meta_value></wp:postmeta></item></channel></rss>`;

const DATASET = { media: [{ title: 'A', file: 'in/a.png' }], stubs: [{ match: { path: '/x' }, respond: { file: 'in/a.json' } }] };

const CONTENT: Readonly<Record<string, { name: string; text: string; most: number }>> = {
  json: { name: 'calendar.json', text: JSON.stringify(DATASET), most: 2 },
  yaml: { name: 'calendar.yaml', text: JSON.stringify(DATASET, null, 1), most: 2 },
  wxr: { name: 'export.xml', text: ATTACHMENT, most: 1 },
};

const LEADS_OUT =
  /^.*in.a\.(?:png|json) cannot be used: (?:a symbolic link leads out of|symbolic links lead in|the folder \w+ is a symbolic link)/;

/** Without further rights, users of Windows can only make junctions, which lead to folders. */
const POSSIBLE = Object.entries(LINKS).filter(([name]) => process.platform !== 'win32' || /folder$|folder that/.test(name));

describe.each(POSSIBLE)('%s', (_, link) => {
  test.each(Object.entries(CONTENT))('%s', async (format, { name, text, most }) => {
    const folder = datasetFolder(link);
    const file = path.join(folder, name);
    writeFileSync(file, text);
    const found = await problemsOf([{ name: file, open: () => openFile(inputFile(file), { now: null }) }]);
    expect(found.map(({ message }) => message)).toEqual(Array.from({ length: most }, () => expect.stringMatching(LEADS_OUT)));
    if (format !== 'json') expect(found.every(({ line }) => line !== undefined)).toBe(true);
    // Loading and converting read the same items: the file is not among them.
    const source = await openFile(inputFile(file), { now: null });
    for await (const item of source.items(() => undefined)) expect(item.kind).not.toBe('file');
  });

  test('the helpers, which send the files that the server asks for', async () => {
    const folder = datasetFolder(link);
    const file = path.join(folder, 'calendar.json');
    writeFileSync(file, JSON.stringify(DATASET));
    const asked = new ApiError(
      { method: 'POST', url: 'http://localhost/__qa/seed' },
      {
        status: 400,
        headers: new Headers(),
        body: {
          code: 'understudy_missing_files',
          message: '',
          data: { status: 400, files: ['in/a.png'], stubs: ['in/a.json'] } as { status: number },
        },
        text: '',
      },
    );
    const sent: object[] = [];
    const control = {
      seedFiles: (body: object) => {
        sent.push(body);
        return Promise.reject(asked);
      },
    };
    await expect(seedDataset(control as never, file, {})).rejects.toThrow(LEADS_OUT);
    expect(sent).toHaveLength(1);
  });

  test('the sizes of an image beside it are made, if they are not in the folder', async () => {
    const folder = datasetFolder((where, name, own) => {
      if (name !== 'uploads') return;
      copyFileSync(path.join(secrets, 'a.png'), into(where, name, own));
      if (process.platform !== 'win32') symlinkSync(path.join(secrets, 'b.png'), path.join(where, name, 'a-300x200.png'));
    });
    writeFileSync(path.join(secrets, 'b.png'), 'secret');
    const source = await sourceOf({ media: [{ title: 'A', file: 'a.png' }] }, { name: 'x', folder }, { now: null });
    const files: SourceFile[] = [];
    for await (const item of source.items(() => undefined)) if (item.kind === 'file') files.push(item.file);
    const out = path.join(folder, 'out');
    await placeFiles(files, { uploads: out, site: path.join(folder, 'none'), sizes: DEFAULT_IMAGE_SIZES });
    expect(readdirSync(out)).toContain('a-300x200.png');
    expect((await sharp(path.join(out, 'a-300x200.png')).metadata()).width).toBe(300);
  });
});

test('links inside of the folder, and to the folder of the dataset, are followed', async () => {
  const folder = datasetFolder((where, name, file) => {
    copyFileSync(path.join(secrets, file), into(where, name, file));
    symlinkSync(path.join(where, name), path.join(where, name, 'in'), 'junction');
  });
  const link = path.join(root, 'linked');
  symlinkSync(folder, link, 'junction');
  const file = path.join(link, 'calendar.json');
  writeFileSync(file, JSON.stringify(DATASET));
  expect(await problemsOf([{ name: file, open: () => openFile(inputFile(file), { now: null }) }])).toEqual([]);
});
