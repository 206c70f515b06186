import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { lookup } from '../../base/values/records.js';
import { quirksOf } from '../../plugins/quirks.js';
import { calendarDocument } from '../../plugins/the-events-calendar/calendar-v1/index.js';
import { CALENDAR_V1 } from '../../plugins/the-events-calendar/model/index.js';
import { describedIn, findLanguage, type Language } from '../../base/locales/index.js';
import { colors } from '../../wordpress/pages/assets.js';
import { QaFile, json, qaError, get, type QaRequest, type QaRoute } from '../tenant/api/route.js';
import type { QaHost } from './host.js';
import type { Tenant } from '../tenant/tenant.js';
import { restDocument } from './rest-document.js';
import { routesFor } from '../../wordpress/rest/table.js';
import type { Args, CallContext, Json } from '../../wordpress/rest/route.js';
import type { Site } from '../../wordpress/site.js';

/** The folder of the pages. The build copies it next to the compiled code. */
const FOLDER = fileURLToPath(new URL('ui/', import.meta.url));

const TYPES: Record<string, string> = lookup({
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
});

/** Allows only scripts and styles from this server. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Paths of third-party files in the installed packages. The build copies them to the folder of the pages. */
const PACKAGED: Readonly<Record<string, { manifest: string; file: string }>> = {
  'htm.js': { manifest: 'htm/package.json', file: 'preact/standalone.module.js' },
  'htm.LICENSE.txt': { manifest: 'htm/package.json', file: 'LICENSE' },
};

/** Reads a file of the pages: from the build, or from the installed package if the sources run directly. */
async function readAsset(name: string): Promise<Buffer | null> {
  const packaged = Object.hasOwn(PACKAGED, name) ? PACKAGED[name] : null;
  if (!packaged && !/^(?:(?:styles|rules|explorer|content)\/)?[\w-]+\.(?:css|js)$/.test(name)) return null;
  try {
    return await readFile(path.join(FOLDER, name));
  } catch {
    if (!packaged) return null;
    return readFile(path.join(path.dirname(createRequire(import.meta.url).resolve(packaged.manifest)), packaged.file));
  }
}

async function asset(name: string): Promise<QaFile> {
  if (name === 'colors.css') return new QaFile(Buffer.from(colors()), TYPES['.css'], { 'Cache-Control': 'no-cache' });
  const content = await readAsset(name);
  if (content === null) throw qaError('no_file', `File ${JSON.stringify(name)} does not exist.`, 404);
  return new QaFile(content, TYPES[path.extname(name)], { 'Cache-Control': 'no-cache' });
}

/** A page. Redirects URLs with a trailing slash, since the page has relative links. */
const page =
  (name: string, file: string) =>
  async (_params: unknown, { path: requested }: QaRequest): Promise<QaFile> => {
    if (requested.endsWith('/')) return new QaFile('', TYPES['.html'], { Location: `../${name}` }, 302);
    const content = await readFile(path.join(FOLDER, file));
    return new QaFile(content, TYPES['.html'], { 'Content-Security-Policy': POLICY, 'Referrer-Policy': 'no-referrer' });
  };

/** The language of descriptions. */
const LANGUAGE = {
  _locale: {
    type: 'string',
    description: "Language of the descriptions, such as `de` or `pt_BR`. Default: the site's language.",
    validate: (value) => typeof value === 'string' && findLanguage(value) !== null,
  },
} satisfies Args;

const DOCUMENT = {
  ...LANGUAGE,
  namespace: { type: 'string', description: 'Namespace to describe, such as `wp/v2`, or `all`. Default: the calendar.' },
} satisfies Args;

/** The requested language, else the site's. */
const languageOf = (site: Site, wanted: string | undefined): Language =>
  (wanted === undefined ? null : findLanguage(wanted)) ?? site.language;

const calendarOf = (site: Site, servers: readonly string[]): Record<string, Json> => calendarDocument(quirksOf('standard'), servers, site);

/** The document of a namespace, or of all. */
function siteDocument(call: CallContext, wanted: string, { namespaces, table }: Pick<QaHost, 'namespaces' | 'table'>): Json {
  const listed = routesFor(call, table).filter(({ namespace, route }) => namespace !== '' && route.path !== `/${namespace}`);
  const routes = wanted === 'all' ? listed : listed.filter(({ namespace }) => namespace === wanted);
  if (routes.length === 0) {
    const known = [...new Set(listed.map(({ namespace }) => namespace))];
    throw qaError('no_namespace', `Namespace ${JSON.stringify(wanted)} does not exist. There are ${known.join(', ')}, and all.`, 404);
  }
  // The plugin's name comes first, the others are Understudy's.
  const names = [CALENDAR_V1, ...namespaces.filter((name) => name !== CALENDAR_V1)];
  return restDocument({ ...call, routes, server: '../wp-json', calendar: { names, document: calendarOf(call.site, []) } });
}

/** The control page, the API explorer, their files, and the OpenAPI documents. */
export const uiRoutes = ({ site }: Tenant, { namespaces, table }: QaHost): QaRoute[] => [
  get('/__qa/openapi.json', {
    summary:
      'Get an OpenAPI document. The calendar is described with authentication, independent of the profile, the other namespaces from their routes.',
    args: DOCUMENT,
    handler: ({ _locale, namespace }, request) => {
      const language = languageOf(site, _locale);
      // Relative URLs, so that requests go to the same server and sandbox.
      const servers = namespaces.map((name) => `../wp-json/${name}`);
      if (namespace === undefined) return json(describedIn(language, calendarOf(site, servers)));
      const document = siteDocument({ site, request }, namespace, { namespaces, table });
      return new QaFile(JSON.stringify(describedIn(language, document)), 'application/json; charset=utf-8');
    },
  }),
  get('/__qa/ui', {
    summary: 'Get the web page that controls the server',
    // The address contains the filters of the journal.
    open: true,
    isPublic: true,
    handler: page('ui', 'index.html'),
  }),
  get('/__qa/explorer', {
    summary: 'Get the web page that explores the API of the calendar',
    isPublic: true,
    handler: page('explorer', 'explorer.html'),
  }),
  get('/__qa/ui/(?P<file>(?:(?:styles|rules|explorer|content)/)?[\\w.-]+)', {
    summary: 'Get a file of the web pages',
    args: { file: { type: 'string', required: true, description: 'Name of the file.' } },
    isPublic: true,
    handler: ({ file }) => asset(file),
  }),
];
