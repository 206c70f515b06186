import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** The chunks of a stream of bytes, whose type does not say what it yields. */
export const chunksOf = (stream: AsyncIterable<unknown>): AsyncIterable<Buffer> => stream as AsyncIterable<Buffer>;

/**
 * Writes texts to a stream as fast as it accepts them, and leaves it open.
 * @param signal ends the writing
 */
export async function writeTexts(out: Writable, texts: AsyncIterable<string> | Iterable<string>, signal?: AbortSignal): Promise<void> {
  for await (const text of texts) {
    signal?.throwIfAborted();
    if (!out.write(text)) await once(out, 'drain', signal ? { signal } : {});
  }
}
