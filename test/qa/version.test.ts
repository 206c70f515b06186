import { createServer } from '../../src/index.js';
import { Control } from '../../src/sdk/testing/control.js';
import { LATEST_VERSION, OLDEST_VERSION } from '../../src/plugins/the-events-calendar/quirks/version.js';
import { WORDPRESS, WORDPRESS_LINES } from '../../src/wordpress/quirks.js';
import { EDGE } from '../support/edge.js';
import { startTestServer } from '../support/server.js';

const server = startTestServer({ dataset: EDGE, tecVersion: '6.14.2' });
const control = (path = ''): Control => new Control({ url: `${server().url}${path}` });

/** Whether events have `custom_fields`, which release 6.10.1 introduced. */
async function hasCustomFields(path = ''): Promise<boolean> {
  const response = await fetch(`${server().url}${path}/wp-json/tribe/events/v1/events?per_page=1`);
  const { events } = (await response.json()) as { events: object[] };
  return 'custom_fields' in events[0];
}

test('a site has the version that the server was started with', async () => {
  expect(await control().health()).toMatchObject({ profile: 'tec', version: '6.14.2' });
  expect(await control().version()).toMatchObject({ version: '6.14.2', start: '6.14.2' });
  expect(await hasCustomFields()).toBe(true);
});

test('a version that is set holds until the reset, for cached responses as well', async () => {
  expect(await control().setVersion('6.10.0')).toMatchObject({ version: '6.10.0', start: '6.14.2' });
  expect(await hasCustomFields()).toBe(false);
  await control().reset();
  expect(await control().version()).toMatchObject({ version: '6.14.2' });
  expect(await hasCustomFields()).toBe(true);
});

test('a sandbox has its own version, also after a reset', async () => {
  expect(await control().createSandbox('older', { version: '6.9.1' })).toMatchObject({ version: '6.9.1', profile: 'tec' });
  const older = control('/__sandbox/older');
  expect(await hasCustomFields('/__sandbox/older')).toBe(false);
  expect(await hasCustomFields()).toBe(true);
  await older.setVersion('6.17.2');
  expect(await hasCustomFields('/__sandbox/older')).toBe(true);
  await older.reset();
  expect(await older.version()).toMatchObject({ version: '6.9.1', start: '6.9.1' });
  expect((await control().createSandbox('plain')).version).toBe('6.14.2');
});

test.each(['6.18.0', '6.6.4.1', '6.17.2.1', '5.0', '6', 'latest', '6.14.2-beta', ''])('%j is not a version', async (version) => {
  const range = `from ${OLDEST_VERSION} to ${LATEST_VERSION}`;
  await expect(control().setVersion(version)).rejects.toThrow(range);
  await expect(control().createSandbox('bad', { version })).rejects.toThrow(range);
  await expect(createServer({ tecVersion: version })).rejects.toThrow(range);
});

test.each(['6.6.4.2', '6.7', '6.16.10', '6.17.2'])('%s is a version', async (version) => {
  expect((await control().setVersion(version)).version).toBe(version);
});

describe('a dataset with a version', () => {
  const dataset = {
    site: { timezone: 'UTC', tec_version: '6.8.3' },
    events: [{ title: 'Concert', start: '+1d 19:00', duration: '2h' }],
  };

  test('sets it, unless the server or a test does', async () => {
    const sandbox = control('/__sandbox/from-dataset');
    await control().createSandbox('from-dataset');
    await sandbox.seed(dataset);
    expect((await sandbox.version()).version).toBe('6.14.2');
  });

  test('sets it for a server without one, and exports keep it', async () => {
    const own = await createServer({ dataset: EDGE, logLevel: 'silent', sandboxes: 0, ephemeral: true });
    try {
      const other = new Control({ url: own.url });
      expect((await other.version()).version).toBe(LATEST_VERSION);
      await other.seed(dataset);
      expect(await other.version()).toMatchObject({ version: '6.8.3', profile: 'standard' });
      const exported = await (await fetch(`${own.url}/__qa/export`)).text();
      expect(exported).toContain('"6.8.3"');
    } finally {
      await own.close();
    }
  });

  test('must name a known one', async () => {
    const bad = { ...dataset, site: { tec_version: '7.0.0' } };
    await expect(control('/__sandbox/from-dataset').seed(bad)).rejects.toThrow('site.tec_version: unknown version "7.0.0"');
  });
});

describe('releases of WordPress', () => {
  const [NEWEST] = WORDPRESS.releases;

  test('are set like releases of the plugin, and a line means its recorded release', async () => {
    await control().reset();
    expect(await control().version()).toMatchObject({ wordpress: NEWEST, releases: { wordpress: { start: NEWEST } } });
    expect(await control().setVersion({ wordpress: '6.9' })).toMatchObject({ version: '6.14.2', wordpress: '6.9.7' });
    expect(await control().setVersion('6.17.2')).toMatchObject({ version: '6.17.2', wordpress: '6.9.7' });
    await control().reset();
    expect(await control().version()).toMatchObject({ version: '6.14.2', wordpress: NEWEST });
  });

  test('a sandbox has its own, which its reset restores', async () => {
    expect(await control().createSandbox('wordpress', { wordpress: '7.0.1' })).toMatchObject({ wordpress: '7.0.1', version: '6.14.2' });
    const sandbox = control('/__sandbox/wordpress');
    await sandbox.setVersion({ wordpress: '6.8' });
    await sandbox.reset();
    expect(await sandbox.version()).toMatchObject({ wordpress: '7.0.1' });
    expect(await control().version()).toMatchObject({ wordpress: NEWEST });
  });

  test('a dataset sets it, and exports keep it', async () => {
    const own = await createServer({ dataset: EDGE, logLevel: 'silent', sandboxes: 0, ephemeral: true });
    try {
      const other = new Control({ url: own.url });
      await other.seed({ site: { wordpress: '6.8' }, events: [] });
      expect(await other.version()).toMatchObject({ wordpress: '6.8.12', version: LATEST_VERSION });
      expect(await (await fetch(`${own.url}/__qa/export`)).text()).toContain('"release:wordpress":"6.8"');
    } finally {
      await own.close();
    }
  });

  test('of the calendar in older exports are read', async () => {
    const own = await createServer({ dataset: EDGE, logLevel: 'silent', sandboxes: 0, ephemeral: true });
    try {
      const exported = await (await fetch(`${own.url}/__qa/export`)).text();
      expect(exported).toContain('{"options":{');
      await new Control({ url: own.url }).seed(exported.replace('{"options":{', '{"options":{"plugin_version":"6.8.3",'));
      expect(await new Control({ url: own.url }).version()).toMatchObject({ version: '6.8.3' });
    } finally {
      await own.close();
    }
  });

  test.each(['99.1', '6.7.1', '7', 'latest', ''])('%j is not one', async (wordpress) => {
    await expect(control().setVersion({ wordpress })).rejects.toThrow(`of WordPress. Use one of ${WORDPRESS_LINES.join(', ')}`);
    await expect(createServer({ wordpress })).rejects.toThrow(`of WordPress. Use one of ${WORDPRESS_LINES.join(', ')}`);
  });

  test('a request must name one', async () => {
    await expect(control().setVersion({})).rejects.toThrow('Send a release');
  });
});
