import { TAG, isDraftLike, metaValue, metaValues, type Post, type Term } from '../../src/wordpress/model.js';
import { EVENT, EVENT_CATEGORY } from '../../src/plugins/the-events-calendar/model/index.js';
import { withDerivedColumns } from '../../src/wordpress/posts/posts.js';
import type { Store } from '../../src/wordpress/store.js';
import { registry } from './registry.js';

/** All stored documents. */
export interface Everything {
  posts: Post[];
  terms: Term[];
}

export const readEverything = async ({ posts, terms }: Store): Promise<Everything> => ({
  posts: await posts.find({}).sort({ _id: 1 }).toArray(),
  terms: await terms.find({}).sort({ _id: 1 }).toArray(),
});

/** Counts of each term, own and including children, computed from the posts and the parents only. */
export function countsFromPosts({ posts, terms }: Everything): Record<number, [own: number, branch: number]> {
  const own = ({ _id, taxonomy }: Term): number =>
    posts.filter(({ status, terms: of }) => status === 'publish' && of[taxonomy]?.includes(_id)).length;
  const branch = (term: Term): number =>
    terms.filter(({ parent }) => parent === term._id).reduce((sum, child) => sum + branch(child), own(term));
  return Object.fromEntries(terms.map((term) => [term._id, [own(term), branch(term)]]));
}

/** Pairs of posts of one type with the same final slug. */
export function sharedSlugs({ posts }: Everything): string[] {
  const settled = posts.filter(({ slug, status }) => slug !== '' && !isDraftLike(status)).map(({ type, slug }) => `${type} ${slug}`);
  return settled.filter((slug, i) => settled.indexOf(slug) !== i);
}

/** References of posts to missing terms. */
export const danglingTerms = ({ posts, terms }: Everything): string[] =>
  posts.flatMap((post) =>
    Object.entries(post.terms).flatMap(([taxonomy, ids]) =>
      ids
        .filter((id) => !terms.some((term) => term._id === id && term.taxonomy === taxonomy))
        .map((id) => `${post._id}: ${taxonomy} ${id}`),
    ),
  );

/** Posts whose derived columns are out of date. */
export const staleColumns = ({ posts }: Everything): number[] =>
  posts.filter((post) => JSON.stringify(sorted(post)) !== JSON.stringify(sorted(withDerivedColumns(post, registry)))).map(({ _id }) => _id);

const sorted = (post: Post): unknown =>
  Object.entries(post)
    .filter(([, value]) => value !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));

/** Filters of the event list, as query parameters. */
export interface EventFilter {
  status?: string;
  categories?: number;
  tags?: number;
  venue?: number;
  organizer?: number;
  featured?: boolean;
  search?: string;
  /** Days. */
  start_date?: string;
  end_date?: string;
  starts_after?: string;
  ends_before?: string;
}

const below = (terms: Term[], id: number): number[] => [
  id,
  ...terms.filter(({ parent }) => parent === id).flatMap(({ _id }) => below(terms, _id)),
];

/** Statuses that a list shows to users who may edit. */
const ANY = new Set(['publish', 'future', 'draft', 'pending', 'private']);

/** Ids of the events that a list must show, in order: applies the documented filters to every post, independently of the query code. */
export function scanEvents({ posts, terms }: Everything, filter: EventFilter): number[] {
  const when = (post: Post, key: string): string => metaValue(post, key) ?? '';
  const start = (post: Post): string => when(post, '_EventStartDate');
  const end = (post: Post): string => when(post, '_EventEndDate');
  const takesPlace = (post: Post): boolean =>
    start(post) !== '' && start(post) <= end(post) && when(post, '_EventStartDateUTC') <= when(post, '_EventEndDateUTC');
  const has = (post: Post, key: string, id: number): boolean => metaValues(post, key).includes(String(id));
  const linked = (post: Post, key: string, id: number | undefined): boolean => id === undefined || has(post, key, id);
  const text = ({ title, content, excerpt }: Post): string => `${title}\n${content}\n${excerpt}`.toLowerCase();
  const { status, categories, tags, venue, organizer, featured, search, start_date, end_date, starts_after, ends_before } = filter;
  const branch = categories === undefined ? [] : below(terms, categories);
  return posts
    .filter((post) => post.type === EVENT && takesPlace(post) && metaValue(post, '_EventHideFromUpcoming') === undefined)
    .filter((post) => (status === undefined ? ANY.has(post.status) : post.status === status))
    .filter((post) => categories === undefined || branch.some((id) => post.terms[EVENT_CATEGORY]?.includes(id)))
    .filter((post) => tags === undefined || post.terms[TAG]?.includes(tags))
    .filter((post) => linked(post, '_EventVenueID', venue) && linked(post, '_EventOrganizerID', organizer))
    .filter((post) => featured === undefined || (metaValue(post, '_tribe_featured') !== undefined) === featured)
    .filter((post) => search === undefined || text(post).includes(search.toLowerCase()))
    .filter((post) => start_date === undefined || start(post) >= `${start_date} 00:00:00`)
    .filter((post) => end_date === undefined || end(post) <= `${end_date} 23:59:59`)
    .filter((post) => starts_after === undefined || start(post) > `${starts_after} 23:59:59`)
    .filter((post) => ends_before === undefined || end(post) < `${ends_before} 23:59:59`)
    .toSorted((a, b) => compare(start(a), start(b)) || compare(a.date, b.date) || a._id - b._id)
    .map(({ _id }) => _id);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Ids of the venues or organizers that a list must show, in order. */
export function scanLinked(
  { posts }: Everything,
  type: string,
  key: string,
  { status, has_events }: { status?: string; has_events?: boolean },
): number[] {
  const used = (id: number): boolean =>
    posts.some((post) => post.type === EVENT && !['draft', 'pending'].includes(post.status) && metaValues(post, key).includes(String(id)));
  return posts
    .filter((post) => post.type === type && (status === undefined ? ANY.has(post.status) : post.status === status))
    .filter(({ _id }) => has_events === undefined || used(_id) === has_events)
    .toSorted((a, b) => compare(b.date, a.date) || b._id - a._id)
    .map(({ _id }) => _id);
}

/** Ids of the terms that a list must show, ascending: all, or those with a nonzero count, own or of children. */
export function scanTerms(everything: Everything, taxonomy: string, hideEmpty: boolean): number[] {
  const counts = countsFromPosts(everything);
  return everything.terms
    .filter((term) => term.taxonomy === taxonomy && (!hideEmpty || counts[term._id][1] > 0))
    .map(({ _id }) => _id)
    .toSorted((a, b) => a - b);
}
