import { once } from 'node:events';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { mkdtempSync, rmSync } from 'node:fs';
import { BSON } from 'mongodb';
import { MessageReader, serveConnection, type RoundTripper } from '../../src/database/engine/wire.js';

const frame = (operation: number, content: Buffer, id = 7): Buffer => {
  const header = Buffer.alloc(16);
  header.writeInt32LE(16 + content.length, 0);
  header.writeInt32LE(id, 4);
  header.writeInt32LE(operation, 12);
  return Buffer.concat([header, content]);
};
const body = (document: BSON.Document): Buffer => Buffer.concat([Buffer.from([0]), BSON.serialize(document)]);
const sequence = (name: string, ...documents: Buffer[]): Buffer => {
  const content = Buffer.concat([Buffer.from(`${name}\0`), ...documents]);
  const size = Buffer.alloc(4);
  size.writeInt32LE(content.length + 4);
  return Buffer.concat([Buffer.from([1]), size, content]);
};
const message = (flags: number, ...sections: Buffer[]): Buffer => {
  const bits = Buffer.alloc(4);
  bits.writeUInt32LE(flags);
  return frame(2013, Buffer.concat([bits, ...sections]));
};
const query = (document: BSON.Document): Buffer =>
  frame(2004, Buffer.concat([Buffer.alloc(4), Buffer.from('admin.$cmd\0'), Buffer.alloc(8), BSON.serialize(document)]));
const nested = (levels: number): BSON.Document => {
  let document: BSON.Document = {};
  for (let i = 1; i < levels; i++) document = { a: document };
  return document;
};

describe('the reader', () => {
  const stream = Buffer.concat([
    message(0, body({ ping: 1 })),
    message(0, body({ find: 'x'.repeat(300) })),
    message(0, body({ hello: 1 })),
  ]);

  test.each([1, 2, 3, 5, 16, 17, 100, 1000])('joins messages that arrive in chunks of %d bytes', (size) => {
    const reader = new MessageReader();
    const messages: Buffer[] = [];
    for (let at = 0; at < stream.length; at += size) messages.push(...reader.push(stream.subarray(at, at + size)));
    expect(messages).toHaveLength(3);
    expect(Buffer.concat(messages).equals(stream)).toBe(true);
  });

  test.each([-1, 0, 15, 48_100_000])('rejects a message length of %d', (length) => {
    const bytes = Buffer.alloc(4);
    bytes.writeInt32LE(length);
    expect(() => new MessageReader().push(bytes)).toThrow(`message length ${length}`);
  });
});

