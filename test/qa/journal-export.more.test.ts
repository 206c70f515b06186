import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { server, API, AS_ADMIN, type Any, send, create } from './steering.js';

const PNG = Buffer.from(
  '89504e470d0a1a0a0000000d4948445200000001000000010806000000' +
    '1f15c4890000000d49444154789c626001000000ffff03000006000557bfabd40000000049454e44ae426082',
  'hex',
);

const require = createRequire(import.meta.url);
const { version } = require('../../package.json') as { version: string };
const ajv = new Ajv({ strict: false });
formats.default(ajv);
ajv.addMetaSchema(require('ajv/lib/refs/json-schema-draft-06.json') as object);
for (const schema of Object.values(require('har-schema') as Record<string, object>)) ajv.addSchema(schema);

const har = async (query = ''): Promise<Any> => (await send('GET', `/__qa/journal.har?${query}`)).json;
const last = async (): Promise<Any> => (await send('GET', '/__qa/journal?limit=1&curl=true')).json.entries[0];
const pairs = (list: Any): Record<string, string> => Object.fromEntries(list.map(({ name, value }: Any) => [name.toLowerCase(), value]));

/** Fills a journal with everything that it can contain: reads, writes, files, errors, faults, unusual URLs. */
async function fillJournal(): Promise<void> {
  await send('POST', '/__qa/reset');
  const id = await create('Grüße');
  await send('GET', `${API}/events/${id}?_fields=id,title&x[y]=1&q=a|b`, undefined, {
    'accept-encoding': 'gzip',
    cookie: 'a=secret-1; b=2',
  });
  await send('HEAD', `${API}/events/${id}`);
  await send('GET', `${API}/events/999999`);
  await send('GET', '/nowhere');
  await send('POST', `${API}/tags`, 'name=One&slug=one', { ...AS_ADMIN, 'content-type': 'application/x-www-form-urlencoded' });
  await fetch(`${server().url}/wp-json/wp/v2/media`, {
    method: 'POST',
    body: PNG,
    headers: { authorization: AS_ADMIN.authorization, 'content-type': 'image/png', 'content-disposition': 'attachment; filename=a.png' },
  });
  await send('POST', '/__qa/faults', { effect: { drop: 'before' }, times: 1 });
  await send('GET', `${API}/tags`);
  await send('POST', '/__qa/faults', { effect: { status: 503 }, times: 1 });
  await send('GET', `${API}/tags`);
}

