import type { VERSION_QUIRKS } from '../../../../src/plugins/the-events-calendar/quirks/index.js';
import { lines, newer, proof, tagId, tried, type Proof } from './proof.js';

interface Index {
  namespaces: string[];
  routes: Record<string, { endpoints: { args: Record<string, unknown> }[] }>;
}

interface Listed {
  id: number;
  comment_status?: string;
  ping_status?: string;
  _links: Record<string, { href: string }[]>;
}

/** Releases of the plugin: iCalendar, `wp/v2` and `tec/v1`. */
export const SURROUNDING_PROOFS = {
  'no-calendar-embeds': proof({
    ask: async (ask) => {
      const { get, call } = ask;
      const { body: terms } = await get<Listed[]>('/wp/v2/tribe_events_cat?per_page=1');
      const { body: tag } = await get<Listed>(`tags/${await tagId(ask, 'free')}`);
      const { body: taxonomy } = await get<{ types: string[] }>('/wp/v2/taxonomies/post_tag');
      const { body: types } = await get<object>('/wp/v2/types');
      const { body: index } = await get<Index>('/wp/v2');
      const { status } = await call('GET', '/wp/v2/tec_calendar_embed');
      return [
        terms[0]._links['wp:post_type'].length,
        tag._links['wp:post_type'].length,
        taxonomy.types,
        Object.hasOwn(types, 'tec_calendar_embed'),
        Object.hasOwn(index.routes, '/wp/v2/tec_calendar_embed'),
        JSON.stringify(index.routes['/wp/v2/users']).includes('tec_calendar_embed'),
        status,
      ];
    },
    plugin: [1, 2, ['post', 'tribe_events'], false, false, false, 404],
    documented: [2, 3, ['post', 'tribe_events', 'tec_calendar_embed'], true, true, true, 200],
  }),
  'ical-stamps-are-now': proof({
    ask: async (ask) => {
      const [stamp] = await lines(ask, '/event/series/?ical=1', 'DTSTAMP:');
      const [changed] = await lines(ask, '/event/series/?ical=1', 'LAST-MODIFIED:');
      return [stamp.endsWith('Z'), stamp.split(':')[1] === changed.split(':')[1]];
    },
    plugin: [false, false],
    documented: [true, true],
  }),
  'ical-zones-are-short': proof({
    ask: async (ask) => {
      const starts = await lines(ask, '/event/many-words/?ical=1', 'DTSTART');
      const year = /^DTSTART;[^:]*:(\d{4})/.exec(starts.at(-1)!)?.[1];
      return starts.some((line) => line.startsWith(`DTSTART:${Number(year) + 1}`));
    },
    plugin: false,
    documented: true,
  }),
  'ical-zones-share-a-block': proof({
    ask: async (ask) => {
      const read = await lines(ask, '/events/?ical=1', 'BEGIN:VTIMEZONE', 'TZID:', 'END:VTIMEZONE');
      const count = (name: string): number => read.filter((line) => line.startsWith(name)).length;
      return [count('BEGIN:VTIMEZONE') === count('TZID:'), count('BEGIN:VTIMEZONE') > 1, count('TZID:') > 1];
    },
    plugin: [false, false, true],
    documented: [true, true, true],
  }),
  'order-of-include-finds-nothing': proof({
    ask: async ({ get }) => {
      const { body: listed } = await get<Listed[]>('/wp/v2/tribe_events?per_page=2');
      const ids = listed.map(({ id }) => id);
      const ordered = (query: string) => get<Listed[]>(`/wp/v2/tribe_events?${query}`);
      const answers = await Promise.all([
        ordered(`include=${ids.join()}&orderby=include`),
        ordered('orderby=include_slugs&slug=series'),
        ordered(`include=${ids.join()}`),
      ]);
      return answers.map(({ status, body }) => `${status} ${body.length}`);
    },
    plugin: ['200 0', '200 0', '200 2'],
    documented: ['200 2', '200 1', '200 2'],
  }),
  'events-have-comments': proof({
    writes: true,
    ask: async ({ get, call }) => {
      const { body: listed } = await get<Listed[]>('/wp/v2/tribe_events?per_page=1');
      const made = await call<Listed>('POST', '/wp/v2/tribe_events', { as: 'admin', body: { title: 'New', comment_status: 'closed' } });
      const { body: types } = await get<{ supports: object }>('/wp/v2/types/tribe_events?context=edit', 'admin');
      const { body: route } = await call<{ schema: { properties: object } }>('OPTIONS', '/wp/v2/tribe_events');
      return [
        listed[0].comment_status,
        listed[0].ping_status,
        Object.hasOwn(listed[0]._links, 'replies'),
        made.body.comment_status,
        Object.hasOwn(types.supports, 'comments'),
        Object.hasOwn(route.schema.properties, 'comment_status'),
      ];
    },
    plugin: ['open', 'closed', true, 'closed', true, true],
    documented: [undefined, undefined, false, undefined, false, false],
  }),
  'no-tec-v1': proof({
    ask: async (ask) => {
      const { body: index } = await ask.get<Index>('/');
      return [
        await tried(ask, 'GET', '/tec/v1'),
        await tried(ask, 'GET', '/tec/v1/docs'),
        index.namespaces.includes('tec/v1'),
        Object.keys(index.routes).some((route) => route.startsWith('/tec/v1')),
      ];
    },
    plugin: ['404 rest_no_route', '404 rest_no_route', false, false],
    documented: ['200', '200', true, true],
  }),
  'tec-v1-hides-write-arguments': proof({
    ask: async (ask) => {
      const { body } = await ask.get<Index>('/tec/v1');
      return body.routes['/tec/v1/events'].endpoints.map(({ args }) => Object.keys(args).length > 0);
    },
    plugin: [true, false],
    documented: [true, true],
  }),
  'tec-v1-stops-at-first-error': proof({
    writes: true,
    ask: async (ask) => {
      const answers = await Promise.all([
        newer(ask, 'GET', 'events?per_page=0&page=0'),
        newer(ask, 'POST', 'venues', 'admin', { title: 'New', website: 'not an address', date: 'never' }),
        newer(ask, 'POST', 'venues', 'admin', { title: ['New'] }),
      ]);
      return answers.map(({ body }) => /^tec_rest_invalid_\w+$/.exec((body as { code?: string }).code ?? '')?.[0]);
    },
    plugin: ['tec_rest_invalid_positive_integer_parameter', 'tec_rest_invalid_date_time_parameter', 'tec_rest_invalid_property'],
    documented: [undefined, undefined, undefined],
  }),
  'tec-v1-checks-nothing': proof({
    writes: true,
    ask: async (ask) => {
      const listed = await newer(ask, 'GET', 'events?order=desc&venue=999999');
      const made = await newer(ask, 'POST', 'venues', 'admin', { title: 'New', website: 'not an address' });
      const untitled = await newer(ask, 'POST', 'venues', 'admin', { title: ['New'] });
      return [listed.total, (made.body as { website?: string }).website, (untitled.body as { error?: string }).error];
    },
    plugin: ['0', 'not an address', 'Failed to create entity.'],
    documented: [null, undefined, undefined],
  }),
  'tec-v1-needs-json-numbers': proof({
    writes: true,
    ask: async (ask) => {
      const { total } = await newer(ask, 'GET', 'events');
      const answers = [];
      for (const author of [1, '1']) answers.push(await newer(ask, 'POST', 'venues', 'admin', { title: 'New', author }));
      return [total === null, ...answers.map(({ body }) => Object.hasOwn(body, 'id'))];
    },
    plugin: [true, true, false],
    documented: [false, true, true],
  }),
} satisfies Partial<Record<keyof typeof VERSION_QUIRKS, Proof>>;
