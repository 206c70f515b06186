// A proxy between one server and its database. It counts write commands, and stalls the connections before or after one of them.
import { once } from 'node:events';
import net from 'node:net';

const OP_MSG = 2013;
const HEADER = 16;
/** Offset of the command name in a message: after the header, the flags, the type of the first section, and the size and type of BSON. */
const NAME = HEADER + 4 + 1 + 4 + 1;

const WRITES = new Set(
  'insert update delete findAndModify findandmodify bulkWrite create createIndexes drop dropDatabase dropIndexes renameCollection collMod'.split(
    ' ',
  ),
);

const targetOf = (uri) => {
  const host = decodeURIComponent(/^mongodb:\/\/([^/?]+)/.exec(uri)?.[1] ?? '');
  if (host.endsWith('.sock')) return { path: host };
  const [name, port] = host.split(':');
  return { host: name, port: Number(port) };
};

/** Reads a null-terminated string. */
const textAt = (bytes, at) => bytes.toString('utf8', at, bytes.indexOf(0, at));

/** The collections that a `bulkWrite` affects. */
const namespacesOf = (message) =>
  [...message.toString('latin1').matchAll(/\x02ns\0[\s\S]{4}[^\0.]+\.([^\0]+)\0/g)].map(([, collection]) => collection);

/** The command of a message, if it is a write: its name, and its collection if that is unambiguous. */
function writeOf(message) {
  if (message.readInt32LE(12) !== OP_MSG) return null;
  const name = textAt(message, NAME);
  const value = NAME + name.length + 1;
  const isText = message[NAME - 1] === 2;
  if (name === 'aggregate') return /\$(?:out|merge)\0/.test(message.toString('latin1')) ? `aggregate ${textAt(message, value + 4)}` : null;
  if (!WRITES.has(name)) return null;
  if (name === 'bulkWrite') return `bulkWrite ${namespacesOf(message).join('+')}`;
  return isText ? `${name} ${textAt(message, value + 4)}` : name;
}

/** Splits a stream into messages. @param take called with each message */
function messagesOf(take) {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (rest.length >= 4 && rest.length >= rest.readInt32LE(0)) {
      const length = rest.readInt32LE(0);
      take(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
  };
}

export class MongoProxy {
  #target;
  #server;
  #pairs = new Set();
  /** Stalled messages in order, as functions that send them. */
  #held = null;
  #armed = null;
  /** The write commands since the last call of `arm`. */
  commands = [];

  static async open(uri) {
    const proxy = new MongoProxy();
    proxy.#target = targetOf(uri);
    proxy.#server = net.createServer((near) => proxy.#connect(near));
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  uriOf(database) {
    return `mongodb://127.0.0.1:${this.#server.address().port}/${database}?directConnection=true`;
  }

  #connect(near) {
    const far = net.connect(this.#target);
    const pair = { near, far };
    this.#pairs.add(pair);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ]) {
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.#pairs.delete(pair);
        other.destroy();
      });
    }
    near.on(
      'data',
      messagesOf((message) => this.#asked(message, far)),
    );
    far.on(
      'data',
      messagesOf((message) => this.#answered(message, near)),
    );
  }

  #send(message, socket) {
    if (this.#held) this.#held.push(() => socket.write(message));
    else socket.write(message);
  }

  #asked(message, far) {
    const write = this.#held ? null : writeOf(message);
    if (write) this.commands.push(write);
    const armed = this.#armed;
    if (!write || !armed || this.commands.length !== armed.at) return this.#send(message, far);
    if (armed.side === 'after') {
      armed.id = message.readInt32LE(4);
      return far.write(message);
    }
    return this.#hit(() => far.write(message));
  }

  #answered(message, near) {
    const armed = this.#armed;
    if (armed?.id !== undefined && message.readInt32LE(8) === armed.id) return this.#hit(() => near.write(message));
    return this.#send(message, near);
  }

  #hit(send) {
    const { reached } = this.#armed;
    this.#armed = null;
    this.#held = [send];
    reached(true);
  }

  /** Whether the connections are stalled. */
  get isHolding() {
    return this.#held !== null;
  }

  /**
   * Stalls all connections before or after the n-th write command.
   * @returns a promise that resolves at that moment
   */
  arm(at, side) {
    this.commands = [];
    return new Promise((reached) => (this.#armed = { at, side, reached }));
  }

  /** Resumes the connections, and sends the stalled messages. */
  release() {
    const held = this.#held ?? [];
    this.#armed = null;
    this.#held = null;
    for (const send of held) send();
  }

  /** Closes all connections, and drops stalled messages. */
  drop() {
    this.#armed = null;
    this.#held = null;
    for (const { near, far } of this.#pairs) for (const socket of [near, far]) socket.destroy();
  }

  async close() {
    this.drop();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
