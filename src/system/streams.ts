/** The chunks of a stream of bytes, whose type does not say what it yields. */
export const chunksOf = (stream: AsyncIterable<unknown>): AsyncIterable<Buffer> => stream as AsyncIterable<Buffer>;
