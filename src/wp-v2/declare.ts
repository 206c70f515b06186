import { RestError } from '../rest/error.js';
import { checkValue, isRefused } from '../rest/check.js';
import {
  Refused,
  type Arg,
  type ArgError,
  type Args,
  type ArgType,
  type Endpoint,
  type Handler,
  type Json,
  type Method,
} from '../rest/route.js';
import type { Permission, Route, Schema } from '../rest/route.js';

/** What stands behind an endpoint once it is built: who may call it and what it says. */
export interface Answer {
  permission: Permission;
  handler: Handler;
}

/** The answers of a resource, by operation. An operation without one is declared for discovery and refuses with 501. */
export type Answers<Name extends string> = Partial<Record<Name, Answer>>;

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

const EMPTY: Partial<Record<ArgType, Json>> = { string: '', integer: 0, number: 0, boolean: false, array: [], object: {} };

/** What null comes to in a field (WP: the empty value of its type, unless null is one of its types). */
function emptyOf({ type = 'string' }: Arg): Json {
  const types = [type].flat();
  return types.includes('null') ? null : (EMPTY[types[0]] ?? null);
}

/**
 * Fields as they are written: null is not refused but empties them (WP: what it means in a filter is another matter).
 * WP: all are checked before any is cleaned, those with a cleaning of their own too.
 */
export const fields = (declared: Args): Args =>
  Object.fromEntries(
    Object.entries(declared).map(([name, arg]) => {
      const sanitize = (value: Json): Json | Refused => {
        if (value === null) return emptyOf(arg);
        const checked = checkValue(value, arg, name);
        return isRefused(checked) ? new Refused(checked) : checked.value;
      };
      const validate = (value: Json): true | ArgError => {
        const checked = checkValue(value, arg, name);
        return isRefused(checked) ? checked : true;
      };
      const isOwn = arg.validate !== undefined || arg.sanitize === 'raw';
      return [name, { ...arg, sanitize: arg.sanitize ?? sanitize, ...(isOwn ? {} : { validate }) }];
    }),
  );

/** Writable fields as an update takes them. WP: what creation requires or fills in is neither required nor filled in there. */
export const editing = (declared: Args): Args =>
  Object.fromEntries(Object.entries(declared).map(([name, { default: _default, required: _required, ...arg }]) => [name, arg]));

/** WP: a few schemas hold a keyword in another shape than its JSON Schema one (`enum` as a map, `required` as a list of names, `properties` as an empty list). */
export const oddSchema = (schema: Record<string, Json>): Schema => schema;
