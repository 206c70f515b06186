import {
  MongoClientClosedError,
  MongoError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoServerClosedError,
  MongoServerError,
  MongoServerSelectionError,
  MongoTopologyClosedError,
} from 'mongodb';
import { FAILURES } from '../../base/system/failures.js';
import { codeOf, messageOf } from '../../base/values/errors.js';
import { EngineError } from '../engine/types.js';

/** Whether a write failed because a unique index already contains the value of a field. @param column default: any field */
export const isDuplicate = (error: unknown, column?: string): boolean =>
  error instanceof MongoServerError &&
  error.code === 11000 &&
  (column === undefined || column in ((error.keyPattern as object | undefined) ?? {}));

/** The value of a column that a unique index already contains. @param error for which `isDuplicate` */
export const duplicateOf = (error: unknown, column: string): string =>
  String((error as { keyValue?: Record<string, unknown> }).keyValue?.[column]);

/** MongoDB: QueryPlanKilled; CursorNotFound and CursorKilled, of a read in several batches. */
const REPLACED: ReadonlySet<unknown> = new Set([175, 43, 237]);

/** MongoDB: CommandFailed, of an `$out` whose target was created, dropped or replaced concurrently. */
const isTargetReplaced = ({ code, message }: MongoServerError): boolean => code === 125 && message.includes('changed during processing');

/** Whether a read or a copy failed because a collection was dropped or replaced meanwhile: the same command may succeed now. */
export const isReplaced = (error: unknown): boolean =>
  error instanceof MongoServerError && (REPLACED.has(error.code) || isTargetReplaced(error));

/** Whether a document or command exceeded the limit of 16 MB. */
export function isOversized(error: unknown): boolean {
  const message = messageOf(error);
  // The driver fails at the end of its buffer before it sends anything to the database.
  if (codeOf(error) === 'ERR_OUT_OF_RANGE') return message.includes('"offset"');
  return error instanceof MongoError && /larger than (?:the maximum|16777216)|too large/i.test(message);
}

/** Driver 7: socket errors of a write during a close are not wrapped. */
const SOCKET_CLOSED: ReadonlySet<unknown> = new Set([
  'EPIPE',
  'ECONNRESET',
  'ECONNREFUSED',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
]);

const isClosedSocket = (error: unknown): boolean => SOCKET_CLOSED.has(codeOf(error));

/** Whether a write failed with an unknown result, for example because the connection was lost. */
export const isUncertain = (error: unknown): boolean =>
  isClosedSocket(error) || (error instanceof MongoError && !(error instanceof MongoServerError));

/** The database crashed during staging, and may have lost some of the staged content. */
export class DatabaseCrashed extends Error {
  constructor() {
    super('The database stopped while content was being loaded. Nothing was changed. Try again.');
  }
}

const OUTAGES = [
  DatabaseCrashed,
  MongoClientClosedError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoServerClosedError,
  MongoServerSelectionError,
  MongoTopologyClosedError,
];

/** MongoDB: codes of a server that is shutting down, has no primary at the moment, or has no time for a write. */
const GONE: ReadonlySet<unknown> = new Set([91, 11600, 11602, 10107, 13435, 189, 50]);

/** Whether the database could not be reached, or stopped meanwhile: the same request may succeed later. */
export const isOutage = (error: unknown): boolean =>
  OUTAGES.some((type) => error instanceof type) || (error instanceof MongoServerError && GONE.has(error.code)) || isClosedSocket(error);

/**
 * The response to a request that had no database; null: it failed for another reason.
 * @param isTrusted whether the client may know what was tried, which names folders
 */
export function noDatabase(error: unknown, isTrusted = false): typeof FAILURES.noDatabase | null {
  if (error instanceof EngineError) return isTrusted ? { ...FAILURES.noEngine, message: error.message } : FAILURES.noEngine;
  return isOutage(error) ? FAILURES.noDatabase : null;
}
