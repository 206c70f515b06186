import { ucfirst } from '../../base/php/cast.js';
import type { Json } from '../../wordpress/rest/route.js';

/** The parameters in a path, which is a regular expression with named groups. */
export const captures = (path: string): string[] => [...path.matchAll(/\(\?P<(\w+)>/g)].map(([, name]) => name);

/** A reference to a schema of the document. */
export const refTo = (name: string): Record<string, Json> => ({ $ref: `#/components/schemas/${name}` });

/** The schema of errors. */
export const ERROR: Json = {
  type: 'object',
  properties: { code: { type: 'string' }, message: { type: 'string' }, data: { type: ['object', 'null'] } },
  required: ['code', 'message', 'data'],
};

/** `getSnapshotsByNameRestore`, from the method and the path with its parameters in braces. */
export function operationIdOf(path: string, method: string): string {
  const words = path.replace(/\{(\w+)\}/g, 'by $1').split(/[^A-Za-z0-9]+/);
  return (
    method.toLowerCase() +
    (words
      .filter((word) => word !== '')
      .map(ucfirst)
      .join('') || 'Routes')
  );
}
