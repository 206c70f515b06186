import { TAG, type Post, type Term } from '../../../wordpress/model.js';
import { permalink } from '../../../wordpress/posts/permalinks.js';
import { countPosts, listFields } from '../../../wordpress/posts/posts.js';
import type { PostQuery } from '../../../wordpress/query/post-query.js';
import type { Params } from '../../../wordpress/rest/request.js';
import type { Site } from '../../../wordpress/site.js';
import { canRead } from '../../../wordpress/users/capabilities.js';
import type { PageContent, PageAddress, Shown, Visit } from '../../../wordpress/views/reading.js';
import { guess, postBySlug, WITH_PERMALINK } from '../../../wordpress/views/find.js';
import { deriveTerm } from '../../../wordpress/terms/terms.js';
import { isTruthy } from '../model/field.js';
import { EVENT, EVENT_CATEGORY } from '../model/index.js';
import { hasView } from '../model/options.js';
import { LINKED } from '../model/event.js';
import { slugsIn, usualView, type ListView } from './address.js';
import { isLinked, listedDays, NO_TERM, readListing, type Listing, type Scope } from './listing.js';

/** The content of the plugin. */
declare module '../../../wordpress/views/reading.js' {
  interface ContentOfPlugins {
    events: EventList;
  }
}

export interface EventList {
  kind: 'list';
  view: ListView;
  page: number;
  scope: Scope;
}

const inList = (scope: Scope): EventList => ({ kind: 'list', view: { kind: 'list' }, page: 1, scope });

/** The events of some terms; null if none exists. WP: several slugs are separated by commas. */
async function ofTerms(taxonomy: string, slugs: string, { store }: Site): Promise<(Scope & { kind: 'term' }) | null> {
  const wanted = slugs.split(',').filter((slug) => slug !== '');
  const found = wanted.length === 0 ? [] : await store.terms.find({ taxonomy, slug: { $in: wanted } }).toArray();
  const [term, ...also] = wanted.flatMap((slug) => found.find((each) => each.slug === slug) ?? []) as (Term | undefined)[];
  return term ? { kind: 'term', term, ...(also.length > 0 ? { also: also as Term[] } : {}) } : null;
}

type ListAddress = PageAddress & { kind: 'list' };

async function list(site: Site, address: ListAddress): Promise<EventList | null> {
  const { view, page, taxonomy, slug, isFeatured } = address;
  if (taxonomy === undefined) return { kind: 'list', view, page, scope: { kind: isFeatured ? 'featured' : 'all' } };
  const scope = await ofTerms(taxonomy, slug ?? '', site);
  return scope && { kind: 'list', view, page, scope: { ...scope, ...(isFeatured ? { isFeatured } : {}) } };
}

/** The slugs in a value of a query: a text with commas, or a list. */
const slugsOf = (value: Params[string]): string =>
  [value]
    .flat()
    .flatMap((each) => (typeof each === 'string' ? slugsIn(each) : []))
    .join(',');

/** Limits a list to what the query names (WP: the query variables of taxonomies). Null if there is no such term. */
async function inQuery(found: EventList | null, site: Site, query: Params): Promise<EventList | null> {
  if (found?.scope.kind !== 'all') return found;
  const isFeatured = isTruthy(query['featured']);
  for (const [taxonomy, value] of [
    [EVENT_CATEGORY, query[EVENT_CATEGORY]],
    [TAG, query['tag']],
  ] as const) {
    const slugs = slugsOf(value);
    if (slugs === '') continue;
    const scope = await ofTerms(taxonomy, slugs, site);
    return scope && { ...found, scope: { ...scope, ...(isFeatured ? { isFeatured } : {}) } };
  }
  return isFeatured ? { ...found, scope: { kind: 'featured' } } : found;
}

