import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root folder of the project. */
export const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '../..');

export const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

const docs = readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => name.split(path.sep).join('/'));

/** README.md and other documents in the root folder, and docs. */
export const documents = [
  'README.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'examples/README.md',
  ...docs.map((name) => `docs/${name}`),
].map((file) => ({
  file,
  text: read(file),
}));
