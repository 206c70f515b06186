import type { Arg, Args, Method, Namespace, Route } from '../../rest/route.js';
import { declaredEndpoint, type Action } from '../declare.js';
import * as shared from '../args.js';
import { EXPORT, forAdministrators, NAVIGATION_FALLBACK, URL_DETAILS } from './access.js';

/* Namespaces of editing and administration screens, of WordPress and of the plugin: they have indexes, but their routes are only declared. */

const namespace = (
  name: string,
  ...routes: [path: string, methods: readonly Method[], args: Args, action?: Action<Args>][]
): Namespace => ({
  name,
  routes: routes.map(([path, methods, args, action]): Route => ({
    path: `/${name}${path}`,
    endpoints: [declaredEndpoint(methods, args, action)],
  })),
});

const plain = (more: Partial<Arg> = {}): Arg => ({ description: '', ...more });

const required = (arg: Arg): Arg => ({ ...arg, required: true });

const IMPORT: Args = {
  import_id: required(shared.text('ID of the import.')),
  batch_hash: required(shared.text('Hash of the batch.')),
};

const PERCENTAGE = required(shared.integer('How much is done, in percent.'));

/** TEC: imports report their progress here. */
export const eventAggregator = (): Namespace =>
  namespace(
    'tribe/event-aggregator/v1',
    [
      '/import/(?P<import_id>\\w+)/batch',
      ['POST'],
      {
        ...IMPORT,
        status: { description: 'State of the import.', type: 'object', required: true },
        percentage_complete: PERCENTAGE,
        interval: shared.integer('Seconds until the next batch.'),
      },
    ],
    [
      '/import/(?P<import_id>\\w+)/state',
      ['POST'],
      {
        ...IMPORT,
        status: { ...shared.choice('State of the import.', ['success', 'failed', 'pending']), required: true },
        message: required(shared.text('What the import says.')),
        message_slug: required(shared.text('Name of the message.')),
        percentage_complete: PERCENTAGE,
      },
    ],
  );

/** TEC: pages of the calendar fetch their parts here. */
export const calendarViews = (): Namespace =>
  namespace('tribe/views/v2', [
    '/html',
    ['GET', 'POST'],
    { u: plain({ required: true }), view: plain(), tvn1: plain(), tvn2: plain(), view_data: plain(), action: plain() },
  ]);

export const onboarding = (): Namespace =>
  namespace('tec/v2/onboarding', ['/wizard', ['POST'], { action_nonce: required(shared.text('Nonce of the action.')) }, forAdministrators]);

const TESTS = ['background-updates', 'loopback-requests', 'https-status', 'dotorg-communication', 'authorization-header'];

export const siteHealth = (): Namespace =>
  namespace(
    'wp-site-health/v1',
    ...TESTS.map((test): [string, readonly Method[], Args, Action<Args>] => [`/tests/${test}`, ['GET'], {}, forAdministrators]),
    ['/directory-sizes', ['GET'], {}, forAdministrators],
    ['/tests/page-cache', ['GET'], {}, forAdministrators],
  );

export const blockEditor = (): Namespace =>
  namespace(
    'wp-block-editor/v1',
    ['/url-details', ['GET'], { url: required(shared.text('URL of the page.', { format: 'uri' })) }, URL_DETAILS],
    ['/export', ['GET'], {}, EXPORT],
    ['/navigation-fallback', ['GET'], {}, NAVIGATION_FALLBACK],
  );
