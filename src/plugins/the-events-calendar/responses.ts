import type { PluginResponses } from '../plugin.js';
import { calendar } from './calendar-v1/index.js';
import { CALENDAR_PAGES, calendarViews } from './pages/index.js';
import { tecV1 } from './tec-v1/index.js';
import type { Args, Namespace } from '../../wordpress/rest/route.js';
import * as shared from '../../wordpress/wp-v2/args.js';
import { forAdministrators } from '../../wordpress/wp-v2/declared/access.js';
import { namespace, required } from '../../wordpress/wp-v2/declared/namespaces.js';

/* Namespaces of the plugin's own screens and pages, whose routes are only declared. */

const IMPORT: Args = {
  import_id: required(shared.text('ID of the import.')),
  batch_hash: required(shared.text('Hash of the batch.')),
};

const PERCENTAGE = required(shared.integer('How much is done, in percent.'));

/** TEC: imports report their progress here. */
const eventAggregator = (): Namespace =>
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

const onboarding = (): Namespace =>
  namespace('tec/v2/onboarding', ['/wizard', ['POST'], { action_nonce: required(shared.text('Nonce of the action.')) }, forAdministrators]);

export const RESPONSES: PluginResponses = {
  namespaces: (names, registry) => [
    eventAggregator(),
    ...names.map((name) => calendar(name, registry)),
    calendarViews([CALENDAR_PAGES]),
    onboarding(),
    tecV1(registry),
  ],
  pages: CALENDAR_PAGES,
};
