import { lookup } from '../../base/values/records.js';
import type { PageResponse } from '../rest/request.js';
import { escapeText } from '../views/html.js';
import { pageTexts } from '../../base/locales/index.js';
import type { Site } from '../site.js';

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

export const SITEMAP_HEADERS = { 'Content-Type': 'application/xml; charset=UTF-8', 'X-Content-Type-Options': 'nosniff' };

/** The stylesheet at a path; null if there is none. */
export function serveSitemapStyles(site: Site, path: string): PageResponse | null {
  if (!Object.hasOwn(STYLES, path)) return null;
  return { status: 200, headers: SITEMAP_HEADERS, body: stylesheet(...STYLES[path], site) };
}

/** The line of a sitemap that names its stylesheet. @param root element of the sitemap */
export function stylesOf(root: string, site: Site): string {
  const path = Object.keys(STYLES).find((each) => STYLES[each][0] === root) ?? '';
  return `<?xml-stylesheet type="text/xsl" href="${escapeText(site.url + path)}" ?>`;
}
