// Files that the build copies: styles of the pages, the files of the pages of the test API, the types of the bundle, the program that ends
// a mongod, the data of time zones, and the texts in other languages.
import { copyFileSync, cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Names that are in no country and yet not kept for compatibility only. */
const CURRENT = /^(?:Etc\/|(?:UTC|GMT)$)/;

/**
 * The zones of moment-timezone, of which nothing else is used, without the countries that they are in: a name that is in none is an older
 * one, which packages of Debian leave out.
 */
function writeTimeZones(file) {
  const { version, zones, links, countries } = JSON.parse(
    readFileSync(fileURLToPath(import.meta.resolve('moment-timezone/data/packed/latest.json')), 'utf8'),
  );
  const current = new Set(countries.flatMap((text) => text.split('|')[1].split(' ')));
  const names = [...zones.map((text) => text.split('|')[0]), ...links.map((text) => text.split('|')[1])];
  const older = names.filter((name) => !current.has(name) && !CURRENT.test(name));
  writeFileSync(file, JSON.stringify({ version, zones, links, older }));
}

/** Copies them into the folder of a build. */
export function copyAssets(dist) {
  copyFileSync(path.join(root, 'src/server/understudy.d.cts'), path.join(dist, 'server/understudy.d.cts'));
  copyFileSync(path.join(root, 'node_modules/mongodb-memory-server-core/scripts/mongo_killer.js'), path.join(dist, 'mongo_killer.cjs'));
  writeTimeZones(path.join(dist, 'base/php/time-zones.json'));
  copyFileSync(path.join(root, 'src/base/php/time-zone-releases.json'), path.join(dist, 'base/php/time-zone-releases.json'));
  for (const language of ['de', 'es', 'fr', 'ja', 'pt-BR'])
    copyFileSync(path.join(root, `src/base/locales/${language}.json`), path.join(dist, `base/locales/${language}.json`));
  cpSync(path.join(root, 'src/wordpress/pages/styles'), path.join(dist, 'wordpress', 'pages', 'styles'), { recursive: true });
  const ui = path.join(dist, 'control', 'qa', 'ui');
  cpSync(path.join(root, 'src/control/qa/ui'), ui, { recursive: true, filter: (name) => !name.endsWith('.ts') });
  copyFileSync(path.join(root, 'node_modules/htm/preact/standalone.module.js'), path.join(ui, 'htm.js'));
  copyFileSync(path.join(root, 'node_modules/htm/LICENSE'), path.join(ui, 'htm.LICENSE.txt'));
}
