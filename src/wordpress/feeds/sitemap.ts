import type { PageResponse } from '../rest/request.js';
import { apiHeaders, type Reading } from '../views/reading.js';
import { authorUrl } from '../links.js';
import { xmlText } from '../formatting/xml.js';
import { ATTACHMENT, PAGE, POST, type Post } from '../model.js';
import { permalink } from '../posts/permalinks.js';
import { countPosts, listFields, pagesAbove } from '../posts/posts.js';
import type { PostQuery } from '../query/post-query.js';
import type { TermQuery } from '../query/term-query.js';
import { termUrl, countTerms, listTerms, withAncestors } from '../terms/terms.js';
import type { Site } from '../site.js';
import { isoWithOffset, utcToSite } from '../timezones.js';
import { lookup } from '../../base/values/records.js';
import { escapeText } from '../views/html.js';
import { pageTexts } from '../../base/locales/index.js';

/** Stylesheets with which browsers show sitemaps as pages. */

const COLORS =
  'body{font:16px/1.5 system-ui,sans-serif;margin:2rem;color-scheme:light dark}td,th{padding:.25rem 1rem .25rem 0;text-align:left}';

/** @param root, item the elements of the sitemap */
function stylesheet(root: string, item: string, site: Site): string {
  const { sitemap, address, lastModified } = pageTexts(site.language);
  const title = escapeText(`${sitemap} – ${new URL(site.url).host}`);
  const [place, time] = [address, lastModified].map(escapeText);
  return `<?xml version="1.0" encoding="UTF-8"?>
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9" exclude-result-prefixes="s">
  <xsl:output method="html" encoding="UTF-8" indent="yes"/>
  <xsl:template match="/">
    <html lang="${site.language}">
      <head>
        <title>${title}</title>
        <style>${COLORS}</style>
      </head>
      <body>
        <h1>${title}</h1>
        <table>
          <tr>
            <th>${place} (<xsl:value-of select="count(s:${root}/s:${item})"/>)</th>
            <xsl:if test="s:${root}/s:${item}/s:lastmod"><th>${time}</th></xsl:if>
          </tr>
          <xsl:for-each select="s:${root}/s:${item}">
            <tr>
              <td><a href="{s:loc}"><xsl:value-of select="s:loc"/></a></td>
              <xsl:if test="s:lastmod"><td><xsl:value-of select="s:lastmod"/></td></xsl:if>
            </tr>
          </xsl:for-each>
        </table>
      </body>
    </html>
  </xsl:template>
</xsl:stylesheet>
`;
}

/** The stylesheets, and the element of a sitemap that each shows. */
const STYLES: Readonly<Record<string, readonly [root: string, item: string]>> = lookup({
  '/wp-sitemap.xsl': ['urlset', 'url'],
  '/wp-sitemap-index.xsl': ['sitemapindex', 'sitemap'],
});

const SITEMAP_HEADERS = { 'Content-Type': 'application/xml; charset=UTF-8', 'X-Content-Type-Options': 'nosniff' };

/** The stylesheet at a path; null if there is none. */
function serveSitemapStyles(site: Site, path: string): PageResponse | null {
  if (!Object.hasOwn(STYLES, path)) return null;
  return { status: 200, headers: SITEMAP_HEADERS, body: stylesheet(...STYLES[path], site) };
}

/** The line of a sitemap that names its stylesheet. @param root element of the sitemap */
function stylesOf(root: string, site: Site): string {
  const path = Object.keys(STYLES).find((each) => STYLES[each][0] === root) ?? '';
  return `<?xml-stylesheet type="text/xsl" href="${escapeText(site.url + path)}" ?>`;
}

/** Entries of one sitemap (WP). */
const SIZE = 2000;

/** A page of the site as a sitemap has it. */
interface Entry {
  url: string;
  /** With its offset from UTC: `2026-03-05T15:15:00-05:00`. */
  modified?: string | undefined;
}

/** A kind of pages, with a sitemap for each two thousand of them. */
interface Kind {
  /** Name in the URL of its sitemaps: `posts-page`. */
  name: string;
  count: () => Promise<number>;
  list: (limit: number, offset: number) => Promise<Entry[]>;
}

const POST_FIELDS = { type: 1, slug: 1, status: 1, parent: 1, modifiedGmt: 1, date: 1, author: 1, terms: 1, fields: 1 };

type Row = Pick<Post, '_id' | 'type' | 'slug' | 'status' | 'parent' | 'modifiedGmt' | 'date' | 'author' | 'terms' | 'fields'>;

/** Time of the last change in site time. WP: derived from the date in UTC. */
const changed = ({ modifiedGmt }: Row, { options: { timezone }, zones }: Site): string =>
  isoWithOffset(zones, utcToSite(zones, modifiedGmt, timezone), timezone);

function kindOfPosts(type: string, site: Site): Kind {
  const query = (limit: number, offset: number): PostQuery => ({
    type,
    statuses: ['publish'],
    ...site.registry.listOfType(type, () => site.nowLocal),
    sort: { by: 'id', descending: false },
    limit,
    offset,
  });
  // WP: the front page is in the sitemap of pages if it shows posts.
  const hasFront = type === PAGE && site.options.front.show_on_front === 'posts';
  return {
    name: `posts-${type}`,
    count: async () => Math.max(hasFront ? 1 : 0, await countPosts(site.store, query(0, 0))),
    list: async (limit, offset) => {
      const rows = await listFields<Row>(site.store, query(limit, offset), POST_FIELDS);
      const known = await pagesAbove(site.store, rows);
      const entries = rows.map((row) => ({
        url: permalink(row, site, false, known),
        modified: changed(row, site),
      }));
      return hasFront && offset === 0 ? [await frontEntry(site), ...entries] : entries;
    },
  };
}

