/**
 * The parameters of a call, typed by the table that declares them: `endpoint` gives its handler `params`, one entry for each argument,
 * checked and cleaned. Undeclared parameters (`context`, `_fields`) are read with `request.get`.
 */
import { argsUnder } from './schema.js';
import type { Args, CallContext, Endpoint, Refused, Resolved, RestResponse } from './route.js';
import type { Json } from './request.js';

type Property<Of, Name extends string> = Name extends keyof Of ? Of[Name] : undefined;

type TypeOf<Schema> = Property<Schema, 'type'> extends readonly (infer Type)[] ? Type : Property<Schema, 'type'>;

type OfType<Type, Schema> = Type extends 'integer' | 'number'
  ? number
  : Type extends 'boolean'
    ? boolean
    : Type extends 'string'
      ? string
      : Type extends 'array'
        ? (Schema extends { items: infer Items } ? OfSchema<Items> : Json)[]
        : Type extends 'object'
          ? { [key: string]: Json }
          : Type extends 'null'
            ? null
            : Json;

/** The type of a value that is valid by the keywords of a schema; any JSON without a type. */
type OfSchema<Schema> = Schema extends { oneOf: readonly (infer Choice)[] }
  ? OfSchema<Choice>
  : Schema extends { type: unknown; enum: readonly (infer Choice)[] }
    ? Choice
    : OfType<TypeOf<Schema>, Schema>;

type Cleaned<Sanitize, Schema> = Sanitize extends 'raw'
  ? Json
  : Sanitize extends (...args: never) => infer Value
    ? Exclude<Awaited<Value>, Refused>
    : OfSchema<Schema>;

type Called<Callback> = Callback extends (...args: never) => infer Result ? Awaited<Result> : true;

/** The results of the check of an argument. */
type Verdict<A> = Called<Property<A, 'validate'>>;

/** The type that the check of an argument resolves its value to; never for checks that do not resolve it. */
type ResolvedBy<A> = Verdict<A> extends infer Each ? (Each extends Resolved<infer Value> ? Value : never) : never;

type Sent<A> = [ResolvedBy<A>] extends [never]
  ? Cleaned<Property<A, 'sanitize'>, A>
  : ResolvedBy<A> | (true extends Verdict<A> ? Cleaned<Property<A, 'sanitize'>, A> : never);

type IsPresent<A> = A extends { only: string } | { absentUnder: string }
  ? false
  : A extends { required: true } | { captured: true }
    ? true
    : A extends { default: infer Default }
      ? null extends (Default extends (...args: never) => infer Value ? Value : Default)
        ? false
        : true
      : false;

/** The value of one argument. WP: a value that is cleaned to null counts as not sent. */
export type ParamOf<A> =
  IsPresent<A> extends true ? (null extends Sent<A> ? NonNullable<Sent<A>> | undefined : Sent<A>) : NonNullable<Sent<A>> | undefined;

/** The parameters that a table of arguments declares. */
export type ParamsOf<Table> = { readonly [Name in keyof Table]: ParamOf<Table[Name]> };

/** A call of an endpoint, with the parameters of its table. */
export interface EndpointCall<Table> extends CallContext {
  params: ParamsOf<Table>;
}

/** The parameters of a request that has been checked against its table. */
function paramsOf<Table extends Args>(table: Table, { request, site }: CallContext): ParamsOf<Table> {
  const params: Record<string, unknown> = {};
  for (const name in argsUnder(site.quirks, table)) params[name] = request.resolved.get(name) ?? request.get(name);
  return params as ParamsOf<Table>;
}

/** Adapts a function of the parameters of a table to a function of a request that has been checked against it. */
export const withParams =
  <Table extends Args, Result, More extends unknown[]>(table: Table, run: (call: EndpointCall<Table>, ...more: More) => Result) =>
  (context: CallContext, ...more: More): Result =>
    run({ ...context, params: paramsOf(table, context) }, ...more);

/** An endpoint whose handler gets typed parameters. */
export const endpoint = <Table extends Args>({
  handler,
  ...declared
}: Omit<Endpoint, 'args' | 'handler'> & {
  args: Table;
  handler: (call: EndpointCall<Table>) => Promise<RestResponse> | RestResponse;
}): Endpoint => ({ ...declared, handler: withParams(declared.args, handler) });

/** A table without required parameters, for updates. */
type OptionalArgs<Table> = { [Name in keyof Table]: Omit<Table[Name], 'required'> & { required: false } };

export const optionalArgs = <Table extends Args>(table: Table): OptionalArgs<Table> =>
  Object.fromEntries(Object.entries(table).map(([name, arg]) => [name, { ...arg, required: false }])) as OptionalArgs<Table>;

/** How much of an object is shown, and for which use (WP). */
export type Context = 'view' | 'embed' | 'edit';

/** Whether a request is for the edit context, which needs the right to edit. */
export const isEditing = ({ request }: CallContext): boolean => request.get('context') === 'edit';

/** The context of a request whose endpoint declares none. WP: it has an effect anyway. */
export function sentContext({ request }: CallContext): Context {
  const sent = request.get('context');
  return sent === 'embed' || sent === 'edit' ? sent : 'view';
}

/** WP: the response to a write is in the edit context, which from then on is the context of the request. */
export function switchToEditing({ request }: CallContext): void {
  request.sources.query.context = 'edit';
}
