import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { testDatabase } from '../../support/database.js';
import { copyReadyImage, findReadyImage, placeFiles } from '../../../src/transfer/uploads.js';
import { DEFAULT_IMAGE_SIZES } from '../../../src/wordpress/media/sizes.js';
import { inspectImage, makeImageFiles } from '../../../src/wordpress/media/files.js';

const { address } = testDatabase();
const UPLOADS = fileURLToPath(new URL('../../../fixtures/uploads/2025/09/', import.meta.url));
const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-ready-'));
const empty = (name: string): string => {
  const made = path.join(folder, name);
  mkdirSync(made, { recursive: true });
  return made;
};

afterAll(() => rmSync(folder, { recursive: true }));

test.each(readdirSync(UPLOADS))('%s: what the build has generated is what the server generates', async (name) => {
  const bytes = readFileSync(path.join(UPLOADS, name));
  const ready = await findReadyImage(bytes);
  if (!ready) throw new Error('nothing is ready');
  const facts = await inspectImage(bytes);
  const { files, full, metadata } = await makeImageFiles(bytes, facts, name);
  expect(ready).toMatchObject({ name, facts, full, metadata });
  files.delete(name);
  expect(new Set(ready.files)).toEqual(new Set(files.keys()));
  const to = empty(`copied-${name}`);
  await copyReadyImage(bytes, ready, to);
  for (const [file, content] of files) expect(readFileSync(path.join(to, file)).equals(content)).toBe(true);
});

describe('an upload of a dataset with the content of a ready image', () => {
  const NAME = 'castle-hill.webp';
  const SIZE = 'castle-hill-300x188.webp';

  async function place(source: string, target: string): Promise<string> {
    const uploads = empty(`uploads-${Math.random()}`);
    const image = await inspectImage(readFileSync(source));
    const made = await placeFiles([{ source, target, image }], { uploads, site: path.join(uploads, 'none'), sizes: DEFAULT_IMAGE_SIZES });
    expect([...made.keys()]).toEqual([target]);
    return uploads;
  }

  test('gets what is ready', async () => {
    const uploads = await place(path.join(UPLOADS, NAME), `2026/01/${NAME}`);
    expect(readFileSync(path.join(uploads, '2026/01', NAME)).equals(readFileSync(path.join(UPLOADS, NAME)))).toBe(true);
    expect(readdirSync(path.join(uploads, '2026/01'))).toHaveLength(6);
  });

  test('gets names of its own', async () => {
    const uploads = await place(path.join(UPLOADS, NAME), '2026/01/ruin.webp');
    expect(readdirSync(path.join(uploads, '2026/01'))).toContain('ruin-300x188.webp');
  });

  test('keeps a size that is beside it', async () => {
    const own = empty('own');
    cpSync(path.join(UPLOADS, NAME), path.join(own, NAME));
    writeFileSync(path.join(own, SIZE), 'a size of its own');
    const uploads = await place(path.join(own, NAME), `2026/01/${NAME}`);
    expect(readFileSync(path.join(uploads, '2026/01', SIZE), 'utf8')).toBe('a size of its own');
  });

  test('is unknown once a byte differs', async () => {
    const bytes = readFileSync(path.join(UPLOADS, NAME));
    bytes[bytes.length - 1] ^= 1;
    expect(await findReadyImage(bytes)).toBeUndefined();
  });
});

test('a first start with the demo makes no images: it does not even load what makes them', async () => {
  const entry = new URL('../../../dist/entry.js', import.meta.url).href;
  const script = `
    const { createServer } = await import(${JSON.stringify(entry)});
    const server = await createServer({ dataset: 'demo', mongodbUri: process.env.URI });
    const media = await (await fetch(server.restUrl + '/wp/v2/media')).json();
    process.report.excludeNetwork = true;
    const loaded = process.report.getReport().sharedObjects.filter((file) => /sharp|libvips/.test(file));
    await server.close();
    console.log(JSON.stringify({ sizes: Object.keys(media[0].media_details.sizes).length, loaded }));
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    env: { ...process.env, URI: address },
  });
  expect(JSON.parse(stdout)).toEqual({ sizes: 6, loaded: [] });
});
