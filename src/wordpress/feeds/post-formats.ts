import { decodeEntities } from '../formatting/decode-entities.js';
import { escAttr, escHtml, numericReferences, escUrl } from '../formatting/entities.js';
import { stripTags } from '../formatting/strip-tags.js';
import { escapeAmpersands } from '../formatting/title.js';
import { rssDate, xmlCdata } from '../formatting/xml.js';
import sources from './namespaces.json' with { type: 'json' };

/** Feeds as WordPress writes them, element by element. Texts are HTML whose entities are numbers, since XML has no names for them. */

/** Members of all feeds, before any format. */
export interface Channel<Item> {
  /** The title, and the description of the site. */
  title: string;
  description: string;
  /** URL of the site, without a slash at its end. */
  home: string;
  /** URL of the request. */
  self: string;
  language: string;
  /** UTC, `YYYY-MM-DD HH:MM:SS`, as in items. */
  modified: string;
  /** The release of WordPress that made it. */
  release: string;
  items: readonly Item[];
}

/** A format of feeds: its content type, and how a channel is written in it. */
export interface FeedFormat<C> {
  type: string;
  write: (channel: C) => string;
}

export const RSS_TYPE = 'application/rss+xml';
export const ATOM_TYPE = 'application/atom+xml';
const RDF_TYPE = 'application/rdf+xml';

/** A text of the site or of a user, as it is stored. WP: `bloginfo_rss`. */
export const feedText = (stored: string): string => numericReferences(escapeAmpersands(stripTags(stored)));

/** A title. WP: `the_title_rss`, without tags. */
export const feedLine = (html: string): string => escHtml(stripTags(numericReferences(html)));

export const attribute = escAttr;

/** A URL in an element or an attribute. */
export const link = (url: string): string => escUrl(url);

/** HTML within CDATA. WP: `the_content_feed`. */
export const cdata = (html: string): string => xmlCdata(html.replaceAll(']]>', ']]&gt;'));

export const lines = (parts: readonly (string | null)[]): string => parts.filter((line) => line !== null).join('\n');

/** `2026-08-01T17:30:00Z`. Atom requires a date even if none is known. */
export const isoDate = (utc: string): string => (rssDate(utc) === '' ? '1970-01-01T00:00:00Z' : `${utc.replace(' ', 'T')}Z`);

export { rssDate };

export const XML = '<?xml version="1.0" encoding="UTF-8"?>';

const SOURCES = sources;

export const namespaces = (...names: (keyof typeof SOURCES)[]): string =>
  names.map((name) => `\n\txmlns:${name}="${SOURCES[name]}"`).join('');

/** How often readers are asked to come back. */
export const UPDATES = `\t<sy:updatePeriod>\n\thourly\t</sy:updatePeriod>\n\t<sy:updateFrequency>\n\t1\t</sy:updateFrequency>`;

/** WP: the program, by which release of it a feed was made. */
const programUrl = (release: string): string => `https://wordpress.org/?v=${release}`;

export const rssProgram = (release: string): string => `\t<generator>${programUrl(release)}</generator>`;

export const atomProgram = (release: string): string =>
  `\t<generator uri="https://wordpress.org/" version="${attribute(release)}">WordPress</generator>`;

export interface PostItem {
  title: string;
  url: string;
  guid: string;
  /** The date that readers show: UTC, `YYYY-MM-DD HH:MM:SS`; empty when unknown. */
  date: string;
  /** When it was published, and changed. */
  published: string;
  modified: string;
  author: { name: string; url: string };
  /** Names of its terms, as stored. */
  categories: readonly string[];
  summary: string;
  /** Null: the feeds of the site have excerpts only. */
  content: string | null;
  /** URL of the feed of its comments. @param suffix of paths */
  commentsFeed: (suffix?: string) => string;
  /** Number of its comments; null if there are none and it takes none. */
  comments: number | null;
}

const rssCategory = (name: string): string => `\t\t<category>${cdata(decodeEntities(name))}</category>`;

const rssItem = (item: PostItem): string =>
  lines([
    '\t<item>',
    `\t\t<title>${item.title}</title>`,
    `\t\t<link>${link(item.url)}</link>`,
    item.comments === null ? null : `\t\t<comments>${link(item.url)}#${item.comments === 0 ? 'respond' : 'comments'}</comments>`,
    `\t\t<dc:creator>${cdata(item.author.name)}</dc:creator>`,
    `\t\t<pubDate>${rssDate(item.date)}</pubDate>`,
    ...item.categories.map(rssCategory),
    `\t\t<guid isPermaLink="false">${item.guid}</guid>`,
    `\t\t<description>${cdata(item.summary)}</description>`,
    item.content === null ? null : `\t\t<content:encoded>${cdata(item.content === '' ? item.summary : item.content)}</content:encoded>`,
    item.comments === null ? null : `\t\t<wfw:commentRss>${link(item.commentsFeed())}</wfw:commentRss>`,
    item.comments === null ? null : `\t\t<slash:comments>${item.comments}</slash:comments>`,
    '\t</item>',
  ]);

const RSS2: FeedFormat<Channel<PostItem>> = {
  type: RSS_TYPE,
  write: ({ title, description, home, self, language, modified, release, items }) =>
    lines([
      `${XML}<rss version="2.0"${namespaces('content', 'wfw', 'dc', 'atom', 'sy', 'slash')}\n>`,
      '<channel>',
      `\t<title>${title}</title>`,
      `\t<atom:link href="${link(self)}" rel="self" type="${RSS_TYPE}" />`,
      `\t<link>${link(home)}</link>`,
      `\t<description>${description}</description>`,
      `\t<lastBuildDate>${rssDate(modified)}</lastBuildDate>`,
      `\t<language>${attribute(language)}</language>`,
      UPDATES,
      rssProgram(release),
      ...items.map(rssItem),
      '</channel>',
      '</rss>',
    ]),
};

