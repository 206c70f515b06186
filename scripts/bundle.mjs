// Bundles the modules of the server with the packages that they use, and those of the child process that runs the engine.
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const src = path.join(root, 'src');

/**
 * Packages that are installed beside this one: sharp is native, jiti loads parts of itself by name. The others are what the driver of the database
 * looks for and does without.
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

/**
 * Packages that few starts need. Each is a file of its own, which `require` loads on first use: every start reads the whole bundle, and V8 keeps
 * its text in memory.
 */
const APART = [
  '@humanwhocodes/momoa',
  'chardet',
  'chokidar',
  'csv-stringify/sync',
  'jose',
  'node-forge',
  'openapi-sampler',
  'pino',
  'prom-client',
  'windows-iana',
];

const fileOf = (name) => `packages/${name.replace(/^@/, '').replaceAll('/', '-')}.cjs`;

/** Tables of iconv-lite, which it requires when text in that encoding comes. */
const TABLES = /^\.\/tables\/(?:[\w-]+)\.json$/;

const apart = {
  name: 'apart',
  setup({ onResolve }) {
    onResolve({ filter: /.*/ }, ({ path: name, kind }) =>
      APART.includes(name) && kind !== 'entry-point' ? { path: `./${fileOf(name)}`, external: true } : undefined,
    );
    onResolve({ filter: TABLES }, ({ path: name, resolveDir }) =>
      resolveDir.includes('iconv-lite') ? { path: name.replace('./tables', './packages'), external: true } : undefined,
    );
  },
};

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
  // It colors what DEBUG prints in terminals with 256 colors.
  'supports-color': 'undefined',
  // Warnings about functions that packages call. To find the callers, it takes stack traces, for which V8 counts the lines of the bundle.
  depd: '() => Object.assign(() => undefined, { function: (called) => called, property: () => undefined })',
};

/** Modules of Node.js that few starts need, and that take others along: each export is read on use. */
const LATE = ['https', 'tls'];

const late = {
  name: 'late',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: new RegExp(`^(?:node:)?(?:${LATE.join('|')})$`) }, ({ path: name, namespace }) =>
      namespace === 'late' ? { path: name, external: true } : { path: name.replace('node:', ''), namespace: 'late' },
    );
    onLoad({ filter: /.*/, namespace: 'late' }, async ({ path: name }) => {
      const names = Object.keys(await import(`node:${name}`)).filter((key) => key !== 'default');
      const getters = names.map((key) => `get ${key}() { return load().${key}; }`);
      return { contents: `const load = () => require('node:${name}');\nmodule.exports = { ${getters.join(', ')} };`, loader: 'js' };
    });
  },
};

/** Packages that others have in an older version: one copy of their tables, which a start reads. */
const ONCE = { 'iconv-lite': 'iconv-lite/lib/index.js', 'mime-types': 'mime-types/index.js' };

const replacements = {
  name: 'replacements',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: new RegExp(`^(?:${Object.keys(INSTEAD).join('|')})$`) }, ({ path: name }) => ({
      path: name,
      namespace: 'instead',
    }));
    for (const [name, file] of Object.entries(ONCE))
      onResolve({ filter: new RegExp(`^${name}$`) }, () => ({ path: path.join(root, 'node_modules', file) }));
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

/** The compiler breaks strings where a line ends. Names of modules stay whole, since developers search for them. */
const joinNames = (code) => code.replace(/\b__(?:esm|commonJS)\(\{"[^"]*"/g, (start) => start.replaceAll('\\\n', ''));

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

/** @param input the module or text that a bundle begins with @param plugins beside those of every bundle */
async function bundleOf(input, digest, plugins = []) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    ...input,
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
    plugins: [addresses, ...plugins, replacements],
  });
  return { code: escapeAll(joinNames(outputFiles[0].text)), inputs: Object.keys(metafile.inputs) };
}

/**
 * Code of a module as a function: as a script, which `src/load.ts` runs, it is the result, so that the text need not be copied into one. A
 * module calls it.
 */
const asFunction = (code) =>
  `(run=>this===globalThis?run:run(exports,require,module,__filename,__dirname))(function(exports,require,module,__filename,__dirname){${code}\n})`;

const ofModule = (file) => ({ entryPoints: [file] });
const ofPackage = (name) => ({ stdin: { contents: `module.exports = require(${JSON.stringify(name)});`, resolveDir: root } });

/** Writes the bundles into the folder of a build. @param digest digest of the input */
export async function writeBundles(dist, digest) {
  const [server, engine, ...packages] = await Promise.all([
    bundleOf(ofModule('src/bundle.ts'), digest, [apart, late]),
    bundleOf(ofModule('src/database/engine/child.ts'), digest),
    ...APART.map((name) => bundleOf(ofPackage(name), digest)),
  ]);
  const code = shareCopies(server.code);
  // The digest identifies the build of compiled code.
  writeFileSync(path.join(dist, 'understudy.cjs'), `/* ${createHash('sha256').update(code).digest('hex')} */\n${asFunction(code)}`);
  writeFileSync(path.join(dist, 'engine.cjs'), engine.code);
  mkdirSync(path.join(dist, 'packages'));
  for (const [i, { code: text }] of packages.entries()) writeFileSync(path.join(dist, fileOf(APART[i])), text);
  const tables = path.join(root, 'node_modules/iconv-lite/encodings/tables');
  for (const name of readdirSync(tables)) copyFileSync(path.join(tables, name), path.join(dist, 'packages', name));
  const inputs = [server, engine, ...packages].flatMap((bundle) => bundle.inputs);
  writeFileSync(path.join(dist, 'THIRD-PARTY-LICENSES.txt'), licensesOf([...inputs, ...COPIED]));
}
