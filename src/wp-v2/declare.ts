import { RestError } from '../rest/error.js';
import type { Args, Endpoint, Handler, Json, Method, Permission, Route, Schema } from '../rest/route.js';

/** What stands behind an endpoint once it is built: who may call it and what it says. */
export interface Answer {
  permission: Permission;
  handler: Handler;
}

/** The answers of a resource, by operation. An operation without one is declared for discovery and refuses with 501. */
export type Answers<Operation extends string> = Partial<Record<Operation, Answer>>;

/** The operations that nearly every resource of `wp/v2` has. */
export type Operation = 'list' | 'create' | 'read' | 'update' | 'delete';

/** What an operation says that is declared and not built. */
export const NOT_BUILT: Answer = {
  permission: 'public',
  handler: () => {
    throw new RestError(
      'understudy_not_built',
      'This route of WordPress is declared here for discovery only; Understudy does not answer it yet.',
      501,
    );
  },
};

/** One endpoint; without an answer it throws `understudy_not_built`. */
export const endpoint = (methods: readonly Method[], args: Args, answer: Answer = NOT_BUILT): Endpoint => ({ methods, args, ...answer });

export const get = (args: Args, answer?: Answer): Endpoint => endpoint(['GET'], args, answer);
export const post = (args: Args, answer?: Answer): Endpoint => endpoint(['POST'], args, answer);
export const edit = (args: Args, answer?: Answer): Endpoint => endpoint(['POST', 'PUT', 'PATCH'], args, answer);
export const remove = (args: Args, answer?: Answer): Endpoint => endpoint(['DELETE'], args, answer);

/** A route below `/wp/v2`; `path` is written as WordPress writes it, with named groups. */
export const route = (path: string, ...endpoints: Endpoint[]): Route => ({ path: `/wp/v2${path}`, endpoints });

/** Says on every endpoint of a route whether it may be part of a batch request (WP: a flag of the whole controller). */
export const batched = (declared: Route, allowBatch = true): Route => ({
  ...declared,
  endpoints: declared.endpoints.map((each) => ({ ...each, allowBatch })),
});

/** A route that also tells what its items are like. */
export const described = (declared: Route, schema: Record<string, Json>): Route => ({ ...declared, schema });

/** Writable fields as an update takes them. WP: what creation requires or fills in is neither required nor filled in there. */
export const editing = (fields: Args): Args =>
  Object.fromEntries(Object.entries(fields).map(([name, { default: _default, required: _required, ...arg }]) => [name, arg]));

/** WP: a few schemas hold a keyword in another shape than its JSON Schema one (`enum` as a map, `required` as a list of names, `properties` as an empty list). */
export const oddSchema = (schema: Record<string, Json>): Schema => schema as Schema;
