import '../../base/system/node-version.js';
import path from 'node:path';
import { evidenceOf, inShort, shortEvidence } from './evidence.js';
import { problemOf } from './hooks.js';
import { Understudy, type UnderstudyOptions } from './understudy.js';

export * from './shared.js';

/** Fixtures of a test: `test('…', async ({ page, understudy }) => …)`. */
export interface UnderstudyFixtures {
  /** The sandbox of the worker, reset before each test. */
  understudy: Understudy;
}

export interface UnderstudyWorkerFixtures {
  /** The sandbox of the worker, for worker-scoped fixtures. */
  understudySandbox: Understudy;
}

type Use<T> = (value: T) => Promise<void>;

/** The part of Playwright's `testInfo` that the fixtures need. */
export interface RunningTest {
  status?: string | undefined;
  expectedStatus: string;
  title: string;
  /** Shown in the report; URLs are links there. */
  annotations: { type: string; description?: string }[];
  attach: (name: string, options: { body?: string; path?: string; contentType: string }) => Promise<void>;
}

/** A request that Playwright has intercepted. */
interface Route {
  request: () => { url: () => string; headers: () => Record<string, string> };
  fallback: (changed: { url?: string; headers?: Record<string, string> }) => Promise<void>;
}

/** The part of a browser context that the fixtures need. */
interface Context {
  addCookies: (cookies: { name: string; value: string; url: string }[]) => Promise<void>;
  route: (urls: RegExp, handle: (route: Route) => Promise<void>) => Promise<unknown>;
}

/** Fixtures for Playwright's `test.extend`. */
export interface FixtureTable {
  understudySandbox: [(others: object, use: Use<Understudy>) => Promise<void>, { scope: 'worker'; timeout: number }];
  understudy: (others: UnderstudyWorkerFixtures, use: Use<Understudy>, test: RunningTest) => Promise<void>;
}

/** With `url`. Not part of `FixtureTable`, since Playwright has its own type for this fixture. */
export interface ContextFixture {
  /** A context whose requests to the site under test and to the server select the sandbox. */
  context: <Given extends Context>(
    others: UnderstudyFixtures & { context: Given; baseURL?: string | undefined },
    use: Use<Given>,
  ) => Promise<void>;
}

const START_TIMEOUT = 90_000;

/** Adds what is known of a failed test to its report. */
async function attachEvidence(understudy: Understudy, test: RunningTest): Promise<void> {
  const { title } = test;
  const found = await evidenceOf(understudy, title).catch(() => null);
  const text = found === null ? await shortEvidence(understudy, title) : inShort(found);
  await test.attach('understudy', { body: text, contentType: 'text/plain' });
  if (found === null) return;
  await test.attach('understudy.json', { body: JSON.stringify(found, null, 2), contentType: 'application/json' });
  const { page, file } = found.kept;
  if (page !== undefined) test.annotations.push({ type: 'understudy', description: page });
  if (file === undefined) return;
  await test.attach(path.basename(file), { path: path.resolve(file), contentType: 'application/gzip' });
  test.annotations.push({ type: 'understudy', description: `npx wp-understudy open ${file}` });
}

/** All URLs of an origin, except for the server's own (`/__qa`, `/__sandbox`). */
const urlsOf = (origin: string): RegExp => new RegExp(`^${origin.replaceAll(/[.[\]]/g, String.raw`\$&`)}/(?!__)`);

/** Lets a context select the sandbox. Not by `extraHTTPHeaders`: browsers reject requests with them to origins that do not allow them. */
async function select(context: Context, understudy: Understudy, server: string, site = server): Promise<void> {
  const origins = [...new Set([server, site].map((each) => new URL(each).origin))];
  const { headers, cookies } = understudy;
  const pairs = Object.entries(cookies);
  await context.addCookies(pairs.flatMap(([name, value]) => origins.map((origin) => ({ name, value, url: origin }))));
  const [atServer, atSite] = origins;
  // Requests of scripts and images to the server go to the URL of the sandbox.
  await context.route(urlsOf(atServer), (route) =>
    route.fallback({ url: understudy.urlFor(route.request().url().slice(atServer.length)) }),
  );
  if (atSite === undefined) return;
  await context.route(urlsOf(atSite), (route) => route.fallback({ headers: { ...route.request().headers(), ...headers } }));
}

const contextFor =
  (server: string): ContextFixture['context'] =>
  async ({ context, baseURL, understudy }, use) => {
    if (understudy.name !== '') await select(context, understudy, server, baseURL);
    await use(context);
  };

/** The fixtures for `base.extend<UnderstudyFixtures, UnderstudyWorkerFixtures>(understudyFixtures(options))`. */
export const understudyFixtures = (options: UnderstudyOptions = {}): FixtureTable => ({
  understudySandbox: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the dependencies of a fixture from this pattern; there are none
    async ({}, use) => {
      const understudy = await Understudy.open(options);
      await use(understudy);
      await understudy.close();
    },
    { scope: 'worker', timeout: START_TIMEOUT },
  ],
  understudy: async ({ understudySandbox }, use, test) => {
    await understudySandbox.reset();
    await use(understudySandbox);
    const problem = await problemOf(understudySandbox.check());
    const hasFailed = problem !== null || test.status !== test.expectedStatus;
    if (hasFailed && options.evidence !== false) await attachEvidence(understudySandbox, test);
    if (problem) throw problem.reason;
  },
  ...(options.url === undefined ? {} : { context: contextFor(options.url) }),
});

/** @ts-ignore Resolved only if Playwright's test runner is installed, as required for `withUnderstudy`. */
type PlaywrightTest<Fixtures, WorkerFixtures> = import('@playwright/test').TestType<Fixtures, WorkerFixtures>;

/** The part of Playwright's `test` that is needed to extend it. */
export interface Extendable {
  // A method, since Playwright's parameter type is narrower.
  extend(fixtures: FixtureTable): unknown;
}

/** Playwright's `test` with the fixtures of Understudy. */
export type WithUnderstudy<Base> =
  Base extends PlaywrightTest<infer Fixtures, infer WorkerFixtures>
    ? PlaywrightTest<Fixtures & UnderstudyFixtures, WorkerFixtures & UnderstudyWorkerFixtures>
    : never;

/**
 * Extends Playwright's `test` with a sandbox per worker, which is reset before each test:
 * `export const test = withUnderstudy(base, { now: '2026-06-15T12:00:00Z' })`.
 */
export const withUnderstudy = <Base extends Extendable>(base: Base, options: UnderstudyOptions = {}): WithUnderstudy<Base> =>
  base.extend(understudyFixtures(options)) as WithUnderstudy<Base>;
