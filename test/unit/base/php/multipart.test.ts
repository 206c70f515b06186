import { parseMultipart } from '../../../../src/base/php/multipart.js';

const TYPE = 'multipart/form-data; boundary=B';
const NAMED = 'Content-Disposition: form-data; name="a"';

const read = (body: string | Buffer, type = TYPE): { form: unknown; files: string[][] } => {
  const { form, files } = parseMultipart(Buffer.from(body), type);
  return { form: JSON.parse(JSON.stringify(form)), files: files.map(({ field, filename, bytes }) => [field, filename, bytes.toString()]) };
};

const form = (body: string, type?: string): unknown => read(body, type).form;

const part = (name: string, value: string, more = ''): string =>
  `--B\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;

/** A number of parts. */
const parts = (count: number, more = ''): string =>
  `${Array.from({ length: count }, (_part, index) => part(`a${index}`, String(index), more)).join('')}--B--\r\n`;

describe('variables', () => {
  test.each<[string, string, unknown]>([
    ['two', `${part('a', '1')}${part('b', '2')}--B--\r\n`, { a: '1', b: '2' }],
    ['lines that end with LF', `--B\n${NAMED}\n\n1\n--B--\n`, { a: '1' }],
    ['an empty value', `${part('a', '')}--B--`, { a: '' }],
    ['several lines', `${part('a', 'x\r\n\r\n--C\r\ny')}--B--`, { a: 'x\r\n\r\n--C\r\ny' }],
    ['arrays', `${part('a[]', '1')}${part('a[]', '2')}--B--`, { a: ['1', '2'] }],
    ['a name in UTF-8', `${part('größe', '1')}--B--`, { größe: '1' }],
    ['a name that looks encoded', `${part('a%20b+c', '1')}--B--`, { 'a%20b+c': '1' }],
    ['quotes in a name', `${part('a\\"b', '1')}--B--`, { 'a"b': '1' }],
    ['a name in apostrophes', "--B\r\nContent-Disposition: form-data; name='a;b'\r\n\r\n1\r\n--B--", { 'a;b': '1' }],
    ['a name without quotes', '--B\r\nContent-Disposition: form-data; name=a ; x\r\n\r\n1\r\n--B--', { a: '1' }],
    ['a header in capitals', `--B\r\n${NAMED.toUpperCase()}\r\n\r\n1\r\n--B--`, { A: '1' }],
    ['another header before', `--B\r\nX-Name: y\r\n${NAMED}\r\n\r\n1\r\n--B--`, { a: '1' }],
    ['a folded header', '--B\r\nContent-Disposition: form-data;\r\n name="a"\r\n\r\n1\r\n--B--', { a: '1' }],
    ['a type', `--B\r\n${NAMED}\r\nContent-Type: application/octet-stream\r\n\r\n1\r\n--B--`, { a: '1' }],
    ['a part without disposition', `--B\r\nX: y\r\n\r\n0\r\n${part('a', '1')}--B--`, { a: '1' }],
    ['nothing after a part without a name', `--B\r\nContent-Disposition: form-data\r\n\r\n0\r\n${part('a', '1')}--B--`, {}],
    ['text before', `before\r\n${part('a', '1')}--B--`, { a: '1' }],
    ['text after', `${part('a', '1')}--B--\r\nafter`, { a: '1' }],
    ['another boundary that begins alike', `${part('a', '1')}--BX\r\n${NAMED}\r\n\r\n2\r\n--B--`, { a: '1' }],
    ['a form that ends in a value', `--B\r\n${NAMED}\r\n\r\n1`, { a: '1' }],
    ['a form that ends in a boundary', `--B\r\n${NAMED}\r\n\r\n1\r\n-`, { a: '1' }],
    ['a form that ends in a header', `--B\r\n${NAMED}\r\n`, { a: '' }],
    ['no parts', '--B--', {}],
    ['nothing', '', {}],
  ])('%s', (_what, body, expected) => {
    expect(form(body)).toEqual(expected);
  });
});

test.each<[string, string, unknown]>([
  ['quoted', 'multipart/form-data; boundary="B"', { a: '1' }],
  ['followed by a parameter', 'multipart/form-data; boundary=B; charset=utf-8', { a: '1' }],
  ['followed by a comma', 'multipart/form-data; boundary=B, x', { a: '1' }],
  ['in capitals', 'MULTIPART/FORM-DATA; BOUNDARY=B', { a: '1' }],
  ['with an open quote', 'multipart/form-data; boundary="B', {}],
  ['absent', 'multipart/form-data', {}],
  ['empty', 'multipart/form-data; boundary=', {}],
  ['of another form', 'multipart/form-data; boundary=C', {}],
])('a boundary %s', (_what, type, expected) => {
  expect(form(`${part('a', '1')}--B--`, type)).toEqual(expected);
});

test('a boundary has up to 200 characters', () => {
  const sent = (length: number): unknown => {
    const boundary = 'b'.repeat(length);
    return form(`--${boundary}\r\n${NAMED}\r\n\r\n1\r\n--${boundary}--`, `multipart/form-data; boundary=${boundary}`);
  };
  expect([sent(200), sent(201)]).toEqual([{ a: '1' }, {}]);
});

test('a file is no variable', () => {
  const file = part('f', 'one\r\ntwo', '; filename="../x.txt"');
  expect(read(`${part('a', '1')}${file}${part('g', '', '; filename=""')}--B--`)).toEqual({
    form: { a: '1' },
    files: [
      ['f', '../x.txt', 'one\r\ntwo'],
      ['g', '', ''],
    ],
  });
});

describe('limits', () => {
  const count = (body: string): number[] => {
    const { form: variables, files } = parseMultipart(Buffer.from(body), TYPE);
    return [Object.keys(variables).length, files.length];
  };

  test('variables beyond 1,000 are dropped', () => {
    expect([count(parts(1000)), count(parts(1001))]).toEqual([
      [1000, 0],
      [1000, 0],
    ]);
  });

  test('files beyond 20 are dropped', () => {
    expect([count(parts(20, '; filename=x')), count(parts(21, '; filename=x'))]).toEqual([
      [0, 20],
      [0, 20],
    ]);
  });

  test('parts', () => {
    const others = (number: number): string => `${'--B\r\nX: y\r\n\r\n\r\n'.repeat(number)}${part('a', '1')}--B--`;
    expect([count(others(1019)), count(others(1020))]).toEqual([
      [1, 0],
      [0, 0],
    ]);
  });

  test('the header of a part', () => {
    const header = (bytes: number): string => `--B\r\n${'X: y\r\n'.repeat(bytes / 6)}${NAMED}\r\n\r\n1\r\n${part('b', '2')}--B--`;
    expect([form(header(15_000)), form(header(18_000))]).toEqual([{ a: '1', b: '2' }, { b: '2' }]);
  });

  test('parameters of a header', () => {
    const many = (number: number): string =>
      `--B\r\nContent-Disposition: form-data${'; x=y'.repeat(number - 2)}; name=a\r\n\r\n1\r\n${part('b', '2')}--B--`;
    expect([form(many(64)), form(many(65))]).toEqual([{ a: '1', b: '2' }, {}]);
  });
});
