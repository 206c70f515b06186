import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { apiOf, type Login, type Refusal } from '../../support/api.js';
import { Browser } from '../../support/browser.js';
import { startTestServer } from '../../support/server.js';
import { TICKETS_WORLD } from '../../support/tickets.js';

/*
 * Permissions for every method of every route in the index, with all plugins, by role, and with invalid credentials. The tables in SECURITY.md are
 * generated from it: `UNDERSTUDY_WRITE=1 npm run test:more -- test/endpoints/users/access.more.test.ts`.
 */

const SECURITY = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../../SECURITY.md');
const [BEGIN, END] = ['<!-- access: written by test/endpoints/users/access.more.test.ts -->', '<!-- end of access -->'];

const server = startTestServer({ dataset: TICKETS_WORLD, profile: 'standard', signInAttempts: 100_000 });
const { call } = apiOf(server);

/** Each role has all capabilities of the one before it. */
const ROLES = ['everyone', 'subscriber', 'contributor', 'author', 'editor', 'administrator'] as const;
type Role = (typeof ROLES)[number];
const loginOf = (role: Role): Login | undefined => (role === 'everyone' ? undefined : role === 'administrator' ? 'admin' : role);

/**
 * Writes that everyone may send: the parts of a batch are authorized separately, and the others change nothing. Tickets need a nonce of a
 * page; the cart is empty; coupons and gateways of payments are only declared.
 */
const OPEN_WRITES =
  /^\/(?:batch\/v1|tribe\/views\/v2\/html|tribe\/event-aggregator\/v1\/import\/.*|tribe\/tickets\/v1\/(?:tickets(?:\/[^/]+)?|cart|coupons\/\w+|commerce\/\w+\/(?:order|webhooks?|on-boarding)(?:\/.*)?))$/;

/** The alias has the same routes. */
const isAlias = (route: string): boolean => route.startsWith('/tribe/events/v1');

interface Route {
  route: string;
  /** The route with ids of the administrator's items. */
  path: string;
  methods: string[];
  /** Whether the server has more of it than its entry in the index. */
  isBuilt: boolean;
}

/** Items of lists that do not create any, or name them otherwise. */
const EXISTING = new Map([
  ['/wp/v2/statuses', 'publish'],
  ['/wp/v2/block-renderer', 'core/archives'],
  ['/tribe/tickets/v1/tickets', '301'],
]);

