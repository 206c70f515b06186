import { siteRoutes } from '../../../../src/server/app/routes.js';
import {
  catalogOf,
  describedIn,
  interpolate,
  findLanguage,
  LANGUAGES,
  pageTexts,
  translate,
  type Language,
} from '../../../../src/base/locales/index.js';
import { Dates } from '../../../../src/wordpress/views/dates.js';
import { eventCount } from '../../../../src/plugins/the-events-calendar/pages/list-template.js';
import { type Reading } from '../../../../src/wordpress/views/reading.js';
import type { RestRequest } from '../../../../src/wordpress/rest/request.js';
import type { CallContext } from '../../../../src/wordpress/rest/route.js';
import { registry } from '../../../support/registry.js';

const ENGLISH = catalogOf('en').pages;
const OTHERS = LANGUAGES.filter((language) => language !== 'en');

/** Every text in `description` or `summary` members of a value, at any depth. Examples are skipped, since they are data. */
function textsIn(value: unknown): string[] {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, child]) =>
    key === 'example' || key === 'value'
      ? []
      : typeof child === 'string'
        ? /^(description|summary)$/.test(key) && child !== ''
          ? [child]
          : []
        : textsIn(child),
  );
}

const context = {
  site: {
    language: 'en',
    registry,
    options: { calendar: {}, postsPerPage: 10 },
    url: 'http://calendar.test',
    restUrl: (path: string) => `http://calendar.test/wp-json${path}`,
  },
  request: { language: 'en', get: () => undefined, resolved: new Map() } as unknown as RestRequest,
} as CallContext;

const TABLE = (await siteRoutes(['calendar/events/v1'])).tableOf(registry);

/** The site with some quirks alone. */
const siteWith = (quirks: string[]): CallContext['site'] =>
  Object.assign(Object.create(context.site) as CallContext['site'], { quirks: new Set(quirks) });

const declared = TABLE.flatMap(({ route: { endpoints, schema } }) => [
  ...endpoints.flatMap(({ args }) => textsIn(args)),
  ...textsIn(typeof schema === 'function' ? schema(siteWith([])) : schema),
]);

/** Both OpenAPI documents: the plugin's, and that of the documented interface. */
const documented = await Promise.all(
  [['doc-is-not-openapi'], []].map(async (quirks) => {
    const doc = TABLE.find(({ route }) => route.path.endsWith('/doc'))?.route.endpoints[0];
    return textsIn((await doc?.handler({ ...context, site: siteWith(quirks) }))?.body);
  }),
);

/** All descriptions for readers of the API. The test API is for developers, and only in English. */
const KEYS = [...new Set([...declared, ...documented.flat()])].toSorted();

