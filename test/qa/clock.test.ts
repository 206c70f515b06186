import { startTestServer } from '../support/server.js';

const PASSWORD = 'year of the clock 1234';

const MONTHS = Array.from({ length: 12 }, (_, i) => i + 1);
const two = (n: number): string => String(n).padStart(2, '0');

/** A year in Berlin: one event on the 15th of each month, scheduled for publication on the 1st at 09:00. */
const YEAR = {
  clock: '2026-01-01T00:00:00Z',
  site: { name: 'Year', timezone: 'Europe/Berlin' },
  users: [{ login: 'anna', role: 'administrator', application_password: PASSWORD }],
  categories: [{ slug: 'monthly', name: 'Monthly' }],
  venues: MONTHS.map((month) => ({ slug: `hall-${month}`, name: `Hall ${month}` })),
  events: MONTHS.map((month) => ({
    title: `Month ${month}`,
    slug: `month-${month}`,
    start: `2026-${two(month)}-15 19:00`,
    duration: '2h',
    venue: `hall-${month}`,
    categories: ['monthly'],
    status: 'future',
    date: `2026-${two(month)}-01 09:00`,
  })),
};

const server = startTestServer();

const call = async <T>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<T> => {
  const response = await fetch(server().url + path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
  if (!response.ok && response.status !== 404) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
};
const API = '/wp-json/tribe/events/v1';
const AS_ANNA = { authorization: `Basic ${btoa(`anna:${PASSWORD}`)}`, 'content-type': 'application/json' };

interface List {
  total: number;
  rest_url: string;
  events: { slug: string; date: string; date_utc: string; modified: string }[];
  venues: { slug: string }[];
}
const events = (query = '', headers = {}): Promise<List> => call('GET', `${API}/events?per_page=50&${query}`, undefined, headers);
const setClock = (body: object): Promise<{ now: string; frozen: boolean }> => call('PUT', '/__qa/clock', body);

beforeAll(() => call('POST', '/__qa/seed', YEAR));

describe('a year, month by month', () => {
  // Clocks in Berlin change on 29 March and 25 October: 09:00 is 08:00 UTC in winter and 07:00 in summer.
  test.each(MONTHS)('month %i', async (month) => {
    const hour = month >= 4 && month <= 10 ? 7 : 8;
    const publication = `2026-${two(month)}-01T0${hour}:00:00.000Z`;
    await setClock({ now: new Date(Date.parse(publication) - 1000).toISOString(), frozen: true });
    const all = 'start_date=2026-01-01&end_date=2027-01-01';
    expect((await events(all)).total ?? 0).toBe(month - 1);

    expect(await setClock({ advance: 1000 })).toEqual({ now: publication, frozen: true });
    const list = await events(all);
    const newest = list.events.find(({ slug }) => slug === `month-${month}`);
    expect(list.total).toBe(month);
    expect(newest).toMatchObject({ date: `2026-${two(month)}-01 09:00:00`, date_utc: `2026-${two(month)}-01 0${hour}:00:00` });
    expect(await call('GET', `${API}/categories`)).toMatchObject({ categories: [{ slug: 'monthly', count: month }] });

    const upcoming = await events();
    expect(upcoming.events.map(({ slug }) => slug)).toEqual([`month-${month}`]);
    expect(upcoming.rest_url).toContain(`start_date=2026-${two(month)}-01 00:00:00&end_date=2028-${two(month)}-01 23:59:59`);
    const venues = await call<List>('GET', `${API}/venues?only_with_upcoming=true`);
    expect(venues.venues.map(({ slug }) => slug)).toEqual([`hall-${month}`]);

    await setClock({ advance: 'P20D' });
    expect((await events()).total ?? 0).toBe(0);
  });
});

test('the repeated hour and the skipped hour of daylight saving', async () => {
  const created = async (now: string): Promise<string[]> => {
    await setClock({ now, frozen: true });
    const body = { title: 'Late', start_date: '2027-05-01 10:00', end_date: '2027-05-01 11:00' };
    const { date, date_utc: utc } = await call<List['events'][0]>('POST', `${API}/events`, body, AS_ANNA);
    return [date, utc];
  };
  expect(await created('2026-03-29T00:59:59Z')).toEqual(['2026-03-29 01:59:59', '2026-03-29 00:59:59']);
  expect(await created('2026-03-29T01:00:00Z')).toEqual(['2026-03-29 03:00:00', '2026-03-29 01:00:00']);
  expect(await created('2026-10-25T00:30:00Z')).toEqual(['2026-10-25 02:30:00', '2026-10-25 00:30:00']);
  expect(await created('2026-10-25T01:30:00Z')).toEqual(['2026-10-25 02:30:00', '2026-10-25 01:30:00']);
});

describe('the clock of a single request', () => {
  beforeAll(() => call('POST', '/__qa/reset'));

  test('decides what is upcoming for this request only, and publishes nothing', async () => {
    const inJune = { 'x-understudy-now': '2026-06-10T12:00:00Z' };
    const asked = await Promise.all([events('', inJune), events(), events('', inJune), events()]);
    expect(asked.map(({ rest_url: address }) => /start_date=([\d-]+)/.exec(address)?.[1])).toEqual([
      '2026-06-10',
      '2026-01-01',
      '2026-06-10',
      '2026-01-01',
    ]);
    const stored = await call<List>('GET', `${API}/events?status=future&start_date=2026-01-01&per_page=50`, undefined, AS_ANNA);
    expect(stored.total).toBe(12);
    const asAnna = await call<List>('GET', `${API}/events?status=future&start_date=2026-01-01&per_page=50`, undefined, {
      ...AS_ANNA,
      ...inJune,
    });
    expect(asAnna.total).toBe(12);
    expect(await call('GET', '/__qa/clock')).toEqual({ now: '2026-01-01T00:00:00.000Z', frozen: true });
  });

  test('an invalid time is rejected', async () => {
    const response = await fetch(`${server().url}${API}/events`, { headers: { 'x-understudy-now': 'yesterday-ish' } });
    expect([response.status, await response.json()]).toMatchObject([400, { code: 'understudy_invalid_moment' }]);
  });
});

test('a scheduled event is published when its time comes, without changes to the clock', async () => {
  await setClock({ now: '2026-02-01T07:59:59.400Z', frozen: false });
  const wanted = 'start_date=2026-02-01&end_date=2026-03-01';
  const isBefore = async (): Promise<boolean> => (await call<{ now: string }>('GET', '/__qa/clock')).now < '2026-02-01T08:00:00.000Z';
  for (;;) {
    const { total } = await events(wanted);
    if (!(await isBefore())) break;
    expect(total ?? 0).toBe(0);
  }
  expect((await events(wanted)).total).toBe(1);
});

test('a scheduled event is published at its time, and a postponed one is not', async () => {
  await call('POST', '/__qa/reset');
  const body = {
    title: 'Later',
    date: '2026-01-03 10:00:00',
    start_date: '2026-01-20 10:00',
    end_date: '2026-01-20 11:00',
    status: 'publish',
  };
  const { id, status } = await call<{ id: number; status: string }>('POST', `${API}/events`, body, AS_ANNA);
  expect(status).toBe('future');
  const { id: other } = await call<{ id: number }>('POST', `${API}/events`, { ...body, title: 'Put off' }, AS_ANNA);
  await call('POST', `${API}/events/${other}`, { ...body, title: 'Put off', date: '2026-01-05 10:00:00' }, AS_ANNA);
  const statusOf = async (of: number): Promise<string> =>
    (await call<{ status: string }>('GET', `${API}/events/${of}`, undefined, AS_ANNA)).status;
  await setClock({ advance: '2 days 10 hours' });
  expect([await statusOf(id), await statusOf(other)]).toEqual(['publish', 'future']);
  await setClock({ advance: 'P2D' });
  expect(await statusOf(other)).toBe('publish');
});

test.each([
  [{ now: 'noon' }, /Invalid "now"/],
  [{ now: '2026-02-30T12:00:00Z' }, /Invalid "now"/],
  [{ now: '2026-06-15T24:30:00Z' }, /Invalid "now"/],
  [{ advance: 'a while' }, /Invalid "advance"/],
  [{ frozen: 'perhaps' }, /frozen/],
  [{ froze: true }, /Did you mean "frozen"/],
  [{ advance: 'P9000Y' }, /out of range/],
])('the clock rejects %j', async (body, message) => {
  const response = await fetch(`${server().url}/__qa/clock`, { method: 'PUT', body: JSON.stringify(body) });
  expect([response.status, ((await response.json()) as { message: string }).message]).toEqual([400, expect.stringMatching(message)]);
});
