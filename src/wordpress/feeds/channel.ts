import { rssDate, xmlCdata, xmlText } from '../formatting/xml.js';
import type { FeedItem } from '../views/content.js';
import type { Html } from '../views/html.js';

/** A feed as data, before any format. */
export interface Channel {
  title: string;
  description: string;
  /** URL of the feed, and of the page that it belongs to. */
  url: string;
  page: string;
  language: string;
  /** UTC, as in items. */
  modified: string;
  /** The release of WordPress that made it. */
  release: string;
  items: readonly FeedItem[];
  /** WP: feeds of comments have no language in RSS 2.0. */
  isOfComments?: boolean;
}

/** A format of feeds: its content type, and how a channel is written in it. */
interface FeedFormat {
  type: string;
  write: (channel: Channel) => string;
}

const element = (name: string, text: string, attributes = ''): string =>
  text === '' ? '' : `<${name}${attributes}>${xmlText(text)}</${name}>`;

const inCdata = (name: string, html: Pick<Html, 'text'> | null, attributes = ''): string =>
  html === null || html.text.trim() === '' ? '' : `<${name}${attributes}>${xmlCdata(html.text)}</${name}>`;

/** WP: the program, by which release of it a feed was made. */
const programUrl = ({ release }: Channel): string => `https://wordpress.org/?v=${release}`;

const lines = (parts: readonly string[]): string => parts.filter((line) => line !== '').join('\n');

const NAMESPACES = [
  'xmlns:content="http://purl.org/rss/1.0/modules/content/"',
  'xmlns:dc="http://purl.org/dc/elements/1.1/"',
  'xmlns:atom="http://www.w3.org/2005/Atom"',
  'xmlns:sy="http://purl.org/rss/1.0/modules/syndication/"',
].join(' ');

const rssItem = (item: FeedItem): string =>
  lines([
    '<item>',
    element('title', item.title),
    element('link', item.url),
    inCdata('dc:creator', item.author === undefined ? null : { text: item.author }),
    element('pubDate', rssDate(item.date)),
    ...item.categories.map((name) => element('category', name)),
    element('guid', item.guid, ' isPermaLink="false"'),
    inCdata('description', item.summary),
    inCdata('content:encoded', item.content),
    '</item>',
  ]);

const RSS2: FeedFormat = {
  type: 'application/rss+xml',
  write: (channel) =>
    lines([
      '<?xml version="1.0" encoding="UTF-8"?>',
      `<rss version="2.0" ${NAMESPACES}>`,
      '<channel>',
      element('title', channel.title),
      `<atom:link href="${xmlText(channel.url)}" rel="self" type="application/rss+xml" />`,
      element('link', channel.page),
      `<description>${xmlText(channel.description)}</description>`,
      element('lastBuildDate', rssDate(channel.modified)),
      element('language', channel.isOfComments ? '' : channel.language),
      element('sy:updatePeriod', 'hourly'),
      element('sy:updateFrequency', '1'),
      element('generator', programUrl(channel)),
      ...channel.items.map(rssItem),
      '</channel>',
      '</rss>',
    ]),
};

/** `2026-08-01T17:30:00Z`. Atom requires a date even if none is known. */
const atomDate = (utc: string): string => (rssDate(utc) === '' ? '1970-01-01T00:00:00Z' : `${utc.replace(' ', 'T')}Z`);

const atomLink = (rel: string, type: string, url: string): string => `<link rel="${rel}" type="${type}" href="${xmlText(url)}" />`;

const atomEntry = (item: FeedItem, { page }: Channel): string =>
  lines([
    '<entry>',
    item.author === undefined ? '' : `<author>${element('name', item.author)}</author>`,
    `<title type="text">${xmlText(item.title)}</title>`,
    atomLink('alternate', 'text/html', item.url),
    element('id', item.guid),
    element('updated', atomDate(item.modified)),
    element('published', atomDate(item.date)),
    ...item.categories.map((name) => `<category scheme="${xmlText(page)}" term="${xmlText(name)}" />`),
    inCdata('summary', item.summary, ' type="html"'),
    inCdata('content', item.content, ' type="html"'),
    '</entry>',
  ]);

const ATOM: FeedFormat = {
  type: 'application/atom+xml',
  write: (channel) =>
    lines([
      '<?xml version="1.0" encoding="UTF-8"?>',
      `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${xmlText(channel.language)}">`,
      `<title type="text">${xmlText(channel.title)}</title>`,
      `<subtitle type="text">${xmlText(channel.description)}</subtitle>`,
      element('updated', atomDate(channel.modified)),
      atomLink('alternate', 'text/html', channel.page),
      element('id', channel.url),
      atomLink('self', 'application/atom+xml', channel.url),
      `<generator uri="https://wordpress.org/" version="${xmlText(channel.release)}">WordPress</generator>`,
      // Atom: the feed needs an author if an entry has none.
      channel.items.every(({ author }) => author !== undefined) ? '' : `<author>${element('name', channel.title)}</author>`,
      ...channel.items.map((item) => atomEntry(item, channel)),
      '</feed>',
    ]),
};

const RDF_NAMESPACES = [
  'xmlns="http://purl.org/rss/1.0/"',
  'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"',
  'xmlns:dc="http://purl.org/dc/elements/1.1/"',
  'xmlns:sy="http://purl.org/rss/1.0/modules/syndication/"',
  'xmlns:admin="http://webns.net/mvcb/"',
  'xmlns:content="http://purl.org/rss/1.0/modules/content/"',
].join(' ');

const rdfItem = (item: FeedItem): string =>
  lines([
    `<item rdf:about="${xmlText(item.url)}">`,
    `<title>${xmlText(item.title)}</title>`,
    element('link', item.url),
    inCdata('dc:creator', item.author === undefined ? null : { text: item.author }),
    element('dc:date', atomDate(item.date)),
    ...item.categories.map((name) => inCdata('dc:subject', { text: name })),
    inCdata('description', item.summary),
    inCdata('content:encoded', item.content),
    '</item>',
  ]);

/** RSS 1.0. */
const RDF: FeedFormat = {
  type: 'application/rdf+xml',
  write: (channel) =>
    lines([
      '<?xml version="1.0" encoding="UTF-8"?>',
      `<rdf:RDF ${RDF_NAMESPACES}>`,
      `<channel rdf:about="${xmlText(channel.page)}">`,
      `<title>${xmlText(channel.title)}</title>`,
      element('link', channel.page),
      `<description>${xmlText(channel.description)}</description>`,
      element('dc:date', atomDate(channel.modified)),
      element('sy:updatePeriod', 'hourly'),
      element('sy:updateFrequency', '1'),
      element('sy:updateBase', '2000-01-01T12:00+00:00'),
      `<admin:generatorAgent rdf:resource="${xmlText(programUrl(channel))}" />`,
      `<items><rdf:Seq>${channel.items.map(({ url }) => `<rdf:li rdf:resource="${xmlText(url)}"/>`).join('')}</rdf:Seq></items>`,
      '</channel>',
      ...channel.items.map(rdfItem),
      '</rdf:RDF>',
    ]),
};

export const FEED_FORMATS = { rss2: RSS2, atom: ATOM, rdf: RDF };

export type FeedFormatName = keyof typeof FEED_FORMATS;
