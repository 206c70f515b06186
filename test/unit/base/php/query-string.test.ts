import { buildQuery, parseQuery, rawurlencode, urldecode, urlencode } from '../../../../src/base/php/query-string.js';

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('parseQuery', () => {
  // Measured with PHP 8.2: parse_str.
  test.each<[string, unknown]>([
    ['[a]=1', {}],
    ['a[b=1', { a_b: '1' }],
    ['a[b]c=1', { a: { b: '1' } }],
    ['a[b][c=1', { a: { b: '1' } }],
    ['a[b][c]d=1', { a: { b: { c: '1' } } }],
    ['a]=1', { 'a]': '1' }],
    ['a[]]=1', { a: ['1'] }],
    ['a[[b]]=1', { a: { '[b': '1' } }],
    ['[=1', {}],
    ['[]=1', {}],
    ['[[a]]=1', {}],
    ['a b.c[d.e f]=1', { a_b_c: { 'd.e f': '1' } }],
    ['a[b.c=1', { a_b_c: '1' }],
    ['a[b c=1', { a_b_c: '1' }],
    ['a[b[c=1', { a_b_c: '1' }],
    ['a[b[c]=1', { a: { 'b[c': '1' } }],
    ['a[ b ]=1', { a: { ' b ': '1' } }],
    ['a[ ]=1', { a: ['1'] }],
    ['a [b]=1', { a_: { b: '1' } }],
    [' a=1', { a: '1' }],
    ['a=1&a[b]=2', { a: { b: '2' } }],
    ['a[b]=1&a=2', { a: '2' }],
    ['a=1&a[]=2', { a: ['2'] }],
    ['a[5]=x&a[]=y', { a: { '5': 'x', '6': 'y' } }],
    ['a[-5]=x&a[]=y', { a: { '-5': 'x', '-4': 'y' } }],
    ['a[08]=1', { a: { '08': '1' } }],
    ['a[9223372036854775807]=1&a[]=2', { a: { '9223372036854775807': '1' } }],
    ['a[9223372036854775806]=1&a[]=2&a[]=3', { a: { '9223372036854775806': '1', '9223372036854775807': '2' } }],
    ['a[-0]=1', { a: { '-0': '1' } }],
    ['a[9223372036854775808]=1&a[]=2', { a: { '9223372036854775808': '1', '0': '2' } }],
    ['=1', {}],
    ['&=&', {}],
    ['a', { a: '' }],
    ['a&b=', { a: '', b: '' }],
    ['%00=1', {}],
    ['a%00b=1', { a: '1' }],
    ['a=%00b', { a: '\u0000b' }],
    ['a=1=2', { a: '1=2' }],
    ['a%5Bb%5D=1', { a: { b: '1' } }],
    ['a=%zz%4', { a: '%zz%4' }],
    ['a=%4', { a: '%4' }],
    ['_=1', { _: '1' }],
    ['.=1', { _: '1' }],
    ['..a=1', { __a: '1' }],
    ['+a=1', { a: '1' }],
    ['a[b]=1&a[b][c]=2', { a: { b: { c: '2' } } }],
    ['a[b][]=1&a[b][x]=3&a[b][]=4', { a: { b: { '0': '1', x: '3', '1': '4' } } }],
    ['a[1]=1&a[0]=2', { a: { '1': '1', '0': '2' } }],
    ['[', {}],
    ['a[', { a_: '' }],
    ['a[]', { a: [''] }],
    ['a[][b]=1&a[][b]=2', { a: [{ b: '1' }, { b: '2' }] }],
    ['5=1', { '5': '1' }],
    ['05=1', { '05': '1' }],
    ['a[b%00c]=1', { a_b: '1' }],
    ['a[b][', { a: { b: '' } }],
    ['a[b][]c', { a: { b: [''] } }],
    ['a[b].x=1', { a: { b: '1' } }],
    ['a[b]x[c]=1', { a: { b: '1' } }],
    ['a[b x=1&a.b[c.d=2', { a_b_x: '1', a_b_c_d: '2' }],
    [' [a=1', {}],
    [' .[a]=1', { _: { a: '1' } }],
    ['a[b]=1&a.b=3', { a: { b: '1' }, a_b: '3' }],
    ['a;b=1;c', { 'a;b': '1;c' }],
    ['a[b][c.d=5', { a: { b: '5' } }],
    ['a[b][ c=5', { a: { b: '5' } }],
    ['a[  ]=1', { a: { '  ': '1' } }],
    ['a[%09]=1', { a: ['1'] }],
    ['a[ ]]=1', { a: ['1'] }],
    ['a[]b]=1', { a: ['1'] }],
    ['a=%C3%A9+%F0%9F%98%80', { a: '\u00e9 \ud83d\ude00' }],
    ['a=%C3', { a: '\ufffd' }],
    ['a=%FF%FEx', { a: '\ufffd\ufffdx' }],
    ['a%5b%5d=1&a%5b%5d=2', { a: ['1', '2'] }],
    ['start_date=2026-08-01+10:00&tags[]=1&tags[]=b&venue[id]=3', { start_date: '2026-08-01 10:00', tags: ['1', 'b'], venue: { id: '3' } }],
  ])('%j', (raw, expected) => {
    expect(plain(parseQuery(raw))).toEqual(expected);
  });

  test('names of inherited properties are plain keys', () => {
    const query = parseQuery('__proto__=1&constructor[x]=2&a[__proto__]=3');
    expect(Object.getPrototypeOf(query)).toBeNull();
    expect(Object.entries(query).map(([key, value]) => [key, JSON.stringify(value)])).toEqual([
      ['__proto__', '"1"'],
      ['constructor', '{"x":"2"}'],
      ['a', '{"__proto__":"3"}'],
    ]);
  });

  test('a list has the keys 0 to n-1 in that order', () => {
    expect(Array.isArray(parseQuery('a[0]=x&a[1]=y').a)).toBe(true);
    expect(Array.isArray(parseQuery('a[1]=y&a[0]=x').a)).toBe(false);
    expect(Array.isArray(parseQuery('0=x&1=y'))).toBe(false);
  });

  test('nesting ends at 64 levels', () => {
    expect(Object.keys(parseQuery(`a${'[b]'.repeat(64)}=1&z=1`))).toEqual(['a', 'z']);
    expect(Object.keys(parseQuery(`a${'[b]'.repeat(65)}=1&z=1`))).toEqual(['z']);
  });

  test('names are limited, and keys in brackets of all names', () => {
    expect(parseQuery(`${'a'.repeat(2048)}=1&${'b'.repeat(2049)}=1&c=1`)).toEqual({ ['a'.repeat(2048)]: '1', c: '1' });
    const nested = (names: number): string => Array.from({ length: names }, (_, i) => `v${i}${'[b]'.repeat(50)}=1&`).join('');
    expect(Object.keys(parseQuery(`${nested(201)}z=1`))).toHaveLength(201);
  });

  test('variables beyond 1000 are dropped, nameless ones count', () => {
    const many = Array.from({ length: 1005 }, (_, i) => `v${i}=1`).join('&&');
    expect(Object.keys(parseQuery(many)).length).toBe(1000);
    expect(Object.keys(parseQuery('=1&'.repeat(500) + many)).length).toBe(500);
  });
});

