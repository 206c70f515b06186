import { endpoint as typedEndpoint, type EndpointCall } from '../rest/params.js';
import type { WholeFields } from '../rest/request.js';
import { RestError } from '../rest/route.js';
import type { RestResponse, Args, Endpoint, Json, Method, Permission, Route, Schema, Arg } from '../rest/route.js';
import { asJsonObject } from '../../base/values/records.js';

/** Contexts in which a field is shown. */
export const EVERYWHERE = ['view', 'edit', 'embed'];
export const NOT_EMBEDDED = ['view', 'edit'];
export const EDIT_ONLY = ['edit'];

type Field = Arg | Schema;

/** The schema of a writable field: the keywords of its argument, without those that only arguments have. */
function property(field: Field, context: string[] | undefined): Schema {
  const {
    title,
    description,
    type,
    format,
    enum: choices,
    items,
    properties,
    oneOf,
    readonly,
    pattern,
    minLength,
    default: preset,
  } = field;
  const required = field.required === true || undefined;
  const shown = {
    ...{ title, description, type, format, enum: choices, items, properties, oneOf, readonly, pattern, minLength },
    ...{ required, default: preset, context },
  };
  return Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== undefined && typeof value !== 'function'));
}

/** A read-only field. */
export const shown = (description: string, more: Partial<Schema>): Schema => ({ type: 'string', ...more, description, readonly: true });

/** WP: the sizes of the pictures of users, in pixels. */
export const AVATAR_SIZES = [24, 48, 96];

/** The addresses of the pictures of a user, by size. */
export const AVATAR_URLS: Partial<Schema> = {
  type: 'object',
  properties: Object.fromEntries(
    AVATAR_SIZES.map((size) => [String(size), { description: 'URL of an image.', type: 'string', format: 'uri', context: EVERYWHERE }]),
  ),
};

/**
 * The schema of a resource, as OPTIONS shows it (WP: `schema`).
 * @param fields its fields by name, in any order
 * @param contexts where each is shown; other fields are shown in `otherwise`, or have no contexts
 */
export function resourceSchema(
  title: string,
  fields: Args | Record<string, Field>,
  contexts: Record<string, string[]>,
  otherwise?: string[],
): Record<string, Json> {
  const properties = Object.entries(fields).map(([name, field]) => [name, property(field, contexts[name] ?? otherwise)] as const);
  const schema = { $schema: 'http://json-schema.org/draft-04/schema#', title, type: 'object', properties: Object.fromEntries(properties) };
  return asJsonObject(schema);
}

/** The permission and handler of an endpoint. */
export interface Action<Table> {
  permission: Permission;
  handler: (call: EndpointCall<Table>) => Promise<RestResponse> | RestResponse;
}

/** The handler of an endpoint that is only declared. */
export const notBuilt = (): never => {
  throw new RestError(
    'understudy_not_built',
    'This route of WordPress is listed for discovery only. Understudy does not implement it.',
    501,
  );
};

const NOT_BUILT = { permission: 'public', handler: notBuilt } as const;

/** An endpoint; without an action it responds with `understudy_not_built`. */
export const declaredEndpoint = <Table extends Args>(
  methods: readonly Method[],
  args: Table,
  action: Action<Table> = NOT_BUILT,
): Endpoint => ({
  ...typedEndpoint({ methods, args, ...action }),
  ...(action.handler === notBuilt ? { isBuilt: false } : {}),
});

const by =
  (...methods: Method[]) =>
  <Table extends Args>(args: Table, action?: Action<NoInfer<Table>>): Endpoint =>
    declaredEndpoint(methods, args, action);

export const get = by('GET');
export const post = by('POST');
export const edit = by('POST', 'PUT', 'PATCH');
export const removal = by('DELETE');

/** A route below `/wp/v2`; `path` is a pattern of WordPress, with named groups. */
export const route = (path: string, ...endpoints: Endpoint[]): Route => ({ path: `/wp/v2${path}`, endpoints });

/** Sets on every endpoint of a route whether it may be part of a batch request (WP: a flag of the whole controller). */
export const batched = (declared: Route, allowBatch = true): Route => ({
  ...declared,
  endpoints: declared.endpoints.map((each) => ({ ...each, allowBatch })),
});

/** Routes whose objects have fields whose parts cannot be selected by `_fields` (WP: the controller compares whole names). */
export const withWholeFields = (routes: readonly Route[], wholeFields: WholeFields = 'all'): Route[] =>
  routes.map((each) => ({ ...each, wholeFields }));

export const described = (declared: Route, schema: NonNullable<Route['schema']>): Route => ({ ...declared, schema });

export { fields } from '../rest/args.js';

/** Writable fields of an update. WP: without the required fields and defaults of creation. */
export const editing = <Table extends Args>(declared: Table): Editing<Table> =>
  Object.fromEntries(
    Object.entries(declared).map(([name, { default: _default, required: _required, ...arg }]) => [name, arg]),
  ) as Editing<Table>;

export type Editing<Table> = { [Name in keyof Table]: Omit<Table[Name], 'default' | 'required'> };

/** A part of a table that only some resources have. For others its parameters are undefined, despite their defaults. */
export const onlyIf = <Table extends Args>(isDeclared: boolean, table: Table): Editing<Table> =>
  (isDeclared ? table : {}) as Editing<Table>;

/**
 * WP: keywords of a few schemas differ from JSON Schema (`enum` as a map, `required` as a list of names, `properties` as an empty list).
 */
export const oddSchema = (schema: Record<string, Json>): Schema => schema;
