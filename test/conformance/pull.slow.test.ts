import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkSite, type CheckReport } from '../../src/transfer/live/check/site.js';
import { placeIn } from '../../src/transfer/load/mirror.js';
import { pull, type PullOptions } from '../../src/transfer/live/pull/pull.js';
import { loadSource } from '../../src/transfer/load/load.js';
import { PEOPLE } from '../support/people.js';
import { startTestServer } from '../support/server.js';
import { RECORDED_WITH } from './wordpress.mjs';
import { replay, type ScenarioReport } from './replay-run.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));

interface Recording {
  name: string;
  writes?: boolean;
  steps: { request: { as?: string; basic?: string; cookies?: boolean; headers?: Record<string, string> } }[];
}

const recordings = new Map(
  readdirSync(path.join(here, 'cases')).map((file) => {
    const recording = JSON.parse(readFileSync(path.join(here, 'cases', file), 'utf8')) as Recording;
    return [recording.name, { ...recording, file }] as const;
  }),
);

/** Steps whose recorded responses a copy of the site's public content cannot reproduce: scenario, then reason, then step numbers. */
const excluded = JSON.parse(readFileSync(path.join(here, 'pull-excluded.json'), 'utf8')) as Record<string, Record<string, number[]>>;

const signsIn = ({ request }: Recording['steps'][number]): boolean =>
  Boolean(request.as ?? request.basic ?? request.cookies) ||
  Object.keys(request.headers ?? {}).some((name) => name.toLowerCase() === 'authorization');

const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-pull-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const source = startTestServer({ dataset: path.join(here, 'world.json'), wordpress: RECORDED_WITH });
const target = startTestServer({ dataset: PEOPLE });

const quick = { rate: 0, timeoutMs: 20_000, retries: 0 };
const silent = { notify: () => undefined, progress: () => undefined };
const options = (state: string, more: Partial<PullOptions> = {}): PullOptions => ({
  url: source().url,
  state: path.join(folder, state),
  files: true,
  since: null,
  fresh: false,
  keepsPeople: false,
  client: quick,
  ...silent,
  ...more,
});

const check = (against: string | null): Promise<CheckReport> =>
  checkSite({ url: source().url, against, only: [], limit: 3, client: quick, ...silent });

let notes: string[] = [];

beforeAll(async () => {
  const pulled = await pull(options('whole'));
  const { site, url } = target();
  await loadSource(site.store, pulled.source, {
    mode: 'replace',
    place: placeIn(path.dirname(site.uploads)),
    siteUrl: url,
    now: site.clock.seconds(),
  });
  await site.reload();
  notes = pulled.notes();
  await pulled.deleteProgress();
}, 60_000);

describe('a copy of the recorded world', () => {
  const answers = new Map<string, ScenarioReport>();
  const reading = [...recordings.values()].filter(({ writes }) => !writes);

  beforeAll(async () => {
    const cases = mkdtempSync(path.join(folder, 'cases-'));
    for (const { file } of reading) copyFileSync(path.join(here, 'cases', file), path.join(cases, file));
    const { scenarios } = await replay({ restUrl: target().restUrl, namespace: 'tribe/events/v1', cases });
    for (const scenario of scenarios) answers.set(scenario.name, scenario);
  }, 60_000);

  test('contains everything that can be copied', () =>
    expect(notes).toEqual(
      [
        ...['WordPress', 'The Events Calendar'].map((name) => `The site runs ${name} [\\d.]+, and the copy behaves like it\\.`),
        'The site does not show these settings, which are as on a new site here: .*\\. Change them with site\\.settings\\.',
      ].map((note) => expect.stringMatching(new RegExp(`^${note}$`))),
    ));

  test.each(reading.map(({ name }) => name))('%s', (name) => {
    const reasons = excluded[name] ?? {};
    const excused = new Set(Object.values(reasons).flat());
    const steps = answers.get(name)?.steps ?? [];
    const failed = steps.flatMap(({ ok, label, diffs }, index) => (ok || excused.has(index + 1) ? [] : [{ label, diffs }]));
    expect(steps).toHaveLength(recordings.get(name)?.steps.length ?? 0);
    expect(failed).toEqual([]);
  });

  test('differs only where documented', () => {
    const agreeing = Object.entries(excluded).flatMap(([name, reasons]) =>
      Object.entries(reasons)
        .filter(([reason]) => reason !== 'writes' && reason !== 'signs in')
        .flatMap(([, steps]) => steps.filter((step) => answers.get(name)?.steps[step - 1]?.ok).map((step) => `${name} step ${step}`)),
    );
    expect(agreeing).toEqual([]);
  });

  test('excludes only resources of the excluded kinds', () => {
    const wrong = Object.entries(excluded).filter(([name, reasons]) => {
      const recording = recordings.get(name);
      const signedIn = recording?.steps.flatMap((step, index) => (signsIn(step) ? [index + 1] : []));
      if (reasons['writes']) return recording?.writes !== true;
      return JSON.stringify(reasons['signs in'] ?? []) !== JSON.stringify(signedIn);
    });
    expect(wrong.map(([name]) => name)).toEqual([]);
    expect(Object.keys(excluded).filter((name) => excluded[name]['writes'])).toEqual(
      [...recordings.values()].filter(({ writes }) => writes).map(({ name }) => name),
    );
  });
});

