import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatasetError } from '../../src/transfer/source.js';
import { readDataset } from '../support/datasets.js';
import { EDGE, edgeApi } from '../support/edge.js';
import { startTestServer } from '../support/server.js';
import { readersOf } from './readers.js';
import type { ErrorBody } from '../../src/sdk/types/responses.js';

const tec = edgeApi(startTestServer({ dataset: EDGE }));
const standard = edgeApi(startTestServer({ dataset: EDGE, profile: 'standard' }));
const { list, slugs, venue } = readersOf(tec);

describe('places under the standard profile', () => {
  test.each<[query: string, found: string[]]>([
    ['geoloc=true', ['north-pole', 'beyond-the-pole', 'south-pole', 'taveuni-east', 'taveuni-west', 'open-hall', 'locked-hall']],
    // All longitudes meet at the pole.
    ['geoloc=true&geoloc_lat=90&geoloc_lng=0', ['north-pole', 'beyond-the-pole']],
    ['geoloc=true&geoloc_lat=89.95&geoloc_lng=-45', ['north-pole', 'beyond-the-pole']],
    ['geoloc=true&geoloc_lat=-90&geoloc_lng=-170', ['south-pole']],
    // Distances cross the date line, in both directions.
    ['geoloc=true&geoloc_lat=-16.8&geoloc_lng=180', ['taveuni-east', 'taveuni-west']],
    ['geoloc=true&geoloc_lat=-16.8&geoloc_lng=-180', ['taveuni-east', 'taveuni-west']],
    ['geoloc=true&geoloc_lat=-16.8&geoloc_lng=179.8', ['taveuni-east', 'taveuni-west']],
    ['geoloc=true&geoloc_lat=-16.8&geoloc_lng=179.6', ['taveuni-west']],
    ['geoloc=true&geoloc_lat=50.94&geoloc_lng=6.96', ['open-hall', 'locked-hall']],
    ['geoloc=true&geoloc_lat=51.2&geoloc_lng=6.96', ['open-hall']],
    // TEC: a coordinate of zero counts as missing.
    ['geoloc=true&geoloc_lat=0&geoloc_lng=0', []],
    ['geoloc=true&geoloc_lat=51.4779&geoloc_lng=0', []],
  ])('%s', async (query, found) => {
    expect(await slugs(`categories=places&${query}`, undefined, standard)).toEqual(found.map((slug) => `at-${slug}`));
  });

  test.each([
    'geoloc=true&geoloc_lat=50',
    'geoloc=true&geoloc_lng=7',
    'geoloc_lat=91&geoloc_lng=0',
    'geoloc_lat=0&geoloc_lng=180.5',
    'geoloc_lat=x&geoloc_lng=1',
  ])('%s returns 400', async (query) => {
    const { status, body } = await standard.get<ErrorBody>(`events?${query}`);
    expect([status, body.code]).toEqual([400, 'rest_invalid_param']);
  });

  test.each<[slug: string, lat: number, lng: number]>([
    ['north-pole', 90, -45],
    ['south-pole', -90, 45],
    ['taveuni-west', -16.8, 179.9],
    ['open-hall', 50.9413, 6.9583],
  ])('%s has coordinates', async (slug, lat, lng) => {
    const shown = await venue(slug, '', standard);
    expect(shown).toMatchObject({ geo_lat: lat, geo_lng: lng });
    expect(shown.json_ld?.geo).toEqual({ '@type': 'GeoCoordinates', latitude: lat, longitude: lng });
  });

  test.each(['null-island', 'greenwich', 'only-a-name'])('%s has no coordinates', async (slug) => {
    const shown = await venue(slug, '', standard);
    expect(shown).not.toHaveProperty('geo_lat');
    expect(shown.json_ld).not.toHaveProperty('geo');
  });

  test('the tec profile ignores coordinates', async () => {
    const { total, rest_url } = await list('categories=places&geoloc=true&geoloc_lat=90&geoloc_lng=0');
    expect(total).toBe(10);
    expect(rest_url).toContain('&geoloc=1&geoloc_lat=90&geoloc_lng=0&');
    expect(await venue('open-hall')).not.toHaveProperty('geo_lat');
  });
});

describe('tickets under the standard profile', () => {
  test.each<[ticketed: string, found: string[]]>([
    ['true', ['with-tickets', 'with-ticket-provider', 'with-tickets-and-cost']],
    ['false', ['without-tickets']],
  ])('ticketed=%s', async (ticketed, found) => {
    expect(await slugs(`categories=tickets&ticketed=${ticketed}`, undefined, standard)).toEqual(found);
  });

  test('without the parameter the list contains events with and without tickets', async () => {
    expect(await slugs('categories=tickets', undefined, standard)).toHaveLength(4);
  });

  test('the tec profile rejects ticketed=true and ignores ticketed=false', async () => {
    const { status, body } = await tec.get<ErrorBody>('events?ticketed=true');
    expect(status).toBe(400);
    expect(body.data?.params).toEqual({ ticketed: 'Event Tickets plugin is not activated.' });
    expect(await slugs('categories=tickets&ticketed=false')).toHaveLength(4);
  });
});

describe('coordinates and tickets in a dataset', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-edge-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const read = (content: object) => {
    const file = path.join(folder, 'dataset.json');
    writeFileSync(file, JSON.stringify(content));
    return readDataset(file, Date.UTC(2026, 5, 15, 12));
  };

  test('are stored as the meta rows of the extensions', async () => {
    const talk = { title: 'Talk', start: '+1d 10:00', end: '11:00' };
    const { posts } = await read({
      venues: [{ name: 'Pole', lat: -90, lng: 0.5 }],
      events: [
        { ...talk, ticketed: true },
        { ...talk, ticketed: false },
      ],
    });
    expect(posts[0].meta).toEqual(
      expect.arrayContaining([
        { key: '_VenueLat', value: '-90' },
        { key: '_VenueLng', value: '0.5' },
      ]),
    );
    expect(posts[0].location).toEqual({ type: 'Point', coordinates: [0.5, -90] });
    expect(posts[1].meta).toContainEqual({ key: '_tribe_ticket_capacity', value: '-1' });
    expect(posts.slice(1).map(({ ticketed }) => ticketed)).toEqual([true, false]);
  });

  test.each<[venue: object, problem: string]>([
    [{ lat: 1 }, 'venues[0].lng: is required with lat'],
    [{ lng: 1 }, 'venues[0].lat: is required with lng'],
    [{ lat: 90.1, lng: 1 }, 'venues[0].lat: must be between -90 and 90'],
    [{ lat: 1, lng: -181 }, 'venues[0].lng: must be between -180 and 180'],
    [{ lat: '1', lng: 1 }, 'venues[0].lat: must be a number of degrees'],
  ])('%j is rejected', async (fields, problem) => {
    const error: unknown = await read({ venues: [{ name: 'Hall', ...fields }] }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(DatasetError);
    expect((error as Error).message).toContain(problem);
  });
});
