/**
 * Packs folders of recordings into test/conformance/<name>.json.br, one each: `node scripts/pack-recordings.mjs FOLDER…`. A folder of
 * folders, such as one per release, becomes one file: scenarios by name of the folder. The tests unpack them; `test/conformance/README.md` describes the files.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN, BROTLI_PARAM_SIZE_HINT } = constants;

async function scenariosIn(folder) {
  const entries = await readdir(folder, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  if (folders.length > 0)
    return Object.fromEntries(await Promise.all(folders.map(async (name) => [name, await scenariosIn(path.join(folder, name))])));
  const files = entries.map(({ name }) => name).filter((name) => name.endsWith('.json'));
  return Promise.all(files.sort().map(async (name) => JSON.parse(await readFile(path.join(folder, name), 'utf8'))));
}

for (const folder of process.argv.slice(2)) {
  const scenarios = await scenariosIn(folder);
  const text = Buffer.from(JSON.stringify(scenarios));
  const params = { [BROTLI_PARAM_QUALITY]: 11, [BROTLI_PARAM_LGWIN]: 24, [BROTLI_PARAM_SIZE_HINT]: text.length };
  const packed = brotliCompressSync(text, { params });
  const target = new URL(`../test/conformance/${path.basename(folder)}.json.br`, import.meta.url);
  await writeFile(target, packed);
  console.log(`${path.basename(folder)}: ${text.length} bytes packed into ${packed.length}`);
}
