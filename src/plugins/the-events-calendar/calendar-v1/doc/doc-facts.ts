import type { Operation } from '../../../../wordpress/rest/reasons.js';
import type { SchemaName } from './definitions.js';
import type { Arg, Args, Json } from '../../../../wordpress/rest/route.js';

/** The properties of a resource that only the document has. */
export interface DocFacts {
  schema: SchemaName;
  /** The resource in the singular: `category`. */
  noun: string;
  /** The body of a request that succeeds, to start from. */
  example: Record<string, Json>;
  /** TEC: organizers and categories list the `id` or `slug` of the path among the parameters of the body, too. */
  keyInBody?: boolean;
  /** Documented statuses of reading an item, if they differ from a post's. */
  readStatuses?: readonly number[];
  /** Documented statuses of writing an item, if they differ from a post's. */
  writeStatuses?: readonly number[];
}

/** The input of the document: the argument records that validation and the indexes read. */
export interface DocResource {
  /** Last part of the collection's path. */
  path: string;
  filters: Args;
  fields: Args;
  idArgs: Args;
  /** The parameter of the by-slug path; absent if there is no such path. */
  slugArg?: Arg;
  doc: DocFacts;
}

const READ_STATUSES = [200, 400, 403, 404];
const WRITE_STATUSES = [200, 201, 400, 403];
const DELETE_STATUSES = [200, 400, 403, 410, 500];
const LIST_STATUSES = [200, 400, 404];

export function documentedStatuses(operation: Operation, { doc }: DocResource): readonly number[] {
  if (operation === 'list') return LIST_STATUSES;
  if (operation === 'delete') return DELETE_STATUSES;
  return operation === 'read' ? (doc.readStatuses ?? READ_STATUSES) : (doc.writeStatuses ?? WRITE_STATUSES);
}

/** Type of an argument in the document. TEC: arguments without a type in the index are strings, unless the document overrides that. */
export function typeOf({ type, items, doc }: Arg): Record<string, Json> {
  const declared = doc?.type ?? (Array.isArray(type) ? type[0] : type) ?? 'string';
  const member = doc?.items?.type ?? items?.type;
  if (declared !== 'array' || member === undefined) return { type: declared };
  return { type: declared, items: { type: member } };
}

export const documented = (args: Args): [string, Arg][] => Object.entries(args).filter(([, { doc }]) => !doc?.omit);
