import { jest } from '@jest/globals';
import { startProgress } from '../../../src/cli/commands/command.js';

/** The lines that work writes off a terminal. */
function written(work: (progress: ReturnType<typeof startProgress>) => void): string {
  const lines: string[] = [];
  const stream = { isTTY: false, write: (line: string) => lines.push(line) } as unknown as NodeJS.WriteStream;
  const progress = startProgress({ stream, clock: { performance, setInterval, clearInterval } });
  work(progress);
  progress.clear();
  jest.advanceTimersByTime(60_000);
  return lines.join('');
}

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test('off a terminal, work that moves is told every five seconds', () => {
  const text = written((progress) => {
    for (let done = 0; done <= 12_000; done += 1_000) {
      progress.at('Sending', done, 20_000);
      jest.advanceTimersByTime(1_000);
    }
  });
  expect(text).toBe('Sending: 4,000 of 20,000 (20%)\nSending: 9,000 of 20,000 (45%)\n');
});

test('work that does not tell how much is done is told, too, with its time', () => {
  const text = written((progress) => {
    progress.at('Sending', 20_000, 20_000);
    progress.at('Loading', 0);
    jest.advanceTimersByTime(16_000);
  });
  expect(text).toBe('Loading, 5 s so far\nLoading, 10 s so far\nLoading, 15 s so far\n');
});

test('short work writes nothing', () => {
  expect(written((progress) => progress.at('Loading', 0))).toBe('');
});
