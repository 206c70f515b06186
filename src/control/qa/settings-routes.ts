import { withLock } from '../../database/store/locks.js';
import { sanitizeTitle } from '../../wordpress/formatting/sanitize.js';
import { PAGE } from '../../wordpress/model.js';
import type { Arg, Args, Json } from '../../wordpress/rest/route.js';
import type { Site } from '../../wordpress/site.js';
import { schemaOf } from '../../transfer/formats/dataset/json-schema.js';
import { PAGE_SETTINGS, settingProblem, settingsIn, withSettings, type Settings } from '../../transfer/settings/settings.js';
import { SETTINGS } from '../../transfer/settings/table.js';
import { json, qaError, get, change, type QaRoute } from '../tenant/api/route.js';
import type { Tenant } from '../tenant/tenant.js';

const argOf = (name: string): Arg => {
  const { screen, moves, rule, values } = SETTINGS.get(name)!;
  const { type = ['integer', 'string'] } = schemaOf(rule.describe()) as Pick<Arg, 'type'>;
  return {
    type: [...[type].flat(), 'null'],
    description: `${moves} (${screen}). Values: ${values}; null: as on a new site.`,
    sanitize: 'raw',
    validate: (value) => {
      const problem = value === null ? null : settingProblem(name, value);
      return problem === null || { message: `${problem}.` };
    },
  };
};

const SETTING_ARGS: Args = Object.fromEntries([...SETTINGS.keys()].map((name) => [name, argOf(name)]));

const rowsOf = async ({ store }: Site): Promise<Record<string, unknown>> =>
  Object.fromEntries((await store.allOptions()).map(({ _id, value }) => [_id, value]));

/** All settings, with the defaults of those that are not set. Pages are named by their slugs, those without one by their ids. */
async function shown(site: Site): Promise<Json> {
  const set = new Map(Object.entries(settingsIn(await rowsOf(site))));
  for (const name of PAGE_SETTINGS) {
    const id = set.get(name);
    const page = typeof id === 'number' ? await site.store.posts.findOne({ _id: id }, { projection: { slug: 1 } }) : null;
    if (page?.slug) set.set(name, page.slug);
  }
  return Object.fromEntries([...SETTINGS].map(([name, { usual }]) => [name, (set.get(name) ?? usual) as Json]));
}

/** The id of a page. @throws RestError */
async function pageId({ store }: Site, name: string, page: string | number): Promise<number> {
  const which = typeof page === 'number' ? { _id: page, type: PAGE } : { type: PAGE, slug: sanitizeTitle(page) };
  const found = await store.posts.findOne(which, { projection: { _id: 1 }, sort: { _id: 1 } });
  if (found) return found._id;
  throw qaError('unknown_page', `${name}: there is no page with the ${typeof page === 'number' ? 'id' : 'slug'} ${JSON.stringify(page)}.`);
}

/** Stores settings. @throws RestError for unknown pages */
async function storeSettings(site: Site, sent: Settings): Promise<void> {
  const settings: Record<string, unknown> = { ...sent };
  for (const name of PAGE_SETTINGS)
    if (settings[name] !== undefined && settings[name] !== null)
      settings[name] = await pageId(site, name, settings[name] as string | number);
  await withLock(site.store, 'settings', async () => {
    const before = await rowsOf(site);
    const after = Object.entries(withSettings(settings, before)).filter(([name, value]) => value !== before[name]);
    const absent = after.filter(([, value]) => value === null).map(([name]) => name);
    const steps = after
      .filter(([, value]) => value !== null)
      .map(([update, value]) => ({ collection: 'options', update, change: { $set: { value } }, upsert: true }));
    await site.store.writeTogether([...steps, ...(absent.length > 0 ? [{ collection: 'options', delete: absent }] : [])]);
    await site.reload();
  });
}

/** The settings of the site, by the names that datasets have for them. */
export const settingsRoutes = ({ site, gate }: Tenant): QaRoute[] => [
  get('/__qa/settings', {
    summary: 'Get the settings of WordPress and The Events Calendar',
    handler: async () => json(await shown(site)),
  }),
  change('/__qa/settings', {
    summary: 'Change settings until the next reset; the others stay',
    args: SETTING_ARGS,
    handler: (params, { orderedSources }) =>
      gate.exclusive(async () => {
        // WP: null counts as not sent.
        const nulls = [...SETTINGS.keys()].filter((name) => orderedSources.some((source) => source[name] === null));
        await storeSettings(site, { ...params, ...Object.fromEntries(nulls.map((name) => [name, null])) });
        return json(await shown(site));
      }),
  }),
];
