import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const root = fileURLToPath(new URL('../../', import.meta.url));

/** Packages that are large, and have no state that one test file could leave to the next. */
const PACKAGES = [
  '@seriousme/openapi-schema-validator',
  'fast-check',
  'ical.js',
  'jsdom',
  'koa',
  'mongodb',
  'parse5',
  'sanitize-html',
  'saxes',
  'sharp',
];

/** Patterns of the files that this transforms. The client and the helpers for test runners belong to the program that imports them. */
export const SOURCES = `^${root}src/(?!client/|testing/).+\\.ts$`;
export const MODULES = `/node_modules/(?:${PACKAGES.join('|')})/`;
/** Other packages are not transformed. */
export const UNTOUCHED = `/node_modules/(?!(?:${PACKAGES.join('|')})/)`;

/** `dist/wp/posts.js` for `src/wp/posts.ts`; a package is loaded as it is. */
const loaded = (file) => {
  const name = path.relative(path.join(root, 'src'), file);
  return name.startsWith('..') ? file : path.join(root, 'dist', name.replace(/\.ts$/, '.js'));
};

const exportOf = (name) => (name === 'default' ? 'export default once.default;' : `export const ${name} = once.${name};`);

/**
 * Jest loads every module again for each test file, and its configuration can only say which: loading the server takes longer than most
 * test files. This transform leaves a test file with the exports of modules that Node has loaded once per worker: those of the build, and
 * those of large packages.
 */
export default {
  getCacheKey: (_, file, { supportsStaticESM }) =>
    createHash('sha256')
      .update(`${file} ${statSync(loaded(file)).mtimeMs} ${supportsStaticESM}`)
      .digest('hex')
      .slice(0, 32),
  process(_, file, { supportsStaticESM }) {
    const once = `requireOnce(${JSON.stringify(loaded(file))})`;
    if (!supportsStaticESM) return { code: `module.exports = ${once};` };
    return { code: [`const once = ${once};`, ...Object.keys(require(loaded(file))).map(exportOf)].join('\n') };
  },
};
