import { ucfirst } from '../../base/php/cast.js';
import { isRecord, type JsonObject } from '../../base/values/records.js';
import { routeIndexEntry } from '../../wordpress/rest/discovery.js';
import type { Endpoint, Json, Route } from '../../wordpress/rest/route.js';
import type { MountedRoute } from '../../wordpress/rest/table.js';
import type { Site } from '../../wordpress/site.js';
import { readable } from '../tenant/api/route.js';
import { schemaOf } from './rest-schema.js';

/** The parameters in a path, which is a regular expression with named groups. */
export const captures = (path: string): string[] => [...path.matchAll(/\(\?P<(\w+)>/g)].map(([, name]) => name);

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

const BASIC: JsonObject = { basic: [] };

/** The schemas of a document by name. Routes with the same schema share it. */
class Schemas {
  readonly byName: JsonObject = { Error: ERROR };
  private readonly names = new Map<string, string>();

  /** A reference to a schema, which is added under its title. */
  add(schema: JsonObject): JsonObject {
    const key = JSON.stringify(schema);
    const known = this.names.get(key);
    if (known !== undefined) return refTo(known);
    const title = (typeof schema.title === 'string' ? schema.title : 'object').replaceAll(/[^\w.-]+/g, '_');
    let name = title;
    for (let count = 2; Object.hasOwn(this.byName, name); count += 1) name = `${title}_${count}`;
    this.names.set(key, name);
    this.byName[name] = schema;
    return refTo(name);
  }
}

/** A route as OPTIONS shows it, with what its documentation is made of. */
interface Described {
  route: Route;
  path: string;
  /** Its objects. */
  schema: JsonObject | null;
  title: string;
  /** Whether routes below it have one of its objects each. */
  hasItems: boolean;
}

/** The last part of a path that is not a parameter. */
const lastName = (path: string): string =>
  path
    .split('/')
    .findLast((part) => part !== '' && !part.includes('{'))
    ?.replaceAll(/[-_]/g, ' ') ?? path;

const isList = (args: JsonObject): boolean => Object.hasOwn(args, 'per_page');

/** WordPress has no names for operations. They come from the method, from the title of the objects, and from the path. */
function summaryOf(method: string, args: JsonObject, { methods }: Endpoint, { route, path, title }: Described): string {
  const reads = route.endpoints.some((each) => each.methods.includes('GET'));
  if (method === 'get') return isList(args) ? `List ${lastName(path)}` : `Get ${title}`;
  if (method === 'delete') return `Delete ${title}`;
  if (!reads) return ucfirst(lastName(path));
  return methods.includes('PUT') ? `Update ${title}` : `Create ${title}`;
}

const parameter = (name: string, arg: JsonObject, place: 'path' | 'query'): JsonObject => {
  const { description, ...schema } = schemaOf(arg);
  return {
    name,
    in: place,
    required: place === 'path' || arg.required === true,
    ...(description === undefined ? {} : { description }),
    schema,
    // PHP keeps only the last of several parameters of the same name.
    ...(schema.type === 'array' && place === 'query' ? { style: 'form', explode: false } : {}),
  };
};

function bodyOf(args: [string, JsonObject][]): JsonObject {
  const required = args.flatMap(([name, arg]) => (arg.required === true ? [name] : []));
  const schema = {
    type: 'object',
    ...(required.length > 0 ? { required } : {}),
    properties: Object.fromEntries(args.map(([name, arg]) => [name, schemaOf(arg)])),
  };
  return { required: required.length > 0, content: { 'application/json': { schema } } };
}

/** WordPress says what an object is, not whether a route has one, a list, or one for each name. */
function resultOf(method: string, args: JsonObject, schema: JsonObject, { hasItems }: Described): JsonObject {
  const list = { type: 'array', items: schema };
  if (method !== 'get') return schema;
  return isList(args) ? list : hasItems ? { anyOf: [list, { type: 'object', additionalProperties: schema }] } : schema;
}

function responsesOf(method: string, args: JsonObject, endpoint: Endpoint, described: Described): JsonObject {
  const { schema } = described;
  const error = { 'application/json': { schema: refTo('Error') } };
  if (endpoint.isBuilt === false)
    return { 501: { description: 'Understudy lists this route, but does not implement it.', content: error } };
  const isKnown = schema !== null && method !== 'delete';
  const body = isKnown ? resultOf(method, args, schema, described) : {};
  const isNew = method === 'post' && !endpoint.methods.includes('PUT');
  return {
    [isNew && isKnown ? 201 : 200]: { description: 'Success.', content: { 'application/json': { schema: body } } },
    default: { description: 'Error.', content: error },
  };
}

function operation(tag: string, args: JsonObject, endpoint: Endpoint, described: Described): JsonObject {
  const [first, ...others] = endpoint.methods;
  const method = first.toLowerCase();
  const inPath = captures(described.route.path);
  const rest = Object.entries(args).filter((entry): entry is [string, JsonObject] => !inPath.includes(entry[0]) && isRecord(entry[1]));
  const takesBody = method !== 'get' && method !== 'delete';
  const parameters = [
    ...inPath.map((name) => parameter(name, isRecord(args[name]) ? args[name] : { type: 'string' }, 'path')),
    ...(takesBody ? [] : rest.map(([name, arg]) => parameter(name, arg, 'query'))),
  ];
  const isOpen = method === 'get' || endpoint.permission === 'public';
  return {
    tags: [tag],
    summary: summaryOf(method, args, endpoint, described),
    ...(others.length > 0 ? { description: `${others.join(' and ')} do the same.` } : {}),
    operationId: operationIdOf(described.path, method),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(takesBody && rest.length > 0 ? { requestBody: bodyOf(rest) } : {}),
    responses: responsesOf(method, args, endpoint, described),
    security: isOpen ? [{}, BASIC] : [BASIC],
  };
}

interface Options {
  site: Site;
  /** The routes of the site, without indexes. */
  routes: readonly MountedRoute[];
  /** A document of namespaces that have a better one, and their names. */
  calendar: { names: readonly string[]; document: JsonObject };
  /** URL of the REST root, absolute or relative to the document. */
  server: string;
}

function objectsOf({ schema: declared }: Route, site: Site): JsonObject | null {
  const schema = typeof declared === 'function' ? declared(site) : declared;
  if (schema === undefined) return null;
  // WP: fields that a creation has to have, which are not in every response.
  const { required: _required, ...objects } = schemaOf(schema);
  return objects;
}

function pathOf(mounted: MountedRoute, { site, routes }: Options, schemas: Schemas): [string, JsonObject] {
  const { route, namespace } = mounted;
  const objects = objectsOf(route, site);
  const path = readable(route.path);
  // A list of objects is described where they are.
  const schema = objects === null ? null : objects.type === 'array' ? {} : schemas.add(objects);
  const item = routes.find((each) => each.route.schema !== undefined && each.route.path.startsWith(`${route.path}/(?P<`));
  // The schema of a list is named by its plural.
  const named = objects?.type === 'array' && item ? objectsOf(item.route, site) : objects;
  const title = (typeof named?.title === 'string' ? named.title : lastName(path)).replaceAll(/[-_]/g, ' ');
  const hasItems = objects !== null && item !== undefined;
  const described: Described = { route, path, schema, title, hasItems };
  const { endpoints } = routeIndexEntry(mounted, site) as { endpoints: { args: Json }[] };
  const operations = route.endpoints.map((endpoint, at) => {
    const { args } = endpoints[at];
    return [endpoint.methods[0].toLowerCase(), operation(namespace, isRecord(args) ? args : {}, endpoint, described)] as const;
  });
  return [path, Object.fromEntries(operations)];
}

/** An OpenAPI 3.0 document as version 3.1 writes it: types that include null. */
function withoutNullable(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutNullable);
  if (!isRecord(value)) return value;
  const { nullable, type, ...rest } = value;
  const others = Object.fromEntries(Object.entries(rest).map(([key, each]) => [key, withoutNullable(each)]));
  if (type === undefined || nullable !== true) return { ...others, ...(type === undefined ? {} : { type: withoutNullable(type) }) };
  return { ...others, type: [type, 'null'] };
}

