import { EFFECT_SCHEMAS, SCHEDULE_ARGS } from '../../tenant/faults/effects.js';
import { entryOf } from '../../tenant/journal/export.js';
import { MATCH_HELP, MATCH_SCHEMA } from '../../tenant/match.js';
import { stubFrom } from '../../tenant/stubs/record.js';
import { json, qaError, get, post, remove, put, type QaRoute } from '../../tenant/api/route.js';
import { asJson, withoutUndefined } from '../../../base/values/records.js';
import type { KnownStub, RecordedStub, Stub } from '../../../sdk/types/qa.js';
import type { Args, Json } from '../../../wordpress/rest/route.js';
import type { Tenant } from '../../tenant/tenant.js';

const RESPONSE_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: {
    status: { type: 'integer', minimum: 200, maximum: 599, default: 200 },
    headers: EFFECT_SCHEMAS.headers,
    body: {},
    bodyBase64: { type: 'string' },
  },
} satisfies Partial<Args[string]>;

const STUB_ARGS = {
  match: { ...MATCH_SCHEMA, description: `${MATCH_HELP} Default: every request.` },
  respond: {
    ...RESPONSE_SCHEMA,
    description:
      'The response: `status` (default: 200), `headers`, and `body` (a text, or a value that is sent as JSON) or `bodyBase64`. Required without `from`.',
  },
  delay: { type: EFFECT_SCHEMAS.delay.type, description: `${EFFECT_SCHEMAS.delay.title}.` },
  skip: SCHEDULE_ARGS.skip,
  times: { ...SCHEDULE_ARGS.times, description: 'Number of requests to respond to. Default: all.' },
  priority: {
    type: 'integer',
    description:
      'Of several stubs that match, the one with the highest priority responds; of these, the one that was added last. Default: 0.',
  },
  template: {
    type: 'boolean',
    description:
      'Whether `{{request.query.page}}` and the like in texts of `body` and `headers` stand for values of the request. Default: true.',
  },
  from: {
    type: 'integer',
    description:
      'ID of an entry of the journal: its response is recorded, for its method, path and query. The other members override that.',
  },
} satisfies Args;

const NUMBERED = { id: { type: 'integer', required: true, description: 'ID of the stub.' } } satisfies Args;

const shown = (known: KnownStub): Json => asJson(known);

/** The stub of a request, whose members the schema has validated. @throws RestError without a response, or an entry to record it from */
function stubOf(tenant: Tenant, params: object): Stub {
  const rule = withoutUndefined(params) as Stub | RecordedStub;
  if ('from' in rule) return stubFrom(entryOf(tenant, rule.from), rule);
  if ((rule as Partial<Stub>).respond === undefined) throw qaError('invalid_stub', 'A stub requires "respond" or "from".');
  return rule;
}

/** Stubs. They never respond to the test API itself. */
export const stubRoutes = (tenant: Tenant): QaRoute[] => [
  get('/__qa/stubs', {
    summary: 'List the stubs in the order in which they are tried, with the number of requests that they have responded to',
    handler: () => json({ stubs: tenant.stubs.list().map(shown) }),
  }),
  post('/__qa/stubs', {
    summary: 'Add a stub: a response for requests to any route of the site. It can be recorded from an entry of the journal.',
    args: STUB_ARGS,
    handler: (rule) => json(shown(tenant.stubs.add(stubOf(tenant, rule))), 201),
  }),
  remove('/__qa/stubs', {
    summary: "Remove all stubs except the dataset's",
    handler: () => json({ deleted: tenant.stubs.clear() }),
  }),
  get('/__qa/stubs/(?P<id>\\d+)', {
    summary: 'Get a stub',
    args: NUMBERED,
    handler: ({ id }) => json(shown(tenant.stubs.get(id))),
  }),
  put('/__qa/stubs/(?P<id>\\d+)', {
    summary: 'Replace a stub. One of the dataset comes back with the next reset.',
    args: { ...NUMBERED, ...STUB_ARGS },
    handler: ({ id, ...rule }) => json(shown(tenant.stubs.replace(id, stubOf(tenant, rule)))),
  }),
  remove('/__qa/stubs/(?P<id>\\d+)', {
    summary: 'Remove a stub. One of the dataset comes back with the next reset.',
    args: NUMBERED,
    handler: ({ id }) => {
      tenant.stubs.remove(id);
      return json({ deleted: 1 });
    },
  }),
];
