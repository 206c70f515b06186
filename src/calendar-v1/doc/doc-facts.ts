import { argsUnder } from '../../rest/schema.js';
import type { Operation } from '../../rest/reasons.js';
import type { SchemaName } from './definitions.js';
import type { Arg, Args, Json } from '../../rest/route.js';
import type { Quirks } from '../../wp/quirks.js';

/** What only the document knows of a resource. */
export interface DocFacts {
  schema: SchemaName;
  /** The resource in the singular: `category`. */
  noun: string;
  /** What to start from when trying it out: the body of a request that succeeds. */
  example: Record<string, Json>;
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

/** A resource with the arguments that exist under some quirks. */
export const resourceUnder = (quirks: Quirks, resource: DocResource): DocResource => ({
  ...resource,
  filters: argsUnder(quirks, resource.filters),
  fields: argsUnder(quirks, resource.fields),
});

const READ_STATUSES = [200, 400, 403, 404];
const WRITE_STATUSES = [200, 201, 400, 403];
const DELETE_STATUSES = [200, 400, 403, 410, 500];
const LIST_STATUSES = [200, 400, 404];

/** The statuses that an operation on a resource is said to end with. */
export function statusesOf(operation: Operation, { doc }: DocResource): readonly number[] {
  if (operation === 'list') return LIST_STATUSES;
  if (operation === 'delete') return DELETE_STATUSES;
  return operation === 'read' ? (doc.readStatuses ?? READ_STATUSES) : (doc.writeStatuses ?? WRITE_STATUSES);
}

/** Type of an argument in the document. TEC: what has no type in the index is text, unless the document's facet overrides that. */
export function typeOf({ type, items, doc }: Arg): Record<string, Json> {
  const declared = doc?.type ?? (Array.isArray(type) ? type[0] : type) ?? 'string';
  const member = doc?.items?.type ?? items?.type;
  if (declared !== 'array' || member === undefined) return { type: declared };
  return { type: declared, items: { type: member } };
}

/** The arguments that the document shows. */
export const documented = (args: Args): [string, Arg][] => Object.entries(args).filter(([, { doc }]) => !doc?.omit);
