import { json, qaError, get, post, remove, type QaRoute } from '../../tenant/api/route.js';
import type { Args, Json } from '../../../wordpress/rest/route.js';
import type { Tenant } from '../../tenant/tenant.js';
import { withoutUndefined } from '../../../base/values/records.js';

const WEBHOOK_ARGS = {
  url: { type: 'string', required: true, description: 'Receives each event as a POST request with a JSON body.' },
  secret: { type: 'string', description: 'Key of the signature in `X-Understudy-Signature`. Default: no signature.' },
  events: {
    type: 'array',
    items: { type: 'string' },
    description: 'Only these events, with `*` as wildcard: `["post.*", "content.reset"]`. Default: all.',
  },
  retries: { type: 'integer', minimum: 0, maximum: 10, description: 'Number of retries after a failed delivery. Default: 4.' },
  timeout: { type: 'integer', minimum: 1, maximum: 60_000, description: 'Timeout of an attempt in ms. Default: 5000.' },
  keep: { type: 'boolean', description: 'Whether to keep the webhook when all webhooks are removed. Default: false.' },
} satisfies Args;

const UUID = { id: { type: 'string', required: true, description: 'ID of the delivery.' } } satisfies Args;

const shown = (known: object): Json => ({ ...known });

/** Webhooks: requests to other servers when content changes. */
export const webhookRoutes = ({ webhooks }: Tenant): QaRoute[] => [
  get('/__qa/webhooks', {
    summary: 'List the webhooks and their latest deliveries, oldest first',
    handler: () => json({ webhooks: webhooks.list().map(shown), deliveries: webhooks.deliveries().map(shown) }),
  }),
  post('/__qa/webhooks', {
    summary: 'Add a webhook: a URL to call when content changes',
    args: WEBHOOK_ARGS,
    handler: (params) => json(shown(webhooks.add(withoutUndefined(params))), 201),
  }),
  remove('/__qa/webhooks', {
    summary: 'Remove all webhooks except those with `keep`, and all deliveries. Pending deliveries are not sent.',
    handler: () => json({ deleted: webhooks.clear() }),
  }),
  post('/__qa/webhooks/flush', {
    summary: 'Wait until all events are delivered or have failed',
    args: { timeout: { type: 'integer', minimum: 0, default: 30_000, description: 'How long to wait, in ms.' } },
    handler: async ({ timeout }) => json(shown(await webhooks.flush(timeout))),
  }),
  remove('/__qa/webhooks/(?P<id>\\d+)', {
    summary: 'Remove a webhook. Its pending deliveries are not sent.',
    args: { id: { type: 'integer', required: true, description: 'ID of the webhook.' } },
    handler: ({ id }) => {
      if (!webhooks.remove(id)) throw qaError('no_webhook', `Webhook ${id} does not exist.`, 404);
      return json({ deleted: 1 });
    },
  }),
  post('/__qa/webhooks/deliveries/(?P<id>[\\w-]+)/redeliver', {
    summary: 'Send a delivery again, with the same body',
    args: UUID,
    handler: ({ id }) => json(shown(webhooks.redeliver(id))),
  }),
];
