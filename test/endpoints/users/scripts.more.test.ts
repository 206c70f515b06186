import { apiOf, type Login } from '../../support/api.js';
import { runningIn } from '../../support/page.js';
import { startTestServer } from '../../support/server.js';
import { TICKETS_WORLD } from '../../support/tickets.js';

/* HTML in every text field of every route, sent by each role that may not store scripts: none of it runs in what is read afterwards. */

const VECTOR =
  '<script>alert(1)</script><img src="x" onerror="alert(2)"><a href="javascript:alert(3)">a</a><iframe srcdoc="b"></iframe> kept';

interface Arg {
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  properties?: Record<string, unknown>;
}
interface Route {
  endpoints: { methods: string[]; args: Record<string, Arg> }[];
}

/** Parameters whose values are no texts, and what creating an item needs. */
const GIVEN = {
  ...{ status: 'publish', start_date: '2026-07-01 10:00', end_date: '2026-07-01 11:00', event: 52, ticket_id: 301, price: 1 },
  ...{ url: 'https://example.org/', email: 'new@example.org', author_email: 'new@example.org', slug: undefined, password: undefined },
  ...{ date: undefined, date_gmt: undefined, id: undefined, lang: undefined, locale: undefined, template: undefined, meta: undefined },
};

const NOT_FOR_ALL = ['status', 'author_name', 'author_email', 'author_url', 'author_user_agent'];

const isText = ({ type, format, enum: choices, properties }: Arg): boolean =>
  format === undefined && choices === undefined && ([type].flat().includes('string') || properties?.['raw'] !== undefined);

const bodyOf = (args: Record<string, Arg>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(args).flatMap(([name, arg]) => {
      const value: unknown = Object.hasOwn(GIVEN, name) ? GIVEN[name as keyof typeof GIVEN] : isText(arg) ? VECTOR : undefined;
      return value === undefined ? [] : [[name, value]];
    }),
  );

const LISTS = ['tribe/events/v1', 'calendar/events/v1'].flatMap((at) => ['events', 'venues', 'organizers'].map((list) => `${at}/${list}`));

/** All texts in a value. */
const textsIn = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];

describe.each(['standard', 'tec'] as const)('profile %s', (profile) => {
  const server = startTestServer({ dataset: TICKETS_WORLD, profile });
  const { call } = apiOf(server);

  const TYPES = ['posts', 'tribe_events', 'tribe_venue', 'tribe_organizer'];

  test.each<[Login, string[]]>([
    ['subscriber', ['wp/v2/users/me', 'wp/v2/comments']],
    ['contributor', [...TYPES.map((type) => `wp/v2/${type}`), ...LISTS, 'wp/v2/tags', 'wp/v2/comments']],
    ['author', [...TYPES.map((type) => `wp/v2/${type}`), ...LISTS, 'calendar/events/v1/categories', 'wp/v2/blocks', 'wp/v2/comments']],
  ])(
    'what becomes of HTML by the role %s does not run',
    async (as, expected) => {
      const commented = { title: 'Commented', status: 'publish', comment_status: 'open' };
      const { body: post } = await call<{ id: number }>('POST', '/wp/v2/posts', { as: 'admin', body: commented });
      const { routes } = (await call<{ routes: Record<string, Route> }>('GET', '/')).body;
      const stored: string[] = [];
      const running: string[] = [];
      for (const [route, { endpoints }] of Object.entries(routes))
        for (const { args } of endpoints.filter((each) => each.methods.includes('POST'))) {
          if (route.includes('(?P<') && route !== '/wp/v2/users/me') continue;
          const body: Record<string, unknown> = { ...bodyOf(args), ...(Object.hasOwn(args, 'post') ? { post: post.id } : {}) };
          let answer = await call<{ id?: number; data?: { params?: Record<string, string> } }>('POST', route, { as, body });
          // Without what is invalid, or not for this role.
          for (const name of answer.status === 400 ? Object.keys(answer.body.data?.params ?? {}) : NOT_FOR_ALL) delete body[name];
          if (answer.status >= 400) answer = await call('POST', route, { as, body });
          if (answer.status >= 300) continue;
          const texts = textsIn(answer.body);
          if (texts.some((each) => each.includes('kept'))) stored.push(route.slice(1));
          const item = answer.body.id ?? 0;
          for (const context of item > 0 ? ['view', 'edit'] : [])
            texts.push(...textsIn((await call('GET', `${route}/${item}?context=${context}`, { as: 'admin' })).body));
          running.push(...texts.flatMap(runningIn).map((each) => `${route}: ${each}`));
        }
      expect([...new Set(running)]).toEqual([]);
      expect(stored).toEqual(expect.arrayContaining(expected));
    },
    60_000,
  );
});
