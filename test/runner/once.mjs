import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const root = fileURLToPath(new URL('../../', import.meta.url));

/** Large packages without state that could leak between test files. */
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
  'vite',
];

/** Patterns of the transformed files. The client and the test runner helpers belong to the program that imports them. */
export const SOURCES = `^${root}src/(?!sdk/).+\\.ts$`;
export const MODULES = `/node_modules/(?:${PACKAGES.join('|')})/`;
/** Packages that are not transformed. */
export const UNTOUCHED = `/node_modules/(?!(?:${PACKAGES.join('|')})/)`;

/** `dist/wordpress/posts/posts.js` for `src/wordpress/posts/posts.ts`. Packages are loaded as they are. */
const loaded = (file) => {
  const name = path.relative(path.join(root, 'src'), file);
  return name.startsWith('..') ? file : path.join(root, 'dist', name.replace(/\.ts$/, '.js'));
};

const exportOf = (name) => (name === 'default' ? 'export default once.default;' : `export const ${name} = once.${name};`);

/**
 * Jest loads every module again for each test file, without an option to share some of them. Loading the server takes longer than most test
 * files. This transform replaces modules of the build and of large packages with their exports, which Node.js loads once per worker.
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