/** TEC: months and days before the first event or after the end of the last one are missing, except for the current month without events. */
export async function isOutOfRange(listing: Listing, site: Site): Promise<boolean> {
  const { view, from } = listing;
  if (view === 'list' || from === null) return false;
  const { store } = site;
  const all: PostQuery = { type: EVENT, statuses: ['publish', 'private'], scheduled: true, sort: 'start', limit: 1, offset: 0 };
  const [first] = (await listFields<Pick<Post, 'occurrence'>>(store, all, { occurrence: 1 })) as (Pick<Post, 'occurrence'> | undefined)[];
  const start = first?.occurrence?.start;
  if (start === undefined) return from.slice(0, 7) !== site.today.slice(0, 7);
  const [begin, end] = listedDays(listing, site);
  if (end < start.slice(0, 10)) return true;
  return (await countPosts(store, { ...all, dates: [{ column: 'end', operator: '$gte', value: `${begin} 00:00:00` }], limit: 0 })) === 0;
}

/** The address in the query of the front page: the calendar, by its type or a category. */
export function readCalendarQuery(
  { post_type: type, [EVENT_CATEGORY]: category, s: words, name }: Params,
  { options }: Pick<Site, 'options'>,
): PageAddress | undefined {
  const isOfCalendar = type === EVENT || (type === undefined && slugsOf(category) !== '');
  return isOfCalendar && words === undefined && name === undefined ? { kind: 'list', view: usualView(options), page: 1 } : undefined;
}

/** TEC: the list at an address, for the scripts of pages, to which no day is missing; null: none. A term that does not exist has no events. */
export async function eventsAt(address: PageAddress, site: Site, query: Params): Promise<EventList | null> {
  const at = address.kind === 'list' ? address : readCalendarQuery(query, site);
  if (at?.kind !== 'list') return null;
  const { taxonomy = EVENT_CATEGORY, slug = '' } = at;
  const missing = deriveTerm({
    _id: NO_TERM,
    taxonomy,
    slug,
    name: '',
    description: '',
    parent: 0,
    termGroup: 0,
    termTaxonomyId: NO_TERM,
    count: 0,
  });
  return (
    (await inQuery(await list(site, at), site, query)) ?? {
      kind: 'list',
      view: at.view,
      page: at.page,
      scope: { kind: 'term', term: missing },
    }
  );
}

/** TEC: these types have no pages; every slug shows the front page. */
async function linkedList({ linked, slug }: PageAddress & { kind: 'linked' }, visit: Visit, query: Params): Promise<PageContent | null> {
  const { quirks } = visit.site;
  const hasCalendar = query.ical !== undefined && !quirks.has('ical-of-venues-is-general');
  if (quirks.has('venues-have-no-pages') && !hasCalendar) return { kind: 'front', page: 1 };
  const post = await postBySlug(visit, LINKED[linked].type, slug);
  return post && inList({ kind: 'linked', linked, post });
}

/** The list of events at an address of the calendar; null if there is none. */
export async function findEvents(address: PageAddress, visit: Visit, query: Params): Promise<PageContent | null | undefined> {
  if (address.kind === 'linked') return linkedList(address, visit, query);
  const { site } = visit;
  if (address.kind === 'moved') return guess(site, { kind: 'single', type: EVENT, slug: address.slug });
  if (address.kind !== 'list') return undefined;
  if (!hasView(site.options, readListing({ kind: 'all' }, address, query).view)) return null;
  const found = await inQuery(await list(site, address), site, query);
  return found && (await isOutOfRange(readListing(found.scope, found, query), site)) ? null : found;
}

/** The list of events that a page shows: of the calendar, or of an author; null if it shows none. */
export function eventListOf(found: Shown | null): EventList | null {
  if (found?.kind === 'author') return inList({ kind: 'author', author: found.author });
  return found?.kind === 'list' ? found : null;
}

/** The URL of a venue or organizer. TEC: without pages, they have no plain permalinks either. */
export function linkedUrl(post: Post, { site, reader }: Visit): string | undefined {
  const hasPage = isLinked(post) && !site.quirks.has('venues-have-no-pages') && WITH_PERMALINK.includes(post.status);
  return hasPage && canRead(reader, post, site.registry) ? permalink(post, site, true) : undefined;
}
