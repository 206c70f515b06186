import fc from 'fast-check';
import { KnownJson, phpJson } from '../../../../src/base/php/json.js';

// Measured with PHP 8.2: json_encode without flags, and with JSON_PRETTY_PRINT.
describe('phpJson', () => {
  test.each<[unknown, string]>([
    ['a/b', '"a\\/b"'],
    ['é日😀', '"\\u00e9\\u65e5\\ud83d\\ude00"'],
    ['\u2028\u0080\u007f', '"\\u2028\\u0080\u007f"'],
    ['"\\\b\f\n\r\t\u0001', '"\\"\\\\\\b\\f\\n\\r\\t\\u0001"'],
    ["<&'>", '"<&\'>"'],
    [{ 'k/é': null, b: [true, false] }, '{"k\\/\\u00e9":null,"b":[true,false]}'],
    [{ a: undefined, b: 1 }, '{"b":1}'],
    [undefined, 'null'],
    [0.1 + 0.2, '0.30000000000000004'],
    [0.0001, '0.0001'],
    [0.00001, '1.0e-5'],
    [-1.5e-7, '-1.5e-7'],
    [1e25, '1.0e+25'],
    [1e20, '1.0e+20'],
    [1790000000, '1790000000'],
    [123456789012345.67, '123456789012345.67'],
    [['1e+5 0.00001', 0.00001], '["1e+5 0.00001",1.0e-5]'],
    [{ '1e-9': 1e-9, 'q"1e-9': '\\' }, '{"1e-9":1.0e-9,"q\\"1e-9":"\\\\"}'],
  ])('%j', (value, expected) => {
    expect(phpJson(value)).toBe(expected);
  });

  test('pretty output indents by four spaces and keeps empty values compact', () => {
    expect(phpJson({ a: [], b: {}, c: [1, { d: 'x/y' }] }, { pretty: true })).toBe(
      '{\n    "a": [],\n    "b": {},\n    "c": [\n        1,\n        {\n            "d": "x\\/y"\n        }\n    ]\n}',
    );
  });

  test('its output parses to the same value', () => {
    const value = { url: 'http://127.0.0.1:8100/é', list: [0.00001, 1e25, -2.5], text: '日本 \ud83d\ude00 / \\ "' };
    expect(JSON.parse(phpJson(value))).toEqual(value);
  });
});

describe('known JSON', () => {
  // The replacement text for a value, and similar texts.
  const text = fc.constantFrom('', '\u0001', '"\u0001"', '\\u0001', '"\\u0001"', '/é', '1e-7', '0.00001', '1234567890123456789');
  const value = fc.letrec<{ value: unknown; object: object }>((tie) => ({
    value: fc.oneof({ depthSize: 'small' }, text, fc.double({ noNaN: true }), fc.constant(undefined), tie('object')),
    object: fc.oneof(fc.dictionary(text, tie('value')), fc.array(tie('value'))),
  }));

  /** A copy in which every second object has cached JSON. */
  function shared(from: unknown, state = { count: 0 }): unknown {
    if (typeof from !== 'object' || from === null) return from;
    const copy = Array.isArray(from)
      ? from.map((item) => shared(item, state))
      : Object.fromEntries(Object.entries(from).map(([name, item]) => [name, shared(item, state)]));
    state.count += 1;
    return state.count % 2 === 0 ? KnownJson.of(copy) : copy;
  }

  test('is written as the value itself would be', () => {
    const check = (from: unknown): void => {
      const copy = shared(from);
      expect(phpJson(copy)).toBe(phpJson(from));
      expect(phpJson(copy, { pretty: true })).toBe(phpJson(from, { pretty: true }));
      expect(JSON.stringify(copy)).toBe(JSON.stringify(from));
    };
    fc.assert(fc.property(value.value, check), { numRuns: 2_000 });
  });

  test('with other members from one on is written as the object with these members', () => {
    const members = fc.record({ name: value.value, more: value.value });
    const check = (before: object, from: { name: unknown; more: unknown }, to: { name: unknown; more: unknown }): void => {
      const whole = { text: ',"name":', before, ...from, name: from.name ?? null };
      const changes = { ...to, name: to.name ?? null };
      const partly = <T extends object>(given: T): T =>
        Object.fromEntries(Object.entries(given).map(([key, each]) => [key, shared(each)])) as T;
      const known = KnownJson.of(partly(whole));
      expect(phpJson(known.replacedFrom('name', partly(changes)))).toBe(phpJson({ ...whole, ...changes }));
      // The same bytes are in other responses.
      expect(phpJson(known)).toBe(phpJson(whole));
    };
    fc.assert(fc.property(value.object, members, members, check), { numRuns: 1_000 });
  });

  test('with other members shares the bytes', () => {
    const known = KnownJson.of({ text: 'x'.repeat(10_000), last: 1 });
    const other = known.replacedFrom('last', { last: 2 });
    expect(other.size).toBeLessThan(1_000);
    expect(phpJson(other)).toHaveLength(phpJson(known).length);
  });

  test('with another text in the place of one, also in what it contains', () => {
    const [from, to] = ['anything', 'a-b'].map((part) => Buffer.from(part));
    const inner = KnownJson.of({ url: '/anything', 'anything/é': 'anythinganything', part: 'anythin', n: 1e-7 });
    const outer = KnownJson.of({ inner, list: [inner, 'anything'] });
    const wanted = (plain: unknown): string => phpJson(plain).replaceAll('anything', 'a-b');
    for (const known of [inner, outer]) {
      const renamed = known.renamed(from, to);
      expect(phpJson({ renamed, text: 'anything' })).toBe(`{"renamed":${wanted(known)},"text":"anything"}`);
      expect(phpJson(KnownJson.of([renamed]))).toBe(`[${wanted(known)}]`);
      expect(JSON.stringify(renamed)).toBe(JSON.stringify(known).replaceAll('anything', 'a-b'));
      // The same bytes are in other responses.
      expect(phpJson(known)).toContain('anything');
    }
  });

  test('is not made again', () => {
    let made = 0;
    const counter = { toJSON: () => ({ name: (made += 1) }) };
    const known = KnownJson.of(counter);
    expect(phpJson({ a: 1, known, list: [known] })).toBe('{"a":1,"known":{"name":1},"list":[{"name":1}]}');
  });

  test('is kept once, however many values contain it', () => {
    const inner = KnownJson.of({ text: 'x'.repeat(10_000) });
    const outer = KnownJson.of({ a: inner, b: [inner, 'y'] });
    expect(outer.size).toBeLessThan(1_000);
    expect(phpJson(outer)).toBe(phpJson({ a: inner, b: [inner, 'y'] }));
    expect(phpJson(outer)).toHaveLength(2 * 10_000 + 39);
  });
});
