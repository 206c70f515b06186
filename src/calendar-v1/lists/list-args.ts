import { MOST_PER_PAGE } from '../collection.js';
import { filters, type Listing, type Paging, type Statuses } from './filters.js';
import { listStatus, nonEmptyString } from '../validators.js';
import { listOf, positiveInt } from '../../rest/checks.js';
import { ANY_STATUS } from '../../wp/model.js';
import { eventsPerPage } from '../../tec/options.js';
import { canWithPosts } from '../../wp/users/capabilities.js';
import type { PostQuery } from '../../wp/query/post-query.js';
import type { Given } from '../../rest/json.js';
import type { CallContext } from '../../rest/route.js';

/** A number that was checked to be positive. PHP: one beyond its integers has wrapped around since; it stands for more than there is. */
const counted = (value: number): number => (value > 0 ? value : Number.MAX_SAFE_INTEGER);

/** The page that is asked for, cut to what one may hold. */
export function pagingOf(params: { page: number; per_page: number }): Paging {
  const page = counted(params.page);
  const perPage = Math.min(counted(params.per_page), MOST_PER_PAGE);
  return { page, perPage, limit: perPage, offset: Math.min((page - 1) * perPage, Number.MAX_SAFE_INTEGER) };
}

/** Parameters that every list has. The default of `per_page` is the site's option, shown as it was saved: text, as a rule (WP). */
export const pagingArgs = (what: string) =>
  ({
    page: { type: 'integer', default: 1, description: `Page of the list of ${what} to return.`, validate: positiveInt },
    per_page: {
      type: 'integer',
      default: (site: CallContext['site']) => eventsPerPage(site.options),
      description: `How many ${what} a page holds; 50 at most.`,
      validate: positiveInt,
    },
  }) as const;

export const searchArg = (where: string) =>
  ({ type: 'string', description: `Text to look for in ${where}.`, validate: nonEmptyString }) as const;

const row = filters<PostQuery, Listing>();

/** The page, in lists whose address names it. */
export function pagingFilters(what: string) {
  const { page, per_page } = pagingArgs(what);
  return {
    page: row(page, { echo: (_sent, { paging }) => paging.page }),
    per_page: row(per_page, { echo: (_sent, { paging }) => paging.perPage }),
  };
}

export const statusFilter = (what: string) =>
  row(
    {
      format: 'string',
      description: `Post status of the ${what}; several as a comma-separated list, for those who may edit them.`,
      validate: listStatus,
      doc: { type: 'string' },
    },
    { echo: (_sent, { statuses }) => statuses.shown },
  );

/** Statuses that a list shows. TEC: those who may edit see everything but the trash. */
export function statusesOf({ request: { user } }: CallContext, { status }: { status: Given | undefined }): Statuses {
  if (status !== undefined) {
    const given = listOf(status).map(String);
    return { wanted: [...new Set(given.flatMap((name) => (name === 'any' ? ANY_STATUS : [name])))], shown: given.join(',') };
  }
  return canWithPosts(user, 'edit') ? { wanted: ANY_STATUS, shown: 'any' } : { wanted: ['publish'], shown: 'publish' };
}
