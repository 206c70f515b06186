import { createServer } from '../../../src/index.js';
import { apiOf } from '../../support/api.js';
import { WORLD } from '../../support/api.js';
import { testDatabase } from '../../support/database.js';
import { http } from '../../support/http.js';
import { startTestServer } from '../../support/server.js';
import { TICKETS_WORLD } from '../../support/tickets.js';

const TICKETS = 'tribe/tickets/v1';

type Index = { namespaces: string[] };
type Event = { ticketed?: unknown };

describe('a site without the plugin', () => {
  const server = startTestServer({ dataset: WORLD });
  const api = apiOf(server);
  const qa = (method: string, at: string, body?: unknown) =>
    http(
      method,
      `${server().url}/__qa/${at}`,
      { 'content-type': 'application/json' },
      body === undefined ? undefined : JSON.stringify(body),
    );

  test('has nothing of it', async () => {
    expect((await api.get<Index>('/')).body.namespaces).not.toContain(TICKETS);
    expect((await api.get<Event>('events/52')).body).not.toHaveProperty('ticketed');
    expect((await api.get(`/${TICKETS}/tickets`)).status).toBe(404);
    const { releases } = JSON.parse((await qa('GET', 'version')).text) as { releases: object };
    expect(Object.keys(releases)).toEqual(['wordpress', 'the-events-calendar']);
    const indexes = await server().site.store.db.collection('posts').indexes();
    expect(indexes.map(({ name }) => name)).not.toContain('tickets_by_event');
  });

  test('has sandboxes with it', async () => {
    expect((await qa('PUT', 'sandboxes/sells', { plugins: ['event-tickets'] })).status).toBe(201);
    const { text } = await http('GET', `${server().url}/__sandbox/sells/wp-json/`);
    expect((JSON.parse(text) as Index).namespaces).toContain(TICKETS);
    const version = JSON.parse((await http('GET', `${server().url}/__sandbox/sells/__qa/version`)).text) as {
      releases: Record<string, unknown>;
    };
    expect(version.releases).toHaveProperty('event-tickets.release', '5.28.5.1');
    const again = await qa('PUT', 'sandboxes/sells', { plugins: [] });
    expect([again.status, again.text]).toEqual([409, expect.stringContaining('delete it first')]);
  });

  test('rejects unknown names', async () => {
    const answer = await qa('PUT', 'sandboxes/other', { plugins: ['event-ticket'] });
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('There is no plugin event-ticket. Did you mean')]);
    await expect(createServer({ plugins: ['woo'] })).rejects.toThrow(
      /^There is no plugin woo\. Plugins: (?:[a-z-]+, )+the-events-calendar$/,
    );
  });
});

describe.each([
  ['an option', { dataset: WORLD, plugins: ['event-tickets'] }],
  ['the dataset', { dataset: { site: { plugins: ['event-tickets'] }, events: [] } }],
  ['tickets in the dataset', { dataset: TICKETS_WORLD }],
])('switched on by %s', (_how, options) => {
  const server = startTestServer(options);
  const api = apiOf(server);

  test('has its namespaces', async () => {
    expect((await api.get<Index>('/')).body.namespaces).toEqual(expect.arrayContaining([TICKETS, 'tec/tickets/onboarding']));
    expect(server().namespaces).toEqual(['calendar/events/v1', 'tribe/events/v1']);
  });
});

describe('a site that is stored', () => {
  const database = testDatabase();

  describe('with the plugin', () => {
    const server = startTestServer({ dataset: TICKETS_WORLD }, { database });
    test('has it', () => expect(server().site.registry.plugins).toContain('event-tickets'));
  });

  describe('and started again without saying so', () => {
    const server = startTestServer({}, { database });
    const api = apiOf(server);

    test('has it still', async () => {
      expect(server().site.registry.plugins).toEqual(['event-tickets', 'the-events-calendar']);
      expect((await api.get<{ total: number }>(`/${TICKETS}/tickets`)).body.total).toBe(11);
    });
  });
});
