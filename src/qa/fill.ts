import { moveLinks, storeDataset, type Dataset } from '../content/load/load.js';
import { findUser, generatePassword, newApplicationPassword } from '../wp/users/users.js';
import type { Site } from '../wp/site.js';

/** The administrator that a first start creates, with the application password that is told only then. */
export interface Administrator {
  login: string;
  password: string;
}

const HOME = 'home';
const CLOCK = 'understudy_clock';
const SOURCE = 'understudy_source';

/** Moves stored links to where the site is now. @returns whether they led elsewhere */
export async function followUrl({ store, url }: Site): Promise<boolean> {
  const home = await store.options.findOne({ _id: HOME });
  const isElsewhere = typeof home?.value === 'string' && home.value !== url;
  if (isElsewhere) await moveLinks(store, home.value as string, url);
  return isElsewhere;
}

/** WordPress's installer makes an administrator; so does a first start, unless the dataset brings users along. */
async function ensureAdministrator(site: Site, password: string | undefined): Promise<Administrator | null> {
  if ((await site.store.users.findOne({ role: 'administrator' }, { projection: { _id: 1 } })) !== null) return null;
  const [last] = await site.store.users
    .find({}, { projection: { _id: 1 } })
    .sort({ _id: -1 })
    .limit(1)
    .toArray();
  const chosen = password ?? generatePassword();
  const login = (await findUser(site.store, 'admin')) ? 'administrator' : 'admin';
  await site.store.insert('users', [
    {
      _id: (last?._id ?? 0) + 1,
      login,
      email: 'admin@example.org',
      displayName: login,
      nicename: login,
      url: site.url,
      role: 'administrator',
      applicationPasswords: [newApplicationPassword('First start', chosen, site.clock.seconds())],
    },
  ]);
  return { login, password: chosen };
}

/** Loads a dataset into an empty store. @returns the administrator that it had to be given, if it had none */
export async function loadDataset(dataset: Dataset, site: Site, adminPassword: string | undefined): Promise<Administrator | null> {
  await storeDataset(dataset, site.store, site.uploads, site.url);
  const administrator = await ensureAdministrator(site, adminPassword);
  await site.store.insert('options', [
    ...(dataset.clock === null ? [] : [{ _id: CLOCK, value: dataset.clock }]),
    ...(dataset.siteUrl === '' ? [] : [{ _id: SOURCE, value: dataset.siteUrl }]),
  ]);
  return administrator;
}

/** Address of the site that the loaded dataset was recorded from, without trailing slash; undefined when it comes from none. */
export async function storedSource({ store }: Site): Promise<string | undefined> {
  const source = await store.options.findOne({ _id: SOURCE });
  return typeof source?.value === 'string' ? source.value : undefined;
}

/** The moment that a loaded dataset is about, ms since 1970 UTC; null when it has none. */
export async function storedClock({ store }: Site): Promise<number | null> {
  const clock = await store.options.findOne({ _id: CLOCK });
  return typeof clock?.value === 'number' ? clock.value : null;
}
