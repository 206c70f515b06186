// Bundles the modules of the server with the packages that they use, and those of the child process that runs the engine.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const src = path.join(root, 'src');

/**
 * Packages that are installed beside this one: sharp is native, jiti loads parts of itself by name. The others are what the driver of the database,
 * and debug, look for and do without.
 */
const EXTERNAL = [
  'sharp',
  'jiti',
  'mongodb-client-encryption',
  '@mongodb-js/zstd',
  '@aws-sdk/*',
  'gcp-metadata',
  'kerberos',
  'snappy',
  'socks',
  'supports-color',
];

/** Packages of which files are copied, and those that the file of another contains. */
const COPIED = [
  'node_modules/moment-timezone',
  // In openapi-sampler.
  'node_modules/json-pointer',
  'node_modules/foreach',
  'node_modules/fast-xml-parser',
  'node_modules/fast-xml-builder',
  'node_modules/path-expression-matcher',
  'node_modules/xml-naming',
];

/** Files beside a module are found by its URL, which the bundle keeps. */
const addresses = {
  name: 'addresses',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.ts$/ }, async ({ path: file }) => {
      const name = path.relative(src, file).replaceAll(path.sep, '/').replace(/\.ts$/, '.js');
      const address = `new URL(${JSON.stringify(name)}, require('node:url').pathToFileURL(__filename)).href`;
      return { contents: (await readFile(file, 'utf8')).replaceAll('import.meta.url', address), loader: 'ts' };
    }),
};

/** Replacements in packages. */
const REPLACED = [
  {
    // The program that ends a mongod whose server was killed. It runs in a separate process, so it is a separate file.
    filter: /mongodb-memory-server-core[\\/]lib[\\/]util[\\/]MongoInstance\.js$/,
    from: "'../../scripts/mongo_killer.js'",
    to: "'mongo_killer.cjs'",
  },
  {
    // It has its tables twice.
    filter: /windows-iana[\\/]dist[\\/]index\.js$/,
    from: "process.env.NODE_ENV === 'production'",
    to: 'true',
  },
  {
    // Only a database with a password needs it: 2 MB of tables, which would be read at every start.
    filter: /mongodb[\\/]lib[\\/]cmap[\\/]auth[\\/]scram\.js$/,
    from: 'saslprep_1 = require("@mongodb-js/saslprep")',
    to: 'saslprep_1 = { saslprep: (...args) => require("@mongodb-js/saslprep")(...args) }',
  },
];

/** Packages that the bundle has in another form, by what their modules export. */
const INSTEAD = {
  // Node.js has the same classes. The package begins with 160 KB of tables, which every start would read.
  'whatwg-url': '{ URL, URLSearchParams }',
  // Warnings about functions that packages call. To find the callers, it takes stack traces, for which V8 counts the lines of the bundle.
  depd: '() => Object.assign(() => undefined, { function: (called) => called, property: () => undefined })',
};

const replacements = {
  name: 'replacements',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: new RegExp(`^(?:${Object.keys(INSTEAD).join('|')})$`) }, ({ path: name }) => ({
      path: name,
      namespace: 'instead',
    }));
    // raw-body has an older version, with the same 500 KB of tables.
    onResolve({ filter: /^iconv-lite$/ }, () => ({ path: path.join(root, 'node_modules/iconv-lite/lib/index.js') }));
    onLoad({ filter: /.*/, namespace: 'instead' }, ({ path: name }) => ({ contents: `module.exports = ${INSTEAD[name]};`, loader: 'js' }));
    for (const { filter, from, to } of REPLACED)
      onLoad({ filter }, async ({ path: file }) => {
        const code = await readFile(file, 'utf8');
        if (!code.includes(from)) throw new Error(`${file} has no ${from}`);
        return { contents: code.replace(from, to), loader: 'js' };
      });
  },
};

/**
 * Code that the compiler makes of `import path from 'node:path'` copies all exports of the module into a new object, in each of hundreds of modules.
 * Modules that import the same can share it.
 */
const MAKES_COPY = 'var __toESM=(';
const SHARES_COPY = `var __copies=[new WeakMap,new WeakMap];var __toESM=(mod,isNode)=>{if(mod!==Object(mod))return __copyOf(mod,isNode);const known=__copies[isNode?1:0];let copy=known.get(mod);if(!copy)known.set(mod,copy=__copyOf(mod,isNode));return copy};var __copyOf=(`;

function shareCopies(code) {
  if (code.split(MAKES_COPY).length !== 2) throw new Error(`the bundle has not one ${MAKES_COPY}`);
  return code.replace(MAKES_COPY, SHARES_COPY);
}

/** The compiler escapes what is not ASCII in strings, but not in templates, patterns and comments. */
const escapeAll = (code) => code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The text under which a package may be distributed. */
function licenseOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? '' : `\n\n${readFileSync(path.join(folder, file), 'utf8').trim()}`;
  return `${name} ${version}: ${license}${text}\n`;
}

/** Licenses of all packages in a bundle. */
function licensesOf(inputs) {
  const folders = inputs.map((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0]).filter((folder) => folder !== undefined);
  const texts = [...new Set(folders)].sort().map((folder) => licenseOf(path.join(root, folder)));
  return [...new Set(texts)].join(`\n${'-'.repeat(100)}\n\n`);
}

async function bundleOf(entry, digest) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    write: false,
    metafile: true,
    logLevel: 'warning',
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    external: EXTERNAL,
    // With `require`, external packages are found from the bundle without a loader of modules.
    supported: { 'dynamic-import': false },
    legalComments: 'none',
    // V8 keeps the text in memory, and the ends of its lines.
    minifyWhitespace: true,
    lineLimit: 200,
    define: { UNDERSTUDY_BUILD: JSON.stringify(digest) },
    plugins: [addresses, replacements],
  });
  return { code: escapeAll(shareCopies(outputFiles[0].text)), inputs: Object.keys(metafile.inputs) };
}

/**
 * Code of a module as a function: as a script, which `src/load.ts` runs, it is the result, so that the text need not be copied into one. A
 * module calls it.
 */
const asFunction = (code) =>
  `(run=>this===globalThis?run:run(exports,require,module,__filename,__dirname))(function(exports,require,module,__filename,__dirname){${code}\n})`;

/** Writes the bundles into the folder of a build. @param digest digest of the input */
export async function writeBundles(dist, digest) {
  const entries = ['src/bundle.ts', 'src/database/engine/child.ts'];
  const [server, engine] = await Promise.all(entries.map((entry) => bundleOf(entry, digest)));
  // The digest identifies the build of compiled code.
  writeFileSync(
    path.join(dist, 'understudy.cjs'),
    `/* ${createHash('sha256').update(server.code).digest('hex')} */\n${asFunction(server.code)}`,
  );
  writeFileSync(path.join(dist, 'engine.cjs'), engine.code);
  writeFileSync(path.join(dist, 'THIRD-PARTY-LICENSES.txt'), licensesOf([...server.inputs, ...engine.inputs, ...COPIED]));
}
