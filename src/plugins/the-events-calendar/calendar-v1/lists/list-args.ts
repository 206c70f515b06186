import { MOST_PER_PAGE } from '../collection.js';
import { offsetOf } from '../../../../wordpress/rest/lists.js';
import { filters, type ListCallContext, type ListPaging, type Statuses } from './filters.js';
import { listStatus, nonEmptyString, statusList } from '../validators.js';
import { positiveInt } from '../../../../wordpress/rest/checks.js';
import { ANY_STATUS } from '../../../../wordpress/model.js';
import { eventsPerPage } from '../../model/options.js';
import { canWithPosts } from '../../../../wordpress/users/capabilities.js';
import type { PostQuery } from '../../../../wordpress/query/post-query.js';
import type { Given } from '../../../../wordpress/rest/json.js';
import type { CallContext } from '../../../../wordpress/rest/route.js';

/** The requested page, its size capped. */
export function listPaging(params: { page: number; per_page: number }): ListPaging {
  const { page } = params;
  const perPage = Math.min(params.per_page, MOST_PER_PAGE);
  return { page, perPage, limit: perPage, offset: offsetOf(page, perPage) };
}

/** Parameters that every list has. The default of `per_page` is the site's option, shown as it was saved: text, as a rule (WP). */
export const pagingArgs = (what: string) =>
  ({
    page: { type: 'integer', default: 1, description: 'Page of results to return.', validate: positiveInt },
    per_page: {
      type: 'integer',
      default: (site: CallContext['site']) => eventsPerPage(site.options),
      description: `Number of ${what} per page; at most ${MOST_PER_PAGE}.`,
      validate: positiveInt,
    },
  }) as const;

export const searchArg = (where: string) =>
  ({ type: 'string', description: `Text to search for in ${where}.`, validate: nonEmptyString }) as const;

const row = filters<PostQuery, ListCallContext>();

/** The page, in lists whose address names it. */
export function pagingFilters(what: string) {
  const { page, per_page } = pagingArgs(what);
  return {
    page: row(page, { echo: (_sent, { paging }) => paging.page }),
    per_page: row(per_page, { echo: (_sent, { paging }) => paging.perPage }),
  };
}

export const statusArg = () =>
  row(
    {
      format: 'string',
      description: 'Post status, or several separated by commas. All but `publish` require permission to edit.',
      validate: listStatus,
      doc: { type: 'string' },
    },
    { echo: (_sent, { statuses }) => statuses.shown },
  );

const READABLE = ['publish', 'private'];

/** Statuses that a list shows. TEC: users who may edit see all statuses but the trash. */
export function shownStatuses({ request: { user } }: CallContext, { status }: { status: Given | undefined }): Statuses {
  if (status !== undefined) {
    const given = statusList(status).map(String);
    // TEC: with an empty list, WordPress chooses the statuses that the caller may read; the URL keeps an empty argument.
    if (given.length === 0) return { wanted: READABLE, shown: [], ownPrivate: !canWithPosts(user, 'read_private') };
    return { wanted: [...new Set(given.flatMap((name) => (name === 'any' ? ANY_STATUS : [name])))], shown: given.join(',') };
  }
  return canWithPosts(user, 'edit') ? { wanted: ANY_STATUS, shown: 'any' } : { wanted: ['publish'], shown: 'publish' };
}
