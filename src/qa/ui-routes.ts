import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { calendarDocument } from '../calendar-v1/index.js';
import { describedIn } from '../locales/index.js';
import { colours } from '../pages/assets.js';
import { LANGUAGE, languageOf } from './doc.js';
import { QaFile, endpoint, json, refuse, type QaRequest, type QaRoute } from './route.js';
import type { QaHost } from './host.js';
import type { Tenant } from './tenant.js';

/** The page with its files; the build copies them to where the compiled code is. */
const FOLDER = fileURLToPath(new URL('ui/', import.meta.url));

/** What of the package of Swagger UI is served. */
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

/** Scripts and styles come from here alone; Swagger UI sets styles of single elements by script, which needs no leave. */
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

/** From the build, or from where the packages are installed when the sources run as they are. */
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
  if (content === null) throw refuse('no_file', `There is no file ${JSON.stringify(name)}.`, 404);
  return new QaFile(content, TYPES[path.extname(name)], { 'Cache-Control': 'no-cache' });
}

/** With a slash at its end, what the page names relative to itself would be elsewhere. */
async function page({ path: asked }: QaRequest): Promise<QaFile> {
  if (asked.endsWith('/')) return new QaFile('', TYPES['.html'], { Location: '../ui' }, 302);
  const content = await readFile(path.join(FOLDER, 'explorer.html'));
  return new QaFile(content, TYPES['.html'], { 'Content-Security-Policy': POLICY, 'Referrer-Policy': 'no-referrer' });
}

/** The page for people, its files, and the document that it explores. */
export const uiRoutes = ({ site }: Tenant, { namespaces }: QaHost): QaRoute[] => [
  {
    path: '/__qa/openapi.json',
    endpoints: [
      endpoint({
        methods: ['GET'],
        summary: 'Returns the OpenAPI document of the calendar with authentication, independent of the profile.',
        args: LANGUAGE,
        // Relative, so that the requests of whoever reads it go to the server and the sandbox that it came from.
        handler: ({ _locale }) =>
          json(describedIn(languageOf(site, _locale), calendarDocument(namespaces.map((name) => `../wp-json/${name}`)))),
      }),
    ],
  },
  {
    path: '/__qa/ui',
    endpoints: [
      { methods: ['GET'], summary: 'Returns a web page for controlling the server and trying its API.', args: {}, isOpen: true, handler: page },
    ],
  },
  {
    path: '/__qa/ui/(?P<file>(?:swagger/)?[\\w.-]+)',
    endpoints: [
      endpoint({
        methods: ['GET'],
        summary: 'Returns a file of that page.',
        args: { file: { type: 'string', required: true, description: 'Name of the file.' } },
        isOpen: true,
        handler: ({ file }) => asset(file),
      }),
    ],
  },
];
