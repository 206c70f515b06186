import { MongoError, MongoServerError } from 'mongodb';

/** Whether a write failed because a unique index already contains the value of a field. */
export const isDuplicate = (error: unknown, column: string): boolean =>
  error instanceof MongoServerError && error.code === 11000 && column in ((error.keyPattern as object | undefined) ?? {});

/** Whether a document or command exceeded the limit of 16 MB. */
export function isOversized(error: unknown): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  // The driver fails at the end of its buffer before it sends anything to the database.
  if (code === 'ERR_OUT_OF_RANGE') return message.includes('"offset"');
  return error instanceof MongoError && /larger than the maximum|too large/i.test(message);
}

/** Whether a write failed such that it is not known whether it happened, for example because the connection was lost. */
export const isUncertain = (error: unknown): boolean => error instanceof MongoError && !(error instanceof MongoServerError);
