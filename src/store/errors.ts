import { MongoError, MongoServerError } from 'mongodb';

/** True when a write failed because a unique index already holds the value of a column. */
export const isDuplicate = (error: unknown, column: string): boolean =>
  error instanceof MongoServerError && error.code === 11000 && column in ((error.keyPattern as object | undefined) ?? {});

/** True when something was too large to be stored or asked for: documents and commands end at 16 MB. */
export function isOversized(error: unknown): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  // The driver runs over the end of its buffer before the database gets to see anything.
  if (code === 'ERR_OUT_OF_RANGE') return message.includes('"offset"');
  return error instanceof MongoError && /larger than the maximum|too large/i.test(message);
}
