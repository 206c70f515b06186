import * as fc from 'fast-check';
import { EVENT_CATEGORY } from '../../../../src/plugins/the-events-calendar/model/index.js';
import { readEverything, sharedSlugs } from '../../../support/scan.js';
import { runs, LIMIT, server, call, created, TERM_NAMES, title, EVENT_DATES, type Json } from './properties.js';

const distinct = (values: unknown[]): number => new Set(values).size;

test.each([
  ['events', (name: string) => ({ title: name, ...EVENT_DATES })],
  ['organizers', (name: string) => ({ organizer: name })],
  ['venues', (name: string) => ({ venue: name })],
] as const)(
  'concurrent creation of %s with the same title yields distinct slugs and ids',
  async (collection, fields) => {
    await fc.assert(
      fc.asyncProperty(title, fc.integer({ min: 2, max: 12 }), async (name, count) => {
        const made = await Promise.all(Array.from({ length: count }, () => created('editor', collection, fields(name))));
        // Venues and organizers with equal names are created once. The first is reused.
        const wanted = collection === 'events' ? count : 1;
        expect([distinct(made.map(({ id }) => id)), distinct(made.map(({ slug }) => slug))]).toEqual([wanted, wanted]);
        expect(sharedSlugs(await readEverything(server().site.store))).toEqual([]);
      }),
      runs(6),
    );
  },
  LIMIT,
);

test.each(['categories', 'tags'])(
  'concurrent creation of equal %s creates one',
  async (collection) => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...TERM_NAMES), fc.integer({ min: 2, max: 12 }), async (name, count) => {
        await server().reset();
        const answers = await Promise.all(Array.from({ length: count }, () => call('editor', 'POST', collection, { name })));
        expect(answers.filter(({ status: code }) => code === 201)).toHaveLength(1);
        expect(answers.filter(({ status: code }) => code === 400)).toHaveLength(count - 1);
        expect(distinct(answers.filter(({ status: code }) => code === 400).map(({ body }) => body.code))).toBe(1);
      }),
      runs(6),
    );
  },
  LIMIT,
);

test(
  'a new category named by many concurrent events is created once and counts all of them',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('Jazz', 'Folk', 'Rock & Roll'), fc.integer({ min: 2, max: 12 }), async (name, count) => {
        await server().reset();
        const one = (i: number): object => ({ title: `Event ${i}`, ...EVENT_DATES, categories: [name], tags: [`${name} tag`] });
        await Promise.all(Array.from({ length: count }, (_, i) => created('author', 'events', one(i))));
        const everything = await readEverything(server().site.store);
        expect(everything.terms.filter(({ taxonomy }) => taxonomy === EVENT_CATEGORY).map(({ count: found }) => found)).toEqual([count]);
      }),
      runs(6),
    );
  },
  LIMIT,
);

test(
  'concurrent updates of different fields all take effect',
  async () => {
    const { id } = await created('editor', 'events', { title: 'Start', ...EVENT_DATES });
    const { id: venue } = await created('editor', 'venues', { venue: 'Start' });
    let round = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(['title', 'description', 'excerpt', 'categories', 'slug'], { minLength: 2 }),
        fc.boolean(),
        async (fields, alsoTags) => {
          round += 1;
          const value = (field: string): unknown =>
            field === 'categories' || field === 'tags' ? [`${field} ${round}`] : `${field}-${round}`;
          const sent = alsoTags ? [...fields, 'tags'] : fields;
          const answers = await Promise.all(sent.map((field) => call('editor', 'POST', `events/${String(id)}`, { [field]: value(field) })));
          expect(answers.map(({ status: code }) => code)).toEqual(sent.map(() => 200));
          const { body } = await call('editor', 'GET', `events/${String(id)}`);
          const names = (terms: unknown): unknown => (Array.isArray(terms) ? terms.map(({ name }: Json) => name) : undefined);
          const shown = (field: string): unknown => names(body[field]) ?? String(body[field]).replace(/^<p>|<\/p>$/g, '');
          expect(Object.fromEntries(sent.map((field) => [field, shown(field)]))).toEqual(
            Object.fromEntries(sent.map((field) => [field, value(field)])),
          );
        },
      ),
      runs(10),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(['venue', 'description', 'address', 'city', 'phone', 'zip'], { minLength: 2 }),
        async (fields) => {
          round += 1;
          await Promise.all(fields.map((field) => call('editor', 'POST', `venues/${String(venue)}`, { [field]: `${field} ${round}` })));
          const { body } = await call('editor', 'GET', `venues/${String(venue)}`);
          expect(fields.map((field) => String(body[field]).replace(/^<p>|<\/p>$/g, ''))).toEqual(
            fields.map((field) => `${field} ${round}`),
          );
        },
      ),
      runs(6),
    );
  },
  LIMIT,
);
