import { inTurns } from '../../../../src/base/system/turns.js';

test('other work has its turn between parts of a long list', async () => {
  const order: (number | string)[] = [];
  setImmediate(() => order.push('other'));
  const made = await inTurns(Array(25).keys(), (item) => {
    order.push(item);
    return item * 2;
  });
  expect(made).toEqual(Array.from({ length: 25 }, (_, item) => item * 2));
  expect(order.indexOf('other')).toBe(10);
});
