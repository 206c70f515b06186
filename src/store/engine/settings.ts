import { bsonDocument, bsonInt, bsonString, type RoundTripper } from './wire.js';

const OP_MSG = 2013;
const HEADER = 16;

/** A command as one wire message. */
const commandMessage = (command: Buffer): Buffer => {
  const header = Buffer.alloc(HEADER + 5);
  header.writeInt32LE(header.length + command.length, 0);
  header.writeInt32LE(1, 4);
  header.writeInt32LE(OP_MSG, 12);
  return Buffer.concat([header, command]);
};

/**
 * Makes the engine choose query plans as released servers do, by trying them out.
 * By default (0.1.1) it estimates when the trial of a plan finds nothing in time, as with a sort of thousands of documents, and does
 * that with an execution engine that its build leaves out: such a query then fails.
 * @throws when the engine does not know the setting
 */
export const planByTrial = async (engine: RoundTripper): Promise<void> => {
  const command = bsonDocument(
    bsonInt('setParameter', 1),
    bsonString('internalQueryPlanRanker', 'multiPlanning'),
    bsonString('$db', 'admin'),
  );
  const { response } = await engine.roundTrip(commandMessage(command));
  if (response.includes('\x02errmsg\0')) throw new Error('the engine does not let its plan ranker be chosen');
};
