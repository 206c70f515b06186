import { startWorld, type Answer } from '../../support/api.js';
import type { Profile } from '../../../src/wordpress/quirks.js';

/** Writes with unusual input, in both profiles. */

type Body = Record<string, unknown> & { id: number };

describe.each<Profile>(['tec', 'standard'])('profile %s', (profile) => {
  const api = startWorld({ profile });
  afterEach(() => api.reset());

  const write = async (route: string, fields: object, as?: 'admin' | 'author' | 'contributor'): Promise<Body> => {
    const { status, body } = await api.post<Body>(route, fields, as);
    if (status !== 200 && status !== 201) throw new Error(`${route}: ${status} ${JSON.stringify(body)}`);
    return body;
  };
  const event = (fields: object): object => ({
    title: 'Zed',
    start_date: '2026-08-01 10:00:00',
    end_date: '2026-08-01 12:00:00',
    ...fields,
  });

  test.each(['0', 0])('an update with the cost %j makes an event free, a creation does not', async (cost) => {
    expect(await write('events/32', { cost })).toMatchObject({ cost: 'Free', cost_details: { values: ['0'], currency_symbol: '' } });
    const { body } = await api.get<{ json_ld: { offers?: object } }>('events/32');
    expect(body.json_ld.offers).toMatchObject({ price: '0' });
    expect(await write('events', event({ cost }))).toMatchObject({ cost: '', cost_details: { values: [] } });
  });

  test.each([
    [{ start_date: '2026-06-19 15:00:00' }, '2026-06-19 00:00:00', '2026-06-20 23:59:59'],
    [{ end_date: '2026-06-22 09:00:00' }, '2026-06-20 00:00:00', '2026-06-22 23:59:59'],
    [{ end_date: '0' }, '2026-06-20 00:00:00', '2026-06-20 23:59:59'],
  ])('whole days with %j move that date alone', async (fields, start_date, end_date) => {
    const { id } = await write('events', event({ start_date: '2026-06-20 10:00:00', end_date: '2026-06-20 12:00:00' }));
    expect(await write(`events/${id}`, { all_day: true, ...fields })).toMatchObject({ all_day: true, start_date, end_date });
  });

  test('one date alone changes nothing', async () => {
    const { id } = await write('events', event({}));
    expect(await write(`events/${id}`, { start_date: '2026-07-01' })).toMatchObject({ start_date: '2026-08-01 10:00:00' });
  });

  test('a sticky event is modified by its creation', async () => {
    const draft = { status: 'draft', date: '2026-05-01 10:00:00' };
    expect(await write('events', event({ ...draft, sticky: true }))).toMatchObject({
      modified: '2026-06-15 08:00:00',
      modified_utc: '2026-06-15 12:00:00',
    });
    expect(await write('events', event(draft))).toMatchObject({ modified: '2026-05-01 10:00:00', modified_utc: '0000-00-00 00:00:00' });
  });

  test.each([
    [{ date_utc: '2026-07-25 04:30:00' }, { date: '2026-02-11 09:00:00', date_utc: '2026-07-25 04:30:00', status: 'future' }],
    [{ date: '2026-07-25 04:30:00' }, { date: '2026-07-25 04:30:00', date_utc: '2026-02-11 14:00:00', status: 'publish' }],
    [
      { date: '2026-03-01 10:00:00', date_utc: '2026-03-02 10:00:00' },
      { date: '2026-03-01 10:00:00', date_utc: '2026-03-02 10:00:00', status: 'publish' },
    ],
    [{}, { date: '2026-02-11 09:00:00', date_utc: '2026-02-11 14:00:00', status: 'publish' }],
    [{ date: '1782000000' }, { date: '2026-06-20 20:00:00', date_utc: '2026-02-11 14:00:00' }],
    [
      { date: '1772000000', date_utc: '1772000000' },
      { date: '2026-02-25 01:13:20', date_utc: '2026-02-25 06:13:20' },
    ],
  ])('an organizer updated with %j', async (sent, dates) => {
    expect(await write('organizers/23', sent)).toMatchObject(dates);
  });

  test.each([
    ['venues', { venue: 'X' }, '2026-06-20 20:00:00', '2026-06-21 00:00:00'],
    ['organizers', { organizer: 'X' }, '2026-06-20 20:00:00', '2026-06-21 00:00:00'],
    // As a wall time.
    ['events', event({}), '2026-06-21 00:00:00', '2026-06-21 04:00:00'],
  ])('Unix times as the date of new %s', async (route, fields, date, date_utc) => {
    expect(await write(route, { ...fields, date: '1782000000' })).toMatchObject({ date, date_utc });
  });

  test('excerpts of protected venues and organizers are withheld', async () => {
    const protectedBy = { excerpt: 'Hidden words', password: 'p' };
    for (const [kind, id] of [
      ['venue', 10],
      ['organizer', 22],
    ]) {
      await write(`/wp/v2/tribe_${kind}/${id}`, protectedBy);
      expect((await api.get<Body>(`${kind}s/${id}`)).body).toMatchObject({ excerpt: '' });
      expect((await api.get<Body>(`${kind}s/${id}?password=p`)).body).toMatchObject({ excerpt: '<p>Hidden words</p>' });
    }
  });

  test('a draft that was never dated gets no date of the caller', async () => {
    expect(await write('venues/18', { date: '2026-01-01 10:00:00', status: 'publish' })).toMatchObject({ date: '2026-06-15 08:00:00' });
  });

  test('the responses to writes of a protected event show it to those who may edit', async () => {
    expect(await write('events/80', {})).toMatchObject({ description: '<p>The secret programme</p>', excerpt: '<p>Secret excerpt</p>' });
    expect((await api.delete<Body>('events/80')).body).toMatchObject({ status: 'trash', description: '<p>The secret programme</p>' });
  });

  test('those of a protected venue do not', async () => {
    expect(await write('venues/19', {})).toMatchObject({ venue: [], description: '' });
  });

  test('a private event has JSON-LD for those who may read all private ones, not for its author', async () => {
    await write('events/72', { status: 'private' }, 'author');
    expect((await api.get('events/72', 'author')).body).not.toHaveProperty('json_ld');
    expect((await api.get('events/72', 'editor')).body).toHaveProperty('json_ld');
  });

  test.each([2.5, '2.5', ' 2 ', '2e0'])('the category %j is a number', async (category) => {
    expect(await write('events', event({ categories: [category] }))).toMatchObject({ categories: [{ id: 2 }] });
  });

  test.each<[unknown, string | number[]]>([
    [{ id: 22 }, [22]],
    [{ id: 22, organizer: 'Somebody' }, 'could-not-create-organizer'],
    [[{ id: 22, organizer: 'Somebody' }], [22]],
    [{ id: 0 }, []],
  ])('the organizer %j', async (organizer, expected) => {
    const { status, body }: Answer<{ code?: string; organizer: { id: number }[] }> = await api.post('events', event({ organizer }));
    expect(status === 201 ? body.organizer.map(({ id }) => id) : body.code).toEqual(expected);
  });

  test('saving a published event publishes the drafts that it had', async () => {
    const status = async (route: string): Promise<unknown> => (await api.get<Body>(route, 'admin')).body.status;
    const { id } = await write('events', event({ venue: 18, organizer: [28, 22] }));
    expect([await status('venues/18'), await status('organizers/28')]).toEqual(['draft', 'draft']);
    expect(await write(`events/${id}`, { status: 'private', organizer: [28, 22] })).toMatchObject({ venue: { status: 'draft' } });
    expect(await write(`events/${id}`, { venue: 10, organizer: [28] })).toMatchObject({
      venue: { id: 10 },
      organizer: [{ status: 'publish' }],
    });
    expect([await status('venues/18'), await status('organizers/28')]).toEqual(['publish', 'publish']);
  });

  test('what is published with an event keeps its dates', async () => {
    const dates = async (route: string): Promise<unknown> => {
      const { date, date_utc, modified } = (await api.get<Record<string, unknown>>(route, 'admin')).body;
      return { date, date_utc, modified };
    };
    const { id } = await write('events', event({ venue: 18, organizer: [28] }));
    const before = await dates('venues/18');
    await write(`events/${id}`, { title: 'Changed' });
    expect([await dates('venues/18'), (await api.get<Body>('venues/18', 'admin')).body.status]).toEqual([before, 'publish']);
  });

  test('a venue in the trash still finds the events that have it', async () => {
    await api.delete('venues/14');
    const { body } = await api.get<{ events: { id: number }[] }>('events?venue=14');
    expect(body.events.map(({ id }) => id)).toEqual([34]);
  });

  test.each([
    ['venues/%31%30', 404, 'rest_no_route'],
    ['ev%65nts/38', 404, 'rest_no_route'],
    ['events/by-slug/b%61ke%2Dsale', 200, undefined],
    ['events/by-slug/bake-sale%2F', 200, undefined],
    ['events/by-slug/bake-sale!', 400, 'rest_invalid_param'],
    // WordPress: a text without letters leads to a draft, which has no slug.
    ['events/by-slug/-', 403, 'event-not-accessible'],
  ])('the path %s stays encoded, a slug in it does not', async (route, status, code) => {
    const answer = await api.get<{ code?: string }>(route);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  test('an update of a draft keeps the dates of the drafts that it is linked with', async () => {
    const dates = async (route: string): Promise<unknown[]> => {
      const { body } = await api.get<Body>(route, 'admin');
      return [body.date, body.date_utc, body.modified];
    };
    const both = (): Promise<unknown[]> => Promise.all(['venues/18', 'organizers/28'].map(dates));
    const before = await both();
    expect(await write('events/75', { title: 'Other' })).toMatchObject({ id: 75, title: 'Other' });
    expect(await both()).toEqual(before);
  });

  test('a term that exists uses up no id', async () => {
    expect((await api.post('tags', { name: 'Live!' }, 'admin')).status).toBe(400);
    const first = await write('tags', { name: 'One' }, 'admin');
    expect((await api.post('tags', { name: 'Live!' }, 'admin')).status).toBe(400);
    expect((await write('tags', { name: 'Two' }, 'admin')).id).toBe(first.id + 1);
  });

  test('no slug leads to the child of an event', async () => {
    expect((await api.get('events/by-slug/series-parent')).status).toBe(200);
    expect((await api.get('events/by-slug/series-part-one')).body).toMatchObject({ data: { params: { slug: 'Invalid parameter.' } } });
    expect((await api.get('events/by-slug/a%2Fb')).body).toMatchObject({ data: { params: { slug: 'Invalid parameter.' } } });
  });

  test.each([
    ['organizers/0', 'GET, DELETE, POST, PUT, PATCH'],
    ['venues/17?id=abc', 'GET'],
  ])('Allow of %s', async (route, allow) => {
    expect((await api.get(route, 'admin')).headers.get('allow')).toBe(allow);
  });
});
