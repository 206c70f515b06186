import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Dataset } from '../../../src/sdk/types/dataset.js';
import { runCli } from '../../support/cli.js';
import { SITE, type Body } from './world.js';

/** Fields of other plugins in files. */

const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-fields-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
const write = (text: string, extension: string): string => {
  const file = path.join(folder, `${(files += 1)}.${extension}`);
  writeFileSync(file, text);
  return file;
};

test('a folder with data keeps them', async () => {
  const data = path.join(folder, 'data');
  expect(await runCli(['seed', write(JSON.stringify(SITE), 'json'), '--data', data])).toMatchObject({ code: 0 });
  const target = path.join(folder, 'copy.json');
  expect(await runCli(['export', target, '--data', data])).toMatchObject({ code: 0 });
  const copy = JSON.parse(readFileSync(target, 'utf8')) as Dataset;
  expect(copy.fields?.['tribe_events']['wp/v2']).toMatchObject(SITE.fields!['tribe_events']['wp/v2']);
  expect(copy.users?.[0].fields).toEqual(SITE.users?.[0].fields);
  // Links lead to the folder's address, which the file names.
  const [jazz] = copy.events!;
  expect(copy.site?.url).toMatch(/^http:/);
  expect((jazz.fields!['wp/v2']['acf'] as Body)['link']).toBe(`${copy.site?.url}/event/jazz/`);
  expect(await runCli(['validate', target])).toMatchObject({ code: 0 });
}, 60_000);
