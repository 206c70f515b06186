import type { Duplex } from 'node:stream';
import { reasonOf } from './types.js';

/*
 * The parts of MongoDB's wire protocol that a listener in front of the engine needs: framing, and checks for messages that would
 * crash the whole process (measured with 0.1.1: session commands, and BSON that is nested about 2,000 levels deep).
 */

const HEADER = 16;
const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;
const MORE_TO_COME = 2;
/** The limit that the handshake reports to drivers, plus space for the envelope. */
const MAX_MESSAGE = 48_000_000 + 16_384;
/** MongoDB's own limit. */
const MAX_DEPTH = 200;

const INTERNAL_ERROR = { code: 1, codeName: 'InternalError' };
const OVERFLOW = { code: 15, codeName: 'Overflow' };
const INVALID_BSON = { code: 22, codeName: 'InvalidBSON' };
const COMMAND_NOT_FOUND = { code: 59, codeName: 'CommandNotFound' };

/** Commands that dereference a session catalog, which the embedded engine does not have. */
const SESSION_COMMANDS = new Set([
  'startSession',
  'endSessions',
  'refreshSessions',
  'killSessions',
  'killAllSessions',
  'killAllSessionsByPattern',
]);
/** The only commands that are sent as OP_QUERY since MongoDB 5.1. */
const HANDSHAKES = new Set(['hello', 'isMaster', 'ismaster']);

/** The part of the engine that a listener needs. */
export interface RoundTripper {
  roundTrip(message: Buffer): Promise<{ requestId: number; moreToCome: boolean; legacy: boolean; response: Buffer }>;
}

/** Splits a stream of bytes into wire messages. The chunks of a message are joined only once. */
export class MessageReader {
  private chunks: Buffer[] = [];
  private length = 0;

  /**
   * @returns the messages that this chunk completes
   * @throws if a message has an invalid length
   */
  push(chunk: Buffer): Buffer[] {
    this.chunks.push(chunk);
    this.length += chunk.length;
    const messages: Buffer[] = [];
    for (let size = this.nextSize(); size !== undefined && this.length >= size; size = this.nextSize()) {
      const all = this.join();
      messages.push(all.subarray(0, size));
      this.chunks = size < all.length ? [all.subarray(size)] : [];
      this.length -= size;
    }
    return messages;
  }

  private nextSize(): number | undefined {
    if (this.length < 4) return undefined;
    const first = this.chunks[0];
    const size = (first && first.length >= 4 ? first : this.join()).readInt32LE(0);
    if (size < HEADER || size > MAX_MESSAGE) throw new Error(`message length ${size}`);
    return size;
  }

  private join(): Buffer {
    const [first] = this.chunks;
    if (first && this.chunks.length === 1) return first;
    const all = Buffer.concat(this.chunks);
    this.chunks = [all];
    return all;
  }
}

/** A command that is rejected, with MongoDB's error code. */
class CommandError extends Error {
  constructor(
    readonly error: { code: number; codeName: string },
    message: string,
  ) {
    super(message);
  }
}

const malformed = (): CommandError => new CommandError(INVALID_BSON, 'BSON is malformed');

const afterName = (message: Buffer, at: number, end: number): number => {
  let zero = at;
  while (zero < end && message[zero] !== 0) zero++;
  if (zero >= end) throw malformed();
  return zero + 1;
};

type Sizes = Readonly<Partial<Record<number, number>>>;

/** Sizes in bytes: undefined, null, MaxKey and MinKey; boolean; int; double, date, timestamp and long; ObjectId; decimal. */
const SIZES: Sizes = { 0x06: 0, 0x0a: 0, 0x7f: 0, 0xff: 0, 0x08: 1, 0x10: 4, 0x01: 8, 0x09: 8, 0x11: 8, 0x12: 8, 0x07: 12, 0x13: 16 };

/** Sizes besides what the length counts that they begin with: string, code and symbol; binary; DBPointer. */
const MORE_THAN_LENGTH: Sizes = { 0x02: 4, 0x0d: 4, 0x0e: 4, 0x05: 5, 0x0c: 16 };

const REGULAR_EXPRESSION = 0x0b;

/** Size in bytes of an element's value that contains no document; negative if unknown. */
const scalarSize = (type: number, message: Buffer, at: number, end: number): number => {
  const more = MORE_THAN_LENGTH[type];
  if (more !== undefined) return at + 4 <= end ? more + message.readInt32LE(at) : -1;
  return SIZES[type] ?? (type === REGULAR_EXPRESSION ? afterName(message, afterName(message, at, end), end) - at : -1);
};

/**
 * Checks a document recursively.
 * @returns the offset of its end
 * @throws CommandError if it is malformed or nested too deeply
 */
const checkDocument = (message: Buffer, start: number, limit: number, depth = 1): number => {
  if (depth > MAX_DEPTH) throw new CommandError(OVERFLOW, `BSON is nested more than ${MAX_DEPTH} levels deep`);
  if (start + 5 > limit) throw malformed();
  const end = start + message.readInt32LE(start);
  if (end < start + 5 || end > limit || message[end - 1] !== 0) throw malformed();
  let at = start + 4;
  while (at < end - 1) {
    const type = message.readUInt8(at);
    at = afterName(message, at + 1, end);
    if (type === 0x03 || type === 0x04) at = checkDocument(message, at, end - 1, depth + 1);
    else if (type === 0x0f) at = checkCodeWithScope(message, at, end - 1, depth + 1);
    else {
      const size = scalarSize(type, message, at, end);
      if (size < 0 || at + size > end - 1) throw malformed();
      at += size;
    }
  }
  return end;
};

