import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { inputFile, openFile } from '../../../src/transfer/formats/open.js';
import type { DatasetSource } from '../../../src/transfer/source.js';
import { VENUE } from '../../../src/plugins/the-events-calendar/model/index.js';
import { LINKED } from '../../../src/plugins/the-events-calendar/model/event.js';
import { metaValue } from '../../../src/wordpress/model.js';
import { startTestServer } from '../../support/server.js';
import { bySlug, load, post, sourceOf, store, term, user } from './loading.js';

/** Venues, organizers and terms that a dataset refers to and does not contain: created, found on the site, or forbidden. */

const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-mentions-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, content: object | string): string {
  const file = path.join(folder, name);
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  return file;
}

const open = (name: string, content: object | string): Promise<DatasetSource> => openFile(inputFile(write(name, content)), { now: null });

const event = { title: 'Talk', start: '+3d 10:00', duration: '1h' };
const TALK = { events: [{ ...event, venue: 'hall', categories: ['Music'] }] };

describe('an import', () => {
  beforeEach(async () => {
    const venue = post(10, VENUE, 'hall', { title: 'The Hall' });
    await load(sourceOf([user(7, 'anna', 'administrator'), term(1, 'music'), venue]), 'replace');
  });

  test('finds them on the site, by slug or name', async () => {
    const second = { events: [{ ...event, title: 'Second', venue: 'The Hall', categories: ['music'] }] };
    await load([await open('first.json', TALK), await open('second.json', second)], 'add');
    expect(await store.posts.countDocuments({ type: VENUE })).toBe(1);
    for (const slug of ['talk', 'second']) {
      const found = await bySlug(slug);
      expect([found && metaValue(found, LINKED.venue.link.key), found?.terms]).toEqual(['10', { tribe_events_cat: [1] }]);
    }
    // References to existing items are allowed even with `create: false`.
    await expect(load(await open('third.json', TALK), 'add', { create: false })).resolves.toMatchObject({ venues: 0 });
  });

  test('creates the others, or reports all of them', async () => {
    const source = await open('new.json', {
      events: [{ ...event, title: 'New', venue: 'Arena', organizers: ['Ada'], categories: ['Sport'] }],
    });
    await expect(load(source, 'add', { create: false })).rejects.toMatchObject({
      problems: [
        'line 7: events[0].venue: there is no venue with the slug "Arena"',
        'line 9: events[0].organizers[0]: there is no organizer with the slug "Ada"',
        'line 12: events[0].categories[0]: there is no category with the slug "Sport"',
      ],
    });
    expect(await store.posts.countDocuments({ type: VENUE })).toBe(1);
    await load(source, 'add');
    expect((await bySlug('arena'))?.title).toBe('Arena');
  });

  test('of a table reports them as well', async () => {
    const csv = 'Event Name,Event Start Date,Event Venue Name,Event Category\nFair,2027-08-01,Nowhere,Fairs\n';
    await expect(load(await open('events.csv', csv), 'add', { create: false })).rejects.toMatchObject({
      problems: [
        'line 2: Event Venue Name: there is no venue with the name "Nowhere"',
        'line 2: Event Category: there is no category with the name "Fairs"',
      ],
    });
  });
});

describe('a server', () => {
  const [lax, strict] = [startTestServer(), startTestServer({ create: false })];
  const seed = async (url: string, route = ''): Promise<[number, string]> => {
    const response = await fetch(`${url}/__qa/seed${route}`, { method: 'POST', body: JSON.stringify(TALK) });
    return [response.status, await response.text()];
  };
  const refused = [400, expect.stringContaining('events[0].venue: there is no venue with the slug \\"hall\\"')];

  test('creates them when it is seeded, unless the request or its options forbid it', async () => {
    expect(await seed(lax().url)).toEqual([200, expect.anything()]);
    expect(await seed(lax().url, '?create=false')).toEqual(refused);
    expect(await seed(strict().url)).toEqual(refused);
    expect(await seed(strict().url, '?create=true')).toEqual([200, expect.anything()]);
    const { venues } = (await (await fetch(`${lax().url}/wp-json/tribe/events/v1/venues`)).json()) as { venues: { venue: string }[] };
    expect(venues.map(({ venue }) => venue)).toEqual(['hall']);
  });
});
