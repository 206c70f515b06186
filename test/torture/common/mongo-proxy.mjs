// A proxy between one server and its database, which counts commands that write and holds up the connections before or after one of them.
import { once } from 'node:events';
import net from 'node:net';

const OP_MSG = 2013;
const HEADER = 16;
/** Where the name of a command begins in a message: after the header, the flags, the kind of its first section, and the size and type of BSON. */
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

/** A zero-terminated text. */
const textAt = (bytes, at) => bytes.toString('utf8', at, bytes.indexOf(0, at));

/** The collections of a `bulkWrite`. */
const namespacesOf = (message) =>
  [...message.toString('latin1').matchAll(/\x02ns\0[\s\S]{4}[^\0.]+\.([^\0]+)\0/g)].map(([, collection]) => collection);

/** The command of a message, if it writes: its name, and the collection where that is plain. */
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

/** Cuts a stream into messages. @param take called with each */
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
  /** Messages that were held up, in their order: functions that send them. */
  #held = null;
  #armed = null;
  /** The commands that write, since the last call of `arm`. */
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

  /** Whether connections are held up. */
  get isHolding() {
    return this.#held !== null;
  }

  /**
   * Holds up all connections before or after the n-th command that writes.
   * @returns a promise of that moment
   */
  arm(at, side) {
    this.commands = [];
    return new Promise((reached) => (this.#armed = { at, side, reached }));
  }

  /** Nothing is held up any more, and what was goes on. */
  release() {
    const held = this.#held ?? [];
    this.#armed = null;
    this.#held = null;
    for (const send of held) send();
  }

  /** Closes all connections; what was held up never arrives. */
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
