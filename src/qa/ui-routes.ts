import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { calendarDocument } from '../calendar-v1/index.js';
import { describedIn, findLanguage, type Language } from '../locales/index.js';
import { colours } from '../pages/assets.js';
import { QaFile, endpoint, json, qaError, type QaRequest, type QaRoute } from './route.js';
import type { QaHost } from './host.js';
import type { Tenant } from './tenant.js';
import type { Args } from '../rest/route.js';
import type { Site } from '../wp/site.js';

/** The folder of the explorer page. The build copies it next to the compiled code. */
const FOLDER = fileURLToPath(new URL('ui/', import.meta.url));

/** The files of Swagger UI that are served. */
const SWAGGER: ReadonlySet<string> = new Set([
  'swagger-ui-bundle.js',
  'swagger-ui.css',
  'LICENSE',
  'NOTICE',
  'swagger-ui-bundle.js.LICENSE.txt',
]);

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '': 'text/plain; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
};

/** Allows only scripts and styles from this server. Swagger UI sets inline styles by script, which the policy permits. */
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

/** Reads a file from the build, or from the installed package if the sources run directly. */
async function swaggerFile(name: string): Promise<Buffer> {
  try {
    return await readFile(path.join(FOLDER, 'swagger', name));
  } catch {
    const manifest = createRequire(import.meta.url).resolve('swagger-ui-dist/package.json');
    return readFile(path.join(path.dirname(manifest), name));
  }
}

async function asset(name: string): Promise<QaFile> {
  if (name === 'colours.css') return new QaFile(Buffer.from(colours()), TYPES['.css'], { 'Cache-Control': 'no-cache' });
  const [, inPackage] = /^swagger\/(.+)$/.exec(name) ?? [];
  const isKnown = inPackage === undefined ? /^[\w-]+\.(?:css|js)$/.test(name) : SWAGGER.has(inPackage);
  const content = isKnown
    ? await (inPackage === undefined ? readFile(path.join(FOLDER, name)) : swaggerFile(inPackage)).catch(() => null)
    : null;
  if (content === null) throw qaError('no_file', `File ${JSON.stringify(name)} does not exist.`, 404);
  return new QaFile(content, TYPES[path.extname(name)], { 'Cache-Control': 'no-cache' });
}

/** Redirects URLs with a trailing slash, since the page has relative links. */
async function page({ path: requested }: QaRequest): Promise<QaFile> {
  if (requested.endsWith('/')) return new QaFile('', TYPES['.html'], { Location: '../ui' }, 302);
  const content = await readFile(path.join(FOLDER, 'explorer.html'));
  return new QaFile(content, TYPES['.html'], { 'Content-Security-Policy': POLICY, 'Referrer-Policy': 'no-referrer' });
}

/** The language of descriptions. */
const LANGUAGE = {
  _locale: {
    type: 'string',
    description: 'Language of the descriptions, such as `de` or `pt_BR`. Default: that of the site.',
    validate: (value) => typeof value === 'string' && findLanguage(value) !== null,
  },
} satisfies Args;

/** The requested language, else that of the site. */
const languageOf = (site: Site, wanted: string | undefined): Language =>
  (wanted === undefined ? null : findLanguage(wanted)) ?? site.language;

/** The explorer page, its files, and the OpenAPI document of the calendar. */
export const uiRoutes = ({ site }: Tenant, { namespaces }: QaHost): QaRoute[] => [
  {
    path: '/__qa/openapi.json',
    endpoints: [
      endpoint({
        methods: ['GET'],
        summary: 'Returns the OpenAPI document of the calendar with authentication, independent of the profile.',
        args: LANGUAGE,
        // Relative URLs, so that requests go to the same server and sandbox.
        handler: ({ _locale }) =>
          json(
            describedIn(
              languageOf(site, _locale),
              calendarDocument(
                namespaces.map((name) => `../wp-json/${name}`),
                site,
              ),
            ),
          ),
      }),
    ],
  },
  {
    path: '/__qa/ui',
    endpoints: [
      {
        methods: ['GET'],
        summary: 'Returns a web page for controlling the server and trying its API.',
        args: {},
        isPublic: true,
        handler: page,
      },
    ],
  },
  {
    path: '/__qa/ui/(?P<file>(?:swagger/)?[\\w.-]+)',
    endpoints: [
      endpoint({
        methods: ['GET'],
        summary: 'Returns a file of that page.',
        args: { file: { type: 'string', required: true, description: 'Name of the file.' } },
        isPublic: true,
        handler: ({ file }) => asset(file),
      }),
    ],
  },
];
