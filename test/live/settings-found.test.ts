import { SiteClient } from '../../src/transfer/live/client/client.js';
import { findSite } from '../../src/transfer/live/client/find.js';
import { readSettings } from '../../src/transfer/live/settings/index.js';
import { Control } from '../../src/sdk/testing/control.js';
import { startTestServer } from '../support/server.js';

/** Settings that a live site shows, besides those of the recorded sites (`setting-copies`). */

const server = startTestServer({
  dataset: {
    users: [{ id: 1, login: 'anna', role: 'administrator', application_password: 'anna' }],
    post_categories: [
      { id: 1, slug: 'uncategorized', name: 'Uncategorized' },
      { id: 11, slug: 'news', name: 'News' },
      { id: 12, slug: 'local', name: 'Local', parent: 'news' },
    ],
    posts: [
      { id: 5, title: 'Fair', date: '2026-06-10 10:00', categories: ['local'], image: 'placeholder' },
      { id: 6, title: 'Other', date: '2026-06-09 10:00' },
    ],
    events: [{ id: 30, title: 'Jazz', start: '2026-06-20 20:00', duration: '2h' }],
  },
});

const login = { login: 'anna', password: 'anna' };

test.each<[settings: object, as: typeof login | undefined]>([
  [{ permalinks: '/%category%/%postname%/' }, undefined],
  [{ permalinks: '/%author%/%post_id%/%postname%' }, undefined],
  [{ network: true, network_site: 2 }, undefined],
  [{ network: true }, login],
  [{ network: false }, login],
])('%j is found by %j', async (settings, credentials) => {
  const control = new Control({ url: server().url });
  await control.setSettings(settings);
  const client = new SiteClient({ rate: 0, timeoutMs: 20_000, retries: 0, ...(credentials && { credentials }) }, server().url);
  expect((await readSettings(client, await findSite(client, server().url))).settings).toMatchObject(settings);
  await control.reset();
});

test('a visitor does not learn whether the main site has others', async () => {
  const client = new SiteClient({ rate: 0, timeoutMs: 20_000, retries: 0 }, server().url);
  expect((await readSettings(client, await findSite(client, server().url))).unseen).toContain('network');
});
