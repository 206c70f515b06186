import { WORLD, apiOf, type Login } from '../../support/api.js';
import { startTestServer } from '../../support/server.js';

/** `POST /batch/v1`: several writes in one request. */

const server = startTestServer({ dataset: WORLD });
const { call, reset } = apiOf(server);

afterEach(reset);

interface Part {
  status: number;
  body: Record<string, unknown>;
  headers: object;
}

interface Batch {
  failed?: string;
  responses: (Part | null)[];
}

const send = (body: unknown, as?: Login) => call<Batch>('POST', '/batch/v1', { ...(as && { as }), body });

const codes = ({ responses }: Batch): unknown[] => responses.map((part) => part && [part.status, part.body.code ?? 'done']);

const TAG = { path: '/wp/v2/tags', body: { name: 'Batch' } };

test('each part is executed by itself, with the rights of the caller', async () => {
  const parts = [
    TAG,
    { method: 'PATCH', path: '/wp/v2/tribe_events/36?_fields=id,title', body: { title: 'Late' } },
    { method: 'DELETE', path: '/wp/v2/tribe_venue/10' },
    { path: '/wp/v2/tags', body: {} },
    { path: '/nothing' },
    { path: 'http:///nowhere' },
    { path: '/tribe/events/v1/events', body: { title: 'x' } },
    { path: '/wp/v2/media', body: {} },
  ];
  const { status, headers, body } = await send({ requests: parts }, 'editor');
  expect([status, headers.get('allow')]).toEqual([207, 'POST']);
  expect(codes(body)).toEqual([
    [201, 'done'],
    [200, 'done'],
    [200, 'done'],
    [400, 'rest_missing_callback_param'],
    [404, 'rest_no_route'],
    [400, 'parse_path_failed'],
    [400, 'rest_batch_not_allowed'],
    [400, 'rest_batch_not_allowed'],
  ]);
  expect(body.responses[0]?.headers).toMatchObject({ Location: expect.stringContaining('/wp/v2/tags/'), Allow: 'GET, POST' });
  // WP: a request that no batch may have names its methods, too.
  expect(body.responses.slice(6).map((part) => part?.headers)).toEqual([{ Allow: 'GET, POST' }, { Allow: 'GET, POST' }]);
  expect(body.responses[1]?.body).toEqual({ id: 36, title: { raw: 'Late', rendered: 'Late' } });
  expect(codes((await send({ requests: parts.slice(0, 2) })).body)).toEqual([
    [401, 'rest_cannot_create'],
    [401, 'rest_cannot_edit'],
  ]);
});

test('with require-all-validate nothing is executed unless every part is valid', async () => {
  const invalid = { path: '/wp/v2/tags', body: { name: 5 } };
  const { status, body } = await send({ validation: 'require-all-validate', requests: [TAG, invalid] }, 'admin');
  expect([status, body.failed, codes(body)]).toEqual([207, 'validation', [null, [400, 'rest_invalid_param']]]);
  expect((await call<unknown[]>('GET', '/wp/v2/tags?slug=batch')).body).toEqual([]);
  expect(codes((await send({ validation: 'require-all-validate', requests: [TAG] }, 'admin')).body)).toEqual([[201, 'done']]);
});

test.each<[string, unknown, string]>([
  ['no requests', {}, 'Missing parameter(s): requests'],
  ['a part without path', { requests: [{}] }, 'path is a required property of requests[0].'],
  ['a method that reads', { requests: [{ method: 'GET', path: '/' }] }, 'requests[0][method] is not one of POST, PUT, PATCH, and DELETE.'],
  ['a body that is a text', { requests: [{ path: '/', body: 'x' }] }, 'requests[0][body] is not of type object.'],
  ['too many', { requests: Array(26).fill({ path: '/' }) }, 'requests must contain at most 25 items.'],
  ['an unknown validation', { requests: [], validation: 'x' }, 'validation is not one of require-all-validate and normal.'],
])('%s is rejected', async (_, body, message) => {
  const { status, body: error } = await call<{ message: string; data: { params: Record<string, string> } }>('POST', '/batch/v1', { body });
  expect(status).toBe(400);
  expect([error.message, ...Object.values(error.data.params)]).toContain(message);
});
