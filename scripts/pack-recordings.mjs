/**
 * Packs folders of recordings into test/conformance/<name>.json.br, one each: `node scripts/pack-recordings.mjs FOLDER…`. A folder of
 * folders, such as one per release, becomes one file: scenarios by name of the folder. The tests unpack them; `test/conformance/README.md` describes the files.
 * With `--unpack`, it writes the folders from their files instead, to which recordings can then be added.
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN, BROTLI_PARAM_SIZE_HINT } = constants;

async function scenariosIn(folder) {
  const entries = await readdir(folder, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  if (folders.length > 0)
    return Object.fromEntries(await Promise.all(folders.map(async (name) => [name, await scenariosIn(path.join(folder, name))])));
  const files = entries.map(({ name }) => name).filter((name) => name.endsWith('.json'));
  return Promise.all(files.sort().map(async (name) => JSON.parse(await readFile(path.join(folder, name), 'utf8'))));
}

const fileOf = (folder) => new URL(`../test/conformance/${path.basename(folder)}.json.br`, import.meta.url);

async function unpack(content, folder) {
  await mkdir(folder, { recursive: true });
  if (!Array.isArray(content)) for (const [name, scenarios] of Object.entries(content)) await unpack(scenarios, path.join(folder, name));
  else
    for (const scenario of content) await writeFile(path.join(folder, `${scenario.name}.json`), `${JSON.stringify(scenario, null, 2)}\n`);
}

const [first, ...rest] = process.argv.slice(2);
const isUnpacking = first === '--unpack';
for (const folder of isUnpacking ? rest : process.argv.slice(2)) {
  if (isUnpacking) {
    await unpack(JSON.parse(brotliDecompressSync(await readFile(fileOf(folder))).toString()), folder);
    continue;
  }
  const scenarios = await scenariosIn(folder);
  const text = Buffer.from(JSON.stringify(scenarios));
  const params = { [BROTLI_PARAM_QUALITY]: 11, [BROTLI_PARAM_LGWIN]: 24, [BROTLI_PARAM_SIZE_HINT]: text.length };
  const packed = brotliCompressSync(text, { params });
  await writeFile(fileOf(folder), packed);
  console.log(`${path.basename(folder)}: ${text.length} bytes packed into ${packed.length}`);
}
