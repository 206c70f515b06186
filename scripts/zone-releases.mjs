// Writes src/base/php/time-zone-releases.json, what older releases of the time zone data have otherwise than newer ones:
// node scripts/zone-releases.mjs. Run it after an update of moment-timezone; test/unit/base/php/zone-data.test.ts fails until then.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Releases of the zone data, newest first, and the release of moment-timezone that has each. The installed one is left out. */
const PACKAGES = {
  '2026f': '0.6.6',
  '2026c': '0.6.3',
  '2025b': '0.6.0',
  '2024b': '0.5.46',
};

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** The data of a release of the package, from the registry. */
function packed(release) {
  const folder = mkdtempSync(path.join(tmpdir(), 'zones-'));
  try {
    const [{ filename }] = JSON.parse(
      execFileSync('npm', ['pack', '--json', `moment-timezone@${release}`], { cwd: folder, encoding: 'utf8' }),
    );
    execFileSync('tar', ['xzf', filename], { cwd: folder });
    return readJson(path.join(folder, 'package/data/packed/latest.json'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Names to their data, without name and population: abbreviations, offsets, order and steps. */
function sections({ zones, links }) {
  const found = new Map(zones.map((text) => text.split('|')).map(([name, ...parts]) => [name, parts.slice(0, 4)]));
  for (const [target, name] of links.map((text) => text.split('|'))) found.set(name, found.get(target));
  return found;
}

/** How a section differs: how much of the newer one to keep at the start and at the end, and what is between. Null: it does not. */
function difference(newer, older) {
  if (newer === older) return null;
  const most = Math.min(newer.length, older.length);
  let start = 0;
  while (start < most && newer[start] === older[start]) start++;
  let end = 0;
  while (end < most - start && newer.at(-1 - end) === older.at(-1 - end)) end++;
  return [start, end, older.slice(start, older.length - end)];
}

/** Differences of a release from the next one. Zones that are the same in both share a row. */
function differences(newer, older) {
  const [now, then] = [newer, older].map(sections);
  const rows = new Map();
  for (const [name, parts] of then) {
    if (!now.has(name)) throw new Error(`${name} is only in ${older.version}`);
    const changed = parts.map((part, index) => difference(now.get(name)[index], part));
    if (!changed.some(Boolean)) continue;
    const same = JSON.stringify([now.get(name), changed]);
    const row = rows.get(same) ?? { names: [], changed };
    rows.set(same, row);
    row.names.push(name);
  }
  return { release: older.version, zones: [...rows.values()], missing: [...now.keys()].filter((name) => !then.has(name)) };
}

const installed = readJson(path.join(root, 'node_modules/moment-timezone/package.json')).version;
const newest = readJson(path.join(root, 'node_modules/moment-timezone/data/packed/latest.json'));
const releases = [];
let newer = newest;
for (const [release, version] of Object.entries(PACKAGES)) {
  if (release === newest.version) continue;
  const older = packed(version);
  if (older.version !== release) throw new Error(`moment-timezone ${version} has ${older.version}`);
  releases.push(differences(newer, older));
  newer = older;
}
writeFileSync(
  path.join(root, 'src/base/php/time-zone-releases.json'),
  `${JSON.stringify({ package: installed, newest: newest.version, releases })}\n`,
);
