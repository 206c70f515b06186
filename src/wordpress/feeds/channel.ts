import { escAttr, escHtml, numericReferences, escUrl } from '../formatting/entities.js';
import { stripTags } from '../formatting/strip-tags.js';
import { escapeAmpersands } from '../formatting/title.js';
import { rssDate, xmlCdata } from '../formatting/xml.js';

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
export const RDF_TYPE = 'application/rdf+xml';

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

const SOURCES = {
  content: 'http://purl.org/rss/1.0/modules/content/',
  wfw: 'http://wellformedweb.org/CommentAPI/',
  dc: 'http://purl.org/dc/elements/1.1/',
  atom: 'http://www.w3.org/2005/Atom',
  sy: 'http://purl.org/rss/1.0/modules/syndication/',
  slash: 'http://purl.org/rss/1.0/modules/slash/',
  admin: 'http://webns.net/mvcb/',
  rdf: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
  thr: 'http://purl.org/syndication/thread/1.0',
} as const;

export const namespaces = (...names: (keyof typeof SOURCES)[]): string =>
  names.map((name) => `\n\txmlns:${name}="${SOURCES[name]}"`).join('');

/** How often readers are asked to come back. */
export const UPDATES = `\t<sy:updatePeriod>\n\thourly\t</sy:updatePeriod>\n\t<sy:updateFrequency>\n\t1\t</sy:updateFrequency>`;

/** WP: the program, by which release of it a feed was made. */
export const programUrl = (release: string): string => `https://wordpress.org/?v=${release}`;

export const rssProgram = (release: string): string => `\t<generator>${programUrl(release)}</generator>`;

export const atomProgram = (release: string): string =>
  `\t<generator uri="https://wordpress.org/" version="${attribute(release)}">WordPress</generator>`;
