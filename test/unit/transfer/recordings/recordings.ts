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

/** The ways in which WireMock names a URL: whole, by its path and parameters, as a template, by patterns, or by its path alone. */
function wiremockUrl(url: string, index: number): object {
  const [urlPath, query = ''] = url.split('?');
  const parameters = Object.fromEntries([...new URLSearchParams(query)].map(([name, value]) => [name, { equalTo: value }]));
  const queryParameters = query === '' ? {} : { queryParameters: parameters };
  const id = /\d+$/.exec(urlPath)?.[0] ?? '';
  const escaped = (text: string): string => text.replace(/[.?+*()]/g, String.raw`\$&`);
  return [
    { url },
    { urlPath, ...queryParameters },
    { urlPathTemplate: urlPath.replace(/\d+$/, '{id}'), pathParameters: { id: { equalTo: id } }, ...queryParameters },
    { urlPattern: `${escaped(url)}.*` },
    { urlPathPattern: urlPath.replace(/\d+$/, '[0-9]+') },
    { urlPath, queryParameters: { lang: { matches: '[a-z]+' } } },
  ][index % 6];
}

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
          request: { method: head(each).method, ...wiremockUrl(pathOf(each.url), index) },
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
        routes: all.map((each, index) => {
          const [route, query = ''] = pathOf(each.url).replace('/wp-json/', '').split('?');
          const id = /\/(\d+)$/.exec(route)?.[1];
          const rules = [...new URLSearchParams(query), ...(id === undefined ? [] : [['id', id]])];
          return {
            uuid: `r${index}`,
            type: 'http',
            method: head(each).method.toLowerCase(),
            endpoint: route.replace(/\/\d+$/, '/:id'),
            responses: [
              {
                uuid: `s${index}`,
                statusCode: head(each).status,
                headers: [{ key: 'Content-Type', value: 'application/json' }],
                body: index % 2 === 0 ? head(each).text : '{}',
                bodyType: index % 2 === 0 ? 'INLINE' : 'DATABUCKET',
                databucketID: `d${index}`,
                // Every third has no rules: it answers all requests to its route.
                rules: rules
                  .filter(() => index % 3 > 0)
                  .map(([modifier, value]) => ({ target: modifier === 'id' ? 'params' : 'query', modifier, value, operator: 'equals' })),
                rulesOperator: 'AND',
              },
            ],
          };
        }),
        data: all.map((each, index) => ({ uuid: `b${index}`, id: `d${index}`, name: 'data', value: head(each).text })),
      }),
  },
  cassette: {
    file: 'get-wp-json-0123456789ab.json',
    save: ([each]) => {
      const [path, query] = pathOf(each.url).split('?');
      return JSON.stringify({
        request: { method: head(each).method, path, ...(query === undefined ? {} : { query }) },
        response: { status: head(each).status, headers: {}, json: each.json, spelling: 'php' },
      });
    },
  },
  jsonServer: {
    file: 'db.json',
    save: (all) => {
      const lists: Record<string, unknown[]> = {};
      for (const { url, json } of all) {
        const base = /\/v\d\/(\w+)/.exec(url)![1];
        (lists[base] ??= []).push(...[Array.isArray(json) ? json : ((json as Record<string, unknown>)[base] ?? json)].flat());
      }
      return JSON.stringify(lists);
    },
  },
  response: { file: 'events.json', save: ([each]) => JSON.stringify(each.json) },
};