describe('buildQuery', () => {
  test('as http_build_query', () => {
    expect(buildQuery({ a: true, b: false, c: null, d: [1, 'x y', { k: '~é' }], e: "a,b;c!*()'~-_.", f: 1.5, g: [], h: undefined })).toBe(
      'a=1&b=0&d%5B0%5D=1&d%5B1%5D=x+y&d%5B2%5D%5Bk%5D=%7E%C3%A9&e=a%2Cb%3Bc%21%2A%28%29%27%7E-_.&f=1.5',
    );
  });

  test('keeps the order of pairs', () => {
    expect(
      buildQuery([
        ['z', '2026-11-20 00:00:00'],
        ['1', 'x'],
        ['z', 'again'],
      ]),
    ).toBe('z=2026-11-20+00%3A00%3A00&1=x&z=again');
  });

  test('without encoding, as build_query', () => {
    expect(buildQuery({ start_date: '2026-11-20 00:00:00', 'a b': [1] }, { encode: false })).toBe(
      'start_date=2026-11-20 00:00:00&a b%5B0%5D=1',
    );
  });

  test('parseQuery parses its output', () => {
    const value = { a: ['x', 'y&z'], b: { c: '=+%' }, d: 'é' };
    expect(plain(parseQuery(buildQuery(value)))).toEqual(value);
  });
});

describe('percent escapes', () => {
  test.each([
    ["~!*()' é/", '%7E%21%2A%28%29%27+%C3%A9%2F', '~%21%2A%28%29%27%20%C3%A9%2F'],
    ['\ud800', '%EF%BF%BD', '%EF%BF%BD'],
  ])('%j', (text, encoded, raw) => {
    expect(urlencode(text)).toBe(encoded);
    expect(rawurlencode(text)).toBe(raw);
  });

  test.each([
    ['a+b%20c', 'a b c'],
    ['%zz%4', '%zz%4'],
    ['%', '%'],
    ['%e6%97%A5%2', '日%2'],
    ['é%C3%A9', 'éé'],
    ['%FF', '\ufffd'],
  ])('%s decodes to %j', (text, decoded) => {
    expect(urldecode(text)).toBe(decoded);
  });
});

test('each character is encoded alone as it is among others', () => {
  for (let code = 0; code < 0x180; code += 1) {
    const text = String.fromCharCode(code);
    for (const encode of [urlencode, rawurlencode]) expect(encode(`%${text}%`)).toBe(`%25${encode(text)}%25`);
  }
});
