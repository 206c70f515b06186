import { FAULT_PROFILES } from '../../tenant/faults/faults.js';
import { MATCH_HELP, MATCH_SCHEMA } from '../../tenant/match.js';
import { EFFECT_SCHEMAS, SCHEDULE_ARGS } from '../../tenant/faults/effects.js';
import { json, qaError, get, put, remove, post, type QaRoute } from '../../tenant/api/route.js';
import type { FaultScenario, KnownFault, KnownScenario, Match, ScenarioRule } from '../../../sdk/types/qa.js';
import type { Args, Json, Schema } from '../../../wordpress/rest/route.js';
import type { Tenant } from '../../tenant/tenant.js';
import { withoutUndefined, asJson } from '../../../base/values/records.js';

const EFFECT_SCHEMA = { type: 'object', additionalProperties: false, properties: EFFECT_SCHEMAS } as const;

const MATCH = { ...MATCH_SCHEMA, description: MATCH_HELP };

const RULE_ARGS = {
  match: MATCH,
  effect: { ...EFFECT_SCHEMA, description: 'What happens to a matching request: one or more effects, all of which apply.' },
  sequence: {
    type: 'array',
    items: { oneOf: [EFFECT_SCHEMA, { type: 'string', enum: ['ok'] }] },
    description: 'Instead of `effect`: what happens to one affected request after the other, an effect or `"ok"`.',
  },
  ...SCHEDULE_ARGS,
  profile: { type: 'string', enum: FAULT_PROFILES, description: 'A predefined rule, instead of `effect` and `sequence`.' },
} satisfies Args;

const SCENARIO_ARGS = {
  description: { type: 'string', description: 'Description for people.' },
  faults: {
    type: 'array',
    items: { type: 'object', additionalProperties: false, properties: RULE_ARGS },
    required: true,
    description: 'The rules, as in `POST /__qa/faults`.',
  },
} satisfies Args;

/** The same as a schema, for files. */
export const SCENARIO_SCHEMA: Schema = {
  type: 'object',
  additionalProperties: false,
  properties: { ...SCENARIO_ARGS, faults: { ...SCENARIO_ARGS.faults, required: true } },
};

export const SCENARIO_NAME = /^[\w-]{1,64}$/;

const START_ARGS = {
  match: { ...MATCH, description: `Further conditions for all rules. ${MATCH_HELP}` },
  seed: { type: 'integer', description: 'A number that is added to the seeds of the rules, for another random sequence.' },
} satisfies Args;

const NAMED = {
  name: { type: 'string', required: true, pattern: SCENARIO_NAME.source, description: 'Name of the scenario: letters, digits, - and _.' },
} satisfies Args;

const shown = (known: KnownFault | KnownScenario): Json => asJson({ ...known });

const scenarioRoutes = ({ faults }: Tenant): QaRoute[] => [
  get('/__qa/faults/scenarios', {
    summary: 'List the scenarios: faults that start and stop together',
    handler: () => json({ scenarios: faults.scenarios().map(shown) }),
  }),
  get('/__qa/faults/scenarios/(?P<name>[^/]+)', {
    summary: 'Get a scenario',
    args: NAMED,
    handler: ({ name }) => json(shown(faults.scenario(name))),
  }),
  put('/__qa/faults/scenarios/(?P<name>[^/]+)', {
    summary: 'Define a scenario, or replace its definition',
    args: { ...NAMED, ...SCENARIO_ARGS },
    // The schema has validated the rules.
    handler: ({ name, ...scenario }) => json(shown(faults.define(name, scenario as FaultScenario))),
  }),
  remove('/__qa/faults/scenarios/(?P<name>[^/]+)', {
    summary: 'Stop a scenario and delete its definition',
    args: NAMED,
    handler: ({ name }) => {
      const { builtIn } = faults.scenario(name);
      if (!faults.forget(name))
        throw qaError('scenario_is_fixed', `Scenario ${name} is ${builtIn ? 'built in' : "the server's"} and cannot be deleted.`, 409);
      return json({ deleted: name });
    },
  }),
  post('/__qa/faults/scenarios/(?P<name>[^/]+)/start', {
    summary: 'Start a scenario from its beginning',
    args: { ...NAMED, ...START_ARGS },
    handler: ({ name, match, seed }) =>
      json({ started: name, faults: faults.start(name, { match: match as Match | undefined, seed }).map(shown) }),
  }),
  post('/__qa/faults/scenarios/(?P<name>[^/]+)/stop', {
    summary: 'Stop a scenario',
    args: NAMED,
    handler: ({ name }) => json({ stopped: faults.scenario(name).name, deleted: faults.stop(name) }),
  }),
];

/** Faults. They never affect the test API itself. */
export const faultRoutes = (tenant: Tenant): QaRoute[] => [
  get('/__qa/faults', {
    summary: 'List the faults, with the number of requests that they have affected',
    handler: () => json({ faults: tenant.faults.list().map(shown) }),
  }),
  post('/__qa/faults', {
    summary: 'Add a fault. If several faults match a request, the first one that is not exhausted applies.',
    args: RULE_ARGS,
    // The schema has validated the rule.
    handler: (rule) => json(shown(tenant.faults.add(withoutUndefined(rule) as ScenarioRule)), 201),
  }),
  remove('/__qa/faults', {
    summary: 'Remove all faults',
    handler: () => json({ deleted: tenant.faults.clear() }),
  }),
  ...scenarioRoutes(tenant),
  remove('/__qa/faults/(?P<id>\\d+)', {
    summary: 'Remove a fault',
    args: { id: { type: 'integer', required: true, description: 'ID of the fault.' } },
    handler: ({ id }) => {
      if (!tenant.faults.remove(id)) throw qaError('no_fault', `Fault ${id} does not exist.`, 404);
      return json({ deleted: 1 });
    },
  }),
];
