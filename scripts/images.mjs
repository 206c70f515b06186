// Generates the sizes of the images of the demo, so that a first start need not. They are what the server would generate.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const UPLOADS = path.join(root, 'fixtures/uploads');

/** The input of the sizes. */
const MADE_BY = ['files', 'sizes', 'types'].map((name) => `wordpress/media/${name}.js`);

const digestOf = (...contents) => {
  const digest = createHash('sha256');
  for (const content of contents) digest.update(content);
  return digest.digest('hex');
};

const uploads = () =>
  readdirSync(UPLOADS, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();

async function make(draft, images) {
  const { inspectImage, makeImageFiles } = await import(pathToFileURL(path.join(draft, 'wordpress/media/files.js')).href);
  const index = {};
  for (const file of uploads()) {
    const bytes = readFileSync(file);
    const name = path.basename(file);
    const facts = await inspectImage(bytes);
    const { files, full, metadata } = await makeImageFiles(bytes, facts, name);
    const digest = digestOf(bytes);
    const folder = path.join(images, digest);
    mkdirSync(folder, { recursive: true });
    const made = [...files].filter(([each]) => each !== name);
    for (const [each, content] of made) writeFileSync(path.join(folder, each), content);
    index[digest] = { name, facts, metadata, full, files: made.map(([each]) => each) };
  }
  writeFileSync(path.join(images, 'index.json'), JSON.stringify(index));
}

/**
 * Writes the images to the folder of a build.
 * @param draft has the compiled modules
 * @param last the last build, whose images are reused if their input has not changed
 */
export async function writeImages(draft, last) {
  const sharp = readFileSync(path.join(root, 'node_modules/sharp/package.json'));
  const key = digestOf(sharp, ...[...uploads(), ...MADE_BY.map((name) => path.join(draft, name))].map((file) => readFileSync(file)));
  const [from, to] = [last, draft].map((folder) => path.join(folder, 'images'));
  mkdirSync(to);
  const note = path.join(from, 'made-of');
  if (existsSync(note) && readFileSync(note, 'utf8') === key) cpSync(from, to, { recursive: true });
  else await make(draft, to);
  writeFileSync(path.join(to, 'made-of'), key);
}
