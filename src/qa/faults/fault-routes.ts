import { PROFILES } from './faults.js';
import { MATCH_HELP, MATCH_SCHEMA } from '../match.js';
import { EFFECT_SCHEMAS } from './effects.js';
import { endpoint, json, qaError, type QaRoute } from '../route.js';
import type { Effect, KnownFault, Match } from '../../qa-types.js';
import type { ParamsOf } from '../../rest/params.js';
import type { Args, Json } from '../../rest/route.js';
import type { Tenant } from '../tenant.js';

const RULE_ARGS = {
  match: { ...MATCH_SCHEMA, description: MATCH_HELP },
  times: { type: 'integer', minimum: 1, description: 'How many matching requests to affect. Default: all.' },
  skip: { type: 'integer', minimum: 0, description: 'How many matching requests to let through first.' },
  seed: { type: 'integer', description: 'Seed of random delays.' },
  effect: {
    type: 'object',
    additionalProperties: false,
    properties: EFFECT_SCHEMAS,
    description: 'How to disturb the request: one or more effects, all of which are applied.',
  },
  profile: { type: 'string', enum: PROFILES, description: 'A predefined rule, instead of `match` and `effect`.' },
} satisfies Args;

type RuleParams = ParamsOf<typeof RULE_ARGS>;

const shown = (rule: KnownFault): Json => ({ ...rule }) as unknown as Json;

function add({ faults }: Tenant, { profile, effect, match, times, skip, seed }: RuleParams): KnownFault {
  if (profile === undefined) {
    if (!effect) throw qaError('invalid_fault', 'A fault requires an "effect" or a "profile".');
    // Both have been validated by their schemas.
    return faults.add({ match: match as Match | undefined, times, skip, seed, effect: effect as Effect });
  }
  if (effect ?? match) throw qaError('invalid_fault', 'A "profile" cannot be combined with "match" or "effect".');
  return faults.addProfile(profile, { times, skip });
}

/** Faults. They never affect the test API itself. */
export const faultRoutes = (tenant: Tenant): QaRoute[] => [
  {
    path: '/__qa/faults',
    endpoints: [
      {
        methods: ['GET'],
        summary: 'Lists the faults with the number of requests that they have affected.',
        args: {},
        handler: () => json({ faults: tenant.faults.list().map(shown) }),
      },
      endpoint({
        methods: ['POST'],
        summary: 'Adds a fault. If several match a request, the first one that is not exhausted applies.',
        args: RULE_ARGS,
        handler: (params) => json(shown(add(tenant, params)), 201),
      }),
      {
        methods: ['DELETE'],
        summary: 'Removes all faults.',
        args: {},
        handler: () => {
          const count = tenant.faults.size;
          tenant.faults.clear();
          return json({ deleted: count });
        },
      },
    ],
  },
  {
    path: '/__qa/faults/(?P<id>\\d+)',
    endpoints: [
      endpoint({
        methods: ['DELETE'],
        summary: 'Removes a fault.',
        args: { id: { type: 'integer', required: true, description: 'ID of the fault.' } },
        handler: ({ id }) => {
          if (!tenant.faults.remove(id)) throw qaError('no_fault', `Fault ${id} does not exist.`, 404);
          return json({ deleted: 1 });
        },
      }),
    ],
  },
];
