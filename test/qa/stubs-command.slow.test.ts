import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { runCli } from '../support/cli.js';
import { server, send } from './steering.js';

const SEATS = `openapi: 3.1.0
servers: [{ url: https://example.com/wp-json/acme/v1 }]
paths:
  /seats/{id}:
    get:
      responses:
        '200': { content: { application/json: { schema: { type: object, properties: { left: { type: integer, minimum: 3 } } } } } }
    post: { responses: { '400': { description: Invalid } } }
`;

describe('understudy stubs import', () => {
  let folder: string;
  let file: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'understudy-openapi-'));
    file = path.join(folder, 'openapi.yaml');
    await writeFile(file, SEATS);
  });
  afterAll(() => rm(folder, { recursive: true }));
  afterEach(() => send('DELETE', '/__qa/stubs'));
  const stubs = (...args: string[]): ReturnType<typeof runCli> => runCli(['stubs', ...args]);

  test('adds a stub for each operation, says what it leaves out, and replaces its stubs the next time', async () => {
    const result = {
      code: 0,
      stdout: `Added 1 stub of openapi.yaml to the server at ${server().url}.\n`,
      stderr: 'Left out POST /seats/{id}: it has only responses with errors (400).\n',
    };
    expect(await stubs('import', file, '--url', server().url)).toEqual(result);
    expect(await (await fetch(`${server().url}/wp-json/acme/v1/seats/35`)).json()).toEqual({ left: 3 });
    await writeFile(file, SEATS.replace('minimum: 3', 'minimum: 4, multipleOf: 4'));
    const stderr = `${result.stderr}Values that are made by schemas need not fit multipleOf. Give examples where that matters.\n`;
    expect(await stubs('import', file, '--url', server().url)).toEqual({ ...result, stderr });
    await writeFile(file, SEATS.replace('minimum: 3', 'minimum: 4'));
    expect(await (await fetch(`${server().url}/wp-json/acme/v1/seats/35`)).json()).toEqual({ left: 4 });
    const { stdout } = await stubs('import', file, '--url', server().url, '--base', '/other', '--json');
    expect(JSON.parse(stdout)).toEqual({ added: 1, skipped: [{ operation: 'POST /seats/{id}', why: expect.any(String) }], ignored: [] });
    expect((await fetch(`${server().url}/other/seats/35`)).status).toBe(200);
    expect(await (await fetch(`${server().url}/__qa/stubs`)).json()).toMatchObject({ stubs: [{}, {}] });
  });

  test('prints a dataset, which serve and validate take', async () => {
    const { code, stdout } = await stubs('import', file, '--print');
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { stubs: [{ match: { method: 'GET', path: '/wp-json/acme/v1/seats/*' } }] }]);
    const dataset = path.join(folder, 'stubs.json');
    await writeFile(dataset, stdout);
    expect(await runCli(['validate', dataset])).toMatchObject({ code: 0 });
  });

  test.each<[string[], number, string]>([
    [[], 2, 'Usage: understudy stubs import FILE'],
    [['dance', 'a'], 2, 'Unknown action dance. Usage: understudy stubs import FILE'],
    [['imprt', 'a'], 2, 'Unknown action imprt. Did you mean "import"? Usage: understudy stubs import FILE'],
    [['import', 'a', 'b'], 2, 'Usage: understudy stubs import FILE'],
    [['import', 'a', '--base', 'x'], 2, '--base must be a path that begins with /'],
    [['import', 'nowhere.json'], 1, 'nowhere.json: file not found'],
  ])('%j is an error', async (args, code, message) => {
    expect(await stubs(...args)).toMatchObject({ code, stderr: expect.stringContaining(message) });
  });

  test('without a server says so', async () => {
    const result = await stubs('import', file, '--data', path.join(folder, 'nothing'));
    expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining('No server runs for this project') });
  });
});
