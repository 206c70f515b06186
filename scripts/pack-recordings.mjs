/**
 * Packs folders of recordings into test/conformance/<name>.json.br, one each: `node scripts/pack-recordings.mjs FOLDER…`.
 * The tests unpack them; `test/conformance/README.md` describes the files.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN, BROTLI_PARAM_SIZE_HINT } = constants;

for (const folder of process.argv.slice(2)) {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
  const scenarios = await Promise.all(files.map(async (name) => JSON.parse(await readFile(path.join(folder, name), 'utf8'))));
  const text = Buffer.from(JSON.stringify(scenarios));
  const params = { [BROTLI_PARAM_QUALITY]: 11, [BROTLI_PARAM_LGWIN]: 24, [BROTLI_PARAM_SIZE_HINT]: text.length };
  const packed = brotliCompressSync(text, { params });
  const target = new URL(`../test/conformance/${path.basename(folder)}.json.br`, import.meta.url);
  await writeFile(target, packed);
  console.log(`${path.basename(folder)}: ${scenarios.length} scenarios, ${text.length} bytes packed into ${packed.length}`);
}
