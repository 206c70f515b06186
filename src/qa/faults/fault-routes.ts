import { PROFILES } from './faults.js';
import { MATCH_HELP, MATCH_SCHEMA } from '../match.js';
import { json, refuse, type QaRequest, type QaRoute } from '../route.js';
import type { FaultProfile, FaultRule, KnownFault, Match } from '../../qa-types.js';
import type { Arg, Args, Json } from '../../rest/route.js';
import type { Tenant } from '../tenant.js';

const EFFECT: Arg = {
  type: 'object',
  additionalProperties: false,
  properties: {
    delay: { type: ['number', 'object'] },
    status: { type: 'integer', minimum: 100, maximum: 599 },
    body: {},
    headers: { type: 'object', additionalProperties: { type: 'string' } },
    drop: { type: 'string', enum: ['before', 'mid-body'] },
    bytesPerSecond: { type: 'number', minimum: 1 },
    truncate: { type: ['integer', 'boolean'], minimum: 0 },
  },
  description:
    'What goes wrong: `delay` (ms, or a distribution), `status` (with the body of the service, or `body` and `headers`), `drop` (`before` or `mid-body`), `bytesPerSecond`, `truncate` (true: half of the body; or bytes to keep).',
};

const RULE_ARGS: Args = {
  match: { ...MATCH_SCHEMA, description: MATCH_HELP },
  times: { type: 'integer', minimum: 1, description: 'How many requests it is for; all when left out.' },
  skip: { type: 'integer', minimum: 0, description: 'How many requests that match pass before.' },
  seed: { type: 'integer', description: 'Seed of delays that are left to chance.' },
  effect: EFFECT,
  profile: { type: 'string', enum: [...PROFILES], description: 'A rule that is ready, in place of `match` and `effect`.' },
};

const shown = (rule: KnownFault): Json => ({ ...rule }) as unknown as Json;

function ruleOf(request: QaRequest): FaultRule {
  const effect = request.get('effect') as FaultRule['effect'] | undefined;
  if (!effect) throw refuse('invalid_fault', 'A fault needs an "effect", or a "profile".');
  const [match, times, skip, seed] = ['match', 'times', 'skip', 'seed'].map((name) => request.get(name));
  return {
    ...(match === undefined ? {} : { match: match as Match }),
    ...(times === undefined ? {} : { times: times as number }),
    ...(skip === undefined ? {} : { skip: skip as number }),
    ...(seed === undefined ? {} : { seed: seed as number }),
    effect: effect.truncate === (false as unknown) ? { ...effect, truncate: undefined } : effect,
  };
}

function add({ faults }: Tenant, request: QaRequest): KnownFault {
  const profile = request.get('profile') as FaultProfile | undefined;
  if (profile === undefined) return faults.add(ruleOf(request));
  if (request.isGiven('effect') || request.isGiven('match')) throw refuse('invalid_fault', 'A profile has its own "match" and "effect".');
  const [times, skip] = [request.get('times'), request.get('skip')] as (number | undefined)[];
  return faults.addProfile(profile, { ...(times === undefined ? {} : { times }), ...(skip === undefined ? {} : { skip }) });
}

/** What is to go wrong. Nothing of it concerns the test surface itself. */
export const faultRoutes = (tenant: Tenant): QaRoute[] => [
  {
    path: '/__qa/faults',
    endpoints: [
      {
        methods: ['GET'],
        summary: 'The faults, with how often each was made.',
        args: {},
        handler: () => json({ faults: tenant.faults.list().map(shown) }),
      },
      {
        methods: ['POST'],
        summary: 'Adds a fault. Of several that match, the first that is not used up is made.',
        args: RULE_ARGS,
        handler: (request) => json(shown(add(tenant, request)), 201),
      },
      {
        methods: ['DELETE'],
        summary: 'Takes all faults away.',
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
      {
        methods: ['DELETE'],
        summary: 'Takes a fault away.',
        args: { id: { type: 'integer', required: true, description: 'Number of the fault.' } },
        handler: (request) => {
          const id = request.get('id') as number;
          if (!tenant.faults.remove(id)) throw refuse('no_fault', `There is no fault ${id}.`, 404);
          return json({ deleted: 1 });
        },
      },
    ],
  },
];
