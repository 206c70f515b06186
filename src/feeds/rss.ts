import type { PageRequest, PageResponse } from '../rest/page.js';
import { decodeEntities } from '../wp/formatting/decode-entities.js';
import { rssDate, xmlCdata, xmlText } from '../wp/formatting/xml.js';
import { TAG, type Post } from '../wp/model.js';
import { EVENT_CATEGORY } from '../tec/index.js';
import { loadRelated, termsOf, type Related } from '../wp/related.js';
import type { Site } from '../wp/site.js';
import { readAddress } from '../views/address.js';
import { apiHeaders } from '../views/api-headers.js';
import { dateTag } from '../views/dates.js';
import { eventCard, type EventCard } from '../views/card.js';
import { escapeText, html, trusted, type Html } from '../views/html.js';
import { rssUrl } from '../views/links.js';
import { scopeHeading } from '../views/heading.js';
import { listEvents, readListing, type Scope } from '../views/listing.js';
import { readingOf, type Reading } from '../views/reading.js';
import { contentOf } from '../views/texts.js';

/** That the RSS feed of a list was asked for. */
export interface RssWish {
  /** Path of the list. */
  path: string;
  /** Whether it was asked for at the address that feeds have. WP: from all others one is sent on to it. */
  isSettled: boolean;
}

/** WP: the names of feeds, of which these mean RSS 2.0. */
const RSS = ['feed', 'rss', 'rss2'];

/** The path of a list before a last part that asks for its feed (`…/feed/`, `…/feed/rss2/`); null when there is none such. */
function pathBeforeFeed(path: string): { path: string; isSettled: boolean } | null {
  const [, before, name] = /^(.*?\/)feed(?:\/([^/]+))?\/?$/s.exec(path) ?? [];
  return before === undefined || (name !== undefined && !RSS.includes(name)) ? null : { path: before, isSettled: name === undefined };
}

/**
 * The wish of a request for an RSS feed (`/events/feed/`, `/tag/live/feed/`, `?feed=rss2`), or null when it has none. Lists of all events,
 * of a category and of a tag have one. TEC: no other view has.
 * @param path of the request, decoded
 */
export function readRssWish(site: Site, { query }: PageRequest, path: string): RssWish | null {
  const isList = (of: string): boolean => {
    const address = readAddress(of, site);
    return address.kind === 'list' && address.view.kind === 'list' && address.page === 1;
  };
  const inPath = pathBeforeFeed(path);
  if (inPath && isList(inPath.path)) return inPath;
  const isAsked = typeof query.feed === 'string' && RSS.includes(query.feed);
  return isAsked && isList(path) ? { path, isSettled: false } : null;
}

const plain = ({ text }: Html): string => decodeEntities(text);

const element = (name: string, text: string, attributes = ''): string =>
  text === '' ? '' : `<${name}${attributes}>${xmlText(text)}</${name}>`;

const inCdata = (name: string, { text }: Html): string => (text.trim() === '' ? '' : `<${name}>${xmlCdata(text)}</${name}>`);

/** When and where, which a reader of feeds would else not see, and the beginning of the text. */
function summary(event: EventCard, { dates, texts }: Reading, isOpen: boolean): Html {
  const when = escapeText(dates.span(event.span));
  const zone = event.zone === '' || event.span.allDay ? '' : ` ${escapeText(event.zone)}`;
  const place = event.place.map((part) => part.text).join(', ');
  const text = isOpen ? event.teaser?.text : escapeText(texts.passwordProtected);
  return trusted(
    [`${when}${zone}${place === '' ? '' : ` · ${place}`}`, text].flatMap((line) => (line ? [`<p>${line}</p>`] : [])).join('\n'),
  );
}

/** What a password protects stays out of it, but for what lists show too. */
function item(post: Post, related: Related, reading: Reading): string {
  const { site } = reading;
  const event = eventCard(post, related, reading);
  const isOpen = post.password === '';
  const terms = isOpen ? [EVENT_CATEGORY, TAG].flatMap((taxonomy) => termsOf(post, taxonomy, related)) : [];
  return [
    '<item>',
    element('title', plain(event.title)),
    element('link', event.url),
    element('guid', event.url, ' isPermaLink="true"'),
    // TEC: what counts is when it takes place.
    element('pubDate', rssDate(post.occurrence?.startUtc ?? '')),
    ...terms.map(({ name }) => element('category', decodeEntities(name))),
    inCdata('description', summary(event, reading, isOpen)),
    isOpen ? inCdata('content:encoded', contentOf(post, { site, related })) : '',
    '</item>',
  ]
    .filter((line) => line !== '')
    .join('\n');
}

/** What a feed is called: whose events it holds, and from which day to which. */
function titleOf(scope: Scope, posts: Post[], reading: Reading): string {
  const { site, texts, dates } = reading;
  const events = plain(scopeHeading(scope, reading) ?? html`${texts.events}`);
  const days = posts.flatMap(({ occurrence }) => (occurrence ? [occurrence.start.slice(0, 10)] : [])).sort();
  const named =
    days.length === 0
      ? events
      : texts.feedTitle.replace('{events}', () => events).replace('{dates}', () => dates.days(days[0], days.at(-1) ?? days[0]));
  return `${named} – ${decodeEntities(site.options.name)}`;
}

const NAMESPACES =
  'xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:sy="http://purl.org/rss/1.0/modules/syndication/"';

async function document(scope: Scope, url: string, page: string, posts: Post[], reading: Reading): Promise<string> {
  const { site } = reading;
  const related = await loadRelated(site.store, posts);
  const changed =
    posts
      .map(({ modifiedGmt }) => modifiedGmt)
      .sort()
      .at(-1) ?? '';
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<rss version="2.0" ${NAMESPACES}>`,
    '<channel>',
    element('title', titleOf(scope, posts, reading)),
    `<atom:link href="${xmlText(url)}" rel="self" type="application/rss+xml" />`,
    element('link', page),
    `<description>${xmlText(decodeEntities(site.options.description))}</description>`,
    element('lastBuildDate', rssDate(changed)),
    // WP: a site that names no language speaks American English.
    element('language', site.options.locale === '' && site.language === 'en' ? 'en-US' : dateTag(site, site.language)),
    element('sy:updatePeriod', 'hourly'),
    element('sy:updateFrequency', '1'),
    ...posts.map((post) => item(post, related, reading)),
    '</channel>',
    '</rss>',
  ];
  return `${lines.filter((line) => line !== '').join('\n')}\n`;
}

/**
 * The RSS 2.0 feed of a list, as everybody may read it, in the language of the site: its events as the list has them, as many as the site
 * puts into feeds.
 */
export async function serveRss(site: Site, request: PageRequest, scope: Scope): Promise<PageResponse> {
  const reading = readingOf(site, { ...request, language: site.language });
  const listing = { ...readListing(scope, { view: { kind: 'list' }, page: 1 }, request.query), view: 'list' as const };
  const { events } = await listEvents(listing, site, site.options.postsPerFeed);
  const { feed, page } = await rssUrl(scope, site);
  return {
    status: 200,
    headers: {
      'Content-Type': 'application/rss+xml; charset=UTF-8',
      'X-Content-Type-Options': 'nosniff',
      Link: apiHeaders(site).Link,
    },
    body: await document(scope, feed, page, events, reading),
  };
}
