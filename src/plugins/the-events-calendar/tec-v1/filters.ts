import { choiceArg, choices, existingArg, flagArg, idsArg, moment, namedArgs, pageSizeArg, positive, searchArg } from './args.js';
import { LINKED, eachKind, type LinkColumn } from '../model/linked.js';
import type { CallContext } from '../../../wordpress/rest/route.js';
import { stopsAtFirstError } from './checking.js';

export const STATUSES = ['publish', 'pending', 'draft', 'future', 'private'];

const paging = {
  page: positive('Page of results to return.', { default: 1, minimum: 1 }),
  per_page: pageSizeArg('Number of results per page.', {
    default: ({ options }) => Math.trunc(Number(options.postsPerPage)) || 10,
    maximum: 100,
    minimum: 1,
  }),
};

const status = choices('Only results with these statuses.', STATUSES, { default: ['publish'] });

/** TEC: older releases accept any categories and tags. */
const checksTerms = (context: CallContext): boolean => !stopsAtFirstError(context);

/** Parameters of the list of events, in the order of the wire. */
export const EVENT_LIST_PARAMS = namedArgs({
  ...paging,
  start_date: moment('Only events that start at or after this time.'),
  end_date: moment('Only events that end at or before this time.'),
  search: searchArg,
  categories: idsArg('Only posts with these terms: event categories.', checksTerms),
  tags: idsArg('Only posts with these terms: tags.', checksTerms),
  ...eachKind((kind) => existingArg(LINKED[kind].filter, LINKED[kind].type)),
  featured: flagArg('Only featured events (true), or only other events (false).'),
  status,
  post_parent: positive('Only child events of this event, by ID.'),
  starts_before: moment('Only events that start before this date.'),
  starts_after: moment('Only events that start after this date.'),
  ends_before: moment('Only events that end before this date.'),
  ends_after: moment('Only events that end after this date.'),
  ticketed: flagArg('Only events with tickets (true), or only events without tickets (false).'),
  orderby: choiceArg('Field to sort by.', ['date', 'event_date', 'title', 'menu_order', 'modified'], { default: 'event_date' }),
  order: choiceArg('Sort order.', ['ASC', 'DESC'], { default: 'ASC' }),
});

/** Parameters of the lists of venues and organizers. */
export const linkedListParams = (what: LinkColumn) =>
  namedArgs({
    ...paging,
    search: searchArg,
    event: positive(`Only ${what} of this event, by ID.`),
    has_events: flagArg(`Only ${what} with events (true), or only ${what} without events (false).`),
    only_with_upcoming: flagArg(`Only ${what} with upcoming events.`),
    status,
  });
