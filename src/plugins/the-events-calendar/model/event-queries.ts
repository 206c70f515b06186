import { canEdit, canRead, canWithPosts } from '../../../wordpress/users/capabilities.js';
import { siteToUtc } from '../../../wordpress/timezones.js';
import type { DateFilter } from './dates.js';
import { isInSiteZone } from './options.js';
import type { DateClause } from './query.js';
import type { Post, User } from '../../../wordpress/model.js';
import type { Site } from '../../../wordpress/site.js';
import { namesOf } from '../../../base/values/records.js';

const BOUNDS: Record<DateFilter, Pick<DateClause, 'operator'> & { edge: 'start' | 'end' }> = {
  start_date: { edge: 'start', operator: '$gte' },
  end_date: { edge: 'end', operator: '$lte' },
  starts_before: { edge: 'start', operator: '$lt' },
  starts_after: { edge: 'start', operator: '$gt' },
  ends_before: { edge: 'end', operator: '$lt' },
  ends_after: { edge: 'end', operator: '$gt' },
};

export const DATE_FILTERS = namesOf(BOUNDS);

/** The effective values of the date parameters, site time, `YYYY-MM-DD HH:MM:SS`. */
export type DateValues = Partial<Record<DateFilter, string>>;

/** TEC: beside its strict variant, a date is shown in the URL of the list, but ignored. */
const OVERRIDDEN: Partial<Record<DateFilter, DateFilter>> = { start_date: 'starts_after', end_date: 'ends_before' };

/** TEC: wall-clock times are compared; UTC ones in the site's zone mode, and on sites whose zone is UTC. */
export function dateClauses(values: DateValues, site: Site): DateClause[] {
  const { timezone } = site.options;
  const bySite = isInSiteZone(site.options);
  const utc = bySite || timezone === 'UTC';
  const counts = (name: DateFilter): boolean =>
    !site.quirks.has('sibling-dates-override') || OVERRIDDEN[name] === undefined || values[OVERRIDDEN[name]] === undefined;
  return namesOf(values)
    .filter(counts)
    .map((name) => {
      const { edge, operator } = BOUNDS[name];
      const value = values[name] ?? '';
      return { column: utc ? `${edge}Utc` : edge, operator, value: bySite ? siteToUtc(site.zones, value, timezone) : value };
    });
}

/** The column that lists of events are sorted by. */
export const startColumn = (site: Site): 'start' | 'startUtc' => (isInSiteZone(site.options) ? 'startUtc' : 'start');

/** The caller and the site of a request for a list. */
export interface Reader {
  site: Site;
  user: User | null;
}

/** The caller, if only their own items are shown besides published ones; undefined if all requested items may be read. */
export function readerOf({ site, user }: Reader, { ownPrivate = false }: { ownPrivate?: boolean } = {}): number | undefined {
  const showsAll = site.quirks.has('lists-show-private-items') && !ownPrivate;
  if (showsAll || canWithPosts(user, 'read_private')) return undefined;
  return user?._id;
}

/** The event whose venues, organizers or terms are requested; null if the caller may not see its content. */
export function openEvent(event: Post | null, { site, user }: Reader): Post | null {
  if (!event || site.quirks.has('lists-follow-unreadable-events')) return event;
  const isOpen = event.password === '' || canEdit(user, event, site.registry);
  return isOpen && canRead(user, event, site.registry) ? event : null;
}

/** TEC: finds events of a venue or organizer in any status but the trash. */
export const idsOutsideTrash = (posts: readonly Post[]): number[] => posts.filter(({ status }) => status !== 'trash').map(({ _id }) => _id);

export function intersect(a: number[] | undefined, b: number[] | undefined): number[] | undefined {
  if (!a || !b) return a ?? b;
  const allowed = new Set(b);
  return [...new Set(a)].filter((id) => allowed.has(id));
}
