import { bsonDocument, bsonInt, bsonString, type RoundTripper } from './wire.js';

const OP_MSG = 2013;
const HEADER = 16;

/** Encodes a command as a wire message. */
const commandMessage = (command: Buffer): Buffer => {
  const header = Buffer.alloc(HEADER + 5);
  header.writeInt32LE(header.length + command.length, 0);
  header.writeInt32LE(1, 4);
  header.writeInt32LE(OP_MSG, 12);
  return Buffer.concat([header, command]);
};

/** @throws if the engine rejects the setting */
const set = async (engine: RoundTripper, name: string, value: string): Promise<void> => {
  const command = bsonDocument(bsonInt('setParameter', 1), bsonString(name, value), bsonString('$db', 'admin'));
  const { response } = await engine.roundTrip(commandMessage(command));
  if (response.includes('\x02errmsg\0')) throw new Error(`the engine does not support the setting ${name}`);
};

/**
 * Makes the engine choose query plans by trial, as released servers do.
 * By default (0.1.1), if no trial finishes in time, as with a sort of thousands of documents, the engine estimates costs. That requires
 * an execution engine which is not part of the build, so the query fails.
 */
export const planByTrial = (engine: RoundTripper): Promise<void> => set(engine, 'internalQueryPlanRanker', 'multiPlanning');

/**
 * Makes the engine close the files of collections that nobody uses. By default (0.1.1) those of dropped collections stay open for ten
 * minutes, and when the process may open no more files, the engine aborts. A site alone has fewer files than stay open here.
 */
export const closeIdleFiles = (engine: RoundTripper): Promise<void> =>
  set(engine, 'wiredTigerEngineRuntimeConfig', 'file_manager=(close_idle_time=15,close_scan_interval=5,close_handle_minimum=250)');

/** Limits the engine's cache. @param megabytes default: half of the memory of the machine */
export const limitMemory = async (engine: RoundTripper, megabytes: number | undefined): Promise<void> => {
  if (megabytes !== undefined) await set(engine, 'wiredTigerEngineRuntimeConfig', `cache_size=${Math.ceil(megabytes)}M`);
};
