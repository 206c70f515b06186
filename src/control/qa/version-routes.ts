import { zoneReleaseProblem } from '../../base/php/zone-data.js';
import { toStr } from '../../base/php/cast.js';
import { listOf } from '../../wordpress/rest/checks.js';
import { pluginProblem } from '../../plugins/register.js';
import { PRODUCTS, releaseProblem } from '../../plugins/quirks.js';
import { CALENDAR } from '../../plugins/the-events-calendar/quirks/version.js';
import { givenReleases, WORDPRESS, type Releases } from '../../wordpress/quirks.js';
import { json, qaError, get, putOrPost, type QaRoute } from '../tenant/api/route.js';
import type { Args, Json } from '../../wordpress/rest/route.js';
import type { Site } from '../../wordpress/site.js';
import type { Tenant } from '../tenant/tenant.js';

/** How a site behaves: its profile, the releases of The Events Calendar and of WordPress, and the release of its time zone data. */
export const behavior = ({
  quirks: { profile, releases },
  zones,
}: Site): Record<'profile' | 'version' | 'wordpress' | 'zones', string> => ({
  profile,
  version: releases[CALENDAR],
  wordpress: releases[WORDPRESS.name],
  zones: zones.release,
});

function shown({ site, startReleases }: Tenant): Record<string, Json> {
  const start = site.quirks.at({ ...site.options.releases, ...startReleases }).releases;
  const of = ({ name, releases }: (typeof PRODUCTS)[string]): Json => ({
    release: site.quirks.releases[name],
    start: start[name],
    recorded: [...releases],
  });
  const active = Object.values(PRODUCTS).filter(({ name }) => name === WORDPRESS.name || site.registry.plugins.includes(name));
  return {
    ...behavior(site),
    start: start[CALENDAR],
    recorded: [...PRODUCTS[CALENDAR].releases],
    releases: Object.fromEntries(active.map((product) => [product.name, of(product)])),
  };
}

const releaseArg = (product: string) =>
  ({
    type: 'string',
    description: `Release of ${PRODUCTS[product].title} to behave like.`,
    validate: (value) => {
      const message = releaseProblem(product, value);
      return message === null || { message };
    },
  }) satisfies Args[string];

/** The parameter that names time zone data. Requests cannot name folders of this machine. */
export const ZONES_ARG = {
  type: 'string',
  description: 'Release of the time zone data, such as 2025b.',
  validate: (value) => {
    const problem = typeof value === 'string' ? zoneReleaseProblem(value) : 'zones must be a text';
    return problem === null || { message: `${problem}.` };
  },
} satisfies Args[string];

/** The parameter that names plugins. */
export const PLUGINS_ARG = {
  type: 'array',
  items: { type: 'string' },
  description: 'Names of plugins that the site has besides The Events Calendar, such as event-tickets.',
  validate: (value) => {
    const problem = listOf(value)
      .map((name) => pluginProblem(toStr(name)))
      .find((each) => each !== null);
    return problem === undefined || problem === null || { message: `${problem}.` };
  },
} satisfies Args[string];

export const RELEASE_ARGS = { version: releaseArg(CALENDAR), wordpress: releaseArg(WORDPRESS.name) } satisfies Args;

export const sentReleases = ({ version, wordpress }: { version?: string; wordpress?: string }): Releases =>
  givenReleases({ [CALENDAR]: version, [WORDPRESS.name]: wordpress });

/** The releases that the site behaves like. */
export const versionRoutes = (tenant: Tenant): QaRoute[] => [
  get('/__qa/version', {
    summary: 'Get the profile and the emulated releases',
    handler: () => json(shown(tenant)),
  }),
  putOrPost('/__qa/version', {
    summary: 'Emulate other releases until the next reset',
    args: RELEASE_ARGS,
    handler: (params) => {
      const releases = sentReleases(params);
      if (Object.keys(releases).length === 0)
        throw qaError('no_version', 'Send a release of The Events Calendar as version, or of WordPress as wordpress.', 400);
      return tenant.gate.exclusive(async () => {
        tenant.site.chosenReleases = { ...tenant.site.chosenReleases, ...releases };
        return json(shown(tenant));
      });
    },
  }),
];
