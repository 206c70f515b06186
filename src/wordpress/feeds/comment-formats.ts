import * as formats from './post-formats.js';

/** A comment in a feed. */
export interface CommentItem {
  title: string;
  url: string;
  guid: string;
  /** UTC, `YYYY-MM-DD HH:MM:SS`. */
  date: string;
  author: { name: string; url: string };
  /** Its text as text, and as HTML. */
  summary: string;
  content: string;
  /** Target of the reply: a comment, or the post. */
  repliesTo: { guid: string; url: string };
  /** Whether its post is protected, whose comments are hidden. */
  isHidden: boolean;
}

/** A feed of comments: of a post, or of the whole site. */
export interface CommentChannel extends formats.Channel<CommentItem> {
  /** The post; null for the whole site. */
  of: {
    /** The page that RSS links to. WP: the site, if the post is a page. */
    link: string;
    /** URL of the post; empty if there is none. */
    url: string;
    count: number;
  } | null;
}

const rssItem = (item: CommentItem): string =>
  formats.lines([
    '\t<item>',
    `\t\t<title>\n\t\t${item.title}\t\t</title>`,
    `\t\t<link>${formats.link(item.url)}</link>`,
    `\t\t<dc:creator>${formats.cdata(item.author.name)}</dc:creator>`,
    `\t\t<pubDate>${formats.rssDate(item.date)}</pubDate>`,
    `\t\t<guid isPermaLink="false">${item.guid}</guid>`,
    `\t\t<description>${item.isHidden ? item.summary : formats.cdata(item.summary)}</description>`,
    `\t\t<content:encoded>${formats.cdata(item.content)}</content:encoded>`,
    '\t</item>',
  ]);

const RSS2: formats.FeedFormat<CommentChannel> = {
  type: formats.RSS_TYPE,
  write: ({ title, description, home, self, modified, release, items, of }) =>
    formats.lines([
      `${formats.XML}<rss version="2.0"${formats.namespaces('content', 'dc', 'atom', 'sy')}\n>`,
      '<channel>',
      `\t<title>\n\t${title}\t</title>`,
      `\t<atom:link href="${formats.link(self)}" rel="self" type="${formats.RSS_TYPE}" />`,
      `\t<link>${formats.link(of?.link ?? home)}</link>`,
      `\t<description>${description}</description>`,
      `\t<lastBuildDate>${formats.rssDate(modified)}</lastBuildDate>`,
      formats.UPDATES,
      formats.rssProgram(release),
      ...items.map(rssItem),
      '</channel>',
      '</rss>',
    ]),
};

const atomEntry = (item: CommentItem): string =>
  formats.lines([
    '\t<entry>',
    `\t\t<title>\n\t\t${item.title}\t\t</title>`,
    `\t\t<link rel="alternate" href="${formats.link(item.url)}" type="text/html" />`,
    '\t\t<author>',
    `\t\t\t<name>${formats.attribute(item.author.name)}</name>`,
    item.author.url === '' ? null : `\t\t\t<uri>${formats.link(item.author.url)}</uri>`,
    '\t\t</author>',
    `\t\t<id>${item.guid}</id>`,
    `\t\t<updated>${formats.isoDate(item.date)}</updated>`,
    `\t\t<published>${formats.isoDate(item.date)}</published>`,
    `\t\t<content type="html" xml:base="${formats.link(item.url)}">${formats.cdata(item.content)}</content>`,
    `\t\t<thr:in-reply-to ref="${item.repliesTo.guid}" href="${formats.link(item.repliesTo.url)}" type="text/html" />`,
    '\t</entry>',
  ]);

const ATOM: formats.FeedFormat<CommentChannel> = {
  type: formats.ATOM_TYPE,
  write: ({ title, description, home, language, modified, release, items, of }) => {
    const own = of?.url === '' ? '' : formats.link(`${of ? of.url : `${home}/comments/`}feed/atom/`);
    const page = of ? `${formats.link(of.url)}#${of.count === 0 ? 'respond' : 'comments'}` : formats.link(home);
    return formats.lines([
      // WP: with a space before its end.
      `${formats.XML.replace('?>', ' ?>')}<feed\n\txmlns="http://www.w3.org/2005/Atom"\n\txml:lang="${formats.attribute(language)}"${formats.namespaces('thr')}\n>`,
      `\t<title type="text">\n\t${title}\t</title>`,
      `\t<subtitle type="text">${description}</subtitle>`,
      `\t<updated>${formats.isoDate(modified)}</updated>`,
      `\t<link rel="alternate" type="text/html" href="${page}" />`,
      `\t<link rel="self" type="${formats.ATOM_TYPE}" href="${own}" />`,
      `\t<id>${own}</id>`,
      formats.atomProgram(release),
      ...items.map(atomEntry),
      '</feed>',
    ]);
  },
};

/** The formats of feeds of comments. WP: RSS 1.0 has none. */
export const COMMENT_FORMATS = { rss2: RSS2, atom: ATOM };
