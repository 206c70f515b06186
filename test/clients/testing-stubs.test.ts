import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Understudy, useUnderstudy, UnverifiedError } from '../../src/sdk/testing/jest.js';
import { testEnvironment } from '../support/environment.js';
import { startTestServer } from '../support/server.js';

const server = startTestServer();
testEnvironment(() => ({ UNDERSTUDY_URL: server().url }));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'understudy-helper-stubs-'));
  await mkdir(path.join(folder, 'stubs'));
  await writeFile(path.join(folder, 'stubs/plan.json'), '{"hall":"{{request.query.hall}}"}');
});
afterAll(() => rm(folder, { recursive: true }));

describe('stubs', () => {
  const understudy = useUnderstudy({
    dataset: { stubs: [{ match: { path: '/acme/v1/own' }, respond: { body: 'of the dataset' } }] },
    stubs: [{ match: { path: '/acme/v1/once' }, respond: { status: 402 }, times: 1 }],
  });
  const get = async (route: string): Promise<[number, string]> => {
    const response = await fetch(`${understudy.restUrl}/acme/v1/${route}`);
    return [response.status, await response.text()];
  };
  const status = async (route: string): Promise<number> => (await get(route))[0];

  test.each([1, 2])('those of the options and of the dataset are there when a test starts, no others (%i)', async () => {
    expect([await status('once'), await status('once'), await get('own'), await status('added')]).toEqual([
      402,
      404,
      [200, 'of the dataset'],
      404,
    ]);
    await understudy.stubs.add({ match: { path: '/acme/v1/added' }, respond: { status: 418 } });
    expect(await status('added')).toBe(418);
  });

  test('one or several are added, listed and removed', async () => {
    const one = await understudy.stubs.add({ match: { path: '/acme/v1/a' }, respond: { body: 'a' } });
    const two = await understudy.stubs.add([
      { match: { path: '/acme/v1/a' }, respond: { body: 'b' } },
      { match: { path: '/acme/v1/a' }, respond: { body: 'c' } },
    ]);
    expect([await get('a'), two.map(({ id }) => id)]).toEqual([
      [200, 'c'],
      [one.id + 1, one.id + 2],
    ]);
    await understudy.stubs.remove(two[1].id);
    expect(await get('a')).toEqual([200, 'b']);
    expect((await understudy.stubs.list()).map(({ respond, hits }) => [respond.body ?? respond.status, hits])).toEqual([
      ['b', 1],
      ['a', 0],
      [402, 0],
      ['of the dataset', 0],
    ]);
    await understudy.stubs.clear();
    expect(await understudy.stubs.list()).toMatchObject([{ dataset: true }]);
  });

  test('respond with a file, and with what was recorded', async () => {
    await understudy.stubs.add({ match: { path: '/acme/v1/plan' }, respond: { file: path.join(folder, 'stubs/plan.json') } });
    expect(await get('plan?hall=7')).toEqual([200, '{"hall":"7"}']);
    const [entry] = await understudy.journal.entries({ path: '/acme/v1/plan' });
    await understudy.stubs.clear();
    const { id } = await understudy.stubs.add({ from: entry.id, respond: { status: 203 } });
    expect(await get('plan?hall=7')).toEqual([203, '{"hall":"7"}']);
    await understudy.journal.expect({ stub: id, count: 1 });
    await expect(understudy.journal.expect({ stub: 999 })).rejects.toThrow(UnverifiedError);
    await expect(understudy.stubs.add({ respond: { file: 'no-such-file.json' } })).rejects.toThrow(
      /Cannot read the file of a stub .*ENOENT/,
    );
  });

  test('entries are selected by their body', async () => {
    const post = (body: object) =>
      fetch(`${understudy.url}/graphql`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
    await Promise.all([post({ first: 5 }), post({ first: 6 })]);
    expect(await understudy.journal.entries({ body: { first: 5 } })).toHaveLength(1);
    expect(await understudy.journal.entries({ body: '*first*' })).toHaveLength(2);
    await understudy.journal.expect({ body: { first: 6 }, count: 1 });
  });
});

test('the files of a dataset file are sent with it', async () => {
  const file = path.join(folder, 'calendar.yaml');
  await writeFile(file, 'stubs: [{ match: { path: /acme/v1/plan }, respond: { file: plan.json } }]');
  const understudy = await Understudy.open({ dataset: file });
  try {
    expect(await (await fetch(`${understudy.restUrl}/acme/v1/plan?hall=3`)).json()).toEqual({ hall: '3' });
  } finally {
    await understudy.close();
  }
});