/** Adds a document of a namespace, whose operations are described better than their declarations tell. */
function addDocument(document: JsonObject, name: string, isFirst: boolean, paths: JsonObject, schemas: Schemas): void {
  const { paths: own, components } = document as {
    paths: Record<string, Record<string, JsonObject>>;
    components: Record<string, JsonObject>;
  };
  for (const [path, operations] of Object.entries(own)) {
    paths[`/${name}${path}`] = Object.fromEntries(
      Object.entries(operations).map(([method, each]) => {
        const operationId = isFirst ? each.operationId : operationIdOf(`/${name}${path}`, method);
        return [method, { ...each, tags: [name], operationId }];
      }),
    );
  }
  Object.assign(schemas.byName, components.schemas);
}

/**
 * The OpenAPI 3.1 document of namespaces of a site, generated from the records that OPTIONS and the indexes show: a change of a route changes
 * all of them.
 */
export function restDocument(options: Options): JsonObject {
  const {
    routes,
    server,
    calendar: { names, document },
  } = options;
  const schemas = new Schemas();
  const calendar = withoutNullable(document) as JsonObject;
  const served = new Set(routes.map(({ namespace }) => namespace));
  const paths: JsonObject = {};
  const described = names.filter((name) => served.has(name));
  for (const [at, name] of described.entries()) addDocument(calendar, name, at === 0, paths, schemas);
  for (const mounted of routes) {
    if (described.includes(mounted.namespace)) continue;
    const [path, operations] = pathOf(mounted, options, schemas);
    paths[path] = operations;
  }
  const components = calendar.components as JsonObject;
  return {
    openapi: '3.1.0',
    info: { title: 'REST API', version: '1.0.0', description: 'The routes of a WordPress site and its plugins.' },
    servers: [{ url: server }],
    security: [{}, BASIC],
    tags: [...served].map((name) => ({ name })),
    paths,
    components: { ...components, schemas: schemas.byName },
  };
}
