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

/**
 * Makes the engine choose query plans by trial, as released servers do.
 * By default (0.1.1), if no trial finishes in time, as with a sort of thousands of documents, the engine estimates costs. That requires
 * an execution engine which is not part of the build, so the query fails.
 * @throws if the engine rejects the setting
 */
export const planByTrial = async (engine: RoundTripper): Promise<void> => {
  const command = bsonDocument(
    bsonInt('setParameter', 1),
    bsonString('internalQueryPlanRanker', 'multiPlanning'),
    bsonString('$db', 'admin'),
  );
  const { response } = await engine.roundTrip(commandMessage(command));
  if (response.includes('\x02errmsg\0')) throw new Error('the engine does not support the setting internalQueryPlanRanker');
};
