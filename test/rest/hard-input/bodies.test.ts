import { type Answer } from '../../support/toy.js';
import { ADMIN, NS, asJson, startHardInput, testSurvival } from './hard-input.js';

const hard = startHardInput();
const { ask } = hard;

describe('JSON bodies', () => {
  const post = (body: string | Buffer, headers = {}): Promise<Answer> =>
    ask(`${NS}/events`, { method: 'POST', headers: { 'content-type': 'application/json', ...ADMIN, ...headers }, body });

  test.each<[string, string | Buffer]>([
    ['10,000 levels', '['.repeat(10_000) + ']'.repeat(10_000)],
    ['10,000 levels of objects', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
    ['10,000 levels that never end', '['.repeat(10_000)],
    ['a million brackets', '['.repeat(1_000_000)],
    ['half a surrogate pair', '{"title":"\\ud800","start_date":"now","end_date":"now"}'],
    ['invalid UTF-8', Buffer.from('{"title":"\xff\xfe"}', 'latin1')],
    ['a NUL', '{"title":"\0"}'],
    ['UTF-16', Buffer.from('\ufeff{"title":"x"}', 'utf16le')],
    ['nothing but a string that does not end', '"'.repeat(3)],
    ['a hundred thousand quotes', '"'.repeat(100_001)],
    ['a hundred thousand backslashes', `"${'\\'.repeat(100_001)}`],
    ['lists where objects belong', '[[],{}]'],
  ])('%s', async (_what, body) => {
    expect((await post(body)).status).toBe(400);
  });

  test.each<[unknown]>([
    [{ __proto__: null, title: { $gt: '' } }],
    [{ title: 'x', start_date: { $gt: '' }, end_date: [] }],
    [{ title: ['x'], start_date: 'now', end_date: 'now' }],
    [{ title: 'x', start_date: 'now', end_date: 'now', venue: { $gt: 1 } }],
    [{ title: 'x', start_date: 'now', end_date: 'now', venue: [[[[1]]]] }],
    [{ title: 'x', start_date: 'now', end_date: 'now', organizer: { organizer: { $ne: 1 } } }],
    [{ title: 'x', start_date: 'now', end_date: 'now', image: { $ne: 1 } }],
    [{ title: 'x', start_date: 'now', end_date: 'now', author: { $ne: 1 } }],
    [{ title: 'x', start_date: 'now', end_date: 'now', timezone: { a: 1 } }],
    [{ title: 'x', start_date: 'now', end_date: 'now', website: { a: 1 } }],
    [{ title: 'x', start_date: 'now', end_date: 'now', status: { $ne: 'x' } }],
    [{ title: '\0', start_date: '\0', end_date: '\0' }],
  ])('operators and arrays in an event: %j', async (body) => {
    expect((await post(JSON.stringify(body))).status).toBe(400);
  });

  test.each(['categories', 'tags', 'cost'])('arrays in arrays for %s', async (name) => {
    for (const value of [[[['x']]], { $gt: 1 }, [{ $ne: 1 }], [null, true], {}, [[]], 1e308, true]) {
      expect([200, 201, 400]).toContain(
        (await post(JSON.stringify({ title: `Hard ${name}`, start_date: 'now', end_date: 'now', [name]: value }))).status,
      );
    }
  });

  test.each(['title', 'description', 'excerpt', 'slug', 'website', 'cost', 'timezone'])('odd text for %s', async (name) => {
    for (const value of [
      '\0',
      'a\0b',
      '\u202e',
      '😀'.repeat(1000),
      '\uffff',
      '$set',
      '{"$gt":1}',
      '<'.repeat(3000),
      '['.repeat(3000),
      '&'.repeat(3000),
      '`'.repeat(3000),
      '<p'.repeat(1000),
      '[gallery '.repeat(300),
    ]) {
      expect([201, 400]).toContain(
        (await post(JSON.stringify({ title: `Odd ${name}`, start_date: 'now', end_date: 'now', [name]: value }))).status,
      );
    }
  });

  test.each(['venues', 'organizers', 'categories', 'tags'])('odd names of %s', async (list) => {
    const name = list === 'venues' ? 'venue' : list === 'organizers' ? 'organizer' : 'name';
    for (const value of ['\0', 'a\0b', '$gt', '.', '..', '__proto__', 'constructor', '日'.repeat(60), { $gt: '' }, ['x'], 5]) {
      const answer = await ask(`${NS}/${list}`, {
        ...asJson({ [name]: value }, 'POST'),
        headers: { ...ADMIN, 'content-type': 'application/json' },
      });
      expect([201, 400, 409]).toContain(answer.status);
    }
  });
});

describe('bodies of other types', () => {
  const types = [
    'text/plain',
    'text/html',
    'application/xml',
    'application/octet-stream',
    'image/png',
    'multipart/form-data',
    'multipart/form-data; boundary=',
    `multipart/form-data; boundary=${'b'.repeat(500)}`,
    'multipart/mixed; boundary=x',
    '',
    '/',
    'garbage',
    ';;;',
    'application/json; charset=utf-16',
    'application/json; charset="',
    '日本',
    'a'.repeat(2000),
  ];
  const bodies = [
    '',
    '{',
    '{"title":"x"}',
    '--x',
    '--x\r\n',
    '--x\r\nContent-Disposition: form-data; name="title"\r\n',
    '--x--',
    '\0\0\0',
    '\r\n\r\n',
    '='.repeat(1000),
    '&'.repeat(1000),
  ];

  test.each(types)('%s', async (type) => {
    for (const body of bodies) {
      const answer = await ask(`${NS}/events`, { method: 'POST', headers: { 'content-type': Buffer.from(type).toString('latin1') }, body });
      expect(answer.status).toBe(400);
    }
  });

  test.each([
    '--x\r\nContent-Disposition: form-data; name="title"\r\n\r\nA\r\n',
    '--x\r\nContent-Disposition: form-data; name="title"\r\n\r\nA',
    '--x\r\nContent-Disposition: form-data; name="$gt[a.b]"\r\n\r\nA\r\n--x--',
    '--x\r\nContent-Disposition: form-data; name="__proto__[x]"\r\n\r\nA\r\n--x--',
    `--x\r\nContent-Disposition: form-data; name="${'['.repeat(5000)}"\r\n\r\nA\r\n--x--`,
    `--x\r\nContent-Disposition: form-data; name="a"; filename="../../x"\r\n\r\nA\r\n--x--`,
    `${'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nA\r\n'.repeat(5000)}--x--`,
    `--x\r\n${'X-A: b\r\n'.repeat(5000)}\r\nA\r\n--x--`,
    `--x\r\nX-A: ${'b'.repeat(200_000)}\r\n\r\nA\r\n--x--`,
    '--x\r\n\r\n--x\r\n\r\n--x--',
    '--y\r\nContent-Disposition: form-data; name="a"\r\n\r\nA\r\n--y--',
  ])('multipart %#', async (body) => {
    expect(
      (await ask(`${NS}/events`, { method: 'POST', headers: { 'content-type': 'multipart/form-data; boundary=x' }, body })).status,
    ).toBe(400);
  });

  test('a body with a Content-Encoding header is rejected', async () => {
    for (const encoding of ['gzip', 'br', 'deflate', 'x', 'gzip, gzip']) {
      expect([400, 415]).toContain(
        (await ask(`${NS}/events`, { method: 'POST', headers: { 'content-encoding': encoding }, body: 'title=x' })).status,
      );
    }
  });
});

testSurvival(hard);
