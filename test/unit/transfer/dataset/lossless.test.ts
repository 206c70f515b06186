import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { inputFile, openFile } from '../../../../src/transfer/formats/open.js';
import { comparable, plain, FIXTURES, NOW, folder, written, itemsOf } from './files.js';

test('YAML folds no character into halves', async () => {
  // Each start puts another part of a character at the width of a line, and spaces behind it.
  for (let start = 0; start < 8; start += 1) {
    const title = `'"${'a'.repeat(start)}${'😀'.repeat(80)}${'😀 '.repeat(80)}${'😀  '.repeat(80)}\\`;
    const given = path.join(folder, 'given.json');
    await writeFile(given, JSON.stringify({ posts: [{ title }] }));
    const source = await openFile(inputFile(given), { now: NOW });
    const { file } = await written(source, 'yaml', `folds-${start}.yaml`);
    const [read] = (await itemsOf(await openFile(inputFile(file), { now: NOW }))).flatMap((item) =>
      item.kind === 'post' ? [item.post] : [],
    );
    expect(read.title).toBe(title);
  }
});

test.each(['demo.json', 'edge.json'])('fixtures/%s round-trips through JSON and YAML', async (fixture) => {
  const source = await openFile(inputFile(path.join(FIXTURES, fixture)), { now: NOW });
  const before = plain(await itemsOf(source)).filter(({ kind }) => kind !== 'user');
  for (const format of ['json', 'yaml']) {
    const { file } = await written(source, format, `through.${format}`);
    const after = await itemsOf(await openFile(inputFile(file), { now: NOW }));
    expect(comparable(plain(after).filter(({ kind }) => kind !== 'user'))).toEqual(comparable(before));
  }
});
