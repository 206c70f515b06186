import { jest } from '@jest/globals';
import http from 'node:http';
import { setupServer } from 'msw/node';
import { createHandler, type Handler } from '../../src/index.js';
import { handlers } from '../../src/sdk/testing/msw.js';

const SITE = 'https://mill.example.org';
const OLD = 'http://old.example.org/calendar';
const EVENTS = '/wp-json/tribe/events/v1/events';

let site: Handler;
let server: ReturnType<typeof setupServer>;
beforeAll(async () => {
  const events = ['One', 'Two'].map((title) => ({ title, start: '+1d 20:00', duration: '1h' }));
  site = await createHandler({ url: SITE, now: '2026-06-15T12:00:00Z', dataset: { events } });
  server = setupServer(...handlers(site, { origin: OLD }));
  server.listen({ onUnhandledRequest: 'error' });
}, 60_000);
afterEach(() => site.reset());
afterAll(async () => {
  server.close();
  await site.close();
});

interface Page {
  events: { title: string }[];
  next_rest_url: string;
}

test('requests to the origin, and to the links of responses, go to the site', async () => {
  const first = (await (await fetch(`${OLD}${EVENTS}?per_page=1`)).json()) as Page;
  expect(first).toMatchObject({ events: [{ title: 'One' }], next_rest_url: expect.stringContaining(`${SITE}/wp-json/`) });
  const second = (await (await fetch(first.next_rest_url)).json()) as Page;
  expect(second.events).toMatchObject([{ title: 'Two' }]);
});

test('requests of node:http reach the site, with bodies', async () => {
  const { login, password } = site.adminAuth;
  const body = JSON.stringify({ name: 'Music' });
  const answer = await new Promise<string>((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json', 'Accept-Encoding': 'gzip' };
    const sent = http.request(
      `${OLD}/wp-json/tribe/events/v1/tags`,
      { method: 'POST', auth: `${login}:${password}`, headers },
      (response) => {
        response.setEncoding('utf8');
        let text = `${response.statusCode} `;
        response.on('data', (chunk: string) => (text += chunk)).on('end', () => resolve(text));
      },
    );
    sent.on('error', reject).end(body);
  });
  expect(answer).toMatch(/^201 \{.*"name":"Music"/);
});

test('a dropped connection is a failed request', async () => {
  await site.faults.add({ match: { path: '**/events' }, effect: { drop: 'before' } });
  await expect(fetch(`${SITE}${EVENTS}`)).rejects.toThrow(TypeError);
});

test('other requests are left to MSW', async () => {
  const printed = jest.spyOn(console, 'error').mockReturnValueOnce();
  await expect(fetch('https://elsewhere.example.org/')).rejects.toThrow();
  expect(printed).toHaveBeenCalledWith(expect.stringContaining('GET https://elsewhere.example.org/'));
  printed.mockRestore();
});