describe('checking a copy', () => {
  test('reports no difference between a copy and its original', async () => {
    const report = await check(target().url);
    expect(report.findings).toEqual([]);
    expect(report.requests).toBeGreaterThan(150);
  });

  test('reports no violation of the interface', async () => {
    expect((await check(null)).findings).toEqual([]);
  });

  test('shows where a response differs', async () => {
    const { site, url } = target();
    await site.store.posts.updateOne({ _id: 31 }, { $set: { title: 'Summer Gala' } });
    const report = await checkSite({ url: source().url, against: url, only: ['singles'], limit: 1, client: quick, ...silent });
    const differences = [
      { at: '/title', expected: 'Winter Gala', actual: 'Summer Gala' },
      { at: '/json_ld/name', expected: 'Winter Gala', actual: 'Summer Gala' },
    ];
    expect(report.findings.map(({ request, differences: found }) => [request, found])).toEqual([
      ['GET events/31', differences],
      ['GET events/by-slug/winter-gala', differences],
    ]);
  });
});

describe('pulling a site', () => {
  test('resumes after an interruption', async () => {
    const controller = new AbortController();
    const told: string[] = [];
    const cut = pull(
      options('cut', {
        files: false,
        client: { ...quick, signal: controller.signal },
        progress: (what, done) => {
          if (what === 'Details' && done === 20) controller.abort();
        },
      }),
    );
    await expect(cut).rejects.toThrow('abort');
    const [rest, whole] = [
      await pull(options('cut', { files: false, notify: (line) => told.push(line) })),
      await pull(options('again', { files: false })),
    ];
    expect(told.join()).toContain('Continuing an interrupted pull');
    expect(rest.requests).toBeLessThan(whole.requests - 20);
    const items = async ({ source: content }: typeof rest): Promise<string[]> => {
      const found: string[] = [];
      // Placeholders for unknown passwords differ in each run.
      for await (const item of content.items(() => undefined))
        found.push(JSON.stringify(item).replace(/"password":"\w+"|"source":"[^"]+"/g, ''));
      return found;
    };
    expect(await items(rest)).toEqual(await items(whole));
    await Promise.all([rest.deleteProgress(), whole.deleteProgress()]);
  });

  test('requests single items only when they have changed, and signs in for private content', async () => {
    const recent = await pull(options('recent', { since: '2030-01-01 00:00:00', files: false }));
    expect(recent.requests).toBeLessThan(95);
    await recent.deleteProgress();
    const credentials = { login: 'admin', password: 'adminAppPassword00000000' };
    const all = await pull(options('all', { client: { ...quick, credentials }, files: false }));
    const statuses = new Set<string>();
    for await (const item of all.source.items(() => undefined)) if (item.kind === 'post') statuses.add(item.post.status);
    expect([...statuses].sort()).toEqual(['draft', 'future', 'inherit', 'pending', 'private', 'publish']);
    await all.deleteProgress();
    const wrong = pull(options('wrong', { client: { ...quick, credentials: { ...credentials, password: 'wrong' } } }));
    await expect(wrong).rejects.toThrow('the login was rejected');
  });
});
