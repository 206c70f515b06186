import { restFieldsOf, fieldArgs, fieldSchemas } from '../rest/rest-fields/shown.js';
import type { Endpoint, Json, Route } from '../rest/route.js';
import type { WholeFields } from '../rest/request.js';
import type { Registry } from '../types/registry.js';
import { asJsonObject } from '../../base/values/records.js';
import { editing } from './declare.js';

const isWrite = ({ methods }: Endpoint): boolean => methods.includes('POST');

type RouteSchema = NonNullable<Route['schema']>;

function withProperties(schema: RouteSchema, more: Record<string, Json>): RouteSchema {
  const added = (known: Record<string, Json>): Record<string, Json> => ({
    ...known,
    properties: { ...(known.properties as Record<string, Json>), ...more },
  });
  return typeof schema === 'function' ? (site) => added(schema(site)) : added(schema);
}

/** WP: the parts of these fields can be selected also where only whole names are compared. */
const selectable = (whole: WholeFields | undefined, names: readonly string[]): { wholeFields?: WholeFields } =>
  whole === 'all' ? { wholeFields: { allBut: names } } : {};

/**
 * The routes of the objects of a type, with what plugins add to these: properties of the schema and arguments of writes.
 * @param type of the objects
 * @param paths of the routes that show them
 */
export function withFieldsOfPlugins(
  routes: readonly Route[],
  type: string,
  paths: readonly string[],
  registry: Registry,
): readonly Route[] {
  const fields = restFieldsOf(registry, type);
  if (fields.length === 0) return routes;
  const args = fieldArgs(fields);
  const names = fields.map(({ name }) => name);
  return routes.map((route) => {
    if (!paths.includes(route.path)) return route;
    const isCollection = !route.path.includes('(') && !route.path.endsWith('/me');
    const endpoints = route.endpoints.map((each) =>
      isWrite(each) ? { ...each, args: { ...each.args, ...(isCollection ? args : editing(args)) } } : each,
    );
    const described = route.schema ? { schema: withProperties(route.schema, asJsonObject(fieldSchemas(fields))) } : {};
    return { ...route, endpoints, ...described, ...selectable(route.wholeFields, names) };
  });
}

/** The paths of the objects below a base: all of them, and one by id. */
export const objectPaths = (base: string): string[] => [`/wp/v2/${base}`, `/wp/v2/${base}/(?P<id>[\\d]+)`];
