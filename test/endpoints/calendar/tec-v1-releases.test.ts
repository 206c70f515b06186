import { CALENDAR } from '../../../src/plugins/the-events-calendar/quirks/version.js';
import { ACKNOWLEDGEMENT } from '../../../src/plugins/the-events-calendar/tec-v1/routes.js';
import { EDGE, edgeApi } from '../../support/edge.js';
import { startTestServer } from '../../support/server.js';
import { send } from '../../support/toy.js';
import type { Login } from '../../support/api.js';

interface Answer {
  status: number;
  headers: Headers;
  body: { code?: string; message?: string; data?: Record<string, unknown>; error?: string; id?: number; start_date?: string };
}

const serverOf = (profile: 'tec' | 'standard') => {
  const server = startTestServer({ dataset: EDGE, profile });
  const { call } = edgeApi(server);
  const headers = { 'x-tec-eea': ACKNOWLEDGEMENT };
  return {
    server,
    release: (version: string) => {
      server().site.chosenReleases = { [CALENDAR]: version };
    },
    get: (query: string): Promise<Answer> => call<Answer['body']>('GET', `/tec/v1/${query}`, { headers }),
    post: (route: string, body: object, as?: Login): Promise<Answer> =>
      call<Answer['body']>('POST', `/tec/v1/${route}`, { headers, body, ...(as && { as }) }),
  };
};

const DATES = { start_date: '2026-11-10 10:00:00', end_date: '2026-11-10 11:00:00' };

describe('checks of older releases', () => {
  const { release, get, post, server } = serverOf('tec');

  describe('6.15.0 to 6.15.14', () => {
    beforeAll(() => release('6.15.0'));

    test('the first value with a reason is the only error', async () => {
      const { status, body } = await get('events?order=up&per_page=0&page=0');
      expect(status).toBe(400);
      expect(body).toEqual({
        code: 'tec_rest_invalid_positive_integer_parameter',
        message: 'Parameter `{page}` must be a positive integer.',
        data: { status: 400, argument: 'page', details: 'The parameter `{page}` is not a positive integer.' },
      });
    });

    test('values that are rejected without a reason are reported together', async () => {
      const { body } = await get('events?per_page=x&order=up');
      expect(body).toMatchObject({ code: 'rest_invalid_param', data: { params: { per_page: 'Invalid parameter.' }, details: [] } });
      expect(Object.keys(body.data!.params as object)).toEqual(['per_page', 'order']);
    });

    test('a date that is none ends in a page', async () => {
      const { status, headers, text } = await send(server().url, '/wp-json/tec/v1/events?start_date=never');
      expect(status).toBe(500);
      expect(headers['content-type']).toBe('text/html; charset=UTF-8');
      expect(headers.allow).toBeUndefined();
      expect(text).toContain('critical error');
    });

    test('venues must exist, categories and tags need not', async () => {
      expect((await get('events?venue=999999')).body).toMatchObject({
        code: 'tec_rest_invalid_query_parameter',
        message: 'Query parameter `{venue}` is invalid.',
      });
      expect((await get('events?categories=music&tags=x')).status).toBe(200);
    });

    test('permissions come before the fields of a body', async () => {
      expect((await post('venues', { title: ['New'] })).body.code).toBe('rest_forbidden');
      expect((await post('venues', { title: ['New'] }, 'admin')).body).toMatchObject({
        code: 'tec_rest_invalid_property',
        message: 'Property title is invalid',
      });
    });
  });

  describe('6.15.15 to 6.16.2', () => {
    beforeAll(() => release('6.16.2'));
    afterAll(() => server().reset());

    test.each(['per_page=0', 'page=0', 'per_page=-5', 'orderby=bogus', 'order=up', 'start_date=never', 'categories=x', 'status=any,bogus'])(
      'a list accepts %s',
      async (query) => {
        const { status, headers } = await get(`events?${query}`);
        expect(status).toBe(200);
        expect(Number(headers.get('x-wp-total'))).toBeGreaterThan(10);
      },
    );

    test('order in small letters counts', async () => {
      const [up, down] = await Promise.all(['asc', 'desc'].map((order) => get(`events?orderby=title&order=${order}`)));
      expect(up.body).not.toEqual(down.body);
    });

    test('a zone alone is a date: now, there', async () => {
      const { status, body } = await post('events', { title: 'New', start_date: 'x', end_date: 'y' }, 'admin');
      expect([status, body]).toEqual([500, { error: 'Failed to create entity.' }]);
      expect((await post('events', { title: 'New', start_date: 'y', end_date: 'x' }, 'admin')).status).toBe(201);
    });

    test.each([
      ['start_date', 'never'],
      ['title', ['New']],
      ['status', ['draft']],
    ])('%s %j cannot be stored', async (name, value) => {
      const { status, body } = await post('events', { title: 'New', ...DATES, [name]: value }, 'admin');
      expect([status, body]).toEqual([500, { error: 'Failed to create entity.' }]);
    });

    test('a date without a time and an unknown zone are stored', async () => {
      const sent = { title: 'New', start_date: '2026-10-02', end_date: '2026-10-03', timezone: 'Mars/Olympus' };
      const { status, body } = await post('events', sent, 'admin');
      expect(status).toBe(201);
      expect(body.start_date).toBe('2026-10-02 00:00:00');
    });
  });

  describe('6.16.3', () => {
    beforeAll(() => release('6.16.3'));

    test('every list is rejected, with the ids that it was sent', async () => {
      const { body } = await get('venues?event=1&per_page=5');
      expect(Object.keys(body.data!.params as object)).toEqual(['page', 'per_page', 'event']);
      expect(Object.keys((await get('events?categories[]=1')).body.data!.params as object)).toEqual(['page', 'per_page', 'categories']);
    });

    test('numbers of a body are accepted', async () => {
      const body = { title: 'New', start_date: DATES.start_date, duration: 3600 };
      expect((await post('events', body, 'admin')).status).toBe(201);
      expect((await post('events', { ...body, duration: '3600' }, 'admin')).status).toBe(400);
      await server().reset();
    });
  });
});

describe('profile standard', () => {
  const { release, get, post } = serverOf('standard');

  test('what ends in a server error in the plugin is a client error', async () => {
    release('6.15.0');
    expect(await get('events?start_date=never')).toMatchObject({
      status: 400,
      body: { code: 'tec_rest_invalid_date_time_parameter', data: { argument: 'start_date' } },
    });
    release('6.16.2');
    expect(await post('events', { title: ['New'], ...DATES }, 'admin')).toMatchObject({
      status: 400,
      body: { error: 'Failed to create entity.' },
    });
  });
});
