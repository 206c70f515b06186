import { createServer } from '../../../src/index.js';
import { LANGUAGES, translate, type Language } from '../../../src/base/locales/index.js';
import { PEOPLE, signedIn } from '../../support/people.js';
import { startTestServer } from '../../support/server.js';

const CALENDAR = '/wp-json/tribe/events/v1';

type Tree = Record<string, Record<string, Record<string, Record<string, Record<string, never>>>>>;

interface Described {
  what: string;
  method?: string;
  path: string;
  /** Finds the description of an event's title in the response. */
  find: (body: Tree) => unknown;
}

const argument = (route: unknown): unknown =>
  (route as { endpoints: { args: Record<string, { description: string }> }[] }).endpoints[1].args.title.description;

/** All responses that describe the API. */
const PLACES: Described[] = [
  { what: 'the index of the site', path: '/wp-json/', find: ({ routes }) => argument(routes['/tribe/events/v1/events']) },
  { what: 'the index of the namespace', path: CALENDAR, find: ({ routes }) => argument(routes['/tribe/events/v1/events']) },
  { what: 'OPTIONS', method: 'OPTIONS', path: `${CALENDAR}/events`, find: argument },
  {
    what: '/doc',
    path: `${CALENDAR}/doc`,
    find: ({ components }) => (components.schemas.Event.properties.title as { description: string }).description,
  },
];

/** The fastest of them. */
const ONE_PLACE = PLACES.filter(({ what }) => what === 'OPTIONS');

interface Wish {
  /** A way to select a language. These are tested everywhere, other cases in one place. */
  isWay?: true;
  query?: string;
  accept?: string;
  as?: string;
  /** The resulting language under `standard` and under `tec`, on a French site. */
  standard: Language;
  tec: Language;
}

const WISHES: Wish[] = [
  { isWay: true, standard: 'fr', tec: 'fr' },
  { isWay: true, accept: 'de-AT,de;q=0.9,en;q=0.8', standard: 'de', tec: 'fr' },
  { accept: 'en;q=0.2, es;q=0.7, *;q=0.1', standard: 'es', tec: 'fr' },
  { accept: 'pt-PT, *;q=0.5', standard: 'pt-BR', tec: 'fr' },
  { accept: 'en-GB', standard: 'en', tec: 'fr' },
  { accept: 'tlh', standard: 'fr', tec: 'fr' },
  { accept: '*', standard: 'fr', tec: 'fr' },
  { accept: 'fr;q=0, *', standard: 'en', tec: 'fr' },
  { accept: ';;,=q', standard: 'fr', tec: 'fr' },
  { isWay: true, query: '_locale=pt_BR', standard: 'pt-BR', tec: 'fr' },
  { query: '_locale=ja', accept: 'de', standard: 'ja', tec: 'fr' },
  { query: '_locale=tlh', accept: 'de', standard: 'de', tec: 'fr' },
  { query: '_locale[]=de', standard: 'fr', tec: 'fr' },
  { query: '_locale=user', accept: 'de', standard: 'fr', tec: 'fr' },
  { isWay: true, query: '_locale=user', as: 'editor', standard: 'ja', tec: 'ja' },
  { query: '_locale=user', as: 'author', standard: 'fr', tec: 'fr' },
  { as: 'editor', standard: 'fr', tec: 'fr' },
];

const wishOf = ({ query = '', accept = 'no header', as = 'anonymous' }: Wish): string => `"${query}" with ${accept} as ${as}`;