describe('a connection', () => {
  let folder: string;
  let server: net.Server;
  let client: net.Socket;
  let seen: Buffer[];
  let dropped: string[];

  const engine: RoundTripper = {
    roundTrip: async (bytes) => {
      seen.push(Buffer.from(bytes));
      if (bytes.includes('overflow')) throw new Error('embedded MongoDB error: Overflow: too much');
      if (bytes.includes('broken')) throw new Error('embedded MongoDB error: it broke');
      const legacy = bytes.readInt32LE(12) === 2004;
      const moreToCome = !legacy && (bytes.readUInt32LE(16) & 2) !== 0;
      return { requestId: bytes.readInt32LE(4), moreToCome, legacy, response: Buffer.from(BSON.serialize({ ok: 1 })) };
    },
  };

  beforeEach(async () => {
    [seen, dropped] = [[], []];
    folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-wire-'));
    server = net.createServer((socket) => serveConnection(engine, socket, (line) => dropped.push(line)));
    server.listen(path.join(folder, 's'));
    await once(server, 'listening');
    client = net.connect(path.join(folder, 's'));
  });
  afterEach(async () => {
    client.destroy();
    server.close();
    await once(server, 'close');
    rmSync(folder, { recursive: true });
  });

  const reply = async (): Promise<{ id: number; operation: number; document: BSON.Document }> => {
    const [bytes] = (await once(client, 'data')) as [Buffer];
    const operation = bytes.readInt32LE(12);
    expect(bytes.readInt32LE(0)).toBe(bytes.length);
    return { id: bytes.readInt32LE(8), operation, document: BSON.deserialize(bytes.subarray(operation === 1 ? 36 : 21)) };
  };
  const ask = (bytes: Buffer): ReturnType<typeof reply> => {
    client.write(bytes);
    return reply();
  };

  const everyType = {
    insert: 'things',
    double: 1.5,
    text: 'ä',
    list: [1, { two: 2 }, []],
    bytes: new BSON.Binary(Buffer.from('abc')),
    oldBytes: new BSON.Binary(Buffer.from('abc'), 2),
    uuid: new BSON.UUID(),
    id: new BSON.ObjectId(),
    yes: true,
    date: new Date(0),
    nothing: null,
    regex: /a+/i,
    code: new BSON.Code('f()'),
    scoped: new BSON.Code('f()', { a: { b: 1 } }),
    symbol: new BSON.BSONSymbol('s'),
    int: 1,
    stamp: new BSON.Timestamp({ t: 1, i: 2 }),
    long: new BSON.Long(1, 2),
    decimal: BSON.Decimal128.fromString('1.5'),
    min: new BSON.MinKey(),
    max: new BSON.MaxKey(),
    reference: new BSON.DBRef('c', new BSON.ObjectId()),
    '': { '': '' },
  };

  test.each([
    ['every type of value', message(0, body(everyType))],
    [
      'a document sequence before the body',
      message(0, sequence('documents', Buffer.from(BSON.serialize(everyType))), body({ insert: 'x' })),
    ],
    ['a checksum', message(1, body({ ping: 1 }), Buffer.from('1234'))],
    ['the deepest document', message(0, body(nested(200)))],
    ['a command that only looks like a refused one', message(0, body({ find: 'startSession', startSession: 1 }))],
  ])('forwards %s unchanged', async (_, bytes) => {
    expect(await ask(bytes)).toEqual({ id: 7, operation: 2013, document: { ok: 1 } });
    expect(seen).toEqual([bytes]);
  });

  test.each(['hello', 'isMaster', 'ismaster'])('responds to the legacy form of %s', async (name) =>
    expect(await ask(query({ [name]: 1 }))).toEqual({ id: 7, operation: 1, document: { ok: 1 } }),
  );

  test.each(['startSession', 'endSessions', 'refreshSessions', 'killSessions', 'killAllSessions', 'killAllSessionsByPattern'])(
    'rejects %s',
    async (name) => {
      const refusal = { ok: 0, errmsg: `no such command: '${name}'`, code: 59, codeName: 'CommandNotFound' };
      expect((await ask(message(0, body({ [name]: 1 })))).document).toEqual(refusal);
      expect((await ask(message(0, sequence('x', Buffer.from(BSON.serialize({}))), body({ [name]: 1 })))).document).toEqual(refusal);
      expect(seen).toEqual([]);
    },
  );

  test.each([
    ['in the body', message(0, body(nested(201)))],
    ['in a sequence', message(0, body({ insert: 'x' }), sequence('documents', Buffer.from(BSON.serialize(nested(3000)))))],
    ['in a scope', message(0, body({ find: 'x', filter: new BSON.Code('f()', nested(300)) }))],
  ])('rejects BSON that is nested too deeply %s', async (_, bytes) => {
    expect((await ask(bytes)).document).toMatchObject({ ok: 0, code: 15, codeName: 'Overflow' });
    expect(seen).toEqual([]);
  });

  const corrupt = (at: number, value: number): Buffer => {
    const bytes = message(0, body({ ping: 'text', more: { a: 1 } }));
    bytes.writeUInt8(value, at);
    return bytes;
  };
  test.each([
    ['no body', message(0, sequence('documents', Buffer.from(BSON.serialize({}))))],
    ['an empty command', message(0, body({}))],
    ['an unknown section', message(0, Buffer.concat([Buffer.from([9]), BSON.serialize({ ping: 1 })]))],
    ['a document longer than the message', corrupt(21, 200)],
    ['a document shorter than it is', corrupt(21, 10)],
    ['an unknown type', corrupt(25, 0x20)],
    ['a string longer than the document', corrupt(31, 120)],
    ['a message of nothing', frame(2013, Buffer.alloc(4))],
  ])('rejects %s', async (_, bytes) => {
    expect((await ask(bytes)).document).toMatchObject({ ok: 0, code: 22, codeName: 'InvalidBSON' });
    expect(seen).toEqual([]);
  });

  test.each([
    ['overflow', { ok: 0, errmsg: 'Overflow: too much', code: 15, codeName: 'Overflow' }],
    ['broken', { ok: 0, errmsg: 'it broke', code: 1, codeName: 'InternalError' }],
  ])('turns an error of the engine into a response: %s', async (name, document) =>
    expect((await ask(message(0, body({ [name]: 1 })))).document).toEqual(document),
  );

  test('sends no response to a message that expects none, and continues', async () => {
    client.write(message(2, body({ insert: 'x' })));
    client.write(message(2, body({ endSessions: [] })));
    expect((await ask(frame(2013, Buffer.concat([Buffer.alloc(4), body({ ping: 1 })]), 99))).id).toBe(99);
    expect(seen).toHaveLength(2);
  });

  test.each([
    ['an operation that was not agreed', frame(2012, Buffer.alloc(20)), 'operation 2012 is not supported'],
    ['an old query that is no handshake', query({ find: 'x' }), 'BSON is malformed'],
    ['an impossible length', Buffer.alloc(16), 'message length 0'],
  ])('is closed after %s', async (_, bytes, why) => {
    client.write(bytes);
    await once(client, 'close');
    expect(dropped).toEqual([`connection dropped: ${why}`]);
    expect(seen).toEqual([]);
  });
});
