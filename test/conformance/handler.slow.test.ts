import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createHandler, type Handler } from '../../src/index.js';
import { passwordOf, WORLD } from '../support/api.js';
import { readScenarios, replay, type ScenarioReport } from './replay-run.mjs';
import { RECORDED_WITH } from './wordpress.mjs';
import { sample } from '../support/effort.js';

/** Some scenarios of each corpus, sent to the handler without a port. */
const CORPORA = [
  { cases: 'cases', every: 6 },
  { cases: 'cases-wp', every: 4 },
].map(({ cases, every }) => ({ cases, only: sample(readScenarios(cases), every).map(({ name }) => name) }));

/** Headers that belong to a connection. */
const OF_CONNECTION = new Set(['connection', 'keep-alive', 'transfer-encoding']);

const headersOf = ({ rawHeaders }: IncomingMessage): [string, string][] =>
  rawHeaders.flatMap((name, i): [string, string][] =>
    i % 2 === 0 && !OF_CONNECTION.has(name.toLowerCase()) ? [[name, rawHeaders[i + 1]]] : [],
  );

/** The replayer speaks HTTP. This converts each of its requests to a `Request`, and each `Response` back. */
const bridgeTo = (handler: Handler, url: () => string) =>
  createServer((incoming, outgoing) => {
    const { method = '', url: target = '' } = incoming;
    const hasBody = method !== 'GET' && method !== 'HEAD' && incoming.headers['content-length'] !== undefined;
    const body = hasBody ? { body: Readable.toWeb(incoming) as ReadableStream, duplex: 'half' as const } : {};
    void (async () => {
      const response = await handler(new Request(`${url()}${target}`, { method, headers: headersOf(incoming), ...body }));
      for (const [name, value] of response.headers) if (!OF_CONNECTION.has(name)) outgoing.appendHeader(name, value);
      outgoing.writeHead(response.status);
      await pipeline(response.body === null ? [] : Readable.fromWeb(response.body as never), outgoing);
    })();
  });

describe.each(CORPORA)('recorded responses through a handler: $cases', ({ cases, only }) => {
  const found = new Map<string, ScenarioReport>();

  beforeAll(async () => {
    const handler = await createHandler({
      dataset: WORLD,
      profile: 'tec',
      wordpress: RECORDED_WITH,
      logLevel: 'error',
      url: 'request',
      admin: { login: 'admin', password: passwordOf('admin') },
    });
    let url = '';
    const bridge = bridgeTo(handler, () => url);
    await new Promise<void>((resolve) => void bridge.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(bridge.address() as AddressInfo).port}`;
    try {
      const names = new Set(only);
      const report = await replay({
        restUrl: `${url}/wp-json`,
        namespace: 'tribe/events/v1',
        resetUrl: `${url}/__qa/reset`,
        cases,
        wanted: (name) => names.has(name),
      });
      for (const scenario of report.scenarios) found.set(scenario.name, scenario);
    } finally {
      bridge.closeAllConnections();
      bridge.close();
      await handler.close();
    }
  }, 300_000);

  test.each(only)('%s', (name) => {
    const differences = found
      .get(name)
      ?.steps.filter((step) => !step.ok)
      .map(({ label, diffs }) => ({ label, diffs }));
    expect(differences).toEqual([]);
  });
});