describe('the journal as an HTTP Archive', () => {
  test('is valid HAR 1.2, with bodies, sizes and times', async () => {
    await fillJournal();
    const response = await send('GET', '/__qa/journal.har');
    expect(response.headers['content-disposition']).toBe('attachment; filename="journal.har"');
    const archive = response.json;
    expect([ajv.validate('har.json#', archive), ajv.errors]).toEqual([true, null]);
    const { entries } = archive.log;
    expect(archive.log).toMatchObject({ version: '1.2', creator: { name: 'Understudy', version } });
    expect(entries.map(({ request, response: { status } }: Any) => [request.method, status])).toEqual([
      ['POST', 201],
      ['GET', 200],
      ['HEAD', 200],
      ['GET', 404],
      ['GET', 404],
      ['POST', 201],
      ['POST', 201],
      ['GET', 0],
      ['GET', 503],
    ]);
    const [created, read, head, , , form, media] = entries;
    expect(JSON.parse(created.request.postData.text)).toMatchObject({ title: 'Grüße' });
    expect(created.request.postData.mimeType).toBe('application/json');
    expect(created.request.bodySize).toBe(Buffer.byteLength(created.request.postData.text));
    const event = JSON.parse(created.response.content.text);
    expect(event).toMatchObject({ title: 'Grüße' });
    expect(created.response).toMatchObject({ statusText: 'Created', redirectURL: '' });
    expect(media.response.redirectURL).toMatch(/\/wp-json\/wp\/v2\/media\/\d+$/);
    expect(created.response.content.size).toBe(Buffer.byteLength(created.response.content.text));
    expect(created.time).toBeGreaterThan(0);
    expect(created.timings).toEqual({ send: 0, wait: created.time, receive: 0 });
    expect(Math.abs(Date.now() - Date.parse(created.startedDateTime))).toBeLessThan(60_000);
    expect(created).toMatchObject({ _user: 'admin', _clock: expect.any(String) });
    // The response was compressed, but the content's size is that of the text.
    expect(JSON.parse(read.response.content.text)).toEqual({ id: event.id, title: 'Grüße' });
    expect(pairs(read.request.queryString)).toEqual({ _fields: 'id,title', 'x[y]': '1', q: 'a|b' });
    expect([head.response.bodySize, head.response.content.text ?? '']).toEqual([0, '']);
    expect(form.request.postData).toEqual({ mimeType: 'application/x-www-form-urlencoded', text: 'name=One&slug=one' });
    expect(media.request.postData).toEqual({ mimeType: 'image/png', text: PNG.toString('base64'), _encoding: 'base64' });
    expect(entries[8]._fault).toBeGreaterThan(0);
  });

  test('masks what the journal masks, and cookies', async () => {
    await fillJournal();
    await send('POST', '/wp-json/wp/v2/users', { username: 'har', email: 'har@example.org', password: 'hunter22' }, AS_ADMIN);
    await send('GET', `${API}/tags`, undefined, { 'x-api-key': 'hunter22' });
    const archive = await har();
    expect(JSON.stringify(archive)).not.toMatch(/hunter22|secret-1/);
    expect(JSON.stringify(archive)).not.toContain(AS_ADMIN.authorization.slice(6));
    expect(pairs(archive.log.entries[0].request.headers)).toMatchObject({ authorization: 'Basic ***' });
    expect(archive.log.entries[1].request.cookies).toEqual([
      { name: 'a', value: '***' },
      { name: 'b', value: '***' },
    ]);
  });

  test('is filtered, and that of a sandbox leads there', async () => {
    await fillJournal();
    expect((await har('status=4xx')).log.entries).toHaveLength(2);
    expect((await har('limit=1')).log.entries).toHaveLength(1);
    await send('GET', `/__sandbox/har${API}/tags`);
    await send('GET', `${API}/venues`, undefined, { 'x-understudy-sandbox': 'har' });
    const { entries } = (await send('GET', '/__sandbox/har/__qa/journal.har')).json.log;
    expect(entries.map(({ request, _sandbox }: Any) => [request.url, _sandbox])).toEqual([
      [`${server().url}/__sandbox/har${API}/tags`, 'har'],
      [`${server().url}${API}/venues`, 'har'],
    ]);
    await send('DELETE', '/__qa/sandboxes/har');
  });
});

