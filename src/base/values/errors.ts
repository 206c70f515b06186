/** The message, the stack and the code of an error, where a value that was thrown may also be something else. */

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** With where it was thrown, for a log. */
export const stackOf = (error: unknown): string => (error instanceof Error && error.stack) || String(error);

/** The code of an error of the system, such as `ENOENT`; undefined for another one. */
export const codeOf = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

export const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
