import { readFileSync } from 'node:fs';

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

/** The recorded content of the site with a companion plugin. */
export function worldWith(name) {
  const world = read('world.json');
  if (name !== 'acf') return world;
  const { field_groups: groups, meta } = read('acf.json');
  return {
    ...world,
    acf_field_groups: groups,
    ...Object.fromEntries(LISTS.map((list) => [list, withMeta(world[list], meta.post)])),
    terms: withMeta(world.terms, meta.term),
    users: withMeta(world.users, meta.user),
  };
}
