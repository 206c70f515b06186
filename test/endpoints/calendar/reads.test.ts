import { startWorld, type Refusal } from '../../support/api.js';
import type { Profile } from '../../../src/wordpress/quirks.js';

/** Lists and terms with unusual parameters, in both profiles. */

type List = Record<'events' | 'venues' | 'organizers' | 'tags' | 'categories', { id: number }[]> &
  Record<'rest_url' | 'next_rest_url' | 'previous_rest_url', string | undefined>;

const LARGEST = '9223372036854775807';

describe.each<Profile>(['tec', 'standard'])('profile %s', (profile) => {
  const api = startWorld({ profile });
  const list = async (route: string, as?: 'admin' | 'editor' | 'author'): Promise<List> => {
    const { status, body } = await api.get<List>(route, as);
    expect({ route, status }).toEqual({ route, status: 200 });
    return body;
  };
  const query = (address = ''): string => address.slice(address.indexOf('?'));
  const refusal = async (route: string, as?: 'admin' | 'author'): Promise<Record<string, string>> => {
    const { status, body } = await api.get<Refusal & { data: { params: Record<string, string> } }>(route, as);
    expect({ route, status }).toEqual({ route, status: 400 });
    return body.data.params;
  };

  test.each([
    ['events?page=99999999999999999999', 'page'],
    ['venues?per_page=9223372036854777000', 'per_page'],
    ['tags?page=1e19', 'page'],
    ['categories?per_page=18446744073709551617', 'per_page'],
  ])('%s: beyond the integers of PHP', async (route, name) => {
    expect(await refusal(route)).toEqual({ [name]: 'Invalid parameter.' });
  });

  test.each([
    ['9223372036854775808', 10],
    [LARGEST, 2],
  ])('the largest page (%s) with an even size is the first one again', async (page, size) => {
    const { venues, ...urls } = await list(`venues?page=${page}&per_page=${size}`);
    expect(venues).toEqual((await list(`venues?per_page=${size}`)).venues);
    expect(query(urls.rest_url)).toBe(`?page=${LARGEST}&per_page=${size}&status=publish`);
    expect(query(urls.next_rest_url)).toBe(`?per_page=${size}&status=publish&page=9.2233720368548E+18`);
    expect(query(urls.previous_rest_url)).toBe(`?per_page=${size}&status=publish&page=9223372036854775806`);
  });

  test('with an odd size it does not exist', async () => {
    expect((await api.get(`venues?page=${LARGEST}&per_page=3`)).status).toBe(404);
  });

  test.each([
    ['venue=10%20,%2011', 'venue=10 , 11'],
    ['venue=,10', 'venue=,10'],
    ['organizer=22,,23', 'organizer=22,,23'],
    ['organizer[x][y]=22', 'organizer=Array'],
    ['venue[]=10&venue[]=11', 'venue=10,11'],
    ['include=%2040,,39', 'include=40,39'],
  ])('events?%s is shown as %s', async (sent, shown) => {
    expect((await list(`events?${sent}`)).rest_url).toMatch(new RegExp(`&${shown}$`));
  });

  test.each([
    ['venues?has_events[]=1', 'has_events=1'],
    ['venues?has_events[a]=off', 'has_events=off'],
  ])('%s: a list of anything means yes', async (route, shown) => {
    const { venues, rest_url } = await list(route);
    expect(venues).toEqual((await list('venues?has_events=yes')).venues);
    expect(rest_url).toContain(`&${shown}&`);
  });

  test('only_with_upcoming[]: a list of anything means yes', async () => {
    expect((await list('venues?only_with_upcoming[]=off')).venues).toEqual((await list('venues?only_with_upcoming=true')).venues);
  });

  test.each([
    ['events?status=%20draft', 'admin'],
    ['venues?status=draft%20', 'author'],
    ['events?status=', undefined],
    ['venues?status', undefined],
  ] as const)('%s as %s is not a status', async (route, as) => {
    const { status, body } = await api.get(route, as);
    expect({ status, body }).toMatchObject({ status: 400, body: { data: { params: { status: 'Invalid parameter.' } } } });
  });

  test('an empty status shows editors what they may read, and leaves an empty argument in the address', async () => {
    const { venues, rest_url } = await list('venues?status=&per_page=50', 'editor');
    expect(venues).toEqual((await list('venues?status=publish,private&per_page=50', 'editor')).venues);
    expect(query(rest_url)).toBe('?page=1&per_page=50&');
    expect((await list('venues?status=&per_page=50', 'author')).venues).toEqual(
      (await list('venues?per_page=50&status=publish', 'author')).venues,
    );
  });

  test.each([
    ['venues?event=35,39', 'event'],
    ['organizers?event=35x', 'event'],
    ['events?post_parent=82.5', 'post_parent'],
    ['categories?parent=2,9', 'parent'],
    ['categories?parent[]=2', 'parent'],
  ])('%s passes the check and fails on its type', async (route, name) => {
    expect(await refusal(route)).toEqual({ [name]: `${name} is not of type integer.` });
  });

  test.each(['venues?event=-35', 'venues?event=x35', 'categories?parent=2,999'])('%s fails the check', async (route) => {
    expect(Object.values(await refusal(route))).toEqual(['Invalid parameter.']);
  });

  describe('terms', () => {
    const SELF = { self: expect.any(String) as string, collection: expect.any(String) as string };
    test('of an unknown context have no fields', async () => {
      expect((await list('tags?context=bogus&per_page=1')).tags).toEqual([[]]);
      expect(Object.keys((await api.get<object>('categories/4?context=bogus')).body)).toEqual(['_links']);
    });
    test('of an empty context have all of them', async () => {
      expect((await api.get('categories/4?context=')).body).toEqual((await api.get('categories/4')).body);
    });
    test('show no parent where they have none to show', async () => {
      expect((await api.get('categories/4?context=embed')).body).toMatchObject({ id: 4, urls: SELF });
      expect((await api.get<{ urls: object }>('categories/4?context=embed')).body.urls).not.toHaveProperty('up');
      expect((await api.get('categories/4?_fields=urls')).body).toEqual({ urls: SELF });
      expect((await api.get('categories/4?_fields=parent,urls')).body).toMatchObject({
        parent: 3,
        urls: { up: expect.any(String) as string },
      });
    });
    test('in lists hold the id and the fields asked for', async () => {
      expect((await list('tags?per_page=1&_fields=tags,name')).tags).toEqual([{ id: 18, name: '2026', urls: SELF }]);
      expect((await list('tags?per_page=1&_fields=tags,link')).tags).toEqual([{ id: 18, url: expect.any(String) as string, urls: SELF }]);
    });
    test('start at an offset, unless they have a hierarchy', async () => {
      const { tags } = await list('tags?per_page=3');
      expect((await list('tags?offset=2&per_page=1&page=7')).tags).toEqual(tags.slice(2));
      expect((await list('categories?offset=2&per_page=1')).categories).toEqual((await list('categories?per_page=1')).categories);
    });
  });

  if (profile === 'tec') {
    test.each([
      ['ticketed=on', 'Event Tickets plugin is not activated.'],
      ['ticketed[]=', 'Event Tickets plugin is not activated.'],
      ['ticketed=2', 'ticketed is not of type boolean.'],
      ['ticketed=off', 'ticketed is not of type boolean.'],
    ])('%s', async (sent, message) => {
      expect(await refusal(`events?${sent}`)).toEqual({ ticketed: message });
    });

    test.each([
      ['include=47&starts_after=2026-06-16', 'status=publish&include=47&starts_after=2026-06-16 23:59:59'],
      [
        'include=47&starts_before=2026-06-30&end_date=2026-07-01',
        'end_date=2028-06-15 12:00:00&status=publish&include=47&starts_before=2026-06-30 23:59:59',
      ],
      ['include=47&start_date=2026-07-01', 'start_date=2026-06-14 19:59:00&end_date=2028-06-15 12:00:00&status=publish&include=47'],
    ])('the window next to %s', async (sent, shown) => {
      expect(query((await list(`events?${sent}`)).rest_url)).toBe(`?page=1&per_page=10&${shown}`);
    });
  }
});
