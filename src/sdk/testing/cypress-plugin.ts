import '../../base/system/node-version.js';
import { shortEvidence } from './evidence.js';
import { TASK, type Actions, type Created } from './cypress.js';
import type { Credentials, SiteControl } from './site-control.js';
import { Understudy, type UnderstudyOptions } from './understudy.js';

export * from './shared.js';

/** Options of the other helpers. With `url`, the default of `sandbox` is false: requests of the browser select none. */
export type PluginOptions = UnderstudyOptions;

/** The function `on` that Cypress passes to `setupNodeEvents`. */
type On = (event: 'task', tasks: Record<string, (argument: unknown) => unknown>) => void;

/** The part of the configuration of Cypress that the plugin sets. */
interface Config {
  env?: Record<string, unknown>;
}

interface Performed {
  action: keyof Actions;
  args: readonly never[];
}

function adminOf(site: SiteControl): Credentials | null {
  try {
    return site.adminAuth;
  } catch {
    return null;
  }
}

/** Tasks of Cypress must not return undefined. */
const done = async (work: Promise<unknown>): Promise<null> => {
  await work;
  return null;
};

type Promised = { [Name in keyof Actions]: (...args: Parameters<Actions[Name]>) => Promise<ReturnType<Actions[Name]>> };

const actionsOf = (site: Understudy, hasEvidence: boolean): Promised => {
  const { url, restUrl, clock, faults, stubs, journal } = site;
  return {
    site: () => Promise.resolve({ url, restUrl, admin: adminOf(site) }),
    reset: () => done(site.reset()),
    check: () => done(site.check()),
    failed: async (title) => {
      if (hasEvidence) console.error(await shortEvidence(site, title));
      return null;
    },
    seed: (dataset) => done(site.seed(dataset)),
    now: (time) => (time === null ? clock.real() : clock.freeze(time)),
    advance: (by) => clock.advance(by),
    fault: (rule) => (typeof rule === 'string' ? faults.profile(rule) : faults.add(rule)),
    clearFaults: () => done(faults.clear()),
    stub: (rule) => stubs.add(rule),
    clearStubs: () => done(stubs.clear()),
    journal: (filter) => journal.entries(filter),
    expect: (expectation) => done(journal.expect(expectation)),
    create: (collection, fields) => site.admin[collection].create(fields as never) as Promise<object> as Promise<Created>,
    allow: (ignored) => {
      site.allow(...ignored);
      return Promise.resolve(null);
    },
  };
};

/**
 * Opens a site for the tests and adds the task that the commands use. Call it in `setupNodeEvents` and return its result, whose
 * `env.understudy` has the URLs of the site:
 * `setupNodeEvents: (on, config) => understudyPlugin(on, config, { dataset: 'cypress/calendar.json' })`.
 */
export async function understudyPlugin<Given extends Config>(on: On, config: Given, options: PluginOptions = {}): Promise<Given> {
  const site = await Understudy.open(options.url === undefined ? options : { sandbox: false, ...options });
  const actions: Record<string, (...args: never[]) => Promise<unknown>> = actionsOf(site, options.evidence !== false);
  const perform = (argument: unknown): unknown => {
    const { action, args } = argument as Performed;
    return actions[action](...args);
  };
  on('task', { [TASK]: perform });
  const { url, restUrl } = site;
  return { ...config, env: { ...config.env, understudy: { url, restUrl } } };
}
