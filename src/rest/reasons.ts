/** What can be done to the items of a collection. */
export type Operation = 'list' | 'read' | 'write' | 'delete';

/** What each status means, by what was to be done. */
export const REASONS: Record<Operation, (noun: string, plural: string) => Record<number, string>> = {
  list: (_noun, plural) => ({
    200: `A page of the ${plural} that match.`,
    400: 'A parameter is not valid.',
    404: `The list of ${plural} has no such page.`,
  }),
  read: (noun) => ({
    200: `The ${noun}.`,
    400: `What should name the ${noun} is missing or not valid.`,
    403: `The caller may not see this ${noun}.`,
    404: `There is no such ${noun}.`,
  }),
  write: (noun, plural) => ({
    200: `The ${noun} as it is after the change.`,
    201: `The new ${noun}.`,
    400: 'A parameter is missing or not valid.',
    403: `The caller may not create or change ${plural}.`,
  }),
  delete: (noun) => ({
    200: `The ${noun} that was deleted.`,
    400: `What should name the ${noun} is missing or not valid.`,
    403: `The caller may not delete this ${noun}.`,
    410: `The ${noun} had already been deleted.`,
    500: `The ${noun} could not be deleted.`,
  }),
};
