import { CALENDAR } from '../../src/plugins/the-events-calendar/quirks/version.js';
import { detectVersion } from '../../src/transfer/live/version/detect.js';
import { RECORDED_VERSIONS } from '../../src/plugins/the-events-calendar/quirks/version.js';
import { compareVersions, isInRange } from '../../src/wordpress/quirks/version.js';
import { WORLD } from '../support/api.js';
import { startTestServer } from '../support/server.js';
import { sample } from '../support/effort.js';

const site = startTestServer({ dataset: WORLD });
const copy = startTestServer({ dataset: WORLD });
const credentials = { login: 'admin', password: 'adminAppPassword00000000' };
const client = { rate: 0, timeoutMs: 10_000, retries: 0 };

// Every release is compared with all others.
test.each(sample(RECORDED_VERSIONS, 3))(
  'the behavior of a site with release %s is recognized',
  async (version) => {
    site().site.chosenReleases = { [CALENDAR]: version };
    const { best, stated, others } = await detectVersion({
      url: site().url,
      client: { ...client, credentials },
      against: { url: copy().url, credentials, setVersion: (each) => (copy().site.chosenReleases = { [CALENDAR]: each }) },
      progress: () => undefined,
    });
    expect(stated).toBe(version);
    expect(best.differs).toEqual([]);
    expect(compareVersions(version, best.since)).toBeGreaterThanOrEqual(0);
    expect(best.until === null || isInRange(version, { until: best.until })).toBe(true);
    expect(others.filter(({ differs }) => differs.length === 0)).toEqual([]);
  },
  60_000,
);

test('without a login, less is seen, and nothing wrong', async () => {
  site().site.chosenReleases = { [CALENDAR]: '6.15.20' };
  const { best } = await detectVersion({
    url: site().url,
    client,
    against: { url: copy().url, setVersion: (each) => (copy().site.chosenReleases = { [CALENDAR]: each }) },
    progress: () => undefined,
  });
  expect(best).toMatchObject({ differs: [] });
  expect(isInRange('6.15.20', { since: best.since, until: best.until! })).toBe(true);
});
