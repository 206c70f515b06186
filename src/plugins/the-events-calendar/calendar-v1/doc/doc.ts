import type { JsonObject } from '../../../../base/values/records.js';
import { DEFINITIONS, schemaRef } from './definitions.js';
import { documented, documentedStatuses, typeOf, type DocResource } from './doc-facts.js';
import { REASONS, type Operation } from '../../../../wordpress/rest/reasons.js';
import { DOCUMENT, strictDocument } from './openapi.js';
import { describing } from '../../../../wordpress/rest/language.js';
import type { Args, Route } from '../../../../wordpress/rest/route.js';
import { resourceUnder } from '../../../../wordpress/rest/schema.js';
import type { Site } from '../../../../wordpress/site.js';

export type { DocFacts, DocResource } from './doc-facts.js';

const succeeded = (status: number): boolean => status < 300;

function responses(operation: Operation, resource: DocResource, schema: JsonObject): JsonObject {
  const { path, doc } = resource;
  const reasons = REASONS[operation](doc.noun, path);
  const response = (status: number): JsonObject => ({
    description: reasons[status],
    ...(succeeded(status) ? { content: { 'application/json': { schema } } } : {}),
  });
  return Object.fromEntries(documentedStatuses(operation, resource).map((status) => [status, response(status)]));
}

/** Arguments as the document shows parameters. */
export function parameters(args: Args, place: 'query' | 'path'): JsonObject[] {
  return documented(args).map(([name, arg]) => ({
    in: arg.doc?.in ?? place,
    schema: typeOf(arg),
    description: arg.description,
    required: arg.required ?? false,
    name,
    ...(arg.doc?.style ? { style: arg.doc.style } : {}),
  }));
}

/** Arguments as the document shows the body of a form. */
export function requestBody(args: Args): JsonObject {
  const properties = documented(args).map(([name, arg]) => [name, { description: arg.description, ...typeOf(arg) }] as const);
  const schema = { type: 'object', properties: Object.fromEntries(properties) };
  return { content: { 'application/x-www-form-urlencoded': { schema } } };
}

/** TEC: the list is described as an array although it comes within an object, and creation not at all. */
function collectionItem(resource: DocResource): JsonObject {
  const schema = { title: resource.path, type: 'array', items: schemaRef(resource.doc.schema) };
  return { get: { parameters: parameters(resource.filters, 'query'), responses: responses('list', resource, schema) } };
}

/**
 * Operations on one item. TEC: all parameters are documented as path parameters, even the password of an event, and a POST as possibly
 * creating.
 */
function itemPath(resource: DocResource, args: Args): JsonObject {
  const { fields, doc } = resource;
  const { keyInBody = false } = doc;
  const schema = schemaRef(doc.schema);
  const params = parameters(args, 'path');
  return {
    get: { parameters: params, responses: responses('read', resource, schema) },
    post: {
      parameters: params,
      requestBody: requestBody(keyInBody ? { ...args, ...fields } : fields),
      responses: responses('write', resource, schema),
    },
    delete: { parameters: params, responses: responses('delete', resource, schema) },
  };
}

function resourcePaths(resource: DocResource): [string, JsonObject][] {
  const base = `/${resource.path}`;
  const { idArgs, slugArg } = resource;
  return [
    [base, collectionItem(resource)],
    [`${base}/{id}`, itemPath(resource, idArgs)],
    ...(slugArg ? [[`${base}/by-slug/{slug}`, itemPath(resource, { slug: slugArg })] as [string, JsonObject]] : []),
  ];
}

/** TEC: the URL of the server loses its port. */
function serverUrl(site: Site, namespace: string): string {
  const { protocol, hostname, pathname } = new URL(site.restUrl(`/${namespace}/`));
  return `${protocol}//${hostname}${pathname}`;
}

/**
 * The OpenAPI 3.0 document of a namespace, its keys in the order of the wire. It depends only on the declarations and the URL of the site.
 */
export function openApiDocument({
  site,
  namespace,
  resources,
}: {
  site: Site;
  namespace: string;
  resources: readonly DocResource[];
}): JsonObject {
  const schemas = Object.entries(DEFINITIONS).map(([name, properties]) => [name, { type: 'object', properties }] as const);
  const self = { get: { responses: { 200: { description: 'This document.' } } } };
  return {
    ...DOCUMENT,
    components: { schemas: Object.fromEntries(schemas) },
    servers: [{ url: serverUrl(site, namespace) }],
    paths: Object.fromEntries([['/doc', self], ...resources.flatMap(resourcePaths)]),
  };
}

/** The document of a namespace of a site: the plugin's, or the corrected one. */
function documentOf(site: Site, namespace: string, declared: readonly DocResource[]): JsonObject {
  const resources = declared.map((resource) => resourceUnder(site.quirks, resource));
  return site.quirks.has('doc-is-not-openapi')
    ? openApiDocument({ site, namespace, resources })
    : strictDocument(resources, [site.restUrl(`/${namespace}`)], site);
}

export function docRoute(namespace: string, resources: readonly DocResource[]): Route {
  return {
    path: `/${namespace}/doc`,
    endpoints: [
      {
        methods: ['GET'],
        args: {},
        permission: 'public',
        handler: ({ site, request }) => describing(request, documentOf(site, namespace, resources)),
      },
    ],
  };
}
