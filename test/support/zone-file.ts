/** Compiles a zone file (RFC 9636) without the changes after its last one, which the footer describes. */
export function compiledZone(
  { changes, footer }: { changes: [at: number, offset: number, abbreviation: string][]; footer: string },
  isShort = false,
): Buffer {
  const texts = changes.map(([, , name]) => `${name}\0`);
  const header = (times: number, types: number, characters: number): Buffer => {
    const bytes = Buffer.alloc(44);
    bytes.write('TZif2', 'latin1');
    [0, 0, 0, times, types, characters].forEach((count, index) => bytes.writeUInt32BE(count, 20 + index * 4));
    return bytes;
  };
  const types = changes.map(([, offset], index) => {
    const bytes = Buffer.alloc(6);
    bytes.writeInt32BE(offset);
    bytes.writeUInt8(texts.slice(0, index).join('').length, 5);
    return bytes;
  });
  // The first one has no beginning.
  const later = changes.slice(1);
  const times = later.map(([at]) => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64BE(BigInt(at));
    return bytes;
  });
  const all = Buffer.concat([
    header(0, 1, 4),
    Buffer.alloc(6),
    Buffer.from('UTC\0'),
    header(later.length, types.length, texts.join('').length),
    ...times,
    Buffer.from(later.map((_, index) => index + 1)),
    ...types,
    Buffer.from(texts.join('')),
    Buffer.from(`\n${footer}\n`),
  ]);
  return isShort ? all.subarray(0, 60) : all;
}
