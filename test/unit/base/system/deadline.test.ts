import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { within } from '../../../../src/base/system/deadline.js';

const never = (): Promise<string> => new Promise(() => undefined);
const after = async (ms: number, result: string): Promise<string> => {
  await sleep(ms);
  return result;
};

test('each of several waits ends at its own time, whichever began first', async () => {
  const ended: string[] = [];
  const wait = async (name: string, ms: number, work: Promise<string>): Promise<void> =>
    void ended.push(`${name} ${await within(ms, work, () => 'late')}`);
  await Promise.all([
    wait('last', 300, never()),
    wait('in time', 300, after(10, 'done')),
    wait('first', 60, never()),
    wait('between', 160, never()),
  ]);
  expect(ended).toEqual(['in time done', 'first late', 'between late', 'last late']);
});

test('a wait after all others have ended', async () => {
  expect(await within(20, never(), () => 'late')).toBe('late');
  await within(10_000, after(1, 'done'), () => 'late');
  expect(await within(20, never(), () => 'late')).toBe('late');
});

test('errors of the work and of the end', async () => {
  await expect(within(1_000, Promise.reject(new Error('broken')), () => 'late')).rejects.toThrow('broken');
  const end = (): string => {
    throw new Error('too late');
  };
  await expect(within(10, never(), end)).rejects.toThrow('too late');
});
