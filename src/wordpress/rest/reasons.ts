/** The operations on the items of a collection. */
export type Operation = 'list' | 'read' | 'write' | 'delete';

/** The meaning of each status, by operation. */
export const REASONS: Record<Operation, (noun: string, plural: string) => Record<number, string>> = {
  list: (_noun, plural) => ({
    200: `The requested page of ${plural}.`,
    400: 'A parameter is invalid.',
    404: 'The page does not exist.',
  }),
  read: (noun) => ({
    200: `The ${noun}.`,
    400: 'The ID or slug is missing or invalid.',
    403: `The client is not allowed to read this ${noun}.`,
    404: `The ${noun} does not exist.`,
  }),
  write: (noun, plural) => ({
    200: `The updated ${noun}.`,
    201: `The created ${noun}.`,
    400: 'A parameter is missing or invalid.',
    403: `The client is not allowed to create or update ${plural}.`,
  }),
  delete: (noun) => ({
    200: `The deleted ${noun}.`,
    400: 'The ID or slug is missing or invalid.',
    403: `The client is not allowed to delete this ${noun}.`,
    410: `The ${noun} has already been deleted.`,
    500: `The ${noun} could not be deleted.`,
  }),
};
