import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { readText } from '../formats/encoding.js';
import { parse } from '../formats/dataset/parse.js';
import type { InputFile, ReadOptions } from '../formats/format.js';
import { type DatasetSource, DatasetError } from '../source.js';
import type { Exchange } from './exchange.js';
import { looksLikeResponses } from './recognize.js';
import { recordedSource, responsesIn } from './source.js';

/** Files that recorders write, not those of packages. */
const RECORDED = /^(?!(?:.*[/\\])?node_modules[/\\]).*\.(?:har|json|ya?ml)$/i;

/** Opens a folder of recorded responses as one site. Other files are left out with a warning. @throws DatasetError if there are none */
export async function openFolder(input: InputFile, options: ReadOptions): Promise<DatasetSource> {
  const names = (await readdir(input.file, { recursive: true })).filter((name) => RECORDED.test(name)).toSorted();
  const exchanges: Exchange[] = [];
  for (const name of names) {
    const file = path.join(input.file, name);
    try {
      const { value } = parse(await readText({ file }), name, /\.ya?ml$/i.test(name) ? 'yaml' : 'json');
      if (looksLikeResponses(value)) exchanges.push(...responsesIn(value, { name, folder: path.dirname(file), isOwn: true }));
      else options.warn?.('left out: it has no recorded responses', { file: name });
    } catch (error) {
      if (!(error instanceof DatasetError)) throw error;
      options.warn?.(`left out: ${error.problems.join('; ')}`, { file: name });
    }
  }
  if (exchanges.length === 0) throw new DatasetError(input.name, ['is a folder without recorded responses (.json, .har, .yaml)']);
  return recordedSource(input.name, exchanges, options);
}

/** Joins the sources that are recorded responses to one site: several files may show the same item. */
export async function joined(sources: readonly DatasetSource[], options: ReadOptions): Promise<DatasetSource[]> {
  const recorded = sources.filter(({ exchanges }) => exchanges !== undefined);
  if (recorded.length < 2) return [...sources];
  const [first] = recorded;
  const all = await recordedSource(
    first.name,
    recorded.flatMap(({ exchanges = [] }) => exchanges),
    options,
  );
  return sources.filter((source) => source === first || !recorded.includes(source)).map((source) => (source === first ? all : source));
}
