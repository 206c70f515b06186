import { readFile } from 'node:fs/promises';
import { writeTexts } from '../../../base/system/streams.js';
import { kindOfPost } from '../../writing.js';
import { type SourceItem, type DatasetSource, type SourcePlace, SourceProblems } from '../../source.js';
import type { Write, Wrote } from '../format.js';
import type { Head } from './head.js';

const mentionOf = ({ reuse, absent, bySlug }: { reuse?: boolean; absent?: string; bySlug?: boolean }) =>
  reuse ? { reuse, ...(bySlug ? { bySlug } : {}), ...(absent === undefined ? {} : { absent }) } : {};

async function lineOf(item: SourceItem, at: { at?: SourcePlace }): Promise<string | null> {
  switch (item.kind) {
    case 'options':
      return JSON.stringify({ options: item.options });
    case 'user':
      return JSON.stringify({ user: item.user, ...at });
    case 'term':
      return JSON.stringify({ term: item.term, ...mentionOf(item), ...at });
    case 'post':
      return JSON.stringify({ post: item.post, ...mentionOf(item), ...at });
    case 'comment':
      return JSON.stringify({ comment: item.comment, ...at });
    case 'file': {
      const { source, target, optional, image, data } = item.file;
      const bytes =
        data ??
        (await readFile(source).catch((error: unknown) => {
          if (optional) return null;
          throw error;
        }));
      return bytes && JSON.stringify({ file: { target, ...(image ? { image } : {}), data: Buffer.from(bytes).toString('base64') }, ...at });
    }
  }
}

/** Minimum number of characters per chunk. */
const CHUNK = 1 << 16;

/**
 * Yields the lines of a source in chunks.
 * @param places whether to include the location of each item in its source, for the messages of the next reader
 * @throws DatasetError with all problems of the source, after its last item
 */
export async function* ndjsonOf(source: DatasetSource, places = false, wrote?: Wrote): AsyncGenerator<string> {
  const head: Head = {
    understudy: 'dataset',
    ...(places ? { name: source.name } : {}),
    version: 1,
    site_url: source.siteUrl,
    clock: source.clock === null ? null : new Date(source.clock).toISOString(),
    keeps_ids: source.keepsIds,
    ...(source.plugins && source.plugins.length > 0 ? { plugins: source.plugins } : {}),
    ...(Object.keys(source.declarations ?? {}).length > 0 ? { declares: source.declarations } : {}),
    ...(source.nextIds ? { next_ids: source.nextIds } : {}),
    ...(source.count === undefined ? {} : { count: source.count }),
  };
  let text = `${JSON.stringify(head)}\n`;
  let count = 0;
  const problems = new SourceProblems();
  problems.source = source.name;
  for await (const item of source.items((problem, at) => problems.add(problem, at))) {
    const line = await lineOf(item, places && 'at' in item && item.at ? { at: item.at } : {});
    if (line === null) continue;
    count += 1;
    if (item.kind !== 'options') wrote?.(item.kind === 'post' ? kindOfPost(item.post) : item.kind);
    text += `${line}\n`;
    if (text.length < CHUNK) continue;
    yield text;
    text = '';
  }
  problems.throwIfAny();
  yield `${text}${JSON.stringify({ end: count })}\n`;
}

export const writeNdjson: Write = (source, out, { signal, wrote }) => writeTexts(out, ndjsonOf(source, false, wrote), signal);
