import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readDataset } from '../../src/dataset/load.js';
test('w', async () => {
  const here = path.dirname(fileURLToPath(import.meta.url));
  const d = await readDataset(path.join(here, '../conformance/world.json'), 0);
  console.log(d.posts.length, d.files.length, d.options, d.nextIds, d.clock, d.siteUrl, d.users[0], d.terms.slice(0,3));
});
