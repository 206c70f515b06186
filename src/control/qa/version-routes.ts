import { isKnownVersion, RECORDED_VERSIONS, unknownVersion } from '../../plugins/the-events-calendar/quirks/version.js';
import { apiEndpoint, json, type QaRoute } from '../tenant/api/route.js';
import type { Args, Json } from '../../wordpress/rest/route.js';
import type { Site } from '../../wordpress/site.js';
import type { Tenant } from '../tenant/tenant.js';

/** The profile of the site, and the release of The Events Calendar that it emulates. */
export const behavior = ({ quirks: { profile, version } }: Site): { profile: string; version: string } => ({ profile, version });

const shown = ({ site, startVersion }: Tenant): Record<string, Json> => ({
  ...behavior(site),
  start: startVersion ?? site.quirks.at(site.options.pluginVersion).version,
  recorded: [...RECORDED_VERSIONS],
});

/** Parameters that name a release. */
export const VERSION_ARG = {
  type: 'string',
  description: 'Release of The Events Calendar to behave like.',
  validate: (value) => (typeof value === 'string' && isKnownVersion(value)) || { message: unknownVersion(value) },
} satisfies Args[string];

const VERSION_ARGS = { version: { ...VERSION_ARG, required: true } } satisfies Args;

/** The release of the plugin that the site behaves like. */
export const versionRoutes = (tenant: Tenant): QaRoute[] => [
  {
    path: '/__qa/version',
    endpoints: [
      {
        methods: ['GET'],
        summary: 'Get the profile and the emulated release of the plugin',
        args: {},
        handler: () => json(shown(tenant)),
      },
      apiEndpoint({
        methods: ['PUT', 'POST'],
        summary: 'Emulate another release of the plugin until the next reset',
        args: VERSION_ARGS,
        handler: ({ version }) =>
          tenant.gate.exclusive(async () => {
            tenant.site.chosenVersion = version;
            return json(shown(tenant));
          }),
      }),
    ],
  },
];
