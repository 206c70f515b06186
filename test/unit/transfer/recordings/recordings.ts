import { gzipSync } from 'node:zlib';
import { stringify } from 'yaml';

/** A response, to be saved in the forms of recorders. */
export interface Recorded {
  url: string;
  json: unknown;
  status?: number;
  method?: string;
}

const head = (each: Recorded) => ({ method: each.method ?? 'GET', status: each.status ?? 200, text: JSON.stringify(each.json) });
const pathOf = (url: string): string => url.replace(/^https?:\/\/[^/]+/, '');
export const ORIGIN = 'https://town.example';

/** The forms of recorders, each as a text of its file. */
export const CONTAINERS: Readonly<Record<string, { file: string; save: (all: readonly Recorded[]) => string }>> = {
  har: {
    file: 'recorded.har',
    save: (all) =>
      JSON.stringify({
        log: {
          version: '1.2',
          entries: all.map((each) => ({
            startedDateTime: '2026-06-15T12:00:00.000Z',
            request: { method: head(each).method, url: each.url, headers: [] },
            response: {
              status: head(each).status,
              headers: [{ name: 'Content-Type', value: 'application/json' }],
              content: { mimeType: 'application/json', encoding: 'base64', text: Buffer.from(head(each).text).toString('base64') },
            },
          })),
        },
      }),
  },
  polly: {
    file: 'recording.har',
    save: (all) =>
      JSON.stringify({
        log: {
          _recordingName: 'calendar',
          creator: { name: 'Polly.JS', version: '6.0.6' },
          entries: all.map((each) => ({
            _id: '1',
            startedDateTime: '2026-06-15T12:00:00.000Z',
            request: { method: head(each).method, url: each.url, headers: [], queryString: [] },
            response: { status: head(each).status, headers: [], content: { mimeType: 'application/json', text: head(each).text } },
          })),
        },
      }),
  },
  nock: {
    file: 'nocks.json',
    save: (all) =>
      JSON.stringify(
        all.map((each, index) => ({
          scope: `${ORIGIN}:443`,
          method: head(each).method,
          path: pathOf(each.url),
          body: '',
          status: head(each).status,
          // Compressed bodies are lists of hexadecimal texts.
          response: index % 2 === 0 ? each.json : [gzipSync(head(each).text).toString('hex')],
          rawHeaders: ['Content-Type', 'application/json'],
          responseIsBinary: false,
        })),
      ),
  },
  vcr: {
    file: 'calendar.yml',
    save: (all) =>
      stringify({
        http_interactions: all.map((each) => ({
          request: { method: head(each).method.toLowerCase(), uri: each.url, body: { encoding: 'US-ASCII', string: '' }, headers: {} },
          response: {
            status: { code: head(each).status, message: 'OK' },
            headers: { 'Content-Type': ['application/json'] },
            body: { encoding: 'UTF-8', string: head(each).text },
          },
          recorded_at: 'Mon, 15 Jun 2026 12:00:00 GMT',
        })),
        recorded_with: 'VCR 6.2.0',
      }),
  },
  vcrpy: {
    file: 'calendar.yaml',
    save: (all) =>
      stringify({
        interactions: all.map((each) => ({
          request: { body: null, headers: {}, method: head(each).method, uri: each.url },
          response: {
            body: { string: head(each).text },
            headers: { 'Content-Type': ['application/json'] },
            status: { code: head(each).status, message: 'OK' },
          },
        })),
        version: 1,
      }),
  },
  vcrpyJson: {
    file: 'calendar.json',
    save: (all) =>
      JSON.stringify({
        version: 1,
        interactions: all.map((each) => ({
          request: { method: head(each).method, uri: each.url, body: null, headers: {} },
          response: { status: { code: head(each).status, message: 'OK' }, headers: {}, body: { string: head(each).text } },
        })),
      }),
  },
  wiremock: {
    file: 'mappings.json',
    save: (all) =>
      JSON.stringify({
        mappings: all.map((each, index) => ({
          id: `00000000-0000-0000-0000-00000000000${index}`,
          request: {
            method: head(each).method,
            ...(index % 2 === 0 ? { url: pathOf(each.url) } : { urlPath: pathOf(each.url).split('?')[0] }),
          },
          response: {
            status: head(each).status,
            headers: { 'Content-Type': 'application/json' },
            ...(index % 2 === 0 ? { jsonBody: each.json } : { body: head(each).text }),
          },
        })),
      }),
  },
  mockoon: {
    file: 'environment.json',
    save: (all) =>
      JSON.stringify({
        uuid: 'e1',
        name: 'Calendar',
        endpointPrefix: 'wp-json',
        port: 3000,
        routes: all.map((each, index) => ({
          uuid: `r${index}`,
          type: 'http',
          method: head(each).method.toLowerCase(),
          endpoint: pathOf(each.url).split('?')[0].replace('/wp-json/', ''),
          responses: [
            {
              uuid: `s${index}`,
              statusCode: head(each).status,
              headers: [{ key: 'Content-Type', value: 'application/json' }],
              body: index % 2 === 0 ? head(each).text : '{}',
              bodyType: index % 2 === 0 ? 'INLINE' : 'DATABUCKET',
              databucketID: `d${index}`,
              rules: [],
            },
          ],
        })),
        data: all.map((each, index) => ({ uuid: `b${index}`, id: `d${index}`, name: 'data', value: head(each).text })),
      }),
  },
  cassette: {
    file: 'get-wp-json-0123456789ab.json',
    save: ([each]) =>
      JSON.stringify({
        request: { method: head(each).method, path: pathOf(each.url).split('?')[0] },
        response: { status: head(each).status, headers: {}, json: each.json, spelling: 'php' },
      }),
  },
  jsonServer: {
    file: 'db.json',
    save: (all) => JSON.stringify(Object.assign({}, ...all.map(({ json }) => json as object))),
  },
  response: { file: 'events.json', save: ([each]) => JSON.stringify(each.json) },
};