const CAPTURE = /\(\?P<(\w+)>(?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/g;

/** Creates an item of a list as administrator. @returns its members, or none if items cannot be created */
async function newItem(list: string): Promise<Record<string, unknown>> {
  const fields = {
    ...{ title: 'New', name: 'New', status: 'publish', content: 'New', venue: 'New', organizer: 'New', url: 'https://example.org/' },
    ...{ start_date: '2026-07-01 10:00', end_date: '2026-07-01 11:00', post: 1 },
    ...{ ticket_id: 301, full_name: 'New', email: 'new@example.org', event: 52, price: 1, meta: { _tribe_rsvp_for_event: '52' } },
  };
  const { status, body } = await call<Record<string, unknown>>('POST', list, { as: 'admin', body: fields });
  if (status < 300) return body;
  const listed = await call<unknown>('GET', `${list}?per_page=1`, { as: 'admin' });
  return Array.isArray(listed.body) ? ((listed.body[0] ?? {}) as Record<string, unknown>) : {};
}

let routes: Route[] = [];
let namespaces: string[] = [];
beforeAll(async () => {
  const { body } = await call<{ namespaces: string[]; routes: Record<string, { methods: string[] }> }>('GET', '/');
  ({ namespaces } = body);
  const items = new Map<string, Record<string, unknown>>();
  for (const [route, { methods }] of Object.entries(body.routes)) {
    const [list] = route.split('/(?P<');
    const isItem = route.includes('(?P<');
    if (isItem && !items.has(list)) items.set(list, await newItem(list));
    const item = items.get(list) ?? {};
    const own = (_: string, name: string): string => {
      if (EXISTING.has(list)) return EXISTING.get(list)!;
      const value = name === 'parent' || name === 'user_id' ? undefined : item[name];
      return typeof value === 'string' || typeof value === 'number' ? String(value) : String(Number(item['id'] ?? 1));
    };
    // WP: comments belong to a post, also in the requests that ask for permissions.
    const query = route === '/wp/v2/comments' ? `?post=${Number(items.get('/wp/v2/posts')?.['id'])}` : '';
    const at = `${route.replace(CAPTURE, own)}${query}`;
    const method = methods.includes('GET') ? 'GET' : methods[0];
    routes.push({ route, path: at, methods, isBuilt: (await call(method, at, { as: 'admin' })).status !== 501 });
  }
}, 60_000);

const isRead = (method: string): boolean => method === 'GET';

/** The methods that a caller may use: what `Allow` lists, but reads only by their response, unless something else is wrong with them. */
async function allowed({ path: at, methods }: Route, role: Role): Promise<Set<string>> {
  const as = loginOf(role);
  const { headers } = await call('OPTIONS', at, { as });
  const listed = new Set((headers.get('allow') ?? '').split(', ').filter(Boolean));
  const status = methods.includes('GET') ? (await call('GET', at, { as })).status : 0;
  if (status === 200) listed.add('GET');
  if (status === 401 || status === 403) listed.delete('GET');
  return listed;
}

/** The lowest role that may read and write; null: nobody. */
interface Least {
  read: Role | null;
  write: Role | null;
}

const measured = new Map<Route, Map<Role, Set<string>>>();
beforeAll(async () => {
  for (const route of routes) {
    const byRole = new Map<Role, Set<string>>();
    for (const role of ROLES) byRole.set(role, await allowed(route, role));
    measured.set(route, byRole);
  }
}, 120_000);

test('every role may do what the one below it may', () => {
  const lost = [...measured].flatMap(([{ route }, byRole]) =>
    ROLES.slice(1).flatMap((role, i) =>
      [...byRole.get(ROLES[i])!].filter((method) => !byRole.get(role)!.has(method)).map((method) => `${role}: ${method} ${route}`),
    ),
  );
  expect(lost).toEqual([]);
  expect(routes.length).toBeGreaterThan(150);
});

test('a method that is not allowed is refused to each role, and changes nothing', async () => {
  const revision = server().site.store.state.revisionOf();
  const accepted: string[] = [];
  let sent = 0;
  for (const [{ route, path: at, methods }, byRole] of measured)
    for (const role of ROLES)
      for (const method of methods.filter((each) => !byRole.get(role)!.has(each))) {
        const { status } = await call(method, at, {
          as: loginOf(role),
          body: isRead(method) ? undefined : { title: 'Mine', name: 'Mine' },
        });
        sent += 1;
        if (status < 400) accepted.push(`${role}: ${status} ${method} ${route}`);
      }
  expect(accepted).toEqual([]);
  expect(server().site.store.state.revisionOf()).toBe(revision);
  expect(sent).toBeGreaterThan(1000);
}, 120_000);

test('what belongs to the administrator is not changed by contributors, whatever `Allow` says', async () => {
  const items = routes.filter(({ route }) => /\/\(\?P<(?:id|slug)>[^/]*\)$/.test(route) && !route.includes('/users/'));
  expect(items.length).toBeGreaterThan(20);
  const changed: string[] = [];
  for (const { path: at, methods } of items)
    for (const method of methods.filter((each) => !isRead(each))) {
      const { status } = await call(method, `${at}${method === 'DELETE' ? '?force=true' : ''}`, {
        as: 'contributor',
        body: { title: 'Mine', name: 'Mine' },
      });
      if (status < 400) changed.push(`${method} ${at}`);
    }
  expect(changed).toEqual([]);
});

test('nobody writes without signing in, and subscribers write nothing but their own profile', () => {
  const open = [...measured].flatMap(([{ route }, byRole]) =>
    (['everyone', 'subscriber'] as const).flatMap((role) =>
      [...byRole.get(role)!].some((method) => !isRead(method)) ? [`${role} ${route}`] : [],
    ),
  );
  expect(open.filter((each) => !OPEN_WRITES.test(each.split(' ')[1]))).toEqual([
    'subscriber /wp/v2/users/me',
    'subscriber /wp/v2/comments',
  ]);
});

const statusOf = async (method: string, at: string, headers: Record<string, string>): Promise<string> => {
  const { status, body } = await call<Refusal | null>(method, at, { headers });
  return status < 400 ? String(status) : `${status} ${body?.code}`;
};

/** Calls each method of each route with the headers. @returns the requests by outcome */
async function outcomes(headers: Record<string, string>): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const { path: at, methods } of routes)
    for (const method of methods) {
      const outcome = await statusOf(method, at, headers);
      found.set(outcome, [...(found.get(outcome) ?? []), `${method} ${at}`]);
    }
  return found;
}

