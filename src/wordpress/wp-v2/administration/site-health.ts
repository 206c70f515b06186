import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { RestResponse, type CallContext, type Json, type Namespace, type Permission, type Route } from '../../rest/route.js';
import { can } from '../../users/capabilities.js';
import { described, get, resourceSchema, shown } from '../declare.js';

const NAMESPACE = 'wp-site-health/v1';

/** The result of a test: what is shown of it, and whether it is good. */
interface Finding {
  label: string;
  isGood?: false;
  description: string;
}

interface HealthTest {
  badge: 'Performance' | 'Security';
  hasSchema?: false;
  find: (call: CallContext) => Finding;
}

/** WP: the sign-in with which the screen of the administration asks for this test. */
const PROBE = `Basic ${Buffer.from('user:pwd').toString('base64')}`;

function findAuthorization({ request }: CallContext): Finding {
  const { authorization = '' } = request.headers;
  const description = 'Applications sign in with this header.';
  if (!/^basic /i.test(authorization)) return { label: 'The authorization header is missing', isGood: false, description };
  return authorization === PROBE
    ? { label: 'The Authorization header is working as expected', description }
    : { label: 'The authorization header is invalid', isGood: false, description };
}

/** The tests by name, in the order of their routes. */
const TESTS: Readonly<Record<string, HealthTest>> = {
  'background-updates': {
    badge: 'Security',
    find: () => ({ label: 'Background updates are working', description: 'Sites install security releases by themselves.' }),
  },
  'loopback-requests': {
    badge: 'Performance',
    find: () => ({ label: 'Your site can perform loopback requests', description: 'Scheduled events need requests of a site to itself.' }),
  },
  'https-status': {
    badge: 'Security',
    find: ({ site }) => {
      const description = 'HTTPS protects what visitors send.';
      return site.url.startsWith('https:')
        ? { label: 'Your website is using an active HTTPS connection', description }
        : { label: 'Your website does not use HTTPS', isGood: false, description };
    },
  },
  'dotorg-communication': {
    badge: 'Security',
    find: () => ({ label: 'Can communicate with WordPress.org', description: 'Sites look for new releases there.' }),
  },
  'authorization-header': { badge: 'Security', find: findAuthorization },
  'page-cache': {
    badge: 'Performance',
    hasSchema: false,
    find: () => ({
      label: 'Page cache is not detected but the server response time is good',
      isGood: false,
      description: 'A page cache shortens response times.',
    }),
  },
};

const SCHEMA = resourceSchema(
  'wp-site-health-test',
  {
    test: shown('Name of the test.', {}),
    label: shown('Result of the test in a few words.', {}),
    status: shown('Status of the test.', { enum: ['good', 'recommended', 'critical'] }),
    badge: shown('Category of the test.', {
      type: 'object',
      properties: {
        label: { type: 'string', readonly: true },
        color: { type: 'string', enum: ['blue', 'orange', 'red', 'green', 'purple', 'gray'], readonly: true },
      },
    }),
    description: shown('What the test looks for, and why that matters.', {}),
    actions: shown('HTML with a link to where the problem can be solved.', {}),
  },
  {},
);

const isAdministrator: Permission = ({ request: { user } }) => can(user, 'view_site_health_checks');

function present(name: string, { badge, find }: HealthTest, call: CallContext): RestResponse {
  const { label, isGood = true, description } = find(call);
  return new RestResponse({
    label,
    status: isGood ? 'good' : 'recommended',
    badge: { label: badge, color: 'blue' },
    description: `<p>${description}</p>`,
    actions: '',
    test: name.replaceAll('-', '_'),
  });
}

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];

/** WP: a number of bytes in the largest unit, with two digits. */
function sizeText(bytes: number): string {
  const power = bytes === 0 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1);
  return `${(bytes / 1024 ** power).toFixed(2)} ${UNITS[power]}`;
}

const sizeOf = (bytes: number): Record<string, Json> => {
  const size = sizeText(bytes);
  return { size, debug: `${size} (${bytes} bytes)`, ...(bytes === 0 ? {} : { raw: bytes }) };
};

/** The size of the files in a folder; 0 if there is none. */
async function folderSize(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const sizes = await Promise.all(names.map((name) => stat(path.join(folder, name)).catch(() => null)));
  return sizes.reduce((sum, found) => sum + (found?.isFile() ? found.size : 0), 0);
}

/** The sizes of the folders of a site. Only uploads have a folder: the others are empty. */
async function directorySizes({ site }: CallContext): Promise<RestResponse> {
  const uploads = await folderSize(site.uploads);
  const others = ['wordpress_size', 'themes_size', 'plugins_size', 'fonts_size', 'database_size'];
  return new RestResponse({
    raw: 0,
    uploads_size: sizeOf(uploads),
    ...Object.fromEntries(others.map((name) => [name, sizeOf(0)])),
    total_size: sizeOf(uploads),
  });
}

/** Site health: what the administration of a site finds out about its machine (WP: `WP_Site_Health`). */
export const siteHealth = (): Namespace => {
  const tests = Object.entries(TESTS).map(([name, test]): Route => {
    const endpoint = get({}, { permission: isAdministrator, handler: (call) => present(name, test, call) });
    const declared = { path: `/${NAMESPACE}/tests/${name}`, endpoints: [endpoint] };
    return test.hasSchema === false ? declared : described(declared, SCHEMA);
  });
  const sizes: Route = {
    path: `/${NAMESPACE}/directory-sizes`,
    endpoints: [get({}, { permission: isAdministrator, handler: directorySizes })],
  };
  return { name: NAMESPACE, routes: [...tests.slice(0, -1), sizes, ...tests.slice(-1)] };
};
