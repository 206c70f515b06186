import { sanitizeTitle } from '../../../wordpress/formatting/slug.js';
import type { Post } from '../../../wordpress/model.js';
import { permalink } from '../../../wordpress/posts/permalinks.js';
import type { Params } from '../../../wordpress/rest/request.js';
import type { Site } from '../../../wordpress/site.js';
import { canRead } from '../../../wordpress/users/capabilities.js';
import type { Found, PageAddress, Shown } from '../../../wordpress/views/content.js';
import { postBySlug, WITH_PERMALINK } from '../../../wordpress/views/find.js';
import type { Visit } from '../../../wordpress/views/reading.js';
import { EVENT_CATEGORY } from '../model/index.js';
import { LINKED } from '../model/linked.js';
import type { ListView } from './address.js';
import { isLinked, type Scope } from './listing.js';

/** The content of the plugin. */
declare module '../../../wordpress/views/content.js' {
  interface ContentOfPlugins {
    events: EventList;
  }
}

/** A list of events. */
interface EventList {
  kind: 'list';
  view: ListView;
  page: number;
  scope: Scope;
}

const inList = (scope: Scope): EventList => ({ kind: 'list', view: { kind: 'list' }, page: 1, scope });

async function list({ store }: Site, address: PageAddress & { kind: 'list' }): Promise<EventList | null> {
  const { view, page, taxonomy, slug, isFeatured } = address;
  if (taxonomy === undefined) return { kind: 'list', view, page, scope: { kind: isFeatured ? 'featured' : 'all' } };
  const term = slug === undefined || slug === '' ? null : await store.terms.findOne({ taxonomy, slug });
  return term && { kind: 'list', view, page, scope: { kind: 'term', term } };
}

/** Limits a list to the category in the query (WP: the query variable of the taxonomy). Null if there is no such category. */
async function inCategory(found: EventList | null, site: Site, { [EVENT_CATEGORY]: slug }: Params): Promise<EventList | null> {
  if (found?.scope.kind !== 'all' || typeof slug !== 'string' || slug === '') return found;
  const term = await site.store.terms.findOne({ taxonomy: EVENT_CATEGORY, slug: sanitizeTitle(slug, site.quirks) });
  return term && { ...found, scope: { kind: 'term', term } };
}

/** TEC: these types have no pages; every slug shows a general page. */
async function linkedList({ linked, slug }: PageAddress & { kind: 'linked' }, visit: Visit): Promise<Found | null> {
  const post = await postBySlug(visit, LINKED[linked].type, slug);
  if (post) return inList({ kind: 'linked', linked, post });
  return visit.site.quirks.has('venues-have-no-pages') ? { kind: 'front', page: 1 } : null;
}

/** The list of events at an address of the calendar; null if there is none. */
export async function findEvents(address: PageAddress, visit: Visit, query: Params): Promise<Found | null | undefined> {
  if (address.kind === 'linked') return linkedList(address, visit);
  return address.kind === 'list' ? inCategory(await list(visit.site, address), visit.site, query) : undefined;
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
