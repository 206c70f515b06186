import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { replay } from '../conformance/replay-run.mjs';
import { signIn } from '../support/api.js';
import { server, API, AS_ADMIN, type Any, send, create } from './steering.js';

describe('the journal', () => {
  const list = async (query = ''): Promise<Any> => (await send('GET', `/__qa/journal?${query}`)).json;

  test('records requests and responses without secrets', async () => {
    const id = await create('Written down');
    await send('GET', `${API}/events/${id}`, undefined, { 'accept-encoding': 'gzip' });
    const { total, entries } = await list();
    expect([total, entries.map(({ method, status, user }: Any) => [method, status, user])]).toEqual([
      2,
      [
        ['POST', 201, 'admin'],
        ['GET', 200, null],
      ],
    ]);
    expect(entries[0]).toMatchObject({
      request: { headers: { authorization: 'Basic ***' }, body: { title: 'Written down' } },
      clock: expect.any(String),
    });
    const whole = (await send('GET', `/__qa/journal/${String(entries[1].id)}`)).json;
    expect(whole.response.body).toMatchObject({ id, title: 'Written down' });
    expect(JSON.stringify([entries, whole])).not.toContain(signIn('admin').slice(6));
  });

  test('has no request that began before it was cleared', async () => {
    await send('POST', '/__qa/faults', { match: { path: '**/tags' }, effect: { delay: 300 } });
    const late = send('GET', `${API}/tags`);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await send('DELETE', '/__qa/journal');
    await send('GET', `${API}/venues`);
    await late;
    const { entries } = await list();
    expect(entries.map(({ url }: Any) => url)).toEqual([`${API}/venues`]);
    await send('DELETE', '/__qa/faults');
  });

  test.each([['X-API-Key'], ['X-Auth-Token'], ['X-Amz-Security-Token'], ['Api-Key']])('masks the header %s', async (name) => {
    await send('GET', `${API}/tags`, undefined, { [name]: 'hunter22', 'x-client': 'app' });
    const text = JSON.stringify(await list());
    expect(text).not.toContain('hunter22');
    expect(JSON.parse(text).entries[0].request.headers).toMatchObject({ [name.toLowerCase()]: '***', 'x-client': 'app' });
  });

  test.each<[string, string, unknown, string | undefined]>([
    ['a JSON body', '', { username: 'u1', email: 'u1@example.org', password: 'hunter22', nickname: 'kept' }, undefined],
    ['a form', '', 'username=u2&email=u2@example.org&password=hunter22&nickname=kept', 'application/x-www-form-urlencoded'],
    ['an encoded form', '', 'nickname=kept&%70assword=hunter22', 'application/x-www-form-urlencoded'],
    ['the query', '?password=hunter22&nickname=kept', undefined, undefined],
    ['malformed JSON', '', '{"password":"hunter22",', undefined],
    [
      'a multipart form',
      '?nickname=kept',
      '--x\r\nContent-Disposition: form-data; name="password"\r\n\r\nhunter22\r\n--x--\r\n',
      'multipart/form-data; boundary=x',
    ],
  ])('masks passwords of users in %s', async (_where, query, body, type = 'application/json') => {
    for (const url of [`/wp-json/wp/v2/users${query}`, `/?rest_route=%2Fwp%2Fv2%2F%75sers${query.replace('?', '&')}`])
      await send('POST', url, body, { ...AS_ADMIN, 'content-type': type });
    const text = JSON.stringify(await list());
    expect(text).not.toContain('hunter22');
    expect(JSON.parse(text).total).toBe(2);
  });

  test('masks passwords of users in batches, and keeps the rest', async () => {
    const requests = [{ method: 'POST', path: '/wp/v2/users', body: { username: 'u3', email: 'u3@example.org', password: 'hunter22' } }];
    await send('POST', '/wp-json/batch/v1', { requests }, AS_ADMIN);
    await send('POST', '/wp-json/wp/v2/users/1', { password: 'hunter22', nickname: 'kept' }, AS_ADMIN);
    const { entries } = await list();
    expect(entries[0].request.body).toEqual({ requests: [{ ...requests[0], body: { ...requests[0].body, password: '***' } }] });
    expect(entries[1].request.body).toEqual({ password: '***', nickname: 'kept' });
  });

  test('is filtered, and drops the oldest entries', async () => {
    for (let i = 0; i < 70; i += 1) await send('GET', `${API}/venues/${i % 2 === 0 ? 13 : 999_999}`);
    await send('GET', '/wp-json/wp/v2/tags');
    const { total, entries } = await list('limit=1000');
    expect([total, entries.length]).toEqual([60, 60]);
    expect((await list('status=4xx&limit=1')).entries).toHaveLength(1);
    expect((await list('status=4xx')).total + (await list('status=2xx')).total).toBe(60);
    expect((await list('path=/wp/v2/*')).total).toBe(1);
    expect((await list(`since=${String(entries[57].id)}`)).total).toBe(2);
    expect((await list('user=admin')).total).toBe(0);
    expect((await list('method=POST')).total).toBe(0);
    expect((await send('DELETE', '/__qa/journal')).json.deleted).toBe(60);
    expect((await list()).total).toBe(0);
  });

  test('lists requests with ignored parts, or the others', async () => {
    for (const query of ['x=1', 'page=1', 'y=1']) await send('GET', `${API}/events?${query}`);
    const urls = async (query: string): Promise<string[]> => (await list(query)).entries.map(({ url }: Any) => url.split('?')[1]);
    expect(await urls('warned=true')).toEqual(['x=1', 'y=1']);
    expect(await urls('warned=true&limit=1')).toEqual(['y=1']);
    expect(await urls('warned=false')).toEqual(['page=1']);
  });

  test.each<[string, string, object | string | undefined, string[]]>([
    ['GET', 'events?venue_id=3&per_page=2', undefined, ['"venue_id" is not a parameter here and is ignored: did you mean "venue"?']],
    [
      'GET',
      'events?perPage=2&_fields=id&_embed',
      undefined,
      ['"perPage" is not a parameter here and is ignored: did you mean "per_page"?'],
    ],
    ['GET', 'events/1?zebra=1', undefined, ['"zebra" is not a parameter here and is ignored.']],
    ['GET', 'nowhere?zebra=1', undefined, []],
    [
      'POST',
      'events',
      { title: 'X', start_date: '2026-09-01', end_date: '2026-09-02', startDate: 'x' },
      ['"startDate" is not a field here and is ignored: did you mean "start_date"?'],
    ],
    ['POST', 'events', 'title=X&venue_id=3', ['"venue_id" is not a field here and is ignored: did you mean "venue"?']],
    [
      'POST',
      'events',
      { title: 'X', venue: { venue: 'New', adress: 'Street 1' } },
      ['"venue.adress" is not a field here and is ignored: did you mean "venue.address"?'],
    ],
    [
      'POST',
      'events',
      { title: 'X', organizer: [{ organizer: 'New', mail: 'a@b.c' }, { id: 4 }] },
      ['"organizer.mail" is not a field here and is ignored: did you mean "organizer.email"?'],
    ],
    [
      'GET',
      'events?start_date_before=2026-01-01',
      undefined,
      ['"start_date_before" is not a parameter here and is ignored: did you mean "starts_before"?'],
    ],
    ['GET', 'events?_field=total', undefined, ['"_field" is not a parameter here and is ignored: did you mean "_fields"?']],
    ['GET', 'events?_fields=events,totl', undefined, ['"totl" in _fields is not a field of the response: did you mean "total"?']],
    [
      'GET',
      'venues?_fields=total,venues.venue',
      undefined,
      ['"venues.venue" in _fields leaves the list empty: WordPress does not look into items of lists. Write "venues".'],
    ],
    ['GET', 'venues?_fields=venues,next_rest_url', undefined, []],
    ['GET', 'venues?_fields=titel', undefined, []],
  ])('%s %s with %j is linted', async (method, route, body, messages) => {
    const type = typeof body === 'string' ? 'application/x-www-form-urlencoded' : 'application/json';
    await send(method, `${API}/${route}`, body, body === undefined ? {} : { 'content-type': type });
    await send(method, `${API}/${route}`, body, body === undefined ? {} : { 'content-type': type });
    const { entries } = await list();
    expect((entries[0].warnings ?? []).map(({ message }: Any) => message)).toEqual(messages);
    const { warnings } = (await send('GET', '/__qa/journal/lint')).json;
    expect(warnings.map(({ message, count }: Any) => [message, count])).toEqual(messages.map((message) => [message, 2]));
  });

  test.each([
    ['tribe/events/v1/events', ['"image" is a file, and files are ignored here. Upload it to /wp/v2/media first, then send its id.']],
    ['wp/v2/media', []],
  ])('a file that is sent to %s is linted', async (route, messages) => {
    const form = '--x\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n\r\nbytes\r\n--x--\r\n';
    await send('POST', `/wp-json/${route}`, form, { 'content-type': 'multipart/form-data; boundary=x' });
    const { warnings } = (await send('GET', '/__qa/journal/lint')).json;
    expect(warnings.map(({ message }: Any) => message)).toEqual(messages);
  });

  test('verifies expectations', async () => {
    await create('Expected');
    await send('GET', `${API}/venues?page=2`);
    const verify = async (expectation: object): Promise<Any> => (await send('POST', '/__qa/journal/verify', expectation)).json;
    expect(await verify({ method: 'POST', path: '/tribe/events/v1/events', body: { title: 'Expected' }, count: 1 })).toMatchObject({
      verified: true,
      found: 1,
    });
    expect(await verify({ path: '/tribe/**', status: 201, user: 'admin' })).toMatchObject({ verified: true });
    expect(await verify({ path: '/tribe/**', atMost: 1 })).toMatchObject({ verified: false, found: 2 });
    expect(await verify({ path: '/nothing/**', count: 0 })).toMatchObject({ verified: true });
    const missed = await verify({ method: 'GET', path: '/tribe/events/v1/venues', query: { page: '3' } });
    expect(missed).toMatchObject({ verified: false, found: 0, expected: 'at least 1' });
    expect(missed.nearMisses[0]).toMatchObject({ method: 'GET', differences: ['query page: expected "3", was "2"'] });
    const title = await verify({ method: 'POST', body: { title: 'Another' } });
    expect(title.nearMisses[0].differences).toEqual(['body.title: expected "Another", was "Expected"']);
  });

  test('saves a range of entries as a scenario that replays', async () => {
    await send('POST', '/__qa/reset');
    await send('DELETE', '/__qa/journal');
    const id = await create('Saved as a case');
    await send('POST', `${API}/events/${id}`, 'title=Changed', { ...AS_ADMIN, 'content-type': 'application/x-www-form-urlencoded' });
    await send('GET', `${API}/events/${id}`);
    await send('DELETE', `${API}/events/${id}`, undefined, { authorization: AS_ADMIN.authorization });
    await send('GET', `${API}/events/${id}`);
    const { entries } = await list();
    const [first, last] = [entries[0].id, entries[4].id];
    const saved = await send('GET', `/__qa/journal/${first}/case?to=${last}&name=saved`);
    expect(saved.json).toMatchObject({ name: 'saved', writes: true, steps: [{ capture: { new1: 'id' } }, {}, {}, {}, {}] });
    expect(saved.json.steps[2].request).toEqual({ method: 'GET', path: '/tribe/events/v1/events/{{new1}}', as: null });
    expect(saved.text).not.toContain(server().url);
    const folder = await mkdtemp(path.join(os.tmpdir(), 'understudy-case-'));
    try {
      await writeFile(path.join(folder, 'saved.json'), saved.text);
      await send('POST', '/__qa/reset');
      // Shifts the id of the next event.
      await create('In between');
      const { restUrl } = server();
      const report = await replay({ restUrl, namespace: 'tribe/events/v1', cases: folder });
      expect(report.scenarios.flatMap(({ steps }) => steps.flatMap(({ diffs }) => diffs))).toEqual([]);
      expect(report).toMatchObject({ failed: 0, passed: 1 });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('does not save a scenario of a faulty response', async () => {
    await send('POST', '/__qa/faults', { effect: { status: 500 }, times: 1 });
    await send('GET', `${API}/events`);
    const { entries } = await list();
    expect((await send('GET', `/__qa/journal/${String(entries[0].id)}/case`)).status).toBe(409);
  });
});