/** The front page, with the date of the latest blog post. */
async function frontEntry(site: Site): Promise<Entry> {
  const latest: PostQuery = { type: POST, statuses: ['publish'], sort: { by: 'modified', descending: true }, limit: 1, offset: 0 };
  const [row] = await listFields<Row>(site.store, latest, POST_FIELDS);
  return { url: `${site.url}/`, modified: row && changed(row, site) };
}

function kindOfTerms(taxonomy: string, site: Site): Kind {
  const query = (limit: number, offset: number): TermQuery => ({
    taxonomy,
    hideEmpty: 'used',
    orderBy: 'id',
    descending: false,
    limit,
    offset,
  });
  return {
    name: `taxonomies-${taxonomy}`,
    count: () => countTerms(site.store, query(0, 0)),
    list: async (limit, offset) => {
      const terms = await listTerms(site.store, query(limit, offset));
      const known = await withAncestors(site.store, terms);
      return terms.map((term) => ({ url: termUrl(term, known, site) }));
    },
  };
}

/** WP: users have a page once they have published something with a page, other than pages. */
function kindOfUsers(types: readonly string[], site: Site): Kind {
  const { store } = site;
  const authors = (): Promise<Map<number, string>> =>
    store.cache.remember('authors in the sitemap', async () => {
      const ids = await store.posts.distinct('author', { status: 'publish', type: { $in: types.filter((type) => type !== PAGE) } });
      const found = store.users.find({ _id: { $in: ids } }, { sort: { login: 1 }, projection: { nicename: 1 } });
      return new Map((await found.toArray()).map(({ _id, nicename }) => [_id, nicename]));
    });
  return {
    name: 'users',
    count: async () => (await authors()).size,
    list: async (limit, offset) =>
      [...(await authors())].slice(offset, offset + limit).map(([_id, nicename]) => ({ url: authorUrl(site, { _id, nicename }) })),
  };
}

/** The kinds of pages of the site, in the order of the index. */
function kindsOf(site: Site): Kind[] {
  const { postTypes, taxonomies } = site.registry;
  const types = postTypes.flatMap(({ name, viewable }) => (viewable && name !== ATTACHMENT ? [name] : []));
  return [
    ...types.map((type) => kindOfPosts(type, site)),
    ...taxonomies.flatMap(({ name, isPublic }) => (isPublic ? [kindOfTerms(name, site)] : [])),
    kindOfUsers(types, site),
  ];
}

const addressOf = ({ name }: Kind, page: number, site: Site): string => `${site.url}/wp-sitemap-${name}-${page}.xml`;

export const sitemapUrl = (site: Site): string => `${site.url}/wp-sitemap.xml`;

const element = (name: string, { url, modified }: Entry): string =>
  `<${name}><loc>${xmlText(url)}</loc>${modified === undefined ? '' : `<lastmod>${modified}</lastmod>`}</${name}>`;

const XMLNS = 'http://www.sitemaps.org/schemas/sitemap/0.9';

function document(root: string, name: string, entries: readonly Entry[], site: Site): PageResponse {
  const elements = entries.map((entry) => element(name, entry)).join('');
  const lines = ['<?xml version="1.0" encoding="UTF-8"?>', stylesOf(root, site), `<${root} xmlns="${XMLNS}">${elements}</${root}>`, ''];
  // WP: sitemaps have no links to the API.
  return { status: 200, headers: SITEMAP_HEADERS, body: lines.join('\n') };
}

async function index(site: Site): Promise<PageResponse> {
  const kinds = kindsOf(site);
  const counts = await Promise.all(kinds.map(({ count }) => count()));
  const entries = kinds.flatMap((kind, place) =>
    Array.from({ length: Math.ceil(counts[place] / SIZE) }, (_, page) => ({ url: addressOf(kind, page + 1, site) })),
  );
  return document('sitemapindex', 'sitemap', entries, site);
}

/** Whether a path is a sitemap of a kind that does not exist. */
export const isOfUnknownKind = (path: string): boolean =>
  /^\/wp-sitemap-(?!(?:posts|taxonomies|users)-)[a-z]+(?:-[a-z\d_-]+)?-\d+\.xml$/.test(path);

/** The sitemap at a path (WP: an index, and one sitemap or more for each kind of pages); null when there is none. */
export async function serveSitemap(site: Site, path: string): Promise<PageResponse | null> {
  if (!site.options.isPublic) return null;
  if (path === '/wp-sitemap.xml') return index(site);
  const styles = serveSitemapStyles(site, path);
  if (styles) return styles;
  const [, name, page] = /^\/wp-sitemap-([\w-]+)-([1-9]\d{0,5})\.xml$/.exec(path) ?? [];
  if (name === undefined) return null;
  const kind = kindsOf(site).find((each) => each.name === name);
  const entries = kind ? await kind.list(SIZE, (Number(page) - 1) * SIZE) : [];
  return entries.length > 0 ? document('urlset', 'url', entries, site) : null;
}

/** The paths that crawlers must not request, and the URL of the sitemap (WP). */
export const serveRobots = (reading: Reading): PageResponse => ({
  status: 200,
  headers: { 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff', ...apiHeaders(null, reading) },
  body: `User-agent: *\nDisallow: ${reading.site.options.coreFolder}/wp-admin/\nAllow: ${reading.site.options.coreFolder}/wp-admin/admin-ajax.php\n${reading.site.options.isPublic ? `\nSitemap: ${sitemapUrl(reading.site)}\n` : ''}`,
});
