import { choice, choices, existing, flag, ids, moment, named, pageSize, positive, text } from './args.js';
import { LINKED, eachKind, type LinkColumn } from '../tec/linked.js';
import type { CallContext } from '../rest/route.js';
import { stopsAtFirstError } from './checking.js';

export const STATUSES = ['publish', 'pending', 'draft', 'future', 'private'];

const paging = {
  page: positive('Number of the page of results.', { default: 1, minimum: 1 }),
  per_page: pageSize('Number of results on a page.', { default: 10, maximum: 100, minimum: 1 }),
};

const search = text('Words that results must contain.');

const status = choices('Statuses to keep.', STATUSES, { default: ['publish'] });

/** TEC: older releases accept any categories and tags. */
const checksTerms = (context: CallContext): boolean => !stopsAtFirstError(context);

/** Parameters of the list of events, in the order of the wire. */
export const EVENT_FILTERS = named({
  ...paging,
  start_date: moment('Events that start at this moment or later.'),
  end_date: moment('Events that end at this moment or earlier.'),
  search,
  categories: ids('Keep posts with these terms: event categories.', checksTerms),
  tags: ids('Keep posts with these terms: tags.', checksTerms),
  ...eachKind((kind) => existing(LINKED[kind].filter, LINKED[kind].type)),
  featured: flag('Only featured events, or only those that are not.'),
  status,
  post_parent: positive('Only events below this one.'),
  starts_before: moment('Events that start before this date.'),
  starts_after: moment('Events that start after this date.'),
  ends_before: moment('Events that end before this date.'),
  ends_after: moment('Events that end after this date.'),
  ticketed: flag('Only events with tickets, or only those without.'),
  orderby: choice('Property to sort the results by.', ['date', 'event_date', 'title', 'menu_order', 'modified'], { default: 'event_date' }),
  order: choice('Direction of the sorting.', ['ASC', 'DESC'], { default: 'ASC' }),
});

/** Parameters of the lists of venues and organizers. */
export const linkedFilters = (what: LinkColumn) =>
  named({
    ...paging,
    search,
    event: positive(`Only ${what} of this event.`),
    has_events: flag(`Only ${what} with events, or only those without.`),
    only_with_upcoming: flag(`Only ${what} with upcoming events.`),
    status,
  });