describe('a request as a curl command', () => {
  /** Runs a line in a shell, with the required secrets. */
  async function runLine(line: string): Promise<string> {
    const [, password] = atob(AS_ADMIN.authorization.slice(6)).split(':');
    const shell = execFile('sh', { env: { ...process.env, PASSWORD: password, X_API_KEY: 'k 1', TOKEN: 't' } });
    const output = text(shell.stdout as Readable);
    // Sent on standard input, since an argument has a length limit.
    shell.stdin?.end(line);
    return output;
  }

  test.each<[string, string, string, unknown, Record<string, string>]>([
    ['a read', 'GET', `${API}/events?per_page=1&_fields=total`, undefined, {}],
    ['brackets and braces', 'GET', `${API}/events?categories[]=1&x={a,b}&per_page=1`, undefined, {}],
    ['shell characters', 'GET', `${API}/tags?search=$HOME'\`id\`;&per_page=2`, undefined, { 'x-odd': `it's "$HOME" \\ !x` }],
    ['empty and other headers', 'GET', `${API}/tags`, undefined, { 'x-empty': '', accept: 'application/json', 'accept-encoding': 'gzip' }],
    ['dots in the path', 'GET', '/wp-json/../wp-json/tribe/events/v1/tags', undefined, {}],
    ['HEAD', 'HEAD', `${API}/tags`, undefined, {}],
    ['JSON with quotes', 'POST', `${API}/tags`, { name: `it's "new" $HOME \\n \`id\`\n%s @x ü` }, AS_ADMIN],
    ['a form', 'POST', `${API}/tags`, '@name=a&name=b+c', { ...AS_ADMIN, 'content-type': 'application/x-www-form-urlencoded' }],
    ['no content type', 'POST', `${API}/tags`, 'name=x', { authorization: AS_ADMIN.authorization }],
    ['DELETE', 'DELETE', `${API}/tags/999999`, undefined, AS_ADMIN],
    ['a large body', 'POST', `${API}/tags`, { name: 'large', description: "x'%".repeat(50_000) }, AS_ADMIN],
    ['secrets', 'GET', `${API}/tags`, undefined, { 'X-API-Key': 'k 1', authorization: 'Bearer t' }],
  ])('%s: running it repeats the request', async (_name, method, url, body, headers) => {
    await send(method, url, body, headers);
    const first = await last();
    if (method !== 'GET') await send('POST', '/__qa/reset');
    const stdout = await runLine(first.curl);
    const second = await last();
    expect(second.id).toBe(first.id + 1);
    const sent = ({ request, ...entry }: Any): unknown => {
      const {
        host,
        connection,
        'content-length': length,
        'user-agent': agent,
        'accept-encoding': _encoding,
        accept = '*/*',
        ...rest
      } = request.headers;
      expect([host, typeof connection, length ?? '', typeof agent]).toEqual([
        host,
        expect.any(String),
        expect.any(String),
        expect.any(String),
      ]);
      return [entry.method, entry.url, entry.user, entry.status, { accept, ...rest }, request.body];
    };
    expect(sent(second)).toEqual(sent(first));
    const { response } = (await send('GET', `/__qa/journal/${first.id}`)).json;
    if (method === 'GET') expect(JSON.parse(stdout)).toEqual(response.body);
  });

  test('a binary body is repeated byte by byte', async () => {
    await fetch(`${server().url}/wp-json/wp/v2/media`, {
      method: 'POST',
      body: Buffer.concat([PNG, Buffer.from([0, 37, 39, 92, 10, 255])]),
      headers: { authorization: AS_ADMIN.authorization, 'content-type': 'image/png', 'content-disposition': 'attachment; filename=c.png' },
    });
    await runLine((await last()).curl);
    const [first, second] = (await har('method=POST')).log.entries.slice(-2);
    expect(second.request.postData).toEqual(first.request.postData);
    expect([first.response.status, second.response.status]).toEqual([201, 201]);
  });

  test('does not contain secrets, but variables of the shell', async () => {
    await send('GET', `${API}/tags`, undefined, {
      'X-API-Key': 'k 1',
      'X-Auth-Token': 'k 2',
      cookie: 'a=b',
      authorization: AS_ADMIN.authorization,
    });
    const { id, curl } = await last();
    expect(curl).toContain(`-u "admin:$PASSWORD"`);
    expect(curl).toContain(`-H "X-API-Key: $X_API_KEY" -H "X-Auth-Token: $X_AUTH_TOKEN" -H "cookie: $COOKIE"`);
    const alone = await send('GET', `/__qa/journal/${id}/curl`);
    expect([alone.headers['content-type'], alone.text]).toEqual(['text/plain; charset=utf-8', `${curl}\n`]);
    expect((await send('GET', '/__qa/journal/curl')).text).toBe(`${curl}\n`);
    expect((await send('GET', '/__qa/journal?limit=1')).json.entries[0]).not.toHaveProperty('curl');
  });

  test('a request whose body was dropped has none', async () => {
    await send('POST', `${API}/tags`, { name: 'x'.repeat(300_000) }, AS_ADMIN);
    const { id, curl } = await last();
    expect([curl, (await send('GET', `/__qa/journal/${id}/curl`)).status]).toEqual([null, 409]);
  });

  test('leads to the sandbox', async () => {
    await send('GET', `/__sandbox/curl${API}/tags`);
    const { curl } = (await send('GET', '/__sandbox/curl/__qa/journal?curl=true')).json.entries[0];
    await runLine(curl);
    expect((await send('GET', '/__sandbox/curl/__qa/journal')).json.total).toBe(2);
    await send('DELETE', '/__qa/sandboxes/curl');
  });
});
