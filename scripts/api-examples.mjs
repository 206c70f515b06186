// Writes fixtures/api-examples.json: the examples of the OpenAPI document, which are responses of a server with the demo calendar.
// Run it after a build: node scripts/api-examples.mjs
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The options of the server that the examples come from. */
export const EXAMPLE_SERVER = {
  now: '2026-06-15T12:00:00Z',
  url: 'https://example.org',
  adminPassword: 'examples only',
  profile: 'standard',
};

const NEW = {
  event: { title: 'Concert in the park', start_date: '2026-07-01 20:00:00', end_date: '2026-07-01 22:00:00', cost: '12' },
  venue: { venue: 'Riverside Hall', address: '12 Quay Street', city: 'Galway', country: 'Ireland' },
  organizer: { organizer: 'Music Guild', email: 'hello@example.com' },
  category: { name: 'Open air', slug: 'open-air' },
  tag: { name: 'Picnic', slug: 'picnic' },
};

const PATHS = { event: 'events', venue: 'venues', organizer: 'organizers', category: 'categories', tag: 'tags' };

const capital = (text) => text[0].toUpperCase() + text.slice(1);

/** Returns the contents of the file. @param server a server that was just started with EXAMPLE_SERVER */
export async function apiExamples({ localUrl, administrator, restUrl }, password) {
  const base = `${localUrl ?? ''}${new URL(restUrl).pathname}/tribe/events/v1`;
  const responses = {};
  const admin = { authorization: `Basic ${btoa(`${administrator.login}:${password}`)}` };

  /** Makes a request, and keeps its response under an operation and a status if that is the status of the response. */
  async function call(method, route, { operation, status = 200, headers = admin, body } = {}) {
    const init = { method, headers: { ...headers, 'content-type': 'application/json' }, ...(body ? { body: JSON.stringify(body) } : {}) };
    const response = await fetch(base + route, init);
    const value = await response.json();
    if (operation !== undefined && response.status === status) (responses[operation] ??= {})[status] = value;
    return { status: response.status, value };
  }

  const { value: first } = await call('GET', '/events?per_page=1&search=mic', { headers: {} });
  const [event] = first.events;
  const found = { event, venue: event.venue, organizer: event.organizer[0], category: event.categories[0], tag: event.tags[0] };
  const samples = Object.fromEntries(Object.entries(found).map(([noun, { id, slug }]) => [noun, { id, slug }]));

  for (const [noun, plural] of Object.entries(PATHS)) {
    const name = capital(noun);
    const { id } = samples[noun];
    const list = noun === 'event' ? `/${plural}?per_page=1&search=mic` : `/${plural}?per_page=1`;
    await call('GET', list, { operation: `list${capital(plural)}`, headers: {} });
    await call('GET', `/${plural}?page=0`, { operation: `list${capital(plural)}`, status: 400, headers: {} });
    await call('GET', `/${plural}?page=999`, { operation: `list${capital(plural)}`, status: 404, headers: {} });
    await call('GET', `/${plural}/${id}`, { operation: `get${name}`, headers: {} });
    await call('GET', `/${plural}/999999`, { operation: `get${name}`, status: 404, headers: {} });
    const draft = await call('POST', `/${plural}`, { body: { ...NEW[noun], status: 'draft' } });
    for (const status of [401, 403]) await call('GET', `/${plural}/${draft.value.id}`, { operation: `get${name}`, status, headers: {} });
    await call('DELETE', `/${plural}/${draft.value.id}`);
    await call('POST', `/${plural}`, { operation: `create${name}`, status: 400, body: {} });
    await call('POST', `/${plural}`, { operation: `create${name}`, status: 401, headers: {}, body: NEW[noun] });
    const { value: made } = await call('POST', `/${plural}`, { operation: `create${name}`, status: 201, body: NEW[noun] });
    await call('POST', `/${plural}/${made.id}`, { operation: `update${name}`, body: NEW[noun] });
    await call('POST', `/${plural}/${made.id}`, { operation: `update${name}`, status: 401, headers: {}, body: NEW[noun] });
    await call('DELETE', `/${plural}/${made.id}`, { operation: `delete${name}`, status: 401, headers: {} });
    await call('DELETE', `/${plural}/${made.id}`, { operation: `delete${name}` });
    await call('DELETE', `/${plural}/${made.id}`, { operation: `delete${name}`, status: 410 });
    await call('DELETE', `/${plural}/999999`, { operation: `delete${name}`, status: 404 });
  }
  return { samples, responses };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const { createServer } = await import('../dist/index.js');
  const server = await createServer({ ...EXAMPLE_SERVER, port: 0, ephemeral: true, config: false });
  try {
    const file = path.join(root, 'fixtures', 'api-examples.json');
    writeFileSync(file, `${JSON.stringify(await apiExamples(server, EXAMPLE_SERVER.adminPassword), null, 2)}\n`);
  } finally {
    await server.close();
  }
}
