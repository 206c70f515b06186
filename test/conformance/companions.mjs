import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const read = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'));

/** The companion plugins that were recorded, by the name of their recordings. */
export const COMPANIONS = {
  jwt: 'jwt-authentication-for-wp-rest-api',
  basic: 'basic-auth',
  acf: 'advanced-custom-fields',
};

const LISTS = ['media', 'venues', 'organizers', 'events', 'other_posts'];

/** Rows with further meta. Values are lists, as in the recorded content. */
const withMeta = (rows, meta) =>
  rows.map((row) => {
    const added = Object.entries(meta[row.id] ?? {}).map(([key, value]) => [key, [value]]);
    return added.length === 0 ? row : { ...row, meta: { ...row.meta, ...Object.fromEntries(added) } };
  });

function worldWithFields() {
  const world = read('world.json');
  const { field_groups: groups, meta } = read('acf.json');
  return {
    ...world,
    acf_field_groups: groups,
    ...Object.fromEntries(LISTS.map((list) => [list, withMeta(world[list], meta.post)])),
    terms: withMeta(world.terms, meta.term),
    users: withMeta(world.users, meta.user),
  };
}

/** The file with the recorded content of the site with a companion plugin, in a folder with its uploads. */
export function worldWith(name) {
  if (name !== 'acf') return fileURLToPath(new URL('world.json', import.meta.url));
  const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-companion-'));
  cpSync(fileURLToPath(new URL('uploads', import.meta.url)), path.join(folder, 'uploads'), { recursive: true });
  const file = path.join(folder, 'world.json');
  writeFileSync(file, JSON.stringify(worldWithFields()));
  return file;
}
