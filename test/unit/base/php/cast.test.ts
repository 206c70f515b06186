import { absint, filterBoolean, intval, isEmpty, isNumeric, toBool, toStr } from '../../../../src/base/php/cast.js';

// Measured with PHP 8.2.
describe('intval', () => {
  test.each<[unknown, number]>([
    [1.9, 1],
    [-1.9, -1],
    ['-1.9', -1],
    [' 12', 12],
    ['\n12', 12],
    ['12abc', 12],
    ['1e3', 1000],
    ['1e', 1],
    ['0x1A', 0],
    ['1_000', 1],
    ['.5', 0],
    ['+.5e1', 5],
    ['+ 5', 0],
    ['', 0],
    ['abc', 0],
    ['9999999999999999999', 2 ** 63],
    ['-9999999999999999999', -(2 ** 63)],
    ['1e19', 2 ** 63],
    ['1e1000', 0],
    [2 ** 63, 2 ** 63],
    [1e19, -8446744073709551616],
    [1e300, 0],
    [NaN, 0],
    [Infinity, 0],
    [true, 1],
    [null, 0],
    [undefined, 0],
    [[], 0],
    [[0], 1],
    [{}, 0],
    [{ a: 0 }, 1],
  ])('%j is %d', (value, expected) => {
    expect(intval(value)).toBe(expected);
  });

  test('absint drops the sign', () => {
    expect([absint('-7'), absint(-7.9), absint('x'), absint('7')]).toEqual([7, 7, 0, 7]);
  });
});

describe('isNumeric', () => {
  test.each<[unknown, boolean]>([
    [5, true],
    [1.5, true],
    ['5', true],
    [' 5', true],
    ['5 ', true],
    ['\t5\n', true],
    ['.5', true],
    ['1.', true],
    ['.', false],
    ['1e5', true],
    ['1e', false],
    ['-0', true],
    ['+5', true],
    ['+ 5', false],
    ['0x1A', false],
    ['1_000', false],
    ['', false],
    [' ', false],
    ['5a', false],
    [true, false],
    [null, false],
    [[], false],
  ])('%j: %s', (value, expected) => {
    expect(isNumeric(value)).toBe(expected);
  });
});

describe('isEmpty and toBool', () => {
  test.each<[unknown, boolean]>([
    ['', true],
    ['0', true],
    [0, true],
    [-0, true],
    [null, true],
    [undefined, true],
    [false, true],
    [[], true],
    [{}, true],
    ['0.0', false],
    ['00', false],
    [' ', false],
    ['false', false],
    [0.1, false],
    [NaN, false],
    [[0], false],
    [{ a: null }, false],
    [true, false],
  ])('%j: %s', (value, expected) => {
    expect(isEmpty(value)).toBe(expected);
    expect(toBool(value)).toBe(!expected);
  });
});

describe('toStr', () => {
  test.each<[unknown, string]>([
    ['a', 'a'],
    [1.0, '1'],
    [-3, '-3'],
    [0.1, '0.1'],
    [0.1 + 0.2, '0.3'],
    [1 / 3, '0.33333333333333'],
    [123456.789, '123456.789'],
    [2 ** 63, '9223372036854775807'],
    [1e25, '1.0E+25'],
    [-1.5e-7, '-1.5E-7'],
    [0.0001, '0.0001'],
    [0.00001, '1.0E-5'],
    [NaN, 'NAN'],
    [-Infinity, '-INF'],
    [true, '1'],
    [false, ''],
    [null, ''],
    [undefined, ''],
    [[1], 'Array'],
  ])('%j is %j', (value, expected) => {
    expect(toStr(value)).toBe(expected);
  });
});

describe('filterBoolean', () => {
  test.each<[unknown, boolean | null]>([
    [true, true],
    [false, false],
    ['1', true],
    ['TRUE', true],
    [' on ', true],
    ['yes', true],
    ['1\n', true],
    ['0', false],
    ['off', false],
    ['No', false],
    ['', false],
    [' ', false],
    [null, false],
    [1, true],
    [0, false],
    [1.0, true],
    ['2', null],
    [2, null],
    ['0.0', null],
    ['n', null],
    ['\f1', null],
    [[], null],
  ])('%j: %s', (value, expected) => {
    expect(filterBoolean(value)).toBe(expected);
  });
});