describe.each(['standard', 'tec'] as const)('a site in French (profile %s)', (profile) => {
  const server = startTestServer({ dataset: PEOPLE, profile, language: 'fr_FR' });
  beforeAll(() => server().site.store.users.updateOne({ login: 'editor' }, { $set: { locale: 'ja' } }));

  const ask = async ({ method = 'GET', path }: Omit<Described, 'what' | 'find'>, { query, accept, as = 'anonymous' }: Partial<Wish>) => {
    const headers = { 'accept-language': accept ?? '', ...signedIn(as) };
    const response = await fetch(`${server().url}${path}${query === undefined ? '' : `?${query}`}`, { method, headers });
    return { headers: response.headers, body: (await response.json()) as Tree };
  };

  test.each(WISHES.map((wish) => [wishOf(wish), wish] as const))('%s', async (_, wish) => {
    const language = wish[profile];
    for (const place of wish.isWay ? PLACES : ONE_PLACE) {
      const { headers, body } = await ask(place, wish);
      const said = { language: headers.get('content-language'), varies: /accept-language/i.test(headers.get('vary') ?? '') };
      expect([place.what, place.find(body), said]).toEqual([
        place.what,
        translate(language, 'Title of the event.'),
        profile === 'tec' ? { language: null, varies: false } : { language, varies: true },
      ]);
    }
  });

  test('machine-readable content is the same in all languages', async () => {
    const wish = { accept: 'de', query: 'page=none' };
    const { headers, body } = await ask({ path: `${CALENDAR}/events` }, wish);
    expect([body.message, headers.get('content-language'), /accept-language/i.test(headers.get('vary') ?? '')]).toEqual([
      'Invalid parameter(s): page',
      null,
      false,
    ]);
  });

  test('the test API is described in English, the API to explore in the language of the site or of the request', async () => {
    const told = async (path: string): Promise<unknown> => (await fetch(`${server().url}/__qa${path}`)).json();
    expect(await told('/doc')).toMatchObject({ info: { description: expect.stringMatching(/^Controls a server from tests/) as string } });
    const [own, spanish] = await Promise.all(['/openapi.json', '/openapi.json?_locale=es_MX'].map(told));
    expect([JSON.stringify(own), JSON.stringify(spanish)]).toEqual([
      expect.stringContaining('Titre de l’événement.'),
      expect.stringContaining('Título del evento.'),
    ]);
    expect(await told('/openapi.json?_locale=tlh')).toMatchObject({ code: 'rest_invalid_param' });
  });

  test('content of the site is not translated', async () => {
    const { site } = server();
    await site.store.options.updateOne({ _id: 'blogdescription' }, { $set: { value: 'City.' } }, { upsert: true });
    await site.reload();
    const { body } = await ask({ path: '/wp-json/' }, {});
    expect(body.description).toBe('City.');
  });

  test('the layout turns with a language that is written from right to left', async () => {
    const { site } = server();
    const { language } = site.chosen;
    site.chosen.language = null;
    const turned: boolean[] = [];
    for (const value of ['he_IL', 'ar', 'de_DE', 'arg']) {
      await site.store.options.updateOne({ _id: 'WPLANG' }, { $set: { value } }, { upsert: true });
      await site.reload();
      const html = await (await fetch(`${server().url}/events/`)).text();
      turned.push(/<html lang="[^"]+" dir="rtl"/.test(html));
    }
    site.chosen.language = language;
    await site.store.options.deleteOne({ _id: 'WPLANG' });
    await site.reload();
    expect(turned).toEqual([true, true, false, false]);
  });

  test('without the option the language of the site settings applies', async () => {
    const { site } = server();
    site.chosen.language = null;
    const spoken: string[] = [];
    for (const value of ['es_ES', '', 'tlh']) {
      await site.store.options.updateOne({ _id: 'WPLANG' }, { $set: { value } }, { upsert: true });
      await site.reload();
      const { body } = await ask(PLACES[3], {});
      spoken.push(PLACES[3].find(body) as string);
    }
    expect(spoken).toEqual(['Título del evento.', 'Title of the event.', 'Title of the event.']);
  });
});

test.each(['tlh', 'german', ''])('a server does not start with the language %p', async (language) => {
  await expect(createServer({ language })).rejects.toThrow(
    `language must be one of ${LANGUAGES.join(', ')}, or one of their locales, such as de_DE`,
  );
});