/** Parts that must be the same in every language: placeholders, names in backticks, and format specifiers. */
const fixed = (text: string): string[] => (text.match(/`[^`]*`|\{\w+\}|%(?:\d+\$)?[sd]/g) ?? []).toSorted();

test('the declarations are found', () => {
  expect(KEYS.length).toBeGreaterThan(300);
  expect(KEYS).toEqual(expect.arrayContaining(['Title of the event.', 'Width of this size, in pixels.', 'The venue does not exist.']));
});

describe.each(OTHERS)('the catalogue of %s', (language) => {
  const { descriptions, pages } = catalogOf(language);

  test('contains every description and nothing else', () => {
    expect(Object.keys(descriptions).toSorted()).toEqual(KEYS);
  });

  test('contains every text of the pages and nothing else', () => {
    expect(Object.keys(pages)).toEqual(Object.keys(ENGLISH));
  });

  test.each([
    ['descriptions', Object.entries(descriptions)],
    ['pages', Object.entries(ENGLISH).map(([name, text]) => [text, pages[name as keyof typeof ENGLISH]])],
  ])('%s keep their untranslatable parts', (_, entries) => {
    expect(entries.filter(([english, text]) => fixed(english).join(' ') !== fixed(text).join(' '))).toEqual([]);
  });

  test('has no untranslated, empty or padded text', () => {
    const untouched = Object.entries(descriptions).filter(([english, text]) => english === text || text.trim() !== text || text === '');
    expect(untouched).toEqual([]);
  });

  test('ends sentences with the punctuation of its language', () => {
    const end = language === 'ja' ? /[。]$/ : /[.]$/;
    // Names of operations are not sentences.
    expect(Object.entries(descriptions).filter(([english, text]) => english.endsWith('.') !== end.test(text))).toEqual([]);
  });
});

test.each<[string, Language | null]>([
  ['de', 'de'],
  ['de_DE', 'de'],
  ['de_DE_formal', 'de'],
  ['de-AT', 'de'],
  ['DE', 'de'],
  ['fr_CA', 'fr'],
  ['es_419', 'es'],
  ['pt', 'pt-BR'],
  ['pt_BR', 'pt-BR'],
  ['pt-PT', 'pt-BR'],
  ['ja', 'ja'],
  ['en_US', 'en'],
  ['zh_CN', null],
  ['deu', null],
  ['german', null],
  ['', null],
  ['de ', null],
  ['constructor', null],
])('%p selects %p', (tag, language) => {
  expect(findLanguage(tag)).toBe(language);
});

test('a text missing from the catalog stays English', () => {
  expect(OTHERS.map((language) => translate(language, 'Nobody has translated this.'))).toEqual(
    OTHERS.map(() => 'Nobody has translated this.'),
  );
  expect(OTHERS.map((language) => translate(language, 'constructor'))).toEqual(OTHERS.map(() => 'constructor'));
});

test('descriptions are translated at every depth, data is not', () => {
  const value = {
    description: 'City.',
    name: 'City.',
    default: { description: 'City.' },
    enum: [{ description: 'City.' }],
    properties: { description: { type: 'string', description: 'Country.' }, list: { items: [{ description: 'Unknown words.' }] } },
  };
  const before = structuredClone(value);
  expect(describedIn('de', value)).toEqual({
    description: 'Ort.',
    name: 'City.',
    default: { description: 'City.' },
    enum: [{ description: 'City.' }],
    properties: { description: { type: 'string', description: 'Land.' }, list: { items: [{ description: 'Unknown words.' }] } },
  });
  expect(value).toEqual(before);
});

test('values are inserted into page texts unchanged', () => {
  expect(interpolate(pageTexts('ja').pageOf, { page: 2, pages: 7 })).toBe('7 ページ中 2 ページ目');
  expect(interpolate('{a} {b} {toString}', { a: '{b}', b: '$&' })).toBe('{b} $& {toString}');
});

test.each<[Language, count: number, text: string]>([
  ['en', 0, '0 events'],
  ['en', 1, '1 event'],
  ['de', 0, '0 Veranstaltungen'],
  ['fr', 0, '0 événement'],
  ['fr', 2, '2 événements'],
  ['es', 0, '0 eventos'],
  ['pt-BR', 0, '0 evento'],
  ['ja', 1, '1 件のイベント'],
])('counts follow the plural rules of %s: %i', (language, count, text) => {
  expect(eventCount({ texts: pageTexts(language), dates: new Dates(language) } as Reading, count)).toBe(text);
});

test.each<[Language, seconds: number, text: string]>([
  ['en', 1, 'Try again in 1 second.'],
  ['de', 30, 'Versuche es in 30 Sekunden erneut.'],
  ['fr', 1, 'Réessayez dans 1 seconde.'],
  ['ja', 30, '30 秒後にもう一度お試しください。'],
])('a duration follows the plural rules of %s: %i', (language, seconds, text) => {
  const shown = interpolate(pageTexts(language).tooManyAttempts, { time: new Dates(language).seconds(seconds) });
  expect(shown.replaceAll('\u00a0', ' ').endsWith(text)).toBe(true);
});
