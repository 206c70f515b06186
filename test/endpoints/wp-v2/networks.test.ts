import { Control } from '../../../src/sdk/testing/control.js';
import { startTestServer } from '../../support/server.js';

/** Sites of a network, from the recorded one: rights, members, and addresses of two sites. */

const user = <Role extends string>(login: string, role: Role, more: object = {}) => ({ login, role, application_password: login, ...more });

const server = startTestServer({
  dataset: {
    site: { settings: { network: true } },
    users: [
      user('owner', 'none', { id: 1, super_admin: true }),
      user('chief', 'administrator', { id: 2 }),
      user('ed', 'editor', { id: 3 }),
      user('member', 'subscriber', { id: 4 }),
      user('stranger', 'none', { id: 5 }),
    ],
    events: [{ id: 20, title: 'Jazz', slug: 'jazz', start: '2026-06-20 20:00', duration: '2h', author: 'chief' }],
  },
});

const call = async (as: string, method: string, path: string, body?: object, sandbox = '') => {
  const response = await fetch(`${server().url}${sandbox}/wp-json${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(as && { authorization: `Basic ${btoa(`${as}:${as}`)}` }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Record<string, unknown> };
};

const code = async (...parts: Parameters<typeof call>): Promise<string> => {
  const { status, body } = await call(...parts);
  return `${status} ${body['code'] === undefined ? '' : JSON.stringify(body['code']).slice(1, -1)}`.trim();
};

test.each<[as: string, method: string, path: string, body: object | undefined, outcome: string]>([
  ['chief', 'GET', '/wp/v2/users/5', undefined, '404 rest_user_invalid_id'],
  ['owner', 'GET', '/wp/v2/users/1', undefined, '404 rest_user_invalid_id'],
  ['owner', 'GET', '/wp/v2/users/4?context=edit', undefined, '200'],
  ['chief', 'GET', '/wp/v2/users/4?context=edit', undefined, '403 rest_forbidden_context'],
  ['stranger', 'GET', '/wp/v2/users/me', undefined, '200'],
  ['stranger', 'GET', '/wp/v2/settings', undefined, '403 rest_forbidden'],
  ['chief', 'GET', '/wp/v2/settings', undefined, '200'],
  ['chief', 'POST', '/wp/v2/users', { username: 'fifi', email: 'f@example.org', password: 'x' }, '403 rest_cannot_create_user'],
  ['chief', 'POST', '/wp/v2/users/4', { name: 'M' }, '403 rest_cannot_edit'],
  ['chief', 'POST', '/wp/v2/users/4', { roles: ['author'], name: 'M' }, '403 rest_cannot_edit'],
  ['chief', 'POST', '/wp/v2/users/4', { roles: ['subscriber'] }, '200'],
  ['chief', 'POST', '/wp/v2/users/2', { name: 'Chief' }, '200'],
  ['owner', 'POST', '/wp/v2/users/4', { name: 'M' }, '200'],
  ['chief', 'DELETE', '/wp/v2/users/4?force=true&reassign=2', undefined, '403 rest_user_cannot_delete'],
  ['owner', 'DELETE', '/wp/v2/users/4?force=true&reassign=2', undefined, '501 rest_cannot_delete'],
  ['chief', 'GET', '/wp/v2/plugins', undefined, '403 rest_cannot_view_plugins'],
  ['owner', 'GET', '/wp/v2/plugins', undefined, '200'],
  ['chief', 'GET', '/wp/v2/users/4/application-passwords', undefined, '403 rest_cannot_list_application_passwords'],
  ['chief', 'GET', '/wp-site-health/v1/tests/page-cache', undefined, '403 rest_forbidden'],
])('%s: %s %s %j: %s', async (as, method, path, body, outcome) => {
  expect(await code(as, method, path, body)).toBe(outcome);
});

test('lists have members only, and for editing those that the caller may edit', async () => {
  const ids = async (as: string, query = '') => {
    const { body, headers } = await call(as, 'GET', `/wp/v2/users?_fields=id${query}`);
    return [(body as unknown as { id: number }[]).map(({ id }) => id), headers.get('x-wp-total')];
  };
  expect(await ids('owner', '&context=edit')).toEqual([[2, 3, 4], '3']);
  expect(await ids('chief', '&context=edit')).toEqual([[2], '3']);
  expect(await ids('', '')).toEqual([[2], '1']);
});

test('who is no member has neither roles nor capabilities, and a super admin has all rights without them', async () => {
  for (const as of ['stranger', 'owner']) {
    const { body } = await call(as, 'GET', '/wp/v2/users/me?context=edit');
    expect(body).toMatchObject({ roles: [], capabilities: {} });
  }
  expect(await code('stranger', 'POST', '/wp/v2/posts', { title: 'x' })).toBe('403 rest_cannot_create');
  expect(await code('owner', 'POST', '/wp/v2/posts', { title: 'x' })).toBe('201');
  const { body } = await call('owner', 'GET', '/wp/v2/plugins');
  expect(body).toMatchObject([{ status: 'network-active' }]);
});

test('only super admins write HTML without a filter, whatever the capabilities of roles say', async () => {
  const written = async (as: string, path: string, field: string) => {
    const { body } = await call(as, 'POST', path, {
      [field]: '<p>A</p><iframe src="https://example.org"></iframe>',
      title: 'x',
      status: 'publish',
    });
    return (body[field] as { raw: string }).raw;
  };
  for (const as of ['chief', 'ed']) {
    expect((await call(as, 'GET', '/wp/v2/users/me?context=edit')).body).toMatchObject({ capabilities: { unfiltered_html: true } });
    for (const path of ['/wp/v2/posts', '/wp/v2/tribe_events']) expect(await written(as, path, 'content')).toBe('<p>A</p>');
  }
  expect(await written('owner', '/wp/v2/posts', 'content')).toContain('<iframe');
});

test('settings have no addresses of the site and its administrator', async () => {
  const { body } = await call('chief', 'PUT', '/wp/v2/settings', { email: 'other@example.org' });
  expect(body).not.toHaveProperty('email');
  expect(body).not.toHaveProperty('url');
});

test('main site and another one are two sandboxes, with their own paths, ids of TEC and uploads', async () => {
  const sandbox = '/__sandbox/two';
  await new Control({ url: server().url }).createSandbox('two');
  await new Control({ url: `${server().url}${sandbox}` }).setSettings({ network: true, network_site: 2 });
  const { body } = await call('', 'GET', '/tribe/events/v1/events/20', undefined, sandbox);
  const { host } = new URL(server().url);
  expect(body).toMatchObject({ url: `${server().url}${sandbox}/event/jazz/`, global_id: `${host.split(':')[0]}${sandbox}?id=20` });
  const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
  const upload = await fetch(`${server().url}${sandbox}/wp-json/wp/v2/media`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${btoa('chief:chief')}`,
      'content-type': 'image/png',
      'content-disposition': 'attachment; filename="x.png"',
    },
    body: png,
  });
  const { source_url: url } = (await upload.json()) as { source_url: string };
  expect(url).toMatch(/\/__sandbox\/two\/wp-content\/uploads\/sites\/2\/\d{4}\/\d\d\/x\.png$/);
  expect(Buffer.from(await (await fetch(url)).arrayBuffer())).toEqual(png);
  expect((await fetch(url.replace('sites/2/', ''))).status).toBe(404);
});

test('without a network, the same users have the rights of their roles', async () => {
  const control = new Control({ url: server().url });
  await control.setSettings({ network: false });
  expect(await code('chief', 'POST', '/wp/v2/users/4', { name: 'N' })).toBe('200');
  expect(await code('owner', 'GET', '/wp/v2/plugins')).toBe('403 rest_cannot_view_plugins');
  expect(await code('chief', 'GET', '/wp/v2/users/5')).toBe('200');
  await control.reset();
});