describe('credentials that are none', () => {
  const basic = (text: string): Record<string, string> => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });
  const before = (): string => server().site.store.state.revisionOf();

  test('a wrong password is 401 at every route, and changes nothing', async () => {
    const revision = before();
    expect([...(await outcomes(basic('admin:wrong'))).keys()]).toEqual(['401 incorrect_password']);
    expect(before()).toBe(revision);
  }, 60_000);

  test('an expired nonce is 403 at every route, and changes nothing', async () => {
    const client = new Browser(server);
    await client.logIn('admin');
    const nonce = await client.nonce();
    const cookie = [...client.jar].map(([key, { value }]) => `${key.split(' ')[0]}=${value}`).join('; ');
    const now = server().site.clock.now();
    server().setClock(now + 25 * 3_600_000);
    const revision = before();
    expect([...(await outcomes({ cookie, 'x-wp-nonce': nonce })).keys()]).toEqual(['403 rest_cookie_invalid_nonce']);
    expect(before()).toBe(revision);
    server().setClock(now);
  }, 60_000);

  test('a page of another site has the rights of everyone, whatever cookies the browser sends', async () => {
    const client = new Browser(server);
    await client.logIn('admin');
    const cookie = [...client.jar].map(([key, { value }]) => `${key.split(' ')[0]}=${value}`).join('; ');
    const foreign = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' };
    const revision = before();
    const [asEveryone, withCookie] = [await outcomes(foreign), await outcomes({ ...foreign, cookie })];
    expect(Object.fromEntries(withCookie)).toEqual(Object.fromEntries(asEveryone));
    // Only reads, and writes that change nothing, succeed.
    const writes = [...withCookie].flatMap(([outcome, requests]) =>
      outcome.startsWith('2') ? requests.filter((each) => !each.startsWith('GET')) : [],
    );
    expect(writes.filter((each) => !OPEN_WRITES.test(each.split(' ')[1]))).toEqual([]);
    expect(before()).toBe(revision);
  }, 60_000);
});

/** The route in readable form, such as `wp/v2/posts/{id}`. */
const shown = (route: string): string => `\`${route.slice(1).replace(CAPTURE, '{$1}')}\``;

function leastOf(byRole: Map<Role, Set<string>>): Least {
  const least = (isWanted: (method: string) => boolean): Role | null => ROLES.find((role) => [...byRole.get(role)!].some(isWanted)) ?? null;
  return { read: least(isRead), write: least((method) => !isRead(method)) };
}

/** For each namespace, the routes that some role may write, or that not everyone may read. Routes that are only listed show and change nothing. */
function tables(): string {
  const rows = new Map<string, string[]>();
  for (const [{ route, methods, isBuilt }, byRole] of measured) {
    const { read, write } = leastOf(byRole);
    if (!isBuilt || isAlias(route) || (read === null && write === null) || (read === 'everyone' && write === null)) continue;
    const namespace = namespaces.find((each) => route.startsWith(`/${each}/`)) ?? '';
    const cells = [
      shown(route.slice(namespace === '' ? 0 : namespace.length + 1)),
      read ?? (methods.some(isRead) ? 'nobody' : '–'),
      write ?? (methods.every(isRead) ? '–' : 'nobody'),
    ];
    rows.set(namespace, [...(rows.get(namespace) ?? []), `| ${cells.join(' | ')} |`]);
  }
  return [...rows]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([name, all]) =>
      [name === '' ? '### No namespace' : `### \`${name}\``, '', '| Route | Read | Write |', '| --- | --- | --- |', ...all.toSorted()].join(
        '\n',
      ),
    )
    .join('\n\n');
}

test('SECURITY.md has the table', async () => {
  const text = await readFile(SECURITY, 'utf8');
  const plain = (part: string): string => part.replace(/ +/g, ' ').replace(/-{3,}/g, '---').trim();
  const [head, rest = ''] = text.split(BEGIN);
  const [was = '', tail = ''] = rest.split(END);
  if (process.env['UNDERSTUDY_WRITE'] !== undefined) await writeFile(SECURITY, `${head}${BEGIN}\n\n${tables()}\n\n${END}${tail}`);
  else expect(plain(was)).toBe(plain(tables()));
});
