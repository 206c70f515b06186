import type { SchemaName } from './definitions.js';
import type { Arg, Args, Json } from '../../rest/route.js';

/** What only the document knows of a resource. */
export interface DocFacts {
  schema: SchemaName;
  /** The resource in the singular: `category`. */
  noun: string;
  /** TEC: organizers and categories list the `id` or `slug` of the path among the parameters of the body, too. */
  keyInBody?: boolean;
  /** Statuses that reading an item is said to end with, where not those of a post. */
  readStatuses?: readonly number[];
  /** Statuses that writing an item is said to end with, where not those of a post. */
  writeStatuses?: readonly number[];
}

/** What the document is derived from: the same argument records that validation and the indexes read. */
export interface DocResource {
  /** Last part of the collection's path. */
  path: string;
  filters: Args;
  fields: Args;
  /** Parameters of the by-id path. */
  idArgs: Args;
  /** The parameter of the by-slug path; left out where there is no such path. */
  slugArg?: Arg;
  doc: DocFacts;
}

const READ_STATUSES = [200, 400, 403, 404];
const WRITE_STATUSES = [200, 201, 400, 403];
const DELETE_STATUSES = [200, 400, 403, 410, 500];
const LIST_STATUSES = [200, 400, 404];

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

/** The statuses that an operation on a resource is said to end with. */
export function statusesOf(operation: Operation, { doc }: DocResource): readonly number[] {
  if (operation === 'list') return LIST_STATUSES;
  if (operation === 'delete') return DELETE_STATUSES;
  return operation === 'read' ? (doc.readStatuses ?? READ_STATUSES) : (doc.writeStatuses ?? WRITE_STATUSES);
}

/** Type of an argument in the document. TEC: what has no type in the index is text, unless the document's own facet says otherwise. */
export function typeOf({ type, items, doc }: Arg): Record<string, Json> {
  const declared = doc?.type ?? (Array.isArray(type) ? type[0] : type) ?? 'string';
  const member = doc?.items?.type ?? items?.type;
  if (declared !== 'array' || member === undefined) return { type: declared };
  return { type: declared, items: { type: member } };
}

/** The arguments that the document shows. */
export const documented = (args: Args): [string, Arg][] => Object.entries(args).filter(([, { doc }]) => !doc?.omit);
