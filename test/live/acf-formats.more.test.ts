import { cpSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { http } from '../support/http.js';
import { startTestServer } from '../support/server.js';
import { folder, load, NOW, pullFrom, written } from './ticket-copies.js';
import type { Dataset } from '../../src/sdk/types/dataset.js';
import type { Server } from '../../src/index.js';

/* Copies of a site with Advanced Custom Fields, whose fields have all formats: they are guessed from both formats of values. */

const CHOICES = { a: 'Ay', b: 'Bee', c: 'See' };
const PASSWORD = 'applicationOfTests000000';

/** Fields by type and format, each with a value. */
const FIELDS: readonly [type: string, settings: object, value: unknown][] = [
  ['text', {}, 'Some <b>text</b>'],
  ['textarea', { new_lines: 'wpautop' }, 'One\nTwo'],
  ['textarea', { new_lines: 'br' }, 'One\nTwo'],
  ['textarea', {}, 'One\nTwo'],
  ['wysiwyg', {}, 'Said <em>"so"</em>'],
  ['oembed', {}, 'https://example.org/film'],
  ['url', {}, 'https://example.org/'],
  ['color_picker', { return_format: 'array' }, '#ff8800'],
  ['color_picker', {}, '#ff8800'],
  ...['array', 'url', 'id'].flatMap((format): [string, object, unknown][] => [
    ['image', { return_format: format }, 30],
    ['file', { return_format: format }, 31],
  ]),
  ...['object', 'id'].flatMap((format): [string, object, unknown][] => [
    ['post_object', { return_format: format }, 11],
    ['post_object', { return_format: format, multiple: 1 }, [11, 12]],
    ['relationship', { return_format: format }, [12, 11]],
    ['taxonomy', { return_format: format, taxonomy: 'category', field_type: 'select' }, 5],
    ['taxonomy', { return_format: format, taxonomy: 'category' }, [5, 6]],
  ]),
  ...['array', 'id'].map((format): [string, object, unknown] => ['user', { return_format: format }, 2]),
  ...['array', 'url'].map((format): [string, object, unknown] => [
    'link',
    { return_format: format },
    { title: 'T', url: 'https://example.org/', target: '' },
  ]),
  ...['string', 'array'].map((format): [string, object, unknown] => [
    'icon_picker',
    { return_format: format },
    { type: 'dashicons', value: 'dashicons-admin-site' },
  ]),
  ...['value', 'label', 'array'].flatMap((format): [string, object, unknown][] => [
    ['select', { return_format: format, choices: CHOICES }, 'b'],
    ['select', { return_format: format, choices: CHOICES, multiple: 1 }, ['c', 'a']],
    ['checkbox', { return_format: format, choices: CHOICES }, ['a', 'c']],
    ['radio', { return_format: format, choices: CHOICES }, 'b'],
    ['button_group', { return_format: format, choices: CHOICES }, 'c'],
  ]),
  ...['d/m/Y', 'm/d/Y', 'F j, Y', 'Y-m-d', 'j. F Y'].map((format): [string, object, unknown] => [
    'date_picker',
    { return_format: format },
    '20260722',
  ]),
  ...['d/m/Y g:i a', 'F j, Y g:i a', 'Y-m-d H:i:s', 'd.m.Y, H:i'].map((format): [string, object, unknown] => [
    'date_time_picker',
    { return_format: format },
    '2026-07-22 18:05:00',
  ]),
  ...['g:i a', 'H:i:s', 'H:i'].map((format): [string, object, unknown] => ['time_picker', { return_format: format }, '18:05:00']),
];

const NAMED = FIELDS.map(([type, settings, value], index) => ({ field: { name: `${type}_${index}`, type, ...settings }, value }));
const valuesOf = (named: typeof NAMED): Record<string, unknown> => Object.fromEntries(named.map(({ field, value }) => [field.name, value]));

const SITE: Dataset = {
  site: { plugins: ['advanced-custom-fields'], settings: { avatars: false } },
  users: [{ id: 2, login: 'anna', role: 'editor' }],
  acf_field_groups: [
    { title: 'All', location: 'page', fields: NAMED.map(({ field }) => field) },
    { title: 'Group', location: 'category', fields: [{ name: 'box', type: 'group', sub_fields: NAMED.map(({ field }) => field) }] },
    { title: 'User', location: 'user', fields: [{ name: 'since', type: 'date_picker', return_format: 'Y-m-d' }] },
  ],
  media: [
    { id: 30, file: '2026/05/river-stage.jpg', date: '2026-05-01 10:00', modified: '2026-05-02 10:00' },
    { id: 31, file: '2026/05/programme.pdf', date: '2026-05-01 10:00', description: 'What is on' },
  ],
  post_categories: [
    { id: 5, name: 'Five', fields: { 'wp/v2': { acf: { box: valuesOf(NAMED) } } } },
    { id: 6, name: 'Six' },
  ],
  posts: [
    { id: 11, title: 'Eleven', author: 'anna', date: '2026-05-01 10:00' },
    { id: 12, title: 'Twelve', author: 'anna', date: '2026-05-02 10:00' },
  ],
  pages: [
    { id: 20, title: 'With values', author: 'anna', fields: { 'wp/v2': { acf: valuesOf(NAMED) } } },
    { id: 21, title: 'Without', author: 'anna' },
  ],
};

// Copied instead of fetched: the file of the site, and those of the copies, name them.
cpSync(path.join(path.dirname(fileURLToPath(import.meta.url)), '../conformance/uploads'), path.join(folder, 'uploads'), {
  recursive: true,
});
writeFileSync(path.join(folder, 'uploads/2026/05/programme.pdf'), '%PDF-1.4');
const file = path.join(folder, 'site.json');
writeFileSync(file, JSON.stringify(SITE));

const START = { now: NOW, wordpress: '6.8' as const, plugins: ['advanced-custom-fields'] };
const origin = startTestServer({ ...START, dataset: file, adminPassword: PASSWORD });
const target = startTestServer(START);

/** Values in both formats. Files do not say when accounts were registered. */
async function read({ restUrl, url }: Server, route: string): Promise<unknown> {
  const { text } = await http('GET', `${restUrl}/wp/v2/${route}&_fields=acf`);
  const here = text.replaceAll(url.replaceAll('/', String.raw`\/`), 'SITE');
  return JSON.parse(here.replaceAll(/"user_registered":"[^"]*"/g, '"user_registered":""'));
}

test.each(['a visitor', 'the administrator'])('a copy of %s shows values in the formats of the site', async (who) => {
  const login = who === 'a visitor' ? undefined : { login: origin().administrator!.login, password: PASSWORD };
  const { source } = await pullFrom(origin(), { files: true }, login);
  await load(target(), source);
  for (const route of ['pages/20?acf_format=standard', 'pages/20?', 'pages/21?acf_format=standard', 'categories/5?acf_format=standard'])
    expect([route, await read(target(), route)]).toEqual([route, await read(origin(), route)]);
  await load(target(), await written(source, 'yaml'));
  const route = 'pages/20?acf_format=standard';
  expect(await read(target(), route)).toEqual(await read(origin(), route));
});