const replies = (url: string, type: string, count: number): string =>
  `\t\t<link rel="replies" type="${type}" href="${url}" thr:count="${count}" />`;

const atomEntry = (item: PostItem, home: string): string =>
  lines([
    '\t<entry>',
    '\t\t<author>',
    `\t\t\t<name>${attribute(item.author.name)}</name>`,
    item.author.url === '' ? null : `\t\t\t<uri>${link(item.author.url)}</uri>`,
    '\t\t</author>',
    `\t\t<title type="html">${cdata(item.title)}</title>`,
    `\t\t<link rel="alternate" type="text/html" href="${link(item.url)}" />`,
    `\t\t<id>${item.guid}</id>`,
    `\t\t<updated>${isoDate(item.modified)}</updated>`,
    `\t\t<published>${isoDate(item.date)}</published>`,
    ...item.categories.map((name) => `\t\t<category scheme="${link(home)}" term="${attribute(name)}" />`),
    `\t\t<summary type="html">${cdata(item.summary)}</summary>`,
    item.content === null ? null : `\t\t<content type="html" xml:base="${link(item.url)}">${cdata(item.content)}</content>`,
    ...(item.comments === null
      ? []
      : [
          replies(`${link(item.url)}#comments`, 'text/html', item.comments),
          replies(link(item.commentsFeed('feed/atom')), ATOM_TYPE, item.comments),
          `\t\t<thr:total>${item.comments}</thr:total>`,
        ]),
    '\t</entry>',
  ]);

const ATOM: FeedFormat<Channel<PostItem>> = {
  type: ATOM_TYPE,
  write: ({ title, description, home, self, language, modified, release, items }) =>
    lines([
      `${XML}<feed\n\txmlns="http://www.w3.org/2005/Atom"${namespaces('thr')}\n\txml:lang="${attribute(language)}"\n>`,
      `\t<title type="text">${title}</title>`,
      `\t<subtitle type="text">${description}</subtitle>`,
      `\t<updated>${isoDate(modified)}</updated>`,
      `\t<link rel="alternate" type="text/html" href="${link(home)}" />`,
      // WP: the same for all feeds of a site.
      `\t<id>${link(`${home}/feed/atom/`)}</id>`,
      `\t<link rel="self" type="${ATOM_TYPE}" href="${link(self)}" />`,
      atomProgram(release),
      ...items.map((item) => atomEntry(item, home)),
      '</feed>',
    ]),
};

const rdfItem = (item: PostItem): string =>
  lines([
    `<item rdf:about="${link(item.url)}">`,
    `\t<title>${item.title}</title>`,
    `\t<link>${link(item.url)}</link>`,
    `\t<dc:creator>${cdata(item.author.name)}</dc:creator>`,
    // WP: of events, too.
    `\t<dc:date>${isoDate(item.published)}</dc:date>`,
    ...item.categories.map((name) => `\t<dc:subject>${cdata(name)}</dc:subject>`),
    `\t<description>${cdata(item.summary)}</description>`,
    item.content === null ? null : `\t<content:encoded>${cdata(item.content)}</content:encoded>`,
    '</item>',
  ]);

/** RSS 1.0. */
const RDF: FeedFormat<Channel<PostItem>> = {
  type: RDF_TYPE,
  write: ({ title, description, home, modified, release, items }) =>
    lines([
      `${XML}<rdf:RDF\n\txmlns="http://purl.org/rss/1.0/"${namespaces('rdf', 'dc', 'sy', 'admin', 'content')}\n>`,
      `<channel rdf:about="${link(home)}">`,
      `\t<title>${title}</title>`,
      `\t<link>${link(home)}</link>`,
      `\t<description>${description}</description>`,
      `\t<dc:date>${isoDate(modified)}\t</dc:date>`,
      UPDATES,
      '\t<sy:updateBase>2000-01-01T12:00+00:00</sy:updateBase>',
      `\t<admin:generatorAgent rdf:resource="${programUrl(release)}" />`,
      '\t<items>',
      '\t\t<rdf:Seq>',
      ...items.map(({ url }) => `\t\t\t<rdf:li rdf:resource="${link(url)}"/>`),
      '\t\t</rdf:Seq>',
      '\t</items>',
      '</channel>',
      ...items.map(rdfItem),
      '</rdf:RDF>',
    ]),
};

/** RSS 0.92. */
const RSS: FeedFormat<Channel<PostItem>> = {
  type: RSS_TYPE,
  write: ({ title, description, home, language, modified, items }) =>
    lines([
      `${XML}<rss version="0.92">`,
      '<channel>',
      `\t<title>${title}</title>`,
      `\t<link>${link(home)}</link>`,
      `\t<description>${description}</description>`,
      `\t<lastBuildDate>${rssDate(modified)}</lastBuildDate>`,
      '\t<docs>http://backend.userland.com/rss092</docs>',
      `\t<language>${attribute(language)}</language>`,
      ...items.flatMap((item) => [
        '\t<item>',
        `\t\t<title>${item.title}</title>`,
        `\t\t<description>${cdata(item.summary)}</description>`,
        `\t\t<link>${link(item.url)}</link>`,
        '\t</item>',
      ]),
      '</channel>',
      '</rss>',
    ]),
};

export const POST_FORMATS = { rss2: RSS2, atom: ATOM, rdf: RDF, rss: RSS };

export type FeedFormatName = keyof typeof POST_FORMATS;
