import dayjs from 'dayjs';
import { filterContent, renderTitle } from '../wp/formatting/content.js';
import { ksesPost } from '../wp/formatting/kses.js';
import { escHtml, escUrlRaw, stripAllTags } from '../wp/formatting/sanitize.js';
import { EVENT, metaValue, TAG, type Post, type Term, type User } from '../wp/model.js';
import { canRead } from '../wp/capabilities.js';
import { permalink } from '../wp/permalinks.js';
import { listPosts } from '../wp/posts.js';
import { organizersOf, venuesOf, type Related } from '../wp/related.js';
import type { DateClause, PostQuery } from '../wp/query.js';
import { termUrl } from '../wp/term-links.js';
import { withAncestors, withDescendants } from '../wp/terms.js';
import type { Site } from '../wp/site.js';
import type { ListView } from './address.js';
import { html, trusted, type Html } from './html.js';
import type { EventData, EventSummary, FrontData, ListData, PostData } from './templates.js';

/** A title as a line of a page: its signs as they are shown, without tags. */
export const titleOf = (post: Pick<Post, 'title'>): Html => trusted(escHtml(stripAllTags(renderTitle(post.title))));

/** What authors wrote, without whatever could run. Null while a password keeps it. */
function contentOf(post: Post, site: Site): Html | null {
  if (post.password !== '') return null;
  return trusted(ksesPost(filterContent(post.content, { siteUrl: site.url, postId: post._id })));
}

function summaryOf(post: Post, site: Site): EventSummary {
  return {
    title: titleOf(post),
    url: permalink(post, site, true),
    start: metaValue(post, '_EventStartDate') ?? '',
    end: metaValue(post, '_EventEndDate') ?? '',
    zone: metaValue(post, '_EventTimezone') || site.options.timezone,
  };
}

/** Everything on the page of an event. */
export function eventData(post: Post, related: Related, site: Site, reader: User | null): EventData {
  const names = (posts: Post[]): Html[] => posts.filter((linked) => canRead(reader, linked)).map(titleOf);
  return {
    ...summaryOf(post, site),
    content: contentOf(post, site),
    venues: names(venuesOf(post, related)),
    organizers: names(organizersOf(post, related)),
    website: escUrlRaw(metaValue(post, '_EventURL') ?? ''),
  };
}

export const postData = (post: Post, site: Site): PostData => ({ title: titleOf(post), content: contentOf(post, site) });

/** The days that a view shows, from the first moment to the last; none for the list, which goes on from now. */
function datesOf(view: ListView, site: Site): DateClause[] {
  if (view.kind === 'list') return [{ column: 'end', operator: '$gte', value: site.nowLocal }];
  const unit = view.kind;
  const named = view.kind === 'month' ? view.month : view.day;
  const from = named === undefined ? site.nowLocal.slice(0, view.kind === 'month' ? 7 : 10) : named;
  const first = unit === 'month' ? `${from}-01` : from;
  const last = dayjs(first).endOf(unit).format('YYYY-MM-DD');
  return [
    { column: 'end', operator: '$gte', value: `${first} 00:00:00` },
    { column: 'start', operator: '$lte', value: `${last} 23:59:59` },
  ];
}

async function termsOf(term: Term, site: Site): Promise<PostQuery['terms']> {
  const ids = term.taxonomy === TAG ? [term._id] : await withDescendants(site.store, term.taxonomy, [term._id]);
  return [{ taxonomy: term.taxonomy, ids }];
}

/** TEC: a month shows all of its events; here as many as a page can bear. */
const MOST_IN_VIEW = 500;

const HEADINGS = { list: 'Events', month: 'Events of the month', day: 'Events of the day' };

const perPage = ({ options }: Site): number => Math.max(1, Math.trunc(Number(options.postsPerPage)) || 10);

async function eventsIn(site: Site, view: ListView, term: Term | null, limit: number, offset: number): Promise<Post[]> {
  return listPosts(site.store, {
    type: EVENT,
    statuses: ['publish'],
    listed: true,
    dates: datesOf(view, site),
    ...(term ? { terms: await termsOf(term, site) } : {}),
    sort: 'start',
    limit,
    offset,
  });
}

/** Address of one page of a list of upcoming events. */
async function listUrl(site: Site, term: Term | null, page: number): Promise<string> {
  const base = `${site.url}/${site.options.calendar.eventsSlug}/`;
  const start = term ? termUrl(term, await withAncestors(site.store, [term]), site) : base;
  return page === 1 ? start : `${start}${term?.taxonomy === TAG ? '' : 'list/'}page/${page}/`;
}

/** Everything on the page of a list of events. */
export async function listData(site: Site, view: ListView, page: number, term: Term | null): Promise<ListData> {
  const size = view.kind === 'list' ? perPage(site) : MOST_IN_VIEW;
  const found = await eventsIn(site, view, term, size + 1, (page - 1) * size);
  const heading = term ? html`${HEADINGS[view.kind]}: ${trusted(escHtml(term.name))}` : html`${HEADINGS[view.kind]}`;
  return {
    heading,
    events: found.slice(0, size).map((post) => summaryOf(post, site)),
    previous: page > 1 ? await listUrl(site, term, page - 1) : null,
    next: view.kind === 'list' && found.length > size ? await listUrl(site, term, page + 1) : null,
  };
}

/** Everything on the front page. */
export async function frontData(site: Site): Promise<FrontData> {
  const { name, description, calendar } = site.options;
  const events = await eventsIn(site, { kind: 'list' }, null, perPage(site), 0);
  return { name, description, eventsUrl: `${site.url}/${calendar.eventsSlug}/`, events: events.map((post) => summaryOf(post, site)) };
}
