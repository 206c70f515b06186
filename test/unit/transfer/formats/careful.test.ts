import { guardedSource } from '../../../../src/transfer/formats/open.js';
import { datasetSource } from '../../../../src/transfer/formats/dataset/file.js';
import type { DatasetSource } from '../../../../src/transfer/source.js';

test('while a source is read from memory, signals and timers get their turn', async () => {
  const endless: DatasetSource = {
    ...datasetSource(
      'endless',
      { posts: [], terms: [], users: [], options: {}, files: [], siteUrl: '', clock: null, nextIds: { posts: 1, terms: 1 } },
      false,
    ),
    async *items() {
      for (;;) yield { kind: 'options', options: {} };
    },
  };
  const ending = new AbortController();
  setImmediate(() => ending.abort());
  const reading = async (): Promise<void> => {
    for await (const item of guardedSource(endless, ending.signal).items(() => undefined)) void item;
  };
  await expect(reading()).rejects.toThrow('aborted');
});