const checkCodeWithScope = (message: Buffer, at: number, limit: number, depth: number): number => {
  if (at + 8 > limit) throw malformed();
  const code = message.readInt32LE(at + 4);
  if (code < 1 || at + 8 + code > limit) throw malformed();
  return checkDocument(message, at + 8 + code, limit, depth);
};

/** The first key of a command document is the command's name. */
const commandName = (message: Buffer, document: number, limit: number): string => {
  if (document + 6 > limit) throw malformed();
  return message.toString('latin1', document + 5, afterName(message, document + 5, limit) - 1);
};

const checkMessage = (message: Buffer): void => {
  if (message.length < 26) throw malformed();
  const limit = message.length - ((message.readUInt32LE(16) & 1) === 1 ? 4 : 0);
  let body: number | undefined;
  for (let at = 20; at < limit;) {
    const kind = message[at++];
    if (kind === 0) {
      body = at;
      at = checkDocument(message, at, limit);
    } else if (kind === 1 && at + 4 <= limit) {
      const end = at + message.readInt32LE(at);
      if (end < at + 5 || end > limit) throw malformed();
      at = afterName(message, at + 4, end);
      while (at < end) at = checkDocument(message, at, end);
    } else throw malformed();
  }
  if (body === undefined) throw malformed();
  const name = commandName(message, body, limit);
  if (SESSION_COMMANDS.has(name)) throw new CommandError(COMMAND_NOT_FOUND, `no such command: '${name}'`);
};

const checkQuery = (message: Buffer): void => {
  const document = afterName(message, 20, message.length) + 8;
  checkDocument(message, document, message.length);
  if (!HANDSHAKES.has(commandName(message, document, message.length))) throw malformed();
};

/** A document of texts and of integers of 32 bits. */
export const bsonOf = (members: Readonly<Record<string, string | number>>): Buffer => {
  const elements = Object.entries(members).map(([key, value]) => {
    const text = Buffer.from(typeof value === 'string' ? `${value}\0` : '');
    const element = Buffer.from(`${typeof value === 'string' ? '\x02' : '\x10'}${key}\0\0\0\0\0`);
    element.writeInt32LE(typeof value === 'string' ? text.length : value, element.length - 4);
    return Buffer.concat([element, text]);
  });
  const all = Buffer.concat([Buffer.alloc(4), ...elements, Buffer.alloc(1)]);
  all.writeInt32LE(all.length);
  return all;
};

/** Header of a message, before its document. @param requestId of the message that it responds to */
export const headerOf = (length: number, requestId = 0, legacy = false): Buffer => {
  const header = Buffer.alloc(legacy ? HEADER + 20 : HEADER + 5);
  header.writeInt32LE(header.length + length, 0);
  header.writeInt32LE(requestId, 8);
  header.writeInt32LE(legacy ? OP_REPLY : OP_MSG, 12);
  // OP_REPLY: numberReturned.
  if (legacy) header.writeInt32LE(1, 32);
  return header;
};

/** The engine throws if it cannot parse a command. Turns that into an error response, as a server sends it. */
const rejectCommand = (error: unknown): never => {
  const text = reasonOf(error).replace(/^embedded MongoDB error: /, '');
  throw new CommandError(text.startsWith('Overflow') ? OVERFLOW : INTERNAL_ERROR, text);
};

/**
 * Handles a message.
 * @returns the parts of the response; none if the client expects no response
 * @throws if the connection has to be closed
 */
const handleMessage = async (engine: RoundTripper, message: Buffer): Promise<Buffer[]> => {
  const operation = message.readInt32LE(12);
  if (operation === OP_QUERY) checkQuery(message);
  else if (operation !== OP_MSG) throw new Error(`operation ${operation} is not supported`);
  try {
    if (operation === OP_MSG) checkMessage(message);
    const { requestId, moreToCome, legacy, response } = await engine.roundTrip(message).catch(rejectCommand);
    return moreToCome ? [] : [headerOf(response.length, requestId, legacy), response];
  } catch (error) {
    if (!(error instanceof CommandError) || operation !== OP_MSG) throw error;
    if ((message.readUInt32LE(16) & MORE_TO_COME) !== 0) return [];
    const response = bsonOf({ ok: 0, errmsg: error.message, ...error.error });
    return [headerOf(response.length, message.readInt32LE(4)), response];
  }
};

/**
 * Serves a connection until it closes. Messages are handled in order.
 * @param log receives one line when the connection is dropped because of an error
 */
export const serveConnection = (engine: RoundTripper, socket: Duplex, log: (line: string) => void): void => {
  const reader = new MessageReader();
  let queue = Promise.resolve();
  const drop = (error: unknown): void => {
    log(`connection dropped: ${reasonOf(error)}`);
    socket.destroy();
  };
  const respond = async (message: Buffer): Promise<void> => {
    const parts = await handleMessage(engine, message);
    if (parts.length > 0 && !socket.destroyed) socket.write(Buffer.concat(parts));
  };
  socket.on('error', () => {});
  socket.on('data', (chunk: Buffer) => {
    try {
      for (const message of reader.push(chunk)) queue = queue.then(() => respond(message)).catch(drop);
    } catch (error) {
      drop(error);
    }
  });
};
